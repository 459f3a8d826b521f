"""What a tool may do with the services that it knows by name, such as GitHub or a weather service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, runtime_checkable


class ServiceChange(NamedTuple):
    """One change at a service: a method, a path, and what is sent as JSON."""

    method: str
    path: str
    body: Mapping[str, Any] = MappingProxyType({})


class ServiceReply(NamedTuple):
    """What a service answered, with a status below 300. `value` is its JSON, None for an empty body."""

    value: Any
    status: int = 200
    text: str = ""
    """The body as text where it was asked for as text."""
    more: bool = False
    """There are further pages."""


@runtime_checkable
class ReadServices(Protocol):
    """Services behind the gate of one call, which asks once for all that it reads of one. What they say is
    text that nobody vouches for.

    All raise Refused and ToolError: no_account where it needs a sign-in, account_refused, service_missing
    (404 and the like), service_limited, service_failed, and those of ReadWeb.
    """

    async def get(
        self,
        service: str,
        path: str,
        query: Mapping[str, str] = MappingProxyType({}),
        *,
        accept: str = "",
    ) -> ServiceReply:
        """Return what stands at a path of a service, as JSON, or as text where `accept` names another
        type.
        """
        ...

    async def rows(
        self, service: str, path: str, query: Mapping[str, str] = MappingProxyType({}), *, limit: int = 30
    ) -> ServiceReply:
        """Return the first rows of a list that comes in pages, a hundred at a time: `value` is a list, and
        `more` says that it goes on.
        """
        ...


@runtime_checkable
class ChangeServices(ReadServices, Protocol):
    """Changing something at a service: each change is asked about with all that it sends."""

    async def send(self, service: str, method: str, path: str, body: Mapping[str, Any]) -> ServiceReply:
        """Send a change and return the answer."""
        ...

    async def send_all(self, service: str, changes: Sequence[ServiceChange]) -> tuple[ServiceReply, ...]:
        """Send several changes that belong together, after one question, and return the answers. One that
        fails ends it; those before it have happened.
        """
        ...

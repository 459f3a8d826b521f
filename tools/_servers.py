"""What a tool may do with MCP servers: list those there are, search the registry, and add one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol, runtime_checkable


class Server(NamedTuple):
    """A configured server and what it offers now."""

    name: str
    state: str
    """off, connecting, ready, failed, sign_in or approval."""
    reason: str = ""
    tools: tuple[tuple[str, str], ...] = ()
    """Name and description of each tool that can be called."""
    held: int = 0
    """Tools that are held back, since their definitions changed."""


class Need(NamedTuple):
    """A value that an installation takes."""

    key: str
    description: str
    kind: str
    required: bool
    secret: bool
    default: str = ""
    choices: tuple[str, ...] = ()


class Offer(NamedTuple):
    """A server of the registry. `way` is how it would run here, "" where it cannot, and `why` says why."""

    name: str
    title: str
    description: str
    version: str
    way: str
    why: str = ""
    needs: tuple[Need, ...] = ()
    deprecated: bool = False


@runtime_checkable
class ReadServers(Protocol):
    """Servers behind the gate of one call; what they and the registry say is text that nobody vouches for."""

    async def servers(self, name: str = "") -> tuple[Server, ...]:
        """Return all servers, or one. Raises ToolError no_server."""
        ...

    async def offers(self, query: str, limit: int) -> tuple[Offer, ...]:
        """Return what the registry has; empty when it has nothing. Raises BrambleError registry_failed."""
        ...


@runtime_checkable
class ChangeServers(ReadServers, Protocol):
    """Servers that can be added too: a person is asked about each with its exact command."""

    async def install(self, name: str, version: str, values: Mapping[str, Any]) -> Server:
        """Add a server of the registry in one exact version ("" for the newest) and return it connected."""
        ...

    async def connect(self, name: str, command: str, url: str, env: Mapping[str, Any]) -> Server:
        """Add a server by its command or address, or connect one that is there; return it connected."""
        ...

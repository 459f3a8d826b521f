"""The gate for requests that a larger question has covered: each host that it named passes, every other one
is judged as ever.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Protocol
from urllib.parse import urlsplit

from app.capabilities.gate import Permit
from app.capabilities.web_addresses import STANDARD
from app.errors import ToolError
from app.records import Answer, Effect, Mark, RequestEffect
from tools import Request, Response


class Talk(Protocol):
    """What is needed of the web below a larger question."""

    async def get(self, request: Request) -> Response:
        """Send a request that only reads."""
        ...

    async def send(self, request: Request) -> Response:
        """Send a request of any method."""
        ...


Behind = Callable[[Permit], Talk]
"""Gives the web behind a gate."""


class Settled:
    """Implements Permit over the gate of the call."""

    def __init__(
        self,
        gate: Permit,
        covered: Collection[str],
        opened: Collection[str] = (),
        mark: Mark | None = None,
        *,
        only: bool = False,
    ) -> None:
        """`covered` are the hosts that the question named. `opened` are addresses whose very host and
        port may stand on this computer or in the own network, since the person's settings name them
        or they were let through already. `mark` stands for what all of them say. With `only` no other
        host is asked about: it is none of what was meant.
        """
        self._gate = gate
        self._covered = frozenset(covered)
        self._opened = frozenset(map(_door, opened))
        self._mark = mark
        self._only = only

    async def permit(self, effect: Effect) -> Answer:
        """See Permit."""
        if isinstance(effect, RequestEffect) and self._covers(effect):
            self.mark(Mark(kind="web", name=effect.host))
            return Answer(decision="allow", by="policy")
        if self._only and isinstance(effect, RequestEffect):
            words = f"It sends to {effect.host}, which nobody asked for."
            raise ToolError("bad_address", words, host=effect.host)
        return await self._gate.permit(effect)

    def mark(self, *found: Mark) -> None:
        """See Permit."""
        self._gate.mark(*(self._named(one) for one in found))

    @property
    def origin(self) -> tuple[Mark, ...]:
        """See Permit."""
        return self._gate.origin

    @property
    def outside(self) -> tuple[str, ...]:
        """See Permit."""
        return self._gate.outside

    def denies(self, effect: Effect) -> bool:
        """See Permit."""
        return self._gate.denies(effect)

    def opens(self, effect: RequestEffect) -> bool:
        """See Permit."""
        return _door_of(effect) in self._opened or self._gate.opens(effect)

    def _covers(self, effect: RequestEffect) -> bool:
        closed = effect.private and _door_of(effect) not in self._opened
        return effect.host in self._covered and not closed and not self._gate.denies(effect)

    def _named(self, found: Mark) -> Mark:
        return self._mark if self._mark and found.kind == "web" and found.name in self._covered else found


def _door(url: str) -> tuple[str, int]:
    """Return the host and port of an address."""
    parts = urlsplit(url)
    return (parts.hostname or "").lower(), parts.port or STANDARD.get(parts.scheme, 0)


def _door_of(effect: RequestEffect) -> tuple[str, int]:
    return effect.host, effect.port or _door(effect.url)[1]

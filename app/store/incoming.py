"""A conversation on its way in: its records, in an order in which they can be stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from app.platform.ids import new_id
from app.records import Message, SessionInfo
from app.store.enclosures import Enclosed


@dataclass(frozen=True)
class Conversation:
    """A session ready to be stored: each message after its parent, `head` the one that was shown last."""

    info: SessionInfo
    messages: Sequence[Message]
    head: str | None
    enclosed: Enclosed = field(default_factory=Enclosed)

    def placed(self, cwd: str) -> Conversation:
        """Return it with this working folder."""
        return replace(self, info=msgspec.structs.replace(self.info, cwd=cwd))


LATEST = 253_402_214_400.0
"""The last day of the year 9999: later moments have no date anywhere."""


def moment(seconds: float, otherwise: float = 0.0) -> float:
    """Return unix seconds that have a date in every zone, else the other ones."""
    return float(seconds) if 0 <= seconds < LATEST else otherwise


def price(cost: float | None) -> float | None:
    """Return what something cost, None where that is no amount."""
    return cost if cost is not None and 0 <= cost < LATEST else None


def in_order(found: Iterable[Message]) -> list[Message]:
    """Return the messages each after its parent, else as they stand; a lost or circular parent is a root."""
    known = {message.id: message for message in found}
    placed: dict[str, Message] = {}
    for message in known.values():
        placed.update((one.id, one) for one in _way_down(message, known, placed))
    return list(placed.values())


def _way_down(message: Message, known: dict[str, Message], placed: dict[str, Message]) -> Iterator[Message]:
    """Yield the ancestors that are not placed yet, oldest first, and the message itself."""
    way: dict[str, Message] = {}
    current: Message | None = message
    while current is not None and current.id not in placed:
        if current.parent not in known or current.parent in way:
            current = msgspec.structs.replace(current, parent=None)
        way[current.id] = current
        current = known[current.parent] if current.parent is not None else None
    yield from reversed(way.values())


def fresh_ids(count: int) -> list[str]:
    """Return new ids, all different, though many fall into one millisecond."""
    found: dict[str, None] = {}
    while len(found) < count:
        found[new_id()] = None
    return list(found)

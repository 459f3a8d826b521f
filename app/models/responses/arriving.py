"""The items of an answer while they arrive.

They are told apart by `output_index` alone: Copilot gives an item another id with every event
(vercel/ai#18548).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from app.models.responses.search import FIND

Place = tuple[str, int]
"""A kind of text (text, summary, reasoning) and the number of its part within an item."""

CALLS = ("function_call", "tool_search_call")


class Growing(msgspec.Struct, eq=False):
    """One item. `number` counts the calls of an answer from 0, -1 for what is none."""

    type: str
    number: int = -1
    call_id: str = ""
    name: str = ""
    namespace: str = ""
    done: bool = False
    whole: bool = True
    """False where the server says that the item broke off."""
    final: dict[str, Any] = {}
    """The item as it was when it was done."""
    arguments: list[str] = []
    size: int = 0
    """Characters of arguments, or of text that was shown."""
    seen: dict[Place, list[str]] = {}

    def take(self, item: dict[str, Any]) -> None:
        """Take what an item says of itself, at its beginning or its end."""
        self.call_id = self.call_id or _text(item.get("call_id"))
        self.name = FIND if self.type == "tool_search_call" else self.name or _text(item.get("name"))
        self.namespace = self.namespace or _text(item.get("namespace"))
        self.whole = item.get("status") != "incomplete"

    def argue(self, text: str) -> None:
        """Append a piece of the arguments."""
        self.arguments.append(text)
        self.size += len(text)

    def rest(self, place: Place, whole: str) -> str:
        """Return what a place's whole text holds beyond what was seen of it, "" where it says otherwise."""
        before = "".join(self.seen.get(place, ()))
        return whole[len(before) :] if whole.startswith(before) else ""


def argument_text(value: Any) -> str | None:
    """Return arguments as text, None where there are none; searches and some servers give the object
    itself.
    """
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return value if isinstance(value, str) and value else None


class Arriving:
    """All items of one answer, in the order in which they came."""

    def __init__(self) -> None:
        self.items: list[Growing] = []
        self._by_index: dict[int, Growing] = {}
        self._calls = 0

    def begun(self, event: dict[str, Any], item: dict[str, Any]) -> Growing:
        """Return the item that an event begins."""
        index = event.get("output_index")
        held = self._by_index.get(index) if isinstance(index, int) else None
        growing = held or self._new(_text(item.get("type")), index)
        growing.take(item)
        return growing

    def at(self, event: dict[str, Any], kind: str) -> Growing:
        """Return the item that an event goes on with, a new one of `kind` where it was never begun."""
        index = event.get("output_index")
        if isinstance(index, int):
            return self._by_index.get(index) or self._new(kind, index)
        last = self.items[-1] if self.items else None
        return last if last is not None and last.type == kind and not last.done else self._new(kind, None)

    def listed(self, output: list[Any]) -> Iterator[tuple[dict[str, Any], Growing]]:
        """Yield the items of a whole answer that were not done yet, each with what arrived of it."""
        for index, item in enumerate(output):
            if not isinstance(item, dict):
                continue
            held = self._by_index.get(index)
            if held is None and not self._by_index and index < len(self.items):
                held = self.items[index]
            growing = held or self._new(_text(item.get("type")), index)
            if not growing.done and growing.type == item.get("type"):
                yield item, growing

    def _new(self, kind: str, index: Any) -> Growing:
        growing = Growing(kind)
        if kind in CALLS:
            growing.number = self._calls
            self._calls += 1
        self.items.append(growing)
        if isinstance(index, int):
            self._by_index[index] = growing
        return growing


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""

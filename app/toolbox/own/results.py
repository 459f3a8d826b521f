"""What of a child's result is taken over: its words as they are, but no promise that only we can give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from app.own_tool_records import Described, Problem
from app.platform.plain_text import visible
from tools import ToolResult

_SUMMARY = 80
_PICTURES, _PICTURE = 4, 5 << 20
_MAGIC = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff")
_ROWS, _CELL = 1_000, 500
_LINE, _MOST = 300, 100
"""Characters of a fault, and faults of a file."""
_WORDS, _WHOLE = 4_000, 32_000
"""Characters of one text, and bytes of all that a tool says of itself."""


class Undoable:
    """The changes that the capabilities of one call made, so that no tool promises to take back another's."""

    def __init__(self) -> None:
        self._ids: list[str] = []

    def seen(self, value: Any) -> Any:
        """Take a capability's answer in, and return it: whichever record it is, and those that it holds."""
        undo = getattr(value, "undo", "")
        if isinstance(undo, str) and undo:
            self._ids.append(undo)
        if hasattr(value, "_fields"):
            for field in value:
                if hasattr(field, "_fields"):
                    self.seen(field)
        return value

    def known(self, id: str) -> str:
        """Return the id where one of these changes has it, else that of the last change, "" for none."""
        return id if id in self._ids else self._ids[-1] if self._ids else ""


def sound(result: ToolResult, undoable: Undoable) -> ToolResult:
    """Return the result without what it cannot know, and with a view that can be drawn."""
    table = _table(result.data) if result.view == "table" else None
    pictures = tuple(one for one in result.images if one.startswith(_MAGIC) and len(one) <= _PICTURE)
    return ToolResult(
        text=result.text,
        summary=" ".join(visible(result.summary).split())[:_SUMMARY],
        ok=result.ok,
        view="text" if table is None else "table",
        data=table or {},
        undo=undoable.known(result.undo),
        images=pictures[:_PICTURES],
    )


def _table(data: Mapping[str, Any]) -> dict[str, Any] | None:
    columns, rows = data.get("columns"), data.get("rows")
    if not isinstance(columns, (list, tuple)) or not isinstance(rows, (list, tuple)):
        return None
    if not all(isinstance(row, (list, tuple)) and len(row) == len(columns) for row in rows):
        return None
    return {
        "columns": [_cell(one) for one in columns],
        "rows": [list(map(_cell, row)) for row in rows[:_ROWS]],
    }


def _cell(value: Any) -> str:
    return "" if value is None else visible(str(value)[:_CELL])


def described(message: Mapping[str, Any]) -> Described | tuple[Problem, ...]:
    """Return what came from a child as a record, or the faults that it found. Raises ValueError."""
    if message["kind"] == "faulty":
        faults = msgspec.convert(message.get("faults"), list[tuple[int, str]])
        return tuple(Problem(line=line, message=visible(text)[:_LINE]) for line, text in faults[:_MOST])
    found = msgspec.convert(dict(message), Described)
    sizes = (len(found.description), len(found.verb), *map(len, found.examples), *map(len, found.keywords))
    if max(sizes) > _WORDS or len(msgspec.json.encode(found)) > _WHOLE:
        raise ValueError("it says too much of itself")
    return found

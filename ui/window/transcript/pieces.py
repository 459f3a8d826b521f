"""One top-level block of Markdown as the split hands it on."""

from __future__ import annotations

from itertools import count
from typing import Literal

import msgspec

Kind = Literal["prose", "heading", "item", "quote", "code", "table", "rule"]

_SERIAL = count()


class Piece(msgspec.Struct, eq=False):
    """One block of Markdown: its lines without the marks of what encloses it (list indent, fence)."""

    kind: Kind
    lines: list[str] = msgspec.field(default_factory=list)
    depth: int = 0
    """How many list items enclose it."""
    first: bool = True
    """False for what goes on: a further item of a list, the rest of an item after code in it."""
    joined: bool = False
    """It continues the piece before, which was cut for its length."""
    language: str = ""
    number: int = -1
    """The number to show for an item of an ordered list, -1 for none."""
    head: tuple[str, str] | None = None
    """A continued table: its heading and delimiter lines."""
    soft: set[int] = msgspec.field(default_factory=set)
    """Code: lines that are cut for their length, so no line feed follows."""
    partial: str = ""
    """Code: the line that is still arriving."""
    column: int = 0
    size: int = 0
    serial: int = msgspec.field(default_factory=lambda: next(_SERIAL))
    """The same for all states of a growing block."""

    def text(self) -> str:
        """Return the source of the block, code without its fence."""
        if self.kind != "code":
            return "\n".join(self.lines).rstrip("\n")
        parts = [line if index in self.soft else line + "\n" for index, line in enumerate(self.lines)]
        return ("".join(parts) + self.partial).removesuffix("\n")

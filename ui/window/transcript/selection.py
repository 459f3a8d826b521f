"""What is selected, across messages, and its text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ui.window.transcript.legible import encodable
from ui.window.transcript.tool_rows import ToolRow

if TYPE_CHECKING:
    from ui.window.transcript.blocks import Block
    from ui.window.transcript.rows import Row
    from ui.window.transcript.story import Story

MANY_ROWS = 200
"""Above this many messages, plain text is their source: to lay all of them out would stop the window."""


class Place(NamedTuple):
    """A position in the conversation: order of the row, number of the block, position in the block."""

    order: int
    block: int
    position: int


class Selection:
    """From where the selection began to where it is drawn; empty when both are the same."""

    def __init__(self) -> None:
        self.anchor: Place | None = None
        self.head: Place | None = None

    def set(self, anchor: Place, head: Place) -> None:
        """Select what lies between two places, in either order."""
        self.anchor, self.head = anchor, head

    def clear(self) -> None:
        """Select nothing."""
        self.anchor = self.head = None

    @property
    def ends(self) -> tuple[Place, Place] | None:
        """First and last place, None when nothing is selected."""
        if self.anchor is None or self.head is None or self.anchor == self.head:
            return None
        return min(self.anchor, self.head), max(self.anchor, self.head)

    def span(self, order: int, block: int, length: int) -> tuple[int, int] | None:
        """Return what is selected of a block, None for nothing."""
        ends = self.ends
        if ends is None or not ends[0][:2] <= (order, block) <= ends[1][:2]:
            return None
        first, last = ends
        start = first.position if first[:2] == (order, block) else 0
        end = min(last.position, length) if last[:2] == (order, block) else length
        return (start, end) if start < end else None

    def text(self, story: Story, *, marks: bool) -> str:
        """Return the selected text as Markdown, or without `marks` as plain text."""
        ends = self.ends
        if ends is None:
            return ""
        base = story.rows[0].order
        rows = story.rows[ends[0].order - base : ends[1].order - base + 1]
        raw = marks or len(rows) > MANY_ROWS
        parts = []
        for row in rows:
            inner = ends[0].order < row.order < ends[1].order
            parts.append(row.markdown() if inner and raw else self._of_row(row, marks=marks))
        return encodable("\n\n".join(part for part in parts if part))

    def _of_row(self, row: Row, *, marks: bool) -> str:
        row.make()
        text, before = "", None
        for block, piece in self._pieces(row, marks=marks):
            text += _joint(before, block, text) + piece
            before = block
        return text

    def _pieces(self, row: Row, *, marks: bool) -> Iterator[tuple[Block, str]]:
        ends = self.ends
        assert ends is not None
        alone = ends[0][:2] == ends[1][:2]
        for index, block in enumerate(row.blocks):
            if not ends[0][:2] <= (row.order, index) <= ends[1][:2]:
                continue
            span = self.span(row.order, index, block.length)
            if span is None and block.length:
                continue
            start, end = span or (0, 0)
            # A part of one block of code is wanted as it is, without a fence around it.
            bare = not marks or (alone and block.kind in ("code", "pane"))
            piece = block.plain(start, end) if bare else block.markdown(start, end)
            if piece:
                yield block, piece


def _joint(before: Block | None, block: Block, text: str) -> str:
    if before is None:
        return ""
    if block.joined:
        return "" if text.endswith(" ") else "\n"
    listed = block.kind == before.kind == "item" and block.further
    return "\n" if listed or (isinstance(block, ToolRow) and isinstance(before, ToolRow)) else "\n\n"

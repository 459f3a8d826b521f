"""Find in the conversation: over the source text first, exact positions only where the person looks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ui.window.transcript.selection import Place

if TYPE_CHECKING:
    from ui.window.transcript.blocks import Block
    from ui.window.transcript.rows import Row
    from ui.window.transcript.story import Story

_MARKS = str.maketrans("", "", "*_`~")


class Finder:
    """Steps through what was found. Counts come from the source without marks; they are exact once seen."""

    def __init__(self, story: Story, text: str) -> None:
        self.story = story
        self.needle = re.compile(re.escape(text), re.IGNORECASE)
        self._loose = text.translate(_MARKS).lower() or text.lower()
        self._counts: dict[int, int] = {}
        self._seen: set[int] = set()
        """Rows that were counted."""
        self.look_again()
        self._spot: tuple[int, int, int] | None = None
        self.current: tuple[int, int] | None = None
        """The row, and the how manieth hit in it."""

    def look_again(self) -> None:
        """Count in rows that are new since the last time."""
        for row in self.story.rows:
            if row.order in self._seen and not row.live:
                continue
            self._seen.add(row.order)
            count = self._count(row)
            if count:
                self._counts[row.order] = count

    def _count(self, row: Row) -> int:
        text = row.said
        return max(text.translate(_MARKS).lower().count(self._loose), text.lower().count(self._loose))

    @property
    def total(self) -> int:
        """How many there are."""
        return sum(self._counts.values())

    @property
    def number(self) -> int:
        """Which one it stands on, from 1; 0 for none."""
        if self.current is None:
            return 0
        order, nth = self.current
        return sum(count for at, count in self._counts.items() if at < order) + nth + 1

    def start(self, order: int, *, backward: bool = False) -> tuple[Place, int] | None:
        """Go to the first hit in a row or after it; see `step`."""
        at = self._counts.get(order, 0) if backward else -1
        self.current = (order, at)
        return self.step(backward=backward)

    def step(self, *, backward: bool = False) -> tuple[Place, int] | None:
        """Go to the next hit, around the end; return its place and the position where it ends."""
        orders = sorted(self._counts)
        order, nth = self.current or (orders[0] if orders else 0, -1)
        nth += -1 if backward else 1
        for _ in range(len(orders) + 1):
            hits = self.hits(order)
            if hits and 0 <= nth < len(hits):
                self.current = (order, nth)
                index, start, end = hits[nth]
                self._spot = (order, index, start)
                return Place(order, index, start), end
            later = [found for found in orders if (found < order if backward else found > order)]
            if not later and not orders:
                break
            order = (later or orders)[-1 if backward else 0]
            nth = len(self.hits(order)) - 1 if backward else 0
        self.current = self._spot = None
        return None

    def hits(self, order: int) -> list[tuple[int, int, int]]:
        """Return the hits of a row: block, start, end."""
        index = order - self.story.rows[0].order if self.story.rows else -1
        if order not in self._counts or not 0 <= index < len(self.story.rows):
            return []
        row = self.story.rows[index]
        row.make()
        found = [
            (at, *span)
            for at, block in enumerate(row.blocks)
            if block.length and self._may_hold(block)
            for span in block.found(self.needle)
        ]
        self._counts[order] = len(found)
        return found

    def _may_hold(self, block: Block) -> bool:
        """Spare the layout of blocks whose source does not hold the word."""
        source = getattr(block, "source", "")
        return not isinstance(source, str) or self._loose in source.translate(_MARKS).lower()

    def marks(self, order: int, index: int, block: Block) -> list[tuple[int, int, bool]]:
        """Return what to mark in a block that is seen: start, end, whether it is the current one."""
        if not block.length or not self._may_hold(block):
            return []
        return [(start, end, (order, index, start) == self._spot) for start, end in block.found(self.needle)]

"""Pieces of a change as drawn rows: one column of lines, or old and new side by side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from app.records import DiffLine, Hunk, Record

LONGEST = 2_000
"""Characters of a line that are drawn; the rest is announced. A minified file would otherwise stall a
frame.
"""


class Row(Record):
    """One drawn row. A head has no lines; a unified row has one, a row of two columns may lack either."""

    hunk: int
    old: DiffLine | None = None
    new: DiffLine | None = None
    other: DiffLine | None = None
    """Unified rows: the line that this one replaced or was replaced by, for what differs inside."""

    @property
    def head(self) -> bool:
        """Whether the row begins a piece."""
        return self.old is None and self.new is None


def unified(hunks: Sequence[Hunk]) -> list[Row]:
    """Return the rows of one column: each piece under its head, removed lines before added ones."""
    rows: list[Row] = []
    for number, hunk in enumerate(hunks):
        rows.append(Row(number))
        for removed, added, same in _runs(hunk.lines):
            rows += [Row(number, line, line) for line in same]
            pairs = list(zip_longest(removed, added))
            rows += [Row(number, old=old, other=new) for old, new in pairs if old is not None]
            rows += [Row(number, new=new, other=old) for old, new in pairs if new is not None]
    return rows


def side_by_side(hunks: Sequence[Hunk]) -> list[Row]:
    """Return the rows of two columns: what was replaced stands beside what replaces it."""
    rows: list[Row] = []
    for number, hunk in enumerate(hunks):
        rows.append(Row(number))
        for removed, added, same in _runs(hunk.lines):
            rows += [Row(number, line, line) for line in same]
            rows += [Row(number, old, new) for old, new in zip_longest(removed, added)]
    return rows


def _runs(lines: Sequence[DiffLine]) -> list[tuple[list[DiffLine], list[DiffLine], list[DiffLine]]]:
    """Split lines into runs: either equal lines, or the removed and added lines of one place."""
    runs: list[tuple[list[DiffLine], list[DiffLine], list[DiffLine]]] = []
    for line in lines:
        same = line.kind == " "
        if not runs or bool(runs[-1][2]) != same:
            runs.append(([], [], []))
        runs[-1][2 if same else 0 if line.kind == "-" else 1].append(line)
    return runs

"""Three versions of a file laid beside each other: before, what was made of it, what stands now.

Made from the two differences of a conflict, whose common side (what was made) is the axis. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from app.records import DiffLine, Hunk

CONTEXT = 3
Cell = DiffLine | None


class Line(NamedTuple):
    """One row; a side without a line here is None. A head has no lines and names where it begins."""

    before: Cell = None
    made: Cell = None
    now: Cell = None
    head: int = 0
    """The first line of a region, of what was made; 0 for a row of lines."""


class _Run(NamedTuple):
    """Lines `start` to `end` (half open, from 1) of what was made, and what stands for them elsewhere."""

    start: int
    end: int
    lines: tuple[DiffLine, ...]


def three_ways(ours: Sequence[Hunk], since: Sequence[Hunk]) -> list[Line]:
    """Return the rows where any of the three differ, with a few lines around."""
    mine = _runs(ours, replaced="-", made="+")
    yours = _runs(since, replaced="+", made="-")
    texts = {**_texts(ours, made="+"), **_texts(since, made="-")}
    rows: list[Line] = []
    last = 0
    for start, end in _regions(mine, yours):
        first = start
        while first > 1 and first - 1 in texts and start - first < CONTEXT and first - 1 > last:
            first -= 1
        if not rows or first > last + 1:
            rows.append(Line(head=max(1, first)))
        rows += [_same(texts[at], at, mine, yours) for at in range(first, start)]
        rows += _changed(start, end, mine, yours, texts)
        last = end - 1
        follows = _next(end, mine, yours)
        while last + 1 in texts and last + 1 < follows and last + 2 - end <= CONTEXT:
            last += 1
            rows.append(_same(texts[last], last, mine, yours))
    return rows


def _runs(hunks: Sequence[Hunk], *, replaced: str, made: str) -> list[_Run]:
    """Return what differs, in places of what was made. `made` is the kind of its own lines."""
    runs: list[_Run] = []
    for hunk in hunks:
        at = hunk.new_start if made == "+" else hunk.old_start
        start, lines = at, list[DiffLine]()
        for line in (*hunk.lines, DiffLine(" ", 0, 0, "")):
            if line.kind == " ":
                if lines or at > start:
                    runs.append(_Run(start=start, end=at, lines=tuple(lines)))
                at += 1
                start, lines = at, []
            elif line.kind == replaced:
                lines.append(line)
            else:
                at += 1
    return runs


def _texts(hunks: Sequence[Hunk], *, made: str) -> dict[int, DiffLine]:
    """Return the known lines of what was made, by number."""
    found: dict[int, DiffLine] = {}
    for hunk in hunks:
        for line in hunk.lines:
            if line.kind in (" ", made):
                found[line.new if made == "+" else line.old] = line
    return found


def _regions(mine: Sequence[_Run], yours: Sequence[_Run]) -> list[tuple[int, int]]:
    """Return the stretches of what was made in which something differs; those that touch are one."""
    found: list[tuple[int, int]] = []
    for run in sorted([*mine, *yours], key=lambda run: (run.start, run.end)):
        if found and run.start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], run.end))
        else:
            found.append((run.start, run.end))
    return found


def _next(at: int, mine: Sequence[_Run], yours: Sequence[_Run]) -> int:
    return min((run.start for run in (*mine, *yours) if run.start >= at), default=1 << 60)


def _same(line: DiffLine, at: int, mine: Sequence[_Run], yours: Sequence[_Run]) -> Line:
    before, now = at + _shift(at, mine), at + _shift(at, yours)
    return Line(
        before=DiffLine(" ", before, before, line.text),
        made=DiffLine(" ", at, at, line.text),
        now=DiffLine(" ", now, now, line.text),
    )


def _shift(at: int, runs: Sequence[_Run]) -> int:
    """Return by how much the number of a line differs on a side."""
    return sum(len(run.lines) - (run.end - run.start) for run in runs if run.end <= at)


def _changed(
    start: int, end: int, mine: Sequence[_Run], yours: Sequence[_Run], texts: dict[int, DiffLine]
) -> Iterator[Line]:
    """Yield the rows of one stretch: each side's own lines, side by side."""
    before, now = _side(start, end, mine, texts, "-"), _side(start, end, yours, texts, "+")
    for first, at, last in zip_longest(before, range(start, end), now):
        made = None
        if at is not None:
            kind = "+" if _covered(at, mine) else "-" if _covered(at, yours) else " "
            made = DiffLine(kind, 0, at, texts[at].text if at in texts else "")
        yield Line(before=first, made=made, now=last)


def _covered(at: int, runs: Sequence[_Run]) -> bool:
    return any(run.start <= at < run.end for run in runs)


def _side(
    start: int, end: int, runs: Sequence[_Run], texts: dict[int, DiffLine], kind: str
) -> list[DiffLine]:
    """Return the lines of one side in a stretch: its own where it differs, else those of what was made."""
    out: list[DiffLine] = []

    def keep(first: int, last: int) -> None:
        for n in range(first, last):
            if n in texts:
                number = n + _shift(n, runs)
                out.append(DiffLine(" ", number, number, texts[n].text))

    at = start
    for run in runs:
        if run.start < start or run.end > end:
            continue
        keep(at, run.start)
        out += [DiffLine(kind, line.old or line.new, line.old or line.new, line.text) for line in run.lines]
        at = run.end
    keep(at, end)
    return out

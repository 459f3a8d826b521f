"""What stands in the columns of a table, in one pass and bounded memory: counts, sums, ranges, texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

from app.documents.tables.grids import NOT_CALCULATED
from app.documents.tables.values import ERRORS, moment, number

DISTINCT = 10_000
"""Different texts of a column that are counted; beyond that there are "more than" so many."""
GROUPS = 50_000
HEAD = ("column", "filled", "empty", "kind", "sum", "mean", "smallest", "largest", "different", "most common")
Made = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]


class Sum:
    """A sum of floats whose error does not grow with their number (Neumaier 1974)."""

    __slots__ = ("_left", "_sum", "count", "largest", "smallest")

    def __init__(self) -> None:
        self._sum = self._left = 0.0
        self.count = 0
        self.smallest = self.largest = 0.0

    def add(self, value: float) -> None:
        """Take one number."""
        total = self._sum + value
        if abs(self._sum) >= abs(value):
            self._left += (self._sum - total) + value
        else:
            self._left += (value - total) + self._sum
        self._sum = total
        if not self.count or value < self.smallest:
            self.smallest = value
        if not self.count or value > self.largest:
            self.largest = value
        self.count += 1

    @property
    def total(self) -> float:
        """The sum; infinities stay what they are."""
        return self._sum + self._left if abs(self._sum) != float("inf") else self._sum


class Column:
    """What has been seen of one column."""

    __slots__ = ("_earliest", "_latest", "counts", "dates", "empty", "errors", "numbers", "over", "texts")

    def __init__(self) -> None:
        self.numbers = Sum()
        self.empty = self.texts = self.errors = self.dates = 0
        self.counts: Counter[str] = Counter()
        self.over = False
        self._earliest: tuple[datetime, str] | None = None
        self._latest: tuple[datetime, str] | None = None

    def take(self, cell: str, comma: bool) -> None:
        """Look at one cell."""
        if not cell or cell.isspace():
            self.empty += 1
            return
        if len(self.counts) < DISTINCT or cell[:200] in self.counts:
            self.counts[cell[:200]] += 1
        else:
            self.over = True
        value = number(cell, comma=comma)
        if value is not None:
            self.numbers.add(value)
        elif cell in ERRORS or cell.endswith(NOT_CALCULATED):
            self.errors += 1
        elif found := moment(cell):
            self._dated(found, cell)
        else:
            self.texts += 1

    def _dated(self, found: datetime, cell: str) -> None:
        self.dates += 1
        if self._earliest is None or found < self._earliest[0]:
            self._earliest = (found, cell)
        if self._latest is None or found > self._latest[0]:
            self._latest = (found, cell)

    def row(self, name: str) -> tuple[str, ...]:
        """Return its line of the summary, as `HEAD` names it."""
        kinds = {
            "numbers": self.numbers.count,
            "dates": self.dates,
            "texts": self.texts,
            "errors": self.errors,
        }
        kind = ", ".join(f"{count:,} {word}" for word, count in kinds.items() if count) or "empty"
        filled = sum(kinds.values())
        if filled and filled in kinds.values():
            kind = next(word for word, count in kinds.items() if count)
        total, numbers = self.numbers, self.numbers.count
        ends = ("", "")
        if numbers:
            ends = figure(total.smallest), figure(total.largest)
        elif self._earliest and self._latest:
            ends = self._earliest[1], self._latest[1]
        common = self.counts.most_common(5)
        often = ", ".join(f"{text[:40]} ({count:,})" for text, count in common if count > 1)
        return (
            name, f"{filled:,}", f"{self.empty:,}", kind,
            figure(total.total) if numbers else "", figure(total.total / numbers) if numbers else "",
            *ends, f"more than {DISTINCT:,}" if self.over else f"{len(self.counts):,}", often,
        )  # fmt: skip


def figure(value: float) -> str:
    """Return a number as people write it, without what a binary fraction adds."""
    return f"{value:.12g}" if abs(value) < 1e15 else f"{value:.15g}"


def summarised(
    rows: Iterable[Sequence[str]], wanted: Sequence[int], names: Sequence[str], comma: bool
) -> Made:
    """Return the head and one line for each column."""
    columns = [Column() for _ in wanted]
    beside = list(zip(wanted, columns, strict=True))
    for row in rows:
        width = len(row)
        for place, column in beside:
            column.take(row[place] if place < width else "", comma)
    return HEAD, tuple(column.row(name) for column, name in zip(columns, names, strict=True))


def grouped(
    rows: Iterable[Sequence[str]],
    by: int,
    wanted: Sequence[int],
    columns: Sequence[str],
    comma: bool,
    most: int,
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...], int]:
    """Return head, the largest groups with count and sums of the number columns, and how many more there are.

    Beyond GROUPS different values the rest counts as one group.
    """
    groups: dict[str, list[Sum]] = {}
    counts: Counter[str] = Counter()
    for row in rows:
        name = row[by].strip() if by < len(row) else ""
        if name not in groups and len(groups) >= GROUPS:
            name = "[all others]"
        sums = groups.setdefault(name, [Sum() for _ in wanted])
        counts[name] += 1
        for total, place in zip(sums, wanted, strict=True):
            value = number(row[place], comma=comma) if place < len(row) else None
            if value is not None:
                total.add(value)
    kept = [at for at in range(len(wanted)) if any(sums[at].count for sums in groups.values())]
    head = [columns[by], "rows"]
    for at in kept:
        head += [f"sum of {columns[wanted[at]]}", f"mean of {columns[wanted[at]]}"]
    made = []
    for name, count in counts.most_common(most):
        line = [name or "[empty]", f"{count:,}"]
        for at in kept:
            total = groups[name][at]
            line += [figure(total.total), figure(total.total / total.count) if total.count else ""]
        made.append(tuple(line))
    return tuple(head), tuple(made), max(0, len(groups) - most)

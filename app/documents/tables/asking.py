"""What a call wants to know of a table: a page of its rows, those that fit a condition, or a summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.documents.failing import Unreadable
from app.documents.tables.grids import NOT_CALCULATED, Grid, Source, grid
from app.documents.tables.summary import grouped, summarised
from app.documents.tables.values import ERRORS
from app.documents.tables.where import column_at, condition

LONGEST_CELL = 500
"""Characters of one cell that leave the process that reads."""
MOST_CHARACTERS = 400_000
"""Characters of all cells of one answer."""


class Question(NamedTuple):
    """`columns` empty for all; `offset` counts the rows that fit, from 0; `by` groups a summary."""

    source: Source
    columns: tuple[str, ...] = ()
    where: str = ""
    by: str = ""
    offset: int = 0
    limit: int = 100
    summary: bool = False


class Answer(NamedTuple):
    """Rows begin with their number in the file, unless it is a summary."""

    sheet: str
    sheets: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: int
    """Rows of the whole sheet without its header."""
    matched: int
    notes: tuple[str, ...] = ()
    separator: str = ""


def answer(question: Question) -> Answer:
    """Read the whole table once. Raises Unreadable; meant for a process of its own."""
    try:
        with grid(question.source) as found:
            if not found.columns:
                return Answer(found.sheet, found.sheets, (), (), 0, 0, ("The sheet is empty.",))
            return _summary(question, found) if question.summary else _page(question, found)
    except UnicodeDecodeError as error:
        raise Unreadable("broken", f"It is not in the encoding {question.source.encoding}: {error}") from None


class Seen:
    """Counts what a person should know of the rows that passed."""

    def __init__(self, width: int) -> None:
        self.total = self.matched = self.errors = self.open = self.long = 0
        self._width = width

    def take(self, row: Sequence[str]) -> None:
        """Look at one row."""
        self.total += 1
        self.long += len(row) > self._width
        for cell in row:
            if cell[:1] == "#" and cell in ERRORS:
                self.errors += 1
            elif cell[:1] == "=" and cell.endswith(NOT_CALCULATED):
                self.open += 1

    def notes(self) -> tuple[str, ...]:
        """Return sentences for the model."""
        said = []
        if self.errors:
            said.append(
                f"Cells with an error of a formula, such as #DIV/0!: {self.errors:,}; none is a number."
            )
        if self.open:
            said.append(
                f"Formulas without a saved value: {self.open:,}; a spreadsheet program calculates them when "
                "it opens and saves the file."
            )
        if self.long:
            said.append(f"Rows with more cells than the header: {self.long:,}.")
        return tuple(said)


def fitting(question: Question, found: Grid, seen: Seen) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that the condition lets pass."""
    test = condition(question.where, found.columns, comma=found.comma)
    for at, row in found.rows:
        if not row:
            continue
        seen.take(row)
        if test(row):
            seen.matched += 1
            yield at, row


def places(columns: Sequence[str], found: Grid) -> list[int]:
    """Return where the wanted columns stand, all of them when none is named."""
    return [column_at(name, found.columns) for name in columns] or list(range(len(found.columns)))


def _page(question: Question, found: Grid) -> Answer:
    seen, wanted = Seen(len(found.columns)), places(question.columns, found)
    rows: list[tuple[str, ...]] = []
    room = MOST_CHARACTERS
    for at, row in fitting(question, found, seen):
        if seen.matched <= question.offset or len(rows) >= question.limit or room < 0:
            continue
        cells = tuple(_short(row[place]) if place < len(row) else "" for place in wanted)
        rows.append((str(at), *cells))
        room -= sum(map(len, cells))
    return Answer(
        found.sheet,
        found.sheets,
        ("row", *(found.columns[place] for place in wanted)),
        tuple(rows),
        seen.total,
        seen.matched,
        (*_about(found), *seen.notes()),
        found.dialect.separator if found.dialect else "",
    )


def _summary(question: Question, found: Grid) -> Answer:
    seen, wanted = Seen(len(found.columns)), places(question.columns, found)
    rows = (row for _, row in fitting(question, found, seen))
    names = [found.columns[place] for place in wanted]
    if question.by:
        by = column_at(question.by, found.columns)
        wanted = [place for place in wanted if place != by]
        columns, made, more = grouped(rows, by, wanted, found.columns, found.comma, question.limit)
        notes = (f"{more:,} more groups are left out.",) if more else ()
    else:
        (columns, made), notes = summarised(rows, wanted, names, found.comma), ()
    return Answer(
        found.sheet, found.sheets, columns, made, seen.total, seen.matched,
        (*_about(found), *seen.notes(), *notes), found.dialect.separator if found.dialect else "",
    )  # fmt: skip


def _about(found: Grid) -> tuple[str, ...]:
    said = []
    if not found.header:
        said.append("The first row holds values, so the columns are named by letters.")
    if found.comma:
        said.append("Numbers are read with a decimal comma.")
    return tuple(said)


def _short(cell: str) -> str:
    return (
        cell
        if len(cell) <= LONGEST_CELL
        else f"{cell[:LONGEST_CELL]}… [{len(cell) - LONGEST_CELL:,} more characters]"
    )

"""Write a table anew beside its file with some cells, rows or columns changed, or the rows that fit a
condition into a new one. Rows of delimited text that nobody changed keep each of their bytes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, TextIO

from app.documents.failing import Unreadable
from app.documents.tables import delimited
from app.documents.tables.asking import Question, Seen, fitting, places
from app.documents.tables.delimited import Dialect, Record
from app.documents.tables.grids import Grid, Source, grid
from app.documents.tables.values import shown
from app.documents.tables.where import column_at, condition, letter_of, letters

Cell = str | int | float | bool | None
SHOWN = 200
"""Changes that the question shows one by one; how many more there are it says too."""
_LONG = 1_000
"""Characters of one of them."""
_FORMULA = re.compile(r"[=@]|[-+](?![\d.,\s]*%?\Z)")
"""How a text begins that spreadsheet programs take as a formula in delimited text."""
_PLACE = re.compile(r"([A-Za-z]{1,3})([1-9]\d{0,7})\Z")


class Edit(NamedTuple):
    """What to change: single `cells` by place ("B2"), `values` by column in the rows that fit `where`, rows
    that fit it away (`remove`), and new rows behind the last one.
    """

    source: Source
    cells: Mapping[str, Cell] = {}
    values: Mapping[str, Cell] = {}
    where: str = ""
    remove: bool = False
    rows: tuple[tuple[Cell, ...] | Mapping[str, Cell], ...] = ()


class Made(NamedTuple):
    """What was written: counts, a few of the changes as people read them, and notes for the model."""

    changed: int = 0
    removed: int = 0
    added: int = 0
    sample: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Tally:
    """Counts changes and keeps the first of them."""

    def __init__(self) -> None:
        self.changed = self.removed = self.added = 0
        self.sample: list[str] = []
        self.more = 0

    def say(self, text: str) -> None:
        """Keep a line for the question."""
        if len(self.sample) >= SHOWN:
            self.more += 1
            return
        left = len(text) - _LONG
        self.sample.append(f"{text[:_LONG]}… [{left:,} more characters]" if left > 0 else text)

    def cell(self, place: str, before: str, after: str) -> None:
        """Count a cell that changes."""
        self.changed += 1
        self.say(f"{place}: {before or '(empty)'} → {after or '(empty)'}")

    def made(self, *notes: str) -> Made:
        """Return what was counted."""
        sample = (*self.sample, *([f"… {self.more:,} more"] if self.more else []))
        return Made(self.changed, self.removed, self.added, sample, tuple(filter(None, notes)))


def place_of(name: str) -> tuple[int, int]:
    """Return row (from 1) and column (from 0) of a place such as B2. Raises Unreadable."""
    found = _PLACE.match(name.strip().replace("$", ""))
    if not found:
        raise Unreadable("unknown", f"{name!r} is no cell; cells are named by column and row, such as B2.")
    return int(found.group(2)), letters(found.group(1))


def edit_delimited(edit: Edit, output: str) -> Made:
    """Write the edited table to `output`. Raises Unreadable; meant for a process of its own."""
    source, tally = edit.source, Tally()
    cells: dict[int, dict[int, str]] = {}
    for name, value in edit.cells.items():
        row, column = place_of(name)
        cells.setdefault(row, {})[column] = shown(value)
    with grid(source) as found:
        dialect = found.dialect or Dialect(",")
        columns, header = found.columns, found.header
    test = condition(edit.where, columns, comma=dialect.comma)
    values = {column_at(name, columns): shown(value) for name, value in edit.values.items()}
    new = [new_row(row, columns) for row in edit.rows]
    try:
        with (
            delimited.opened(source.path, source.encoding, source.errors) as file,
            open(output, "x", encoding=source.encoding, errors=source.errors, newline="") as out,
        ):
            first, last = True, ""
            for record in delimited.records(iter(file), dialect.separator):
                head = first and header and any(map(str.strip, record.cells))
                if record.number == 1 and delimited.hinted(record.raw):
                    out.write(record.raw)
                    continue
                first = first and not head and header
                last = _take(record, head, test, values, cells, edit.remove, dialect, tally, out) or last
            if new and last and not last.endswith(("\n", "\r")):
                out.write(dialect.end)
            _append(new, dialect, tally, out)
    except UnicodeEncodeError as error:
        text = error.object[error.start : error.end]
        raise Unreadable("unknown", f"The file's encoding {source.encoding} cannot hold {text!r}.") from None
    except UnicodeDecodeError as error:
        raise Unreadable("broken", f"It is not in the encoding {source.encoding}: {error}") from None
    if cells:
        missing = ", ".join(f"{letter_of(at)}{row}" for row, ones in cells.items() for at in ones)
        raise Unreadable("unknown", f"There are no such rows: {missing}. New rows go in as rows.")
    return tally.made()


def _take(
    record: Record, head: bool, test: Any, values: Mapping[int, str], cells: dict[int, dict[int, str]],
    remove: bool, dialect: Dialect, tally: Tally, out: TextIO,
) -> str:  # fmt: skip
    """Write one row as it becomes; return its text."""
    fits = bool(record.cells) and not head and (bool(values) or remove) and test(record.cells)
    if fits and remove:
        tally.removed += 1
        tally.say(f"row {record.number} goes: {' | '.join(record.cells)}")
        return ""
    changes = {**(values if fits else {}), **cells.pop(record.number, {})}
    row = list(record.cells)
    before = tally.changed
    for at, text in changes.items():
        old = row[at] if at < len(row) else ""
        if old != text:
            row += [""] * (at + 1 - len(row))
            row[at] = text
            tally.cell(f"{letter_of(at)}{record.number}", old, text)
    text = record.raw
    if tally.changed > before:
        end = record.raw[len(record.raw.rstrip("\r\n")) :]
        text = delimited.written(row, dialect._replace(end=end))
    out.write(text)
    return text


def _append(new: Iterable[list[Cell]], dialect: Dialect, tally: Tally, out: TextIO) -> None:
    for row in new:
        cells = [shown(cell) for cell in row]
        out.write(delimited.written(cells, dialect))
        tally.added += 1
        tally.say(f"new row: {' | '.join(cells)}")


def new_row(row: Sequence[Cell] | Mapping[str, Cell], columns: Sequence[str]) -> list[Cell]:
    """Return a new row in the order of the columns. Raises Unreadable."""
    if isinstance(row, Mapping):
        made: list[Cell] = [None] * len(columns)
        for name, value in row.items():
            made[column_at(name, columns)] = value
        return made
    if columns and len(row) > len(columns):
        raise Unreadable("unknown", f"A new row has {len(row)} cells, but there are {len(columns)} columns.")
    return [*row, *[None] * (len(columns) - len(row))]


def save_rows(question: Question, output: str, kind: str) -> Made:
    """Write header and rows that fit to a new file at `output`: kind "csv", "tsv" or "sheet".

    Raises Unreadable; meant for a process of its own.
    """
    tally = Tally()
    with grid(question.source) as found:
        if not found.columns:
            raise Unreadable("empty", "The sheet is empty.")
        wanted = places(question.columns, found)
        seen = Seen(len(found.columns))
        rows = _counted(fitting(question, found, seen), wanted, question, tally)
        head = [found.columns[at] for at in wanted] if found.header else None
        if kind == "sheet":
            _save_sheet(head, rows, found, output)
            return tally.made(*seen.notes())
        formulas = _save_text(head, rows, found, output, "\t" if kind == "tsv" else "")
        note = f"A spreadsheet program takes {formulas:,} of these texts as formulas when it opens the file."
        if formulas:
            tally.sample.insert(0, note)
        return tally.made(*seen.notes(), note if formulas else "")


def _counted(
    rows: Iterator[tuple[int, list[str]]], wanted: Sequence[int], question: Question, tally: Tally
) -> Iterator[list[str]]:
    for taken, (_, row) in enumerate(rows):
        if taken < question.offset:
            continue
        if question.limit and tally.added >= question.limit:
            continue
        tally.added += 1
        cells = [row[at] if at < len(row) else "" for at in wanted]
        tally.say(" | ".join(cells))
        yield cells


def _save_text(
    head: list[str] | None, rows: Iterable[list[str]], found: Grid, output: str, separator: str
) -> int:
    """Write delimited text; return how many of its texts would be taken as formulas, which it cannot tell."""
    like = found.dialect or Dialect(",")
    dialect = like._replace(separator=separator or ("," if like.separator == "\t" else like.separator))
    formulas = 0
    with open(output, "x", encoding="utf-8", errors="surrogateescape", newline="") as out:
        for row in chain([head] if head is not None else [], rows):
            formulas += sum(bool(cell) and cell[0] in "=@+-" and bool(_FORMULA.match(cell)) for cell in row)
            out.write(delimited.written(row, dialect))
    return formulas


def _save_sheet(head: list[str] | None, rows: Iterable[list[str]], found: Grid, output: str) -> None:
    from openpyxl import Workbook

    from app.documents.tables.workbook import plain, typed

    book = Workbook(write_only=True)
    sheet = book.create_sheet((found.sheet or "Sheet1")[:31])
    if head is not None:
        sheet.append([plain(sheet, cell) for cell in head])
    for row in rows:
        sheet.append([plain(sheet, typed(cell, comma=found.comma)) for cell in row])
    book.save(output)
    with open(output, "rb+") as file:
        os.fsync(file.fileno())

"""One sheet of any file as a stream of rows of texts, whatever program made it."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any, Literal, NamedTuple

from app.documents.failing import BROKEN, Unreadable, broken
from app.documents.tables import delimited
from app.documents.tables.delimited import Dialect
from app.documents.tables.values import number, shown
from app.documents.tables.where import letter_of
from app.documents.unpacking import check_zip

Kind = Literal["delimited", "sheet", "open sheet"]
Rows = Iterator[tuple[int, list[str]]]
COLUMNS = 1_024
"""Columns that are read."""
NOT_CALCULATED = " (not calculated)"
"""Stands behind a formula whose value no program has saved."""


class Source(NamedTuple):
    """A file as it is read. `encoding` and `errors` count for delimited text alone."""

    path: str
    kind: Kind
    encoding: str = "utf-8"
    errors: str = "strict"
    sheet: str = ""


class Grid(NamedTuple):
    """One sheet. `rows` come after the header, with their numbers as the file counts them, from 1."""

    sheet: str
    sheets: tuple[str, ...]
    columns: list[str]
    header: bool
    """False where the first row holds values already: then columns have letters."""
    rows: Rows
    dialect: Dialect | None = None

    @property
    def comma(self) -> bool:
        """Whether its numbers are written with a comma before the decimals."""
        return self.dialect is not None and self.dialect.comma


@contextmanager
def grid(source: Source) -> Iterator[Grid]:
    """Open a sheet ("" for the first one). Raises Unreadable."""
    if source.kind == "delimited":
        with delimited.opened(source.path, source.encoding, source.errors) as file:
            yield _delimited(source, file)
        return
    with open(source.path, "rb") as package:
        check_zip(package)
        found = _workbook(package, source) if source.kind == "sheet" else _open_sheet(package, source)
        yield _headed(*found)


def _delimited(source: Source, file: Any) -> Grid:
    sample = file.read(delimited.SAMPLE)
    if "\0" in sample:
        raise Unreadable("broken", "It holds NUL characters, so it is no table.")
    dialect = delimited.dialect_of(sample, source.path)
    file.seek(0)
    if (source.encoding, file.read(1)) not in {("utf-8", "\ufeff")}:
        file.seek(0)
    records = delimited.records(iter(file), dialect.separator)
    rows = ((one.number, one.cells) for one in records if one.number > 1 or not delimited.hinted(one.raw))
    return _headed("", (), rows, header=dialect.header)._replace(dialect=dialect)


def _headed(sheet: str, sheets: tuple[str, ...], rows: Rows, header: bool | None = None) -> Grid:
    """Take the first row that holds anything as the header, unless it holds numbers."""
    first = next(((at, row) for at, row in rows if any(cell.strip() for cell in row)), None)
    if first is None:
        return Grid(sheet, sheets, [], False, iter(()))
    if header is None:
        header = not any(number(cell) is not None for cell in first[1])
    if not header:
        return Grid(
            sheet, sheets, [letter_of(at) for at in range(len(first[1]))], False, chain([first], rows)
        )
    columns = [name.strip() or letter_of(at) for at, name in enumerate(first[1])]
    return Grid(sheet, sheets, columns, True, rows)


def chosen(wanted: str, sheets: tuple[str, ...]) -> str:
    """Return the sheet that is meant: by name, whatever its case, or by number. Raises Unreadable."""
    if not sheets:
        raise Unreadable("empty", "The workbook has no sheet with cells.")
    if not wanted.strip():
        return sheets[0]
    for name in sheets:
        if name.casefold() == wanted.strip().casefold():
            return name
    if wanted.strip().isdecimal() and 1 <= int(wanted) <= len(sheets):
        return sheets[int(wanted) - 1]
    raise Unreadable("unknown", f"There is no sheet {wanted!r}; there are: {', '.join(sheets)}.")


# --- workbooks -----------------------------------------------------------------------------------


def _workbook(package: Any, source: Source) -> tuple[str, tuple[str, ...], Rows]:
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = load_workbook(package, read_only=True, data_only=True, keep_links=False)
        names = tuple(sheet.title for sheet in book.worksheets)
        sheet = chosen(source.sheet, names)
        other = None
        if _has_formulas(package):
            package.seek(0)
            other = load_workbook(package, read_only=True, keep_links=False)[sheet]
    except BROKEN as error:
        raise broken(error) from None
    except InvalidFileException as error:
        raise broken(error) from None
    return sheet, names, _cells(book[sheet], other)


def _has_formulas(package: Any) -> bool:
    with zipfile.ZipFile(package) as parts:
        for name in parts.namelist():
            if not name.startswith("xl/worksheets/"):
                continue
            with parts.open(name) as part:
                before = b""
                while chunk := part.read(1 << 20):
                    if b"<f>" in (seen := before + chunk) or b"<f " in seen:
                        return True
                    before = chunk[-3:]
    return False


def _cells(sheet: Any, formulas: Any) -> Rows:
    """Yield the rows; a formula without a saved value is shown itself."""
    for one in (sheet, formulas):
        if one is not None:
            one.reset_dimensions()  # what a file says of its own size may be anything
    try:
        rows = sheet.iter_rows(values_only=True, max_col=COLUMNS)
        if formulas is None:
            yield from ((at, _trimmed([shown(value) for value in row])) for at, row in enumerate(rows, 1))
            return
        beside = formulas.iter_rows(values_only=True, max_col=COLUMNS)
        for at, (row, written) in enumerate(zip(rows, beside, strict=False), 1):
            yield at, _trimmed([_cell(value, text) for value, text in zip(row, written, strict=False)])
    except BROKEN as error:
        raise broken(error) from None


def _cell(value: Any, written: Any) -> str:
    if value is not None or written is None:
        return shown(value)
    text = getattr(written, "text", None) or str(written)
    return f"={text.removeprefix('=')}{NOT_CALCULATED}"


def _trimmed(row: list[str]) -> list[str]:
    while row and not row[-1]:
        row.pop()
    return row


# --- OpenDocument --------------------------------------------------------------------------------

_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_REPEATED = 1_048_576


def _open_sheet(package: Any, source: Source) -> tuple[str, tuple[str, ...], Rows]:
    names = tuple(_table_names(package))
    sheet = chosen(source.sheet, names)
    return sheet, names, _open_rows(package, sheet)


def _events(package: Any, events: tuple[str, ...], *tags: str) -> Iterator[tuple[str, Any]]:
    from lxml import etree

    try:
        with zipfile.ZipFile(package) as parts, parts.open("content.xml") as part:
            yield from etree.iterparse(part, events=events, tag=tags, resolve_entities=False, no_network=True)
    except BROKEN as error:
        raise broken(error) from None
    except etree.LxmlError as error:
        raise broken(error) from None


def _table_names(package: Any) -> Iterator[str]:
    for event, element in _events(package, ("start", "end"), f"{_TABLE}table", f"{_TABLE}table-row"):
        if event == "end":
            element.clear()
        elif element.tag == f"{_TABLE}table":
            yield str(element.get(f"{_TABLE}name", ""))


def _open_rows(package: Any, sheet: str) -> Rows:
    here, at = False, 0
    for event, element in _events(package, ("start", "end"), f"{_TABLE}table", f"{_TABLE}table-row"):
        if element.tag == f"{_TABLE}table":
            here = event == "start" and element.get(f"{_TABLE}name", "") == sheet
            continue
        if event == "start":
            continue
        again = _count(element, "rows")
        if here:
            cells = _trimmed(_open_cells(element))
            if cells:
                yield from ((at + one, cells) for one in range(1, min(again, _REPEATED) + 1))
            at += again
        element.clear()
        while element.getprevious() is not None:
            del element.getparent()[0]


def _open_cells(row: Any) -> list[str]:
    cells: list[str] = []
    for cell in row:
        if cell.tag not in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
            continue
        again = min(_count(cell, "columns"), COLUMNS - len(cells))
        cells += [_open_value(cell)] * again
        if len(cells) >= COLUMNS:
            break
    return cells


def _count(element: Any, what: str) -> int:
    text = element.get(f"{_TABLE}number-{what}-repeated", "1")
    return min(int(text), _REPEATED) if text.isdecimal() and len(text) < 9 else 1


def _open_value(cell: Any) -> str:
    text = "\n".join("".join(part.itertext()) for part in cell.iter(f"{_TEXT}p"))
    match cell.get(f"{_OFFICE}value-type", ""):
        case "float" | "currency":
            return str(cell.get(f"{_OFFICE}value", text))
        case "percentage":
            return str(cell.get(f"{_OFFICE}value", text))
        case "date":
            return str(cell.get(f"{_OFFICE}date-value", text)).replace("T", " ").removesuffix(" 00:00:00")
        case "boolean":
            return str(cell.get(f"{_OFFICE}boolean-value", text)).upper()
    return text

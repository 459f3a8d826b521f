"""Change cells of a workbook (.xlsx, .xlsm) and say what the library that writes it would not keep."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable
from typing import Any

from app.documents.failing import BROKEN, Unreadable, broken
from app.documents.tables.editing import Cell, Edit, Made, Tally, new_row, place_of
from app.documents.tables.grids import chosen
from app.documents.tables.values import moment, number, shown
from app.documents.tables.where import column_at, condition, letter_of
from app.documents.unpacking import check_zip

ROWS, COLUMNS = 1_048_576, 16_384
"""What a sheet can have (ECMA-376 as Excel limits it)."""
_SHAPE = re.compile(rb"<xdr:(?:sp|grpSp|cxnSp)\b")
_LOST = (
    ("xl/charts/", "charts"),
    ("xl/drawings/", "drawings or pictures"),
    ("xl/media/", "pictures"),
    ("xl/pivotTables/", "pivot tables"),
    ("xl/slicers/", "slicers"),
    ("xl/embeddings/", "embedded files"),
    ("xl/ctrlProps/", "form controls"),
    ("xl/vbaProject.bin", "macros"),
    ("xl/externalLinks/", "links to other workbooks"),
    ("xl/threadedComments/", "threaded comments"),
    ("customXml/", "custom data"),
)


def typed(text: str, *, comma: bool = False) -> Any:
    """Return what a cell of a new workbook holds for a text: a number or a date where it is one, never a
    formula.
    """
    if len(text) < 16 and not re.match(r"[-+]?0\d", text.strip()):  # a number such as 007 is a name
        value = number(text, comma=comma)
        if value is not None and not text.strip().endswith("%"):
            return (
                int(value) if value == int(value) and "." not in text and "e" not in text.lower() else value
            )
    found = moment(text)
    if found is not None:
        return found.date() if len(text.strip()) == 10 else found
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f]", "\N{REPLACEMENT CHARACTER}", text)[:32_767]


def plain(sheet: Any, value: Any) -> Any:
    """Return what is appended to a sheet so that a text of a table stays a text: openpyxl itself makes a
    formula or an error of one that looks like it, and a stranger's table would so calculate, and send, in it.
    """
    if not isinstance(value, str) or value[:1] not in ("=", "#"):
        return value
    from openpyxl.cell import WriteOnlyCell

    cell = WriteOnlyCell(sheet, value)
    cell.data_type = "s"
    return cell


def edit_workbook(edit: Edit, output: str) -> Made:
    """Write the edited workbook to `output`. Raises Unreadable; meant for a process of its own.

    A text that begins with = becomes a formula; the values of formulas are calculated by the program that
    opens the file.
    """
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    tally = Tally()
    try:
        with open(edit.source.path, "rb") as package:
            check_zip(package)
            macros = "xl/vbaProject.bin" in zipfile.ZipFile(package).namelist()
            package.seek(0)
            book = load_workbook(package, keep_vba=macros)
        names = tuple(sheet.title for sheet in book.worksheets)
        sheet = book[chosen(edit.source.sheet, names)]
        _edit(sheet, edit, tally)
        book.save(output)
    except BROKEN as error:
        raise broken(error) from None
    except InvalidFileException as error:
        raise broken(error) from None
    lost = _lost(edit.source.path, output)
    formulas = any(cell.data_type == "f" for row in sheet.iter_rows() for cell in row)
    return tally.made(
        f"LOST: {', '.join(lost)}" if lost else "",
        "Formulas are calculated when a spreadsheet program opens the file." if formulas else "",
        "Charts were written anew; their look may change." if sheet._charts else "",
    )


def _lost(before: str, after: str) -> list[str]:
    """Return kinds of parts that the file had and the new one has fewer of."""
    with zipfile.ZipFile(before) as old, zipfile.ZipFile(after) as new:
        had, has = old.namelist(), new.namelist()
        found = [
            word
            for start, word in _LOST
            if sum(_counts(name, start) for name in has) < sum(_counts(name, start) for name in had)
        ]
        if any(_SHAPE.search(old.read(name)) for name in had if name.startswith("xl/drawings/drawing")):
            found.append("shapes")  # of a drawing only its charts and pictures are read
    return list(dict.fromkeys(found))


def _counts(name: str, start: str) -> bool:
    """Whether a part is of that kind; drawings of comments are made anew by the library."""
    return name.startswith(start) and not name.endswith((".vml", ".rels", "/"))


def _edit(sheet: Any, edit: Edit, tally: Tally) -> None:
    head, columns = _header(sheet)
    for name, value in edit.cells.items():
        row, column = place_of(name)
        if row > ROWS or column >= COLUMNS:
            raise Unreadable("unknown", f"{name} lies outside of what a sheet can have.")
        _put(sheet, row, column, value, tally)
    if edit.values or edit.remove:
        _edit_rows(sheet, edit, head, columns, tally)
    last = sheet.max_row if any(_texts(sheet, sheet.max_row)) or sheet.max_row > 1 else 0
    for at, new in enumerate([new_row(row, columns) for row in edit.rows], last + 1):
        for column, value in enumerate(new):
            if value is not None:
                sheet.cell(at, column + 1).value = _value(value)
        tally.added += 1
        tally.say(f"new row {at}: {' | '.join(map(shown, new))}")


def _header(sheet: Any) -> tuple[int, list[str]]:
    """Return the row of the header (0 for none) and the columns, found as reading finds them."""
    for at in range(1, min(sheet.max_row, ROWS) + 1):
        texts = _texts(sheet, at)
        if any(text.strip() for text in texts):
            while texts and not texts[-1]:
                texts.pop()
            if any(number(text) is not None for text in texts):
                return 0, [letter_of(one) for one in range(len(texts))]
            return at, [text.strip() or letter_of(one) for one, text in enumerate(texts)]
    return 0, []


def _texts(sheet: Any, row: int) -> list[str]:
    return [shown(cell.value) for cell in sheet[row]]


def _edit_rows(sheet: Any, edit: Edit, head: int, columns: list[str], tally: Tally) -> None:
    test = condition(edit.where, columns)
    values = {column_at(name, columns): value for name, value in edit.values.items()}
    gone: list[int] = []
    for at in range(head + 1, sheet.max_row + 1):
        row = _texts(sheet, at)
        if not any(row) or not test(row):
            continue
        if edit.remove:
            gone.append(at)
            tally.say(f"row {at} goes: {' | '.join(row)}")
            continue
        for column, value in values.items():
            _put(sheet, at, column, value, tally)
    if gone and any(cell.data_type == "f" for row in sheet.iter_rows() for cell in row):
        raise Unreadable(
            "unknown",
            "The sheet has formulas, whose references would point to wrong rows once rows are removed.",
        )
    for first, count in _runs(gone[::-1]):
        sheet.delete_rows(first, count)
    tally.removed += len(gone)


def _runs(falling: Iterable[int]) -> list[tuple[int, int]]:
    """Return neighbouring rows as (first, count), the last ones first."""
    runs: list[tuple[int, int]] = []
    for row in falling:
        if runs and runs[-1][0] == row + 1:
            runs[-1] = (row, runs[-1][1] + 1)
        else:
            runs.append((row, 1))
    return runs


def _put(sheet: Any, row: int, column: int, value: Cell, tally: Tally) -> None:
    cell = sheet.cell(row, column + 1)
    if type(cell).__name__ == "MergedCell":
        raise Unreadable(
            "unknown", f"{letter_of(column)}{row} lies within merged cells; name the first of them."
        )
    before, new = shown(cell.value), _value(value)
    if before != shown(new):
        cell.value = new
        tally.cell(f"{letter_of(column)}{row}", before, shown(new))


def _value(value: Cell) -> Any:
    """Return what is written: a text that is a whole ISO date becomes one, as the person would type it."""
    if isinstance(value, str) and not value.startswith("="):
        found = moment(value)
        if found is not None and re.match(r"\d{4}-", value):
            return found.date() if len(value.strip()) == 10 else found
        if re.search("[\x00-\x08\x0b\x0c\x0e-\x1f]", value):
            raise Unreadable("unknown", "A cell cannot hold control characters.")
    return value

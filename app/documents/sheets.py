"""The text of a workbook (.xlsx): each sheet as a table of the values that were last calculated."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import date, datetime, time
from itertools import islice
from typing import Any

from app.documents.failing import BROKEN, Unreadable, broken
from app.documents.ranges import Pages, wanted
from app.documents.table import rows_as_lines
from app.documents.unpacking import check_zip

ROWS = 2_000
"""Rows of one sheet that are read; the rest is counted."""
COLUMNS = 100
SHEETS = 50


def lines_of(data: bytes, pages: Pages = ()) -> list[str]:
    """Return the sheets as lines of Markdown. Raises Unreadable (locked, broken, empty, too_large)."""
    check_zip(data)
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        chosen = [sheet for number, sheet in enumerate(book.worksheets, 1) if wanted(number, pages)]
        lines = [line for sheet in chosen[:SHEETS] for line in _sheet(sheet)]
        more = len(chosen) - SHEETS
    except BROKEN as error:
        raise broken(error) from None
    except InvalidFileException as error:
        raise broken(error) from None
    if not any(line and not line.startswith("[sheet ") for line in lines):
        raise Unreadable("empty", "The workbook holds no values.")
    return [*lines, f"[{more} more sheets]"] if more > 0 else lines


def _sheet(sheet: Any) -> Iterator[str]:
    yield f"[sheet {sheet.title}]"
    rows = sheet.iter_rows(values_only=True, max_col=COLUMNS)
    taken = [_trimmed(row) for row in islice(rows, ROWS)]
    yield from rows_as_lines(_even(taken))
    if left := sum(1 for _ in rows):
        yield f"[{left} more rows]"
    yield ""


def _trimmed(row: tuple[Any, ...]) -> list[str]:
    cells = [_shown(value) for value in row]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _even(rows: list[list[str]]) -> list[list[str]]:
    width = max((len(row) for row in rows), default=0)
    return [[*row, *[""] * (width - len(row))] for row in rows]


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, (datetime, date, time)):
        return value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()
    return f"{value:.15g}" if isinstance(value, float) else str(value)

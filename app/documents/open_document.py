"""The text of OpenDocument files (.odt, .odp, .ods): paragraphs, lists, tables, slides and their notes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import Any

from app.documents.failing import BROKEN, Unreadable, broken
from app.documents.ranges import Pages, wanted
from app.documents.table import rows_as_lines
from app.documents.unpacking import check_zip

_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_SHOW = "{urn:oasis:names:tc:opendocument:xmlns:presentation:1.0}"
_SKIPPED = frozenset({f"{_OFFICE}annotation", f"{_TEXT}tracked-changes", f"{_TEXT}sequence-decls"})
"""Remarks and deleted text are no text of the document."""
ROWS, COLUMNS, DEEPEST = 2_000, 100, 60


def lines_of(data: bytes, pages: Pages = ()) -> list[str]:
    """Return the document as lines. Raises Unreadable (locked, broken, empty, too_large)."""
    check_zip(data)
    from lxml import etree

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            if b"encryption-data" in parts.read("META-INF/manifest.xml"):
                raise Unreadable("locked")
            parser = etree.XMLParser(resolve_entities=False, no_network=True)
            body = etree.fromstring(parts.read("content.xml"), parser).find(f"{_OFFICE}body")
        lines = list(_body(body[0], pages)) if body is not None and len(body) else []
    except BROKEN as error:
        raise broken(error) from None
    except etree.LxmlError as error:
        raise broken(error) from None
    if not any(line and not line.startswith(("[slide ", "[sheet ")) for line in lines):
        raise Unreadable("empty", "The document holds no text.")
    return lines


def _body(body: Any, pages: Pages) -> Iterator[str]:
    slides, sheets = body.findall(f"{_DRAW}page"), body.findall(f"{_TABLE}table")
    if body.tag == f"{_OFFICE}presentation":
        for number, slide in enumerate(slides, 1):
            if wanted(number, pages):
                yield f"[slide {number} of {len(slides)}]"
                yield from _blocks(slide, 0)
                yield ""
    elif body.tag == f"{_OFFICE}spreadsheet":
        for number, sheet in enumerate(sheets, 1):
            if wanted(number, pages):
                yield f"[sheet {sheet.get(f'{_TABLE}name', '')}]"
                yield from _table(sheet)
                yield ""
    else:
        yield from _blocks(body, 0)


def _blocks(parent: Any, depth: int) -> Iterator[str]:
    if depth > DEEPEST:
        return
    for block in parent:
        if block.tag in _SKIPPED or not isinstance(block.tag, str):
            continue
        if block.tag == f"{_TEXT}h":
            level = block.get(f"{_TEXT}outline-level", "1")
            yield f"\n{'#' * min(6, int(level) if level.isdecimal() else 1)} {_words(block)}"
        elif block.tag == f"{_TEXT}p":
            if text := _words(block):
                yield text
            yield from _framed(block, depth)
        elif block.tag == f"{_TEXT}list":
            yield from (f"- {line.lstrip()}" if line.strip() else line for line in _items(block, depth))
        elif block.tag == f"{_TABLE}table":
            yield from ("", *_table(block), "")
        elif block.tag == f"{_SHOW}notes":
            notes = " ".join(line for line in _blocks(block, depth + 1) if line.strip())
            yield from [f"Notes: {notes}"] if notes else []
        else:
            yield from _blocks(block, depth + 1)


def _framed(paragraph: Any, depth: int) -> Iterator[str]:
    """Yield what stands in text boxes that hang on a paragraph."""
    for box in paragraph.iter(f"{_DRAW}text-box"):
        yield from _blocks(box, depth + 1)


def _items(parent: Any, depth: int) -> Iterator[str]:
    for item in parent:
        if item.tag in (f"{_TEXT}list-item", f"{_TEXT}list-header"):
            yield from _blocks(item, depth + 1)


def _words(element: Any) -> str:
    """Return a paragraph's text with its tabs, runs of blanks and line breaks, without boxes and remarks."""
    parts = [element.text or ""]
    for child in element:
        if child.tag == f"{_TEXT}s":
            count = child.get(f"{_TEXT}c", "1")
            parts.append(" " * min(int(count) if count.isdecimal() and len(count) < 5 else 1, 1_000))
        elif child.tag == f"{_TEXT}tab":
            parts.append("\t")
        elif child.tag == f"{_TEXT}line-break":
            parts.append("\n")
        elif child.tag == f"{_TEXT}note":
            note = child.find(f"{_TEXT}note-body")
            parts.append(f" [{' '.join(_blocks(note, 0))}]" if note is not None else "")
        elif isinstance(child.tag, str) and child.tag not in _SKIPPED and child.tag != f"{_DRAW}frame":
            parts.append(_words(child))
        parts.append(child.tail or "")
    return "".join(parts).strip("\n ")


def _table(table: Any) -> Iterator[str]:
    rows: list[list[str]] = []
    left = 0
    for row in table.iter(f"{_TABLE}table-row"):
        if len(rows) >= ROWS:
            left += 1
            continue
        cells = [cell for cell in row if cell.tag == f"{_TABLE}table-cell"]
        rows.append([text for cell in cells for text in _repeated(cell)][:COLUMNS])
    while rows and not any(rows[-1]):
        rows.pop()
    for row in rows:
        while row and not row[-1]:
            row.pop()
    width = max((len(row) for row in rows), default=0)
    yield from rows_as_lines([[*row, *[""] * (width - len(row))] for row in rows])
    if left:
        yield f"[{left} more rows]"


def _repeated(cell: Any) -> list[str]:
    again = cell.get(f"{_TABLE}number-columns-repeated", "1")
    text = " ".join(line for line in _blocks(cell, 0) if line)
    return [text] * min(int(again) if again.isdecimal() and len(again) < 7 else 1, COLUMNS)

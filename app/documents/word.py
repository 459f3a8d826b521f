"""The text of a Word document (.docx): headings, paragraphs, lists and tables in their order."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from app.documents.failing import BROKEN, Unreadable, broken
from app.documents.ranges import Pages
from app.documents.table import rows_as_lines
from app.documents.unpacking import check_zip


def lines_of(data: bytes, pages: Pages = ()) -> list[str]:
    """Return the document as lines of Markdown. Raises Unreadable (locked, broken, empty, too_large)."""
    check_zip(data)
    from docx import Document
    from docx.opc.exceptions import OpcError
    from lxml.etree import LxmlError

    try:
        lines = list(_blocks(Document(io.BytesIO(data))))
    except BROKEN as error:
        raise broken(error) from None
    except (OpcError, LxmlError) as error:
        raise broken(error) from None
    if not any(line.strip() for line in lines):
        raise Unreadable("empty", "The document holds no text.")
    return lines


def _blocks(document: Any) -> Iterator[str]:
    from docx.table import Table

    for block in document.iter_inner_content():
        if isinstance(block, Table):
            yield ""
            yield from rows_as_lines([[cell.text for cell in row.cells] for row in block.rows])
            yield ""
        elif block.text.strip():
            yield _paragraph(block)


def _paragraph(block: Any) -> str:
    style = (block.style.name if block.style is not None else "") or ""
    kind, _, level = style.partition(" ")
    if kind == "Heading" and level.isdigit():
        return f"\n{'#' * min(6, int(level))} {block.text}"
    if style == "Title":
        return f"# {block.text}"
    return f"- {block.text}" if style.startswith("List") else str(block.text)

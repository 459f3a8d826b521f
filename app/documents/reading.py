"""The one door for a process that reads documents: bytes and their kind to lines of text."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator

from app.documents.failing import Unreadable
from app.documents.kinds import Kind
from app.documents.ranges import Pages

_MODULES: dict[Kind, str] = {
    "pdf": "pdf",
    "word": "word",
    "sheet": "sheets",
    "slides": "slides",
    "open document": "open_document",
    "rich text": "rich_text",
    "book": "book",
    "html": "markup",
    "mail": "mail",
}
PARTED: dict[Kind, str] = {"pdf": "page", "slides": "slide", "sheet": "sheet", "book": "chapter"}
"""Kinds whose parts have numbers; of OpenDocument, presentations and workbooks have them too."""
READABLE = frozenset(_MODULES)
MOST_TEXT = 8_000_000
"""Characters of one document that leave its process; a message takes a thirtieth of them."""


def lines_of(data: bytes, kind: Kind, pages: Pages = ()) -> list[str]:
    """Return what a document says, as far as anybody may read it; of one with numbered parts only `pages`.

    Raises Unreadable.
    """
    module = _MODULES.get(kind)
    if module is None:
        raise Unreadable("unknown", f"{kind} is no kind of document that is read.")
    lines: list[str] = importlib.import_module(f"app.documents.{module}").lines_of(data, pages)
    return list(_bounded(line for block in lines for line in block.split("\n")))


def _bounded(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines until there are too many characters: one short text that a workbook names a million times
    would fill the memory of who waits for it.
    """
    left = MOST_TEXT
    for line in lines:
        left -= len(line) + 1
        if left < 0:
            yield "[more is left out]"
            return
        yield line

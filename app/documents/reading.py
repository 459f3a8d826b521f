"""The one door for a process that reads documents: bytes and their kind to lines of text."""

from __future__ import annotations

import importlib

from app.documents.failing import Unreadable
from app.documents.kinds import Kind

_MODULES: dict[Kind, str] = {"pdf": "pdf", "word": "word", "sheet": "sheets", "slides": "slides"}
READABLE = frozenset(_MODULES)


def lines_of(data: bytes, kind: Kind) -> list[str]:
    """Return what a document says. Raises Unreadable."""
    module = _MODULES.get(kind)
    if module is None:
        raise Unreadable("unknown", f"{kind} is no kind of document that is read.")
    lines: list[str] = importlib.import_module(f"app.documents.{module}").lines_of(data)
    return [line for block in lines for line in block.split("\n")]

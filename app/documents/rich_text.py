"""The text of RTF files."""

from __future__ import annotations

from app.documents.failing import BROKEN, Unreadable, broken
from app.documents.ranges import Pages


def lines_of(data: bytes, pages: Pages = ()) -> list[str]:
    """Return the document as lines. Raises Unreadable (broken, empty)."""
    from striprtf.striprtf import rtf_to_text

    try:
        # Beyond ASCII an RTF file writes escapes; bytes there are in its own code page (RTF 1.9.1, Unicode).
        text: str = rtf_to_text(  # type: ignore[no-untyped-call]
            data.decode("latin-1"), encoding="cp1252", errors="replace"
        )
    except BROKEN as error:
        raise broken(error) from None
    lines = [line.rstrip() for line in text.replace("\xa0", " ").splitlines()]
    if not any(lines):
        raise Unreadable("empty", "The document holds no text.")
    return lines

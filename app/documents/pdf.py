"""The text of a PDF, page by page."""

from __future__ import annotations

import io

from app.documents.failing import BROKEN, Unreadable, broken
from app.documents.ranges import Pages, wanted

PAGES = 300
"""Pages that are read of one PDF."""


def lines_of(data: bytes, pages: Pages = ()) -> list[str]:
    """Return the lines of the pages, with a mark before each page. Raises Unreadable (locked, broken,
    empty, too_large).
    """
    from pypdf import PdfReader
    from pypdf.errors import LimitReachedError, PyPdfError

    lines: list[str] = []
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise Unreadable("locked")
        number = len(reader.pages)
        chosen = [at for at in range(number) if wanted(at + 1, pages)]
        for at in chosen[:PAGES]:
            text = (reader.pages[at].extract_text() or "").strip()
            lines += [f"[page {at + 1} of {number}]", *text.splitlines(), ""]
    except BROKEN as error:
        raise broken(error) from None
    except LimitReachedError as error:
        raise Unreadable("too_large", f"It unpacks to more than is read: {error}") from None
    except PyPdfError as error:
        raise broken(error) from None
    if not any(line and not line.startswith("[page ") for line in lines):
        if not chosen:
            raise Unreadable("unknown", f"It has only {number} page{'s' * (number != 1)}.")
        raise Unreadable("empty", f"It has {len(chosen)} pages without any text; they may be pictures.")
    if len(chosen) > PAGES:
        lines.append(f"[{len(chosen) - PAGES} more pages]")
    return lines

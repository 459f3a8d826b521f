"""The text of a presentation (.pptx): what stands on each slide, tables and notes included."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import Any

from app.documents.failing import BROKEN, Unreadable, broken
from app.documents.ranges import Pages, wanted
from app.documents.table import rows_as_lines
from app.documents.unpacking import check_zip

SLIDES = 500
DEEPEST = 20
"""Groups within groups."""


def lines_of(data: bytes, pages: Pages = ()) -> list[str]:
    """Return the slides as lines. Raises Unreadable (locked, broken, empty, too_large)."""
    check_zip(data)
    from lxml.etree import LxmlError
    from pptx import Presentation
    from pptx.exc import PythonPptxError

    lines: list[str] = []
    try:
        slides = list(Presentation(io.BytesIO(data)).slides)
        chosen = [(number, slide) for number, slide in enumerate(slides, 1) if wanted(number, pages)]
        for number, slide in chosen[:SLIDES]:
            lines += [f"[slide {number} of {len(slides)}]", *_shapes(slide.shapes, 0)]
            if slide.has_notes_slide and (frame := slide.notes_slide.notes_text_frame) is not None:
                lines += [f"Notes: {frame.text.strip()}"] if frame.text.strip() else []
            lines.append("")
    except BROKEN as error:
        raise broken(error) from None
    except (PythonPptxError, LxmlError) as error:
        raise broken(error) from None
    if not any(line and not line.startswith("[slide ") for line in lines):
        raise Unreadable("empty", "The presentation holds no text.")
    return lines


def _shapes(shapes: Iterable[Any], depth: int) -> Iterator[str]:
    for shape in shapes:
        if shape.has_text_frame and shape.text_frame.text.strip():
            yield shape.text_frame.text.replace("\v", "\n").strip()
        elif getattr(shape, "has_table", False) and shape.has_table:
            yield from rows_as_lines([[cell.text for cell in row.cells] for row in shape.table.rows])
        elif hasattr(shape, "shapes") and depth < DEEPEST:
            yield from _shapes(shape.shapes, depth + 1)

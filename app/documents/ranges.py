"""Which pages, slides, sheets or chapters are wanted: `3`, `2-5`, `7-`, `1,3,9-12`."""

from __future__ import annotations

import re

Pages = tuple[tuple[int, int], ...]
"""Ranges of numbers from 1, both ends included; empty for all."""
_LAST = 1_000_000
_MOST = 100


def pages_of(text: str) -> Pages:
    """Return the ranges that a text names. Raises ValueError with words for the model."""
    found: list[tuple[int, int]] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        match = re.fullmatch(r"(\d{1,6})?\s*(-|\u2013|to|\.\.)?\s*(\d{1,6})?", part)
        if not match or not (match[1] or match[3]):
            raise ValueError(f"{part!r} is no range of pages; write 3, 2-5 or 7-.")
        first = int(match[1] or 1)
        last = int(match[3]) if match[3] else _LAST if match[2] else first
        if not 1 <= first <= last:
            raise ValueError(f"{part!r} is no range of pages; pages count from 1.")
        found.append((first, last))
    if len(found) > _MOST:
        raise ValueError(f"At most {_MOST} ranges of pages are taken.")
    return tuple(found)


def wanted(number: int, pages: Pages) -> bool:
    """Whether the part with that number (from 1) is wanted."""
    return not pages or any(first <= number <= last for first, last in pages)

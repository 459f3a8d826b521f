"""The features of the trained layer: one function for training and for asking, so that both see the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from zlib import crc32

from app.toolbox.discovery.text import letters, pairs, sound, stem
from app.toolbox.discovery.word_lists import STOP

BUCKETS = 1 << 15
"""Rows of the hashed part; two features that fall into one row share its weights."""
FAMILIES = ("words", "pairs", "letters", "hints")
"""Each is scaled by the root of its count, so that a long request weighs no more than a short one."""


def hashed(shapes: Sequence[str], found: Sequence[str]) -> dict[str, list[int]]:
    """Return, for each family, the rows of the hashed part that shapes and folded words touch."""
    stemmed = [stem(word) for word in found]
    said = [word for word in found if word not in STOP]
    told = dict.fromkeys(name for name, word in zip(stemmed, found, strict=True) if word not in STOP)
    pieces = {piece for word in said for piece in letters(sound(word), 4)}
    return {
        "words": _rows("w", told),
        "pairs": _rows("p", [f"{first} {second}" for first, second in dict.fromkeys(pairs(stemmed))]),
        "letters": _rows("l", sorted(pieces)),
        "hints": _rows("h", shapes),
    }


def _rows(family: str, names: Iterable[str]) -> list[int]:
    start = crc32(f"{family}:".encode())
    return [crc32(name.encode(), start) % BUCKETS for name in names]

"""The small linear layer: sums of byte rows that were trained at build time, in plain Python."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from string import ascii_lowercase
from types import MappingProxyType

from app.record import Record
from app.toolbox.discovery.features import hashed

ZERO = 128
"""The byte that stands for a weight of nothing."""
MOST_ROWS = 256
_LONG, _OFTEN = 6, 5
"""Letters of a long word, and how often a word is said that many strange ones may be slips of."""
NOTHING = ""
"""The column for requests that no tool fits."""


class Layer(Record):
    """`columns` are tools and NOTHING. `rows` holds the hashed rows, `meanings` one row for each known word
    (`known`: its number), each row as long as `columns`, each byte a weight plus 128.
    """

    columns: tuple[str, ...]
    bias: tuple[float, ...]
    scales: Mapping[str, float]
    """Family -> what one step of a byte is worth; the meanings under "meanings"."""
    rows: bytes
    meanings: bytes
    known: Mapping[str, int]
    spoken: Mapping[str, int] = MappingProxyType({})
    """Words of all texts that it learned from -> how often the English ones say it; they mend slips."""
    inputs: str = ""
    """The fingerprint of what it learned from, which a test compares with what stands there now."""


def mended(layer: Layer, found: Sequence[str]) -> list[str]:
    """Return the words with slips of the keyboard mended: a strange word that is one letter off a taught one.

    Where most other words are strange too, only long words become others that are often said: names and other
    languages stay as they are.
    """
    strange = [word for word in found if not is_known(layer, word)]
    strange = [word for word in strange if len(word) > 3 and word.isascii() and word.isalpha()]
    if not strange:
        return list(found)
    least = 1
    if 2 * len(strange) > len(found):
        least, strange = _OFTEN, [word for word in strange if len(word) >= _LONG]
    better = {}
    for word in strange:
        near = sorted(layer.spoken.keys() & _near(word))
        best = max(near, key=layer.spoken.__getitem__, default=word)
        if layer.spoken.get(best, 0) >= least:
            better[word] = best
    return [better.get(word, word) for word in found]


def is_known(layer: Layer, word: str) -> bool:
    """Whether a word was taught, or the sentence model knows it, as it is or without an s at its end."""
    return word in layer.spoken or word in layer.known or word.removesuffix("s") in layer.known


def _near(word: str) -> set[str]:
    """Return all words one slip away that begin with the same letter and are longer than three."""
    found: set[str] = set()
    for at in range(1, len(word) + 1):
        head, rest = word[:at], word[at:]
        found.update([head + letter + rest for letter in ascii_lowercase])
        if rest:
            if len(word) > 4:
                found.add(head + rest[1:])
            found.add(head + rest[1:2] + rest[0] + rest[2:])
            found.update([head + letter + rest[1:] for letter in ascii_lowercase])
    return found


def chances(layer: Layer, shapes: Sequence[str], found: Sequence[str]) -> dict[str, float]:
    """Return how likely each column is for a text of these shapes and folded words, in all 1."""
    even, odd = list(layer.bias[0::2]), list(layer.bias[1::2])
    parts = [(layer.rows, layer.scales[name], rows) for name, rows in hashed(shapes, found).items()]
    parts.append((layer.meanings, layer.scales["meanings"], meanings(layer.known, found)))
    for table, scale, rows in parts:
        if rows:
            step = scale / math.sqrt(len(rows))
            evens, odds = _summed(table, rows, len(layer.columns))
            # That each byte is 128 too large raises all columns alike, which makes no share any different.
            even = [value + step * count for value, count in zip(even, evens, strict=False)]
            odd = [value + step * count for value, count in zip(odd, odds, strict=False)]
    top = max(max(even), max(odd, default=0.0)) if odd else max(even)
    even, odd = [math.exp(value - top) for value in even], [math.exp(value - top) for value in odd]
    whole = sum(even) + sum(odd)
    found_in = dict(zip(layer.columns[0::2], [value / whole for value in even], strict=True))
    found_in.update(zip(layer.columns[1::2], [value / whole for value in odd], strict=True))
    return found_in


def _summed(table: bytes, rows: Sequence[int], width: int) -> tuple[memoryview, memoryview]:
    """Return the sums of the rows, for every second column from the first and from the second on.

    Bytes are added 16 bits apart inside one large number, many columns at once; at most 257 rows fit. What
    the other bytes come to is the sum of the whole rows less that of the first ones.
    """
    numbers = [int.from_bytes(table[row * width : row * width + width], "little") for row in rows[:MOST_ROWS]]
    mask = _mask(width)
    first = sum([number & mask for number in numbers])
    second = (sum(numbers) - first) >> 8
    size = width // 2 * 2 + 2
    return (
        memoryview(first.to_bytes(size, "little")).cast("H"),
        memoryview(second.to_bytes(size, "little")).cast("H"),
    )


@cache
def _mask(width: int) -> int:
    return int.from_bytes(b"\xff\x00" * (width // 2 + 1), "little")


def meanings(known: Mapping[str, int], spoken: Sequence[str]) -> list[int]:
    """Return the numbers of the words that are known, some also without their last letters."""
    found = (known.get(word, known.get(word.removesuffix("s"))) for word in spoken)
    return [number for number in found if number is not None]

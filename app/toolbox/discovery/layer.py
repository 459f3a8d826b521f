"""The small linear layer: sums of byte rows that were trained at build time, in plain Python."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from string import ascii_lowercase
from types import MappingProxyType

from app.record import Record
from app.toolbox.discovery.features import hashed

ZERO = 128
"""The byte that stands for a weight of nothing."""
MOST_ROWS = 256
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

    Only where most other words are English or known, so that names and other languages stay as they are.
    """
    strange = [word for word in found if word not in layer.known and word not in layer.spoken]
    strange = [word for word in strange if len(word) > 3 and word.isascii() and word.isalpha()]
    if not strange or 2 * len(strange) > len(found):
        return list(found)
    better = {word: max(_near(word), key=lambda one: layer.spoken.get(one, 0)) for word in strange}
    return [better[word] if layer.spoken.get(better.get(word, ""), 0) else word for word in found]


def _near(word: str) -> Iterator[str]:
    """Yield all words one slip away that begin with the same letter and are longer than three."""
    for at in range(1, len(word) + 1):
        head, rest = word[:at], word[at:]
        for letter in ascii_lowercase:
            yield head + letter + rest
        if rest:
            if len(word) > 4:
                yield head + rest[1:]
            yield head + rest[1:2] + rest[0] + rest[2:]
            for letter in ascii_lowercase:
                yield head + letter + rest[1:]


def chances(layer: Layer, shapes: Sequence[str], found: Sequence[str]) -> dict[str, float]:
    """Return how likely each column is for a text of these shapes and folded words, in all 1."""
    sums = list(layer.bias)
    for family, rows in hashed(shapes, found).items():
        _add(sums, layer.rows, rows, layer.scales[family])
    _add(sums, layer.meanings, meanings(layer.known, found), layer.scales["meanings"])
    top = max(sums)
    raised = [math.exp(value - top) for value in sums]
    whole = sum(raised)
    return {name: value / whole for name, value in zip(layer.columns, raised, strict=True)}


def _add(sums: list[float], table: bytes, rows: Sequence[int], scale: float) -> None:
    """Add the rows to the sums. Bytes are added 16 bits apart inside one large number, many columns at once:
    each second byte of a row in `even`, the others in `odd`. At most 257 rows fit.
    """
    if not rows:
        return
    width = len(sums)
    mask = int.from_bytes(b"\xff\x00" * (width // 2 + 1), "little")
    even = odd = 0
    for row in rows[:MOST_ROWS]:
        whole = int.from_bytes(table[row * width : row * width + width], "little")
        even += whole & mask
        odd += whole >> 8 & mask
    size = width // 2 * 2 + 2
    lanes = (
        memoryview(even.to_bytes(size, "little")).cast("H"),
        memoryview(odd.to_bytes(size, "little")).cast("H"),
    )
    step = scale / math.sqrt(len(rows))
    none = ZERO * min(len(rows), MOST_ROWS) * step
    for parity, lane in enumerate(lanes):
        for at, value in zip(range(parity, width, 2), lane, strict=False):
            sums[at] += value * step - none


def meanings(known: Mapping[str, int], spoken: Sequence[str]) -> list[int]:
    """Return the numbers of the words that are known, some also without their last letters."""
    found = (known.get(word, known.get(word.removesuffix("s"))) for word in spoken)
    return [number for number in found if number is not None]

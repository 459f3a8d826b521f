"""Which lines two texts share.

Fast on long files, exact in that the result always turns one into the other.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

Block = tuple[int, int, int, int]
"""Lines i1 to i2 of the old text stand against lines j1 to j2 of the new one (half open)."""

_LONG = (
    4_000  # lines from which difflib may skip frequent ones; 858 ms against 156 ms at 20,000 lines (qt.md 4)
)
_HEAVY = 400_000  # pairs of equal lines that may be compared one by one
_NEAR = 24  # lines on either side within which a small edit is looked for the end of
_ANCHORED = 200  # lines from which unique lines are looked for first


def differences(old: Sequence[str], new: Sequence[str]) -> list[Block]:
    """Return the blocks that differ, in order; what lies between them is equal.

    Neighbouring blocks are joined.
    """
    found: list[Block] = []
    for i1, i2, j1, j2 in _differences(old, new, 0, len(old), 0, len(new)):
        if found and found[-1][1] == i1 and found[-1][3] == j1:
            found[-1] = (found[-1][0], i2, found[-1][2], j2)
        else:
            found.append((i1, i2, j1, j2))
    return found


def _differences(
    old: Sequence[str], new: Sequence[str], i1: int, i2: int, j1: int, j2: int
) -> Iterator[Block]:
    """Walk along equal lines and step over small edits; what is harder is split at unique lines."""
    while i1 < i2 and j1 < j2 and old[i2 - 1] == new[j2 - 1]:
        i2, j2 = i2 - 1, j2 - 1
    while True:
        while i1 < i2 and j1 < j2 and old[i1] == new[j1]:
            i1, j1 = i1 + 1, j1 + 1
        near = _nearby(old, new, i1, i2, j1, j2) if i1 < i2 and j1 < j2 else None
        if near is None:
            break
        yield from _by_difflib(old, new, i1, near[0], j1, near[1])
        i1, j1 = near
    for i, j in _anchors(old, new, i1, i2, j1, j2):
        yield from _differences(old, new, i1, i, j1, j)
        i1, j1 = i + 1, j + 1
    yield from _by_difflib(old, new, i1, i2, j1, j2)


def _nearby(
    old: Sequence[str], new: Sequence[str], i1: int, i2: int, j1: int, j2: int
) -> tuple[int, int] | None:
    """Return the nearest place where three lines in a row agree again, one of them not bare."""
    for distance in range(1, 2 * _NEAR):
        for i in range(i1 + max(0, distance - _NEAR), i1 + min(distance, _NEAR) + 1):
            j = j1 + distance - (i - i1)
            if (
                i + 2 < i2
                and j + 2 < j2
                and old[i] == new[j]
                and old[i : i + 3] == new[j : j + 3]
                and any(len(line.strip()) > 3 for line in old[i : i + 3])
            ):
                return i, j
    return None


def _anchors(
    old: Sequence[str], new: Sequence[str], i1: int, i2: int, j1: int, j2: int
) -> list[tuple[int, int]]:
    """Return the longest rising chain of lines that are unique on both sides (as in patience diff)."""
    if i2 - i1 <= _ANCHORED or j2 - j1 <= _ANCHORED:
        return []
    here, there = Counter(old[i1:i2]), Counter(new[j1:j2])
    places = {line: j for j, line in enumerate(new[j1:j2], j1)}
    return _rising(
        [(i, places[line]) for i, line in enumerate(old[i1:i2], i1) if here[line] == 1 and there[line] == 1]
    )


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest chain of pairs (already rising on the left) that rises on the right too."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        at = bisect_left(tails, j)
        before.append(ends[at - 1] if at else -1)
        if at == len(tails):
            tails.append(j)
            ends.append(number)
        else:
            tails[at], ends[at] = j, number
    chain = []
    number = ends[-1] if ends else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]


def _by_difflib(
    old: Sequence[str], new: Sequence[str], i1: int, i2: int, j1: int, j2: int
) -> Iterator[Block]:
    if i1 == i2 or j1 == j2 or (i2 - i1 == 1 == j2 - j1 and old[i1] != new[j1]):
        if i1 < i2 or j1 < j2:
            yield i1, i2, j1, j2
        return
    left, right = old[i1:i2], new[j1:j2]
    there = Counter(right)
    heavy = sum(number * there[line] for line, number in Counter(left).items()) > _HEAVY
    matcher = SequenceMatcher(None, left, right, autojunk=heavy or max(len(left), len(right)) > _LONG)
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        if tag != "equal":
            yield i1 + a1, i1 + a2, j1 + b1, j1 + b2

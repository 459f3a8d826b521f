"""Merge two ways that a text went from one start, where they do not touch: whole lines, byte for byte."""

from __future__ import annotations

from app.changes.comparing import Block, differences
from app.changes.text import Text, byte_lines, decode, is_binary
from app.errors import ToolError


def merged(base: bytes | None, mine: bytes | None, other: bytes | None) -> bytes | None:
    """Return `base` with the changes of both, None where they touch or a side is no text of that encoding.

    Changes touch where no line of `base` stands between them; the same change on both sides counts once.
    """
    if base is None or mine is None or other is None or any(map(is_binary, (base, mine, other))):
        return None
    texts = [decode(data) for data in (base, mine, other)]
    if len({_way(text) for text in texts if text.data}) > 1:
        return None
    try:
        start, left, right = map(byte_lines, texts)
    except ToolError:
        return None
    blocks = _together(start, left, right)
    if blocks is None:
        return None
    out, at = [texts[0].mark], 0
    for i1, i2, lines in blocks:
        out += [*start[at:i1], *lines]
        at = i2
    return b"".join([*out, *start[at:]])


def _way(text: Text) -> tuple[str, bytes, str]:
    return text.encoding, text.mark, text.errors


def _together(
    start: list[bytes], left: list[bytes], right: list[bytes]
) -> list[tuple[int, int, list[bytes]]] | None:
    """Return what replaces which lines of the start, in order; None where changes touch."""
    first, second = _blocks(start, left), _blocks(start, right)
    kept = [(block, left[block[2] : block[3]]) for block in first]
    for block in second:
        lines = right[block[2] : block[3]]
        near = [(other, theirs) for other, theirs in kept if _touch(block, other)]
        if not near:
            kept.append((block, lines))
        elif any(block[:2] != other[:2] or lines != theirs for other, theirs in near):
            return None
    return sorted((block[0], block[1], lines) for block, lines in kept)


def _blocks(start: list[bytes], end: list[bytes]) -> list[Block]:
    # differences() compares texts; latin-1 gives every byte its own letter
    return differences([line.decode("latin-1") for line in start], [line.decode("latin-1") for line in end])


def _touch(one: Block, other: Block) -> bool:
    return not (one[1] < other[0] or other[1] < one[0])

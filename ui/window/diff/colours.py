"""Syntax colours for the lines of a diff: each side of a piece is coloured as one text, in the shared
process.
"""

from __future__ import annotations

from itertools import accumulate

from app.records import DiffLine, Hunk
from ui.window.diff.rows import LONGEST
from ui.window.transcript.highlight import Highlighter
from ui.window.transcript.legible import legible

LineSpans = list[tuple[int, int, str]]
"""(start, length, role) in characters of the drawn line."""
Side = tuple[int, str]
"""A piece, and the kinds of its lines that make one side of it."""
PIECE = 400
"""Lines of a piece that are coloured at once; a new file of 20,000 lines is one piece, coloured where it is
looked at.
"""


def drawn(line: DiffLine) -> str:
    """Return the text of a line as it is drawn: one line, nothing hidden, bounded."""
    text = line.text
    if text.endswith("\r\n"):
        text = text[:-2]
    elif text.endswith(("\n", "\r")):
        text = text[:-1]
    if len(text) > LONGEST:
        return f"{legible(text[:LONGEST])} … +{len(text) - LONGEST:,}"
    return legible(text.replace("\n", "\u240a"))


class Colours:
    """Answers for a line what is known of its colours, and asks for the rest, block by block."""

    def __init__(self, highlighter: Highlighter) -> None:
        self._highlighter = highlighter
        self._language = ""
        self._hunks: tuple[Hunk, ...] = ()
        self._sides: dict[Side, tuple[list[DiffLine], dict[int, int]]] = {}
        """The lines of a side and the place of each, by its id; made for the pieces that are looked at."""
        self._blocks: dict[tuple[Side, int], tuple[str, list[int]]] = {}
        self._known: dict[tuple[Side, int], dict[int, LineSpans]] = {}

    def load(self, hunks: tuple[Hunk, ...], language: str) -> None:
        """Take another file."""
        self._language, self._hunks = language, hunks
        self._sides, self._blocks, self._known = {}, {}, {}

    def of(self, line: DiffLine, hunk: int) -> LineSpans:
        """Return the coloured spans of a line of a piece, none while they are being made."""
        if not self._language:
            return []
        side = (hunk, " -" if line.kind == "-" else " +")
        index = self._side(side)[1][id(line)]
        block = (side, index // PIECE)
        code, starts = self._block(block)
        if block not in self._known:
            spans = self._highlighter.colours(code, self._language)
            if spans is None:
                return []
            self._known[block] = _by_line(code, spans)
        return self._known[block].get(starts[index % PIECE], [])

    def _side(self, side: Side) -> tuple[list[DiffLine], dict[int, int]]:
        if side not in self._sides:
            hunk, kinds = side
            lines = [line for line in self._hunks[hunk].lines if line.kind in kinds]
            self._sides[side] = lines, {id(line): index for index, line in enumerate(lines)}
        return self._sides[side]

    def _block(self, block: tuple[Side, int]) -> tuple[str, list[int]]:
        """Return the text of a block and where each of its lines begins."""
        if block not in self._blocks:
            side, number = block
            texts = [drawn(line) for line in self._side(side)[0][number * PIECE : (number + 1) * PIECE]]
            starts = list(accumulate((len(text) + 1 for text in texts), initial=0))
            self._blocks[block] = "\n".join(texts), starts
        return self._blocks[block]


def _by_line(code: str, spans: list[tuple[int, int, str]]) -> dict[int, LineSpans]:
    """Cut spans at line ends and sort them under the position where their line begins."""
    found: dict[int, LineSpans] = {}
    for start, length, role in spans:
        at, end = start, start + length
        while at < end:
            begin = code.rfind("\n", 0, at) + 1
            stop = code.find("\n", at, end)
            stop = end if stop < 0 else stop
            if stop > at:
                found.setdefault(begin, []).append((at - begin, stop - at, role))
            at = stop + 1
    return found

"""The blocks of one text that may still grow."""

from __future__ import annotations

import re

from ui.window.transcript.blocks import Block
from ui.window.transcript.cards import Picture
from ui.window.transcript.code import Code, Table
from ui.window.transcript.markdown_stream import Splitter
from ui.window.transcript.painting import Sheet
from ui.window.transcript.pieces import Piece
from ui.window.transcript.prose import Prose, Rule

_PICTURE = re.compile(r"\s*!\[([^\]]*)\]\(\s*<?([^\s)>]+)>?(?:\s+[\"'(][^\n]*)?\)\s*")


class Body:
    """The blocks of one growing text."""

    def __init__(self, sheet: Sheet, *, muted: bool = False) -> None:
        self.sheet, self.muted = sheet, muted
        self.blocks: list[Block] = []
        self._serials: list[int] = []
        self._splitter = Splitter()

    def feed(self, text: str) -> int:
        """Take more text; return the first block that may have changed."""
        return self._follow(self._splitter.feed(text))

    def close(self) -> int:
        """Nothing more comes."""
        first = self._follow(self._splitter.close())
        for block in self.blocks[first:]:
            if isinstance(block, Code):
                block.close()
        return first

    def _follow(self, first: int) -> int:
        pieces = self._splitter.pieces
        for index in range(first, len(pieces)):
            self._show(index, pieces[index])
        del self.blocks[len(pieces) :], self._serials[len(pieces) :]
        for block in self.blocks[first : len(pieces) - 1]:
            if isinstance(block, Code):
                block.close()
        self._splitter.forget()
        return first

    def _show(self, index: int, piece: Piece) -> None:
        if index < len(self.blocks) and self._serials[index] == piece.serial:
            block = self.blocks[index]
            if isinstance(block, _kind_of(piece)):
                if isinstance(block, Prose | Code | Table):
                    block.take(piece)
                return
        del self.blocks[index:], self._serials[index:]
        self.blocks.append(self._make(piece))
        self._serials.append(piece.serial)

    def _make(self, piece: Piece) -> Block:
        kind = _kind_of(piece)
        if kind is Code:
            return Code(self.sheet, piece)
        if kind is Table:
            before = self.blocks[-1] if self.blocks else None
            return Table(self.sheet, piece, before if isinstance(before, Table) else None)
        if kind is Picture:
            match = _PICTURE.fullmatch(piece.text())
            assert match is not None
            return Picture(self.sheet, match[1], match[2])
        return Rule(self.sheet) if kind is Rule else Prose(self.sheet, piece, muted=self.muted)


def _kind_of(piece: Piece) -> type[Block]:
    if (
        piece.kind == "prose"
        and piece.lines[0].lstrip().startswith("![")
        and _PICTURE.fullmatch(piece.text())
    ):
        return Picture
    return {"code": Code, "table": Table, "rule": Rule}.get(piece.kind, Prose)

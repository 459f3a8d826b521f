"""Split growing Markdown into top-level blocks, each line read once: all but the last are closed for good.

Parsing the open block again for each token would make a long fence, list or paragraph cost more and more.
The split needs only the block structure of CommonMark and of tables, which is a matter of lines; the tests
compare it with `markdown-it-py`. Items of a list are blocks of their own, fences inside items too, and what
grows long is cut, so that what is open stays small. The pieces do not depend on how the text was chopped.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec
from msgspec.structs import replace

from ui.window.transcript.markdown_lines import (
    DELIMITER,
    FENCE,
    ITEM,
    SETEXT,
    UNDECIDED,
    block_start,
    content_offset,
    only_marker,
    quote_leaf,
    table_columns,
    without_tabs,
)
from ui.window.transcript.pieces import Kind, Piece

LIMIT = 3_000
"""Characters of a paragraph, item or line at which it is cut: laying out more takes several milliseconds."""
TABLE_ROWS = 40
"""Rows of a table that are laid out together."""


class _State(msgspec.Struct):
    """Where in the structure the next line falls."""

    columns: tuple[int, ...] = ()
    """Where the content of each open list item begins."""
    leaf: Literal["", "para", "quote", "lazy quote", "table", "indented"] = ""
    marker: str = ""
    """Which list is open at the top: its bullet, or its . or ) after a number."""
    number: int = 0
    fence: tuple[str, int, int] | None = None
    """Open fence: its mark, its indent, the column of its list item."""
    cut: bool = False
    """The open item was interrupted, so its next line begins a piece."""
    blanks: int = 0
    hollow: bool = False
    """The last item of the list at the top held nothing but its mark."""


FORGOTTEN = Piece("prose")
"""Stands for a piece that nobody needs any more."""


class Splitter:
    """Takes text as it arrives and keeps `pieces`, whose last ones may still change."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self._state = _State()
        self._line = ""
        self._midway = False
        self._return = False
        self._sure = 0
        self._real: Piece | None = None
        self._forgotten = 0

    def feed(self, text: str) -> int:
        """Take more text; return the index of the first piece that may have changed."""
        first = self._retract()
        if self._return:
            text, self._return = "\r" + text, False
        if text.endswith("\r"):  # the other half of a line end may follow
            text, self._return = text[:-1], True
        lines = (self._line + text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
        self._line = lines.pop()
        for line in lines:
            self._whole(line)
        self._line = self._overlong(self._line)
        self._sure = len(self.pieces)
        if not UNDECIDED.match(self._line):
            self._guess()
        return first

    def close(self) -> int:
        """Take the last line as ended; return the index of the first piece that changed."""
        first = self._retract()
        self._whole(self._line)
        self._line = ""
        self._sure = len(self.pieces)
        return first

    def forget(self) -> None:
        """Let go of the pieces that are closed for good, for their reader has made its own of them."""
        for index in range(self._forgotten, self._sure - 2):
            self.pieces[index] = FORGOTTEN
        self._forgotten = max(self._forgotten, self._sure - 2)

    def _retract(self) -> int:
        """Take back what was shown of the unfinished line."""
        first = max(0, self._sure - 1)
        del self.pieces[self._sure :]
        if self._real is not None:
            self.pieces[first] = self._real
            self._real = None
        elif self.pieces:
            self.pieces[-1].partial = ""
        return first

    def _guess(self) -> None:
        """Show the unfinished line as if it ended here, on a copy of the open piece."""
        if self._state.fence is not None:
            self.pieces[-1].partial = self._inside(self._line, self._state.fence)
            return
        if not self._line.strip():
            return
        state = replace(self._state)
        if self.pieces:
            self._real = self.pieces[-1]
            self.pieces[-1] = replace(self._real, lines=list(self._real.lines))
        self._more(self._line) if self._midway else self._take(self._line)
        self._state = state

    def _overlong(self, line: str) -> str:
        """Take the part of a line that exceeds the limit; return the rest."""
        start = 0
        while len(line) - start > LIMIT:
            end = line.rfind(" ", start + LIMIT // 2, start + LIMIT) + 1 or start + LIMIT
            part, start = line[start:end], end
            self._more(part) if self._midway else self._take(part)
            self._midway = True
            if self._state.fence is not None:
                self.pieces[-1].soft.add(len(self.pieces[-1].lines) - 1)
        return line[start:]

    def _whole(self, line: str) -> None:
        line = self._overlong(line)
        self._more(line) if self._midway else self._take(line)
        self._midway = False

    def _more(self, part: str) -> None:
        """Go on in the middle of a line that was cut."""
        if self._state.fence is not None:
            self._add(part)
        elif part:
            depth = len(self._state.columns)
            self.pieces.append(Piece("prose", [part], depth, first=False, joined=True, column=self._column))
            self.pieces[-1].size = len(part)

    @property
    def _column(self) -> int:
        return self._state.columns[-1] if self._state.columns else 0

    def _add(self, line: str) -> None:
        piece = self.pieces[-1]
        piece.lines.append(line)
        piece.size += len(line) + 1

    def _begin(self, kind: Kind, line: str, *, joined: bool = False, first: bool = True) -> Piece:
        state = self._state
        piece = Piece(kind, depth=len(state.columns), joined=joined, first=first, column=self._column)
        self.pieces.append(piece)
        self._add(line)
        state.cut = False
        return piece

    def _take(self, line: str) -> None:
        """Take one whole line."""
        state = self._state
        if state.fence is not None:
            if not self._ends_item(line, state.fence):
                self._in_fence(line, state.fence)
                return
            state.fence, state.cut = None, True
        if not line.strip():
            self._blank()
            return
        line = without_tabs(line)
        indent = len(line) - len(line.lstrip(" "))
        depth = sum(1 for column in state.columns if column <= indent)
        rest = line[state.columns[depth - 1] :] if depth else line
        inside = depth == len(state.columns)
        starts = block_start(rest, paragraph=state.leaf == "para" and inside)
        if not inside:
            if state.leaf in ("para", "lazy quote") and not starts:
                self._append(line.lstrip(" "))
                return
            state.columns, state.leaf = state.columns[:depth], ""
        if starts == "item":
            self._item(rest)
        elif state.columns:
            self._in_item(rest, starts)
        else:
            self._top(rest, starts)
        state.blanks, state.hollow = 0, False

    def _blank(self) -> None:
        state = self._state
        state.blanks += 1
        if state.leaf != "indented":
            state.leaf = ""
        if state.blanks == 2 and state.hollow:  # two blank lines after an empty item end its list
            state.marker = ""
        if not state.columns or state.cut or self.pieces[-1].kind == "code":
            return
        if state.blanks == 1 and only_marker(self.pieces[-1].lines[-1]):  # CommonMark: such an item ends here
            state.columns = state.columns[:-1]
            state.hollow = not state.columns
        self._add("")

    def _append(self, line: str) -> None:
        """Go on with the open paragraph, item or quote; cut it when it has grown long."""
        state, piece = self._state, self.pieces[-1]
        depth = len(state.columns)
        if state.cut or depth < piece.depth:
            self._begin("prose", line, first=False)
        elif piece.size + len(line) > LIMIT:
            kind: Kind = "quote" if piece.kind == "quote" else "prose"
            self._begin(kind, line, joined=True, first=False)
        elif depth > piece.depth:
            self._add(" " * (self._column - piece.column) + line)
        else:
            self._add(line)

    def _item(self, rest: str) -> None:
        """Open a list item; its content may open more at once."""
        state = self._state
        match = ITEM.match(rest)
        assert match is not None
        spaces = len(match[3]) if 1 <= len(match[3]) <= 4 and match.end() < len(rest) else 1
        column = self._column + match.end(2) + spaces
        content = rest[match.end(2) + spaces :]
        fence = FENCE.match(content)
        shown = rest[: match.end(2)] if fence else rest
        if state.columns:
            self._append(shown)
        else:
            self._top_item(match[2], shown)
        state.columns, state.leaf = (*state.columns, column), ""
        if fence:
            self._open(fence, first=False)
        elif content.strip():
            inner = block_start(content, paragraph=False)
            if inner == "item":
                state.columns = (*state.columns, column + content_offset(content))
            state.leaf = {"": "para", "item": "para", "quote": "lazy quote"}.get(inner, "")  # type: ignore[assignment]
            if not inner and len(content) - len(content.lstrip(" ")) >= 4:
                state.leaf = ""

    def _top_item(self, marker: str, shown: str) -> None:
        state = self._state
        goes_on = state.marker == marker[-1]
        state.number = state.number + 1 if goes_on else int(marker[:-1] or 0)
        state.marker = marker[-1]
        piece = self._begin("item", shown, first=not goes_on)
        if marker[:-1]:
            piece.number = state.number

    def _in_item(self, rest: str, starts: str) -> None:
        state = self._state
        fence = FENCE.match(rest) if starts == "fence" else None
        if fence:
            self._open(fence, first=False)
            return
        if state.leaf == "para" and not starts and SETEXT.match(rest):
            starts = "heading"
        self._append(rest)
        if starts == "quote":
            state.leaf = "lazy quote"
        elif starts or (state.leaf != "para" and rest.startswith("    ")):
            state.leaf = ""
        else:
            state.leaf = "para"

    def _top(self, rest: str, starts: str) -> None:
        """Take a line that no list encloses."""
        state = self._state
        if starts == "" and state.leaf == "para":
            self._paragraph(rest)
        elif starts == "" and state.leaf == "lazy quote":
            self._append(rest)
        elif starts == "" and state.leaf == "table" and not rest.startswith("    "):
            self._table_row(rest)
        elif starts == "" and rest.startswith("    "):
            self._indented(rest[4:])
        elif starts == "quote" and state.leaf in ("quote", "lazy quote"):
            self._append(rest)
            state.leaf = quote_leaf(rest)
        else:
            state.marker = ""
            self._leaf(rest, starts)

    def _leaf(self, rest: str, starts: str) -> None:
        state = self._state
        if starts == "fence":
            match = FENCE.match(rest)
            assert match is not None
            self._open(match)
        elif starts in ("heading", "rule"):
            self._begin("heading" if starts == "heading" else "rule", rest)
            state.leaf = ""
        elif starts == "quote":
            self._begin("quote", rest)
            state.leaf = quote_leaf(rest)
        else:
            self._begin("prose", rest)
            state.leaf = "para"

    def _paragraph(self, rest: str) -> None:
        state, piece = self._state, self.pieces[-1]
        if SETEXT.match(rest):
            self._add(rest)
            piece.kind, state.leaf = "heading", ""
        elif DELIMITER.match(rest) and table_columns(rest) == table_columns(piece.lines[-1]):
            head = piece.lines.pop()
            piece.size -= len(head) + 1
            if not piece.lines:
                self.pieces.pop()
            self._begin("table", head)
            self._add(rest)
            state.leaf = "table"
        else:
            self._append(rest)

    def _table_row(self, rest: str) -> None:
        piece = self.pieces[-1]
        if len(piece.lines) < TABLE_ROWS and piece.size < 2 * LIMIT:
            self._add(rest)
            return
        head = piece.head or (piece.lines[0], piece.lines[1])
        self._begin("table", rest, joined=True, first=False).head = head

    def _indented(self, line: str) -> None:
        state = self._state
        if state.leaf == "indented":
            for _ in range(state.blanks):
                self._add("")
            self._add(line)
        else:
            state.marker = ""
            self._begin("code", line)
            state.leaf = "indented"

    def _open(self, match: re.Match[str], *, first: bool = True) -> None:
        state = self._state
        indent = len(match[0]) - len(match[0].lstrip(" "))
        state.fence, state.leaf = (match[1], indent, self._column), ""
        words = match[2].split()
        piece = self._begin("code", "", first=first)
        piece.lines.clear()
        piece.language = words[0].strip("{}.,:;()").lower() if words else ""

    def _ends_item(self, line: str, fence: tuple[str, int, int]) -> bool:
        """Tell whether the line lies left of the list item that the open fence is in."""
        return bool(
            fence[2] and line.strip() and len(line) - len(line.lstrip()) < fence[2] and "\t" not in line
        )

    def _inside(self, line: str, fence: tuple[str, int, int]) -> str:
        """Return a line of code without the indent of its item and its fence."""
        if fence[1] + fence[2] == 0:
            return line
        line = without_tabs(line)
        rest = line[fence[2] :]
        strip = min(fence[1], len(rest) - len(rest.lstrip(" ")))
        return rest[strip:]

    def _in_fence(self, line: str, fence: tuple[str, int, int]) -> None:
        rest = line[fence[2] :] if fence[2] else line
        bare = rest.strip()
        closes = bare and not bare.strip(fence[0][0]) and len(bare) >= len(fence[0]) and rest.find(bare) <= 3
        if closes:
            self._state.fence, self._state.cut = None, True
        else:
            self._add(self._inside(line, fence))


def split(text: str) -> list[Piece]:
    """Return the blocks of a whole text."""
    splitter = Splitter()
    splitter.feed(text)
    splitter.close()
    return splitter.pieces

"""A conversation above, a prompt below: words that come in push the prompt down and never mix with it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from typing import TextIO

from ui.terminal.clean import cells, visible
from ui.terminal.editor import Editor
from ui.terminal.output import Channel

_PARTS = re.compile(r"\x1b\[[0-9;]*m|.", re.DOTALL)
"""A style, which takes no room, or a letter."""
_MOST_ROWS = 8
"""Rows of the text being typed that are shown; a longer one shows those around the cursor."""


class Screen(Channel):
    """A channel to a terminal whose last rows are the prompt. Finished rows stay above it for good."""

    def __init__(self, stream: TextIO, environ: Mapping[str, str], editor: Editor) -> None:
        super().__init__(stream, environ)
        self.editor = editor
        self.label = "> "
        self.status = ""
        self.shown = False
        """Whether the prompt is on the screen at all."""
        self._open = ""
        """The row that has not ended yet; it is drawn above the prompt again and again."""
        self._row = 0
        """How many rows the cursor stands below the first row of the drawn part."""

    def write(self, text: str) -> None:
        """Add words above the prompt."""
        if not self.shown:
            super().write(text)
            return
        *done, self._open = wrapped(self._open + text.replace("\t", "    "), self.columns)
        self._paint("".join(row + "\n" for row in done))
        self.at_start = not self._open

    @property
    def columns(self) -> int:
        """Columns of the terminal, at least 10."""
        return max(10, shutil.get_terminal_size((80, 24)).columns)

    def show(self) -> None:
        """Put the prompt on the screen, on a row of its own."""
        if not self.shown:
            super().write("" if self.at_start else "\n")
            self.shown, self._row = True, 0
            self._paint("")
            self.at_start = True

    def hide(self) -> None:
        """Take the prompt off the screen; further words are written as on any terminal."""
        if not self.shown:
            return
        super().write(self._home() + "\x1b[J" + self._open + ("\n" if self._open else ""))
        self._open, self._row, self.shown, self.at_start = "", 0, False, True

    def draw(self) -> None:
        """Draw the prompt afresh."""
        if self.shown:
            at_start = self.at_start
            self._paint("")
            self.at_start = at_start

    def _home(self) -> str:
        return "\r" + (f"\x1b[{self._row}A" if self._row else "")

    def _paint(self, done: str) -> None:
        """Write the finished rows where the drawn part began, and draw that below them."""
        home = self._home()
        rows = [self._open] if self._open else []
        if self.status:
            rows.append(self.styled(self.status, "muted"))
        typed, row, column = layout(self.editor.text, self.editor.cursor, self.label, self.columns)
        below = len(typed) - 1 - row
        self._row = len(rows) + row
        move = (f"\x1b[{below}A" if below else "") + "\r" + (f"\x1b[{column}C" if column else "")
        super().write(home + "\x1b[J" + done + "\n".join([*rows, *typed]) + move)


def wrapped(text: str, width: int) -> list[str]:
    """Return the rows of a text, broken at blanks; the last one has not ended. Styles take no room."""
    rows: list[str] = []
    *lines, last = text.split("\n")
    for line in lines:
        rows += _rows(line, width)
    return rows + _rows(last, width)


def _rows(line: str, width: int) -> list[str]:
    rows, start = [], 0
    while (place := _break(line, start, width)) < len(line):
        rows.append(line[start:place].rstrip(" "))
        start = place + line.startswith(" ", place)
    return [*rows, line[start:]]


def _break(line: str, start: int, width: int) -> int:
    """Return where the row that begins at `start` ends: with the line, else after a blank where there is one.

    Only that row is looked at, so that a long line costs no more than its length.
    """
    used, place, blank = 0, start, 0
    for part in _PARTS.finditer(line, start):
        used += 0 if part[0].startswith("\x1b[") else max(0, cells(part[0]))
        if used > width:
            return blank or max(place, start + 1)
        place = part.end()
        if part[0] == " ":
            blank = place
    return len(line)


def layout(text: str, cursor: int, label: str, width: int) -> tuple[list[str], int, int]:
    """Return the rows of a typed text behind its label, and row and column of the cursor."""
    rows, row, column = [label], 0, len(label)
    mark = (0, len(label))
    for place, letter in enumerate(text):
        if place == cursor:
            mark = (row, column)
        shown = "  " if letter == "\t" else visible(letter)
        if letter == "\n" or column + cells(shown) >= width:
            rows.append(" " * len(label))
            row, column = row + 1, len(label)
        if letter != "\n":
            rows[row] += shown
            column += cells(shown)
    if cursor >= len(text):
        mark = (row, column)
    first = max(0, min(mark[0] - _MOST_ROWS + 1, len(rows) - _MOST_ROWS)) if mark[0] >= _MOST_ROWS else 0
    return rows[first : first + _MOST_ROWS], mark[0] - first, mark[1]

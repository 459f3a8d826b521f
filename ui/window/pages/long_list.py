"""Rows that are made only as far as somebody looks: the first ones, then a page more at each press."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.language import _
from ui.window.pages.page import clear
from ui.window.parts import box, button
from ui.window.theme import Theme

FIRST, MORE = 12, 50
"""Rows that are shown at once, and how many more each press brings: a row is a dozen widgets."""


class LongList(QWidget):
    """A column of rows with thin lines between them. How far it was opened stays when it is filled anew."""

    def __init__(self, theme: Theme, *, first: int = FIRST) -> None:
        super().__init__()
        self._theme, self._first, self._wanted = theme, first, first
        self._makers: Sequence[Callable[[], QWidget]] = ()
        self.rows: list[QWidget] = []
        self._column = QVBoxLayout(self)
        self._lines = QVBoxLayout()
        self._column.addLayout(self._lines)
        self.more = button("", "link", self.open)
        self._column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeading)
        self.set_theme(theme)
        self._say_more()

    def fill(self, makers: Sequence[Callable[[], QWidget]]) -> None:
        """Show these rows instead of those before."""
        clear(self._lines)
        self.rows, self._makers = [], makers
        self._make()

    def open(self) -> None:
        """Show a page more; the keyboard stays on the button, or goes to the first of the last rows."""
        held, at = self.more.hasFocus(), len(self.rows)
        self._wanted += MORE
        self._make()
        if held and self.more.isHidden() and at < len(self.rows):
            self.rows[at].setFocus()
            if not self.rows[at].hasFocus():
                self.focusNextChild()

    def close_again(self) -> None:
        """Show the first rows only, from the next filling on."""
        self._wanted = self._first

    def _make(self) -> None:
        for make in self._makers[len(self.rows) : self._wanted]:
            if self.rows:
                self._lines.addWidget(box("rule"))
            row = make()
            self.rows.append(row)
            self._lines.addWidget(row)
        self._say_more()

    def _say_more(self) -> None:
        rest = len(self._makers) - len(self.rows)
        words = _("Show {n} more") if rest <= MORE else _("Show {n} more of {rest}")
        words = words.replace("{n}", str(min(rest, MORE))).replace("{rest}", f"{rest:,}")
        self.more.setText(words)
        self.more.setAccessibleName(words)
        self.more.setVisible(rest > 0)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        self._theme = theme
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.s8)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(theme.s4)

"""What a new conversation shows: one calm sentence and three examples that can be tried by a click."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSpacerItem, QVBoxLayout, QWidget

from ui.language import _
from ui.window.pages.example_requests import examples
from ui.window.parts import button, label
from ui.window.theme import Theme

_WIDTH = 520


class EmptyPage(QWidget):
    """`tried` carries the text of an example; it is written into the composer, not sent."""

    tried = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._inside = QWidget()
        self._column = column = QVBoxLayout(self._inside)
        column.setContentsMargins(0, 0, 0, 0)
        sentence = _("Bramble shows every change before it makes it, and can take each one back.")
        self._words = (label(_("What would you like to do?"), "title"), label(sentence, "muted", wrap=True))
        for words in self._words:
            column.addWidget(words)
        self._gap = QSpacerItem(0, 0)
        column.addSpacerItem(self._gap)
        self.examples: list[QPushButton] = []
        for text in examples():
            made = button(text, "example")
            made.clicked.connect(lambda checked=False, made=made: self.tried.emit(made.accessibleName()))
            self.examples.append(made)
            column.addWidget(made)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self._inside, 1000)
        row.addStretch(1)
        self._outer = outer = QVBoxLayout(self)
        outer.addStretch(2)
        outer.addLayout(row)
        outer.addStretch(3)
        self.set_theme(theme)

    def show_names(self, names: Sequence[str]) -> None:
        """Show examples that fit a folder with these names in it, none where it is an empty one."""
        for made, text in zip(self.examples, examples(names), strict=True):
            made.setText(text)
            made.setAccessibleName(text)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self._column.setSpacing(theme.s8)
        self._gap.changeSize(0, theme.s12)
        self._column.invalidate()
        self._outer.setContentsMargins(theme.px(28), 0, theme.px(28), 0)
        self._inside.setMaximumWidth(theme.px(_WIDTH))
        self._leave_out()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._leave_out()

    def minimumSizeHint(self) -> QSize:
        """Any room will do: what does not fit is left out."""
        return QSize(0, 0)

    def hasHeightForWidth(self) -> bool:
        return False

    def _leave_out(self) -> None:
        """Show as much as there is room for, the title first: squeezed parts would lie on each other."""
        width = min(self.width() - 2 * self._theme.px(28), self._theme.px(_WIDTH))
        left, space = self.height(), self._column.spacing()
        for words in self._words:
            asked = words.heightForWidth(width) if words.hasHeightForWidth() else words.sizeHint().height()
            left -= asked + space
            words.setVisible(left >= -space)
        left -= self._gap.sizeHint().height()
        for made in self.examples:
            left -= made.heightForWidth(width) + space
            made.setVisible(left >= 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self._theme.colors.ground)

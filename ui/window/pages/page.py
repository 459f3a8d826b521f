"""What all pages share: a scrolled column with a title and one sentence that sums up the state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from ui.window.parts import box, label
from ui.window.theme import Theme

_ROOM = "room"
"""The property that holds the width of a part in pixels of the design."""


@runtime_checkable
class Themed(Protocol):
    """Draws itself with a theme."""

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""


class Page(QWidget):
    """A page with a title. Subclasses add cards to `column` and are drawn on the theme's ground."""

    def __init__(self, theme: Theme, title: str, sentence: str, width: int = 760, margin: int = 40) -> None:
        super().__init__()
        self.theme = theme
        self._width, self._margin = width, margin
        self.setAccessibleName(title)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._inside = QWidget()
        self._inside.setMaximumWidth(theme.px(width))
        self.column = QVBoxLayout(self._inside)
        self.title = label(title, "title")
        self.sentence = label(sentence, "muted", wrap=True)
        self._head = QVBoxLayout()
        self._head.addWidget(self.title)
        self._head.addWidget(self.sentence)
        self._top = QHBoxLayout()
        self._top.addLayout(self._head, 1)
        self.column.addLayout(self._top)
        around = QWidget()
        self._row = QHBoxLayout(around)
        self._row.addStretch(1)
        self._row.addWidget(self._inside, 1000)
        self._row.addStretch(1)
        self.area.setWidget(around)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.area)
        self.area.verticalScrollBar().rangeChanged.connect(lambda least, most: self.space())
        self.space()

    def add_action(self, control: QWidget) -> None:
        """Put a button at the end of the title's row."""
        self._top.addWidget(control, 0, Qt.AlignmentFlag.AlignTop)

    def space(self) -> None:
        """Take the theme's margins."""
        self._top.setSpacing(self.theme.s12)
        theme = self.theme
        self._inside.setMaximumWidth(theme.px(self._width))
        margin = theme.px(self._margin)
        bar = self.area.verticalScrollBar()
        taken = bar.sizeHint().width() if bar.maximum() > bar.minimum() else 0  # the column stays centred
        first, last = (taken, 0) if self.isRightToLeft() else (0, taken)
        self._row.setContentsMargins(margin - first, theme.s24, margin - last, theme.s40)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(theme.s12)
        self._head.setSpacing(theme.s4)
        self._head.setContentsMargins(0, 0, 0, theme.s4)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme, all parts inside too."""
        self.theme = theme
        self.space()
        for part in self.findChildren(QWidget):
            if isinstance(part, Themed):
                part.set_theme(theme)
            room = part.property(_ROOM)
            if room:  # after the part's own way with a theme, which may know a least width
                part.setFixedWidth(theme.px(room))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self.theme.colors.ground)


class Card(QFrame):
    """A group of settings or choices: heading, one sentence, then its rows in `rows`."""

    def __init__(self, theme: Theme, heading: str, sentence: str = "") -> None:
        super().__init__()
        self.setProperty("box", "card")
        self.setAccessibleName(heading)
        self.theme = theme
        self.rows = QVBoxLayout(self)
        if heading:
            self.rows.addWidget(label(heading, "strong"))
        self.sentence = label(sentence, "small", wrap=True)
        self.sentence.setVisible(bool(sentence))
        self.rows.addWidget(self.sentence)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        self.theme = theme
        self.rows.setContentsMargins(theme.s16, theme.s16, theme.s16, theme.s16)
        self.rows.setSpacing(theme.s8)

    def say(self, sentence: str) -> None:
        """Change the sentence under the heading."""
        self.sentence.setText(sentence)
        self.sentence.setVisible(bool(sentence))

    def add_row(self, words: str, *controls: QWidget, note: str = "") -> QWidget:
        """Add a row: what it is at the start, its controls at the end, a quiet note below."""
        made = Row(self.theme, words, controls, note)
        self.rows.addWidget(made)
        return made

    def add_rule(self) -> None:
        """Add a thin line between rows."""
        self.rows.addWidget(box("rule"))


class Row(QWidget):
    """What it is at the start, its controls at the end, a quiet note below."""

    def __init__(self, theme: Theme, words: str, controls: Sequence[QWidget], note: str) -> None:
        super().__init__()
        self._outer = QVBoxLayout(self)
        self._line = QHBoxLayout()
        self._line.addWidget(label(words, wrap=True), 1)
        for control in controls:
            self._line.addWidget(control)
            if not control.accessibleName():
                control.setAccessibleName(words)
        self._outer.addLayout(self._line)
        if note:
            self._outer.addWidget(label(note, "caption", wrap=True))
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        self._outer.setContentsMargins(0, theme.s4, 0, theme.s4)
        self._outer.setSpacing(theme.s4)
        self._line.setSpacing(theme.s8)


def give_room(part: QWidget, theme: Theme, width: int) -> None:
    """Make a part of a page `width` pixels of the design wide; it keeps to that in other themes."""
    part.setProperty(_ROOM, width)
    part.setFixedWidth(theme.px(width))


def clear(layout: QVBoxLayout, keep: int = 0) -> None:
    """Remove the widgets of a column after the first `keep`."""
    while layout.count() > keep:
        item = layout.takeAt(keep)
        widget = item.widget() if item else None
        if widget is not None:
            widget.hide()
            widget.deleteLater()

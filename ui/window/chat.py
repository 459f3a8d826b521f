"""The page of a conversation: list, transcript with composer, work panel. Only the places; what happens is
elsewhere.

For a quick start the frame comes first, with room kept for the rest; `complete` adds list and panel after
the first paint, so that nothing jumps.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from ui.window.composer.composer import Composer
from ui.window.composer.incoming import Incoming, files, holds, taken
from ui.window.theme import Theme
from ui.window.title_bar import TitleBar

LIST_WIDTH, PANEL_WIDTH = 256, 296
PANEL_NEEDS, LIST_NEEDS = 1100, 820
"""Widths of the window below which the work panel and the list hide by themselves."""


class Side(QWidget):
    """A column at the side: empty room in the panel's colour until its content is put in."""

    def __init__(self, theme: Theme, width: int, line_first: bool) -> None:
        super().__init__()
        self._theme, self._width, self._line_first = theme, width, line_first
        self._inside = QHBoxLayout(self)
        self._inside.setContentsMargins(0, 0, 0, 0)
        self.wanted: bool | None = None
        """What the person asked for with the switch; None follows the window's width."""
        self.set_theme(theme)

    def put(self, content: QWidget) -> None:
        """Show the content."""
        self._inside.addWidget(content)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self.setFixedWidth(theme.px(self._width))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colors = QPainter(self), self._theme.colors
        painter.fillRect(self.rect(), colors.panel)
        at_left = self._line_first != self.isRightToLeft()
        painter.fillRect(0 if at_left else self.width() - 1, 0, 1, self.height(), colors.line)


class ChatPage(QWidget):
    """Three columns that give way to each other as the window narrows."""

    resized = Signal()
    dropped = Signal(object)
    """Files or a picture were dropped; carries Incoming."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self._over: tuple[str, ...] = ()
        """The files that were dragged in."""
        self._theme = theme
        self.list_side = Side(theme, LIST_WIDTH, line_first=False)
        self.panel_side = Side(theme, PANEL_WIDTH, line_first=True)
        self.title_bar = TitleBar(theme)
        self.composer = Composer(theme)
        self.middle = QStackedLayout()
        self._blank = QWidget()
        self.middle.addWidget(self._blank)
        self.above = QVBoxLayout()
        """Where the notice bar goes, under the title."""
        self.queue_place = QVBoxLayout()
        column = QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.title_bar)
        column.addLayout(self.above)
        column.addLayout(self.middle, 1)
        column.addLayout(self.queue_place)
        column.addWidget(self.composer)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.list_side)
        row.addLayout(column, 1)
        row.addWidget(self.panel_side)
        self.title_bar.list_toggled.connect(lambda: self.toggle(self.list_side))
        self.title_bar.panel_toggled.connect(lambda: self.toggle(self.panel_side))

    def show_in_middle(self, content: QWidget) -> None:
        """Put a view (transcript, empty state, first run) where the transcript stands."""
        if self.middle.indexOf(content) < 0:
            self.middle.addWidget(content)
        self.middle.setCurrentWidget(content)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files and pictures anywhere on the page, always as a copy: the giver keeps its own."""
        copies = event.possibleActions() & Qt.DropAction.CopyAction
        takes = self.composer.chips is not None and not self.composer.isHidden()
        if copies and holds(event.mimeData()) and takes:
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self._over = files(event.mimeData())
            self.composer.show_drop(True)
        else:
            event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.composer.show_drop(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self.composer.show_drop(False)
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        found = taken(event.mimeData())
        # Under X11 a program may have nothing to give any more once the button is let go.
        self.dropped.emit(found if any(found) else Incoming(self._over))

    def toggle(self, side: Side) -> None:
        """Show or hide a side column, whatever the window's width says."""
        side.wanted = not side.isVisible()
        self.arrange()

    def arrange(self) -> None:
        """Show the columns that fit or that the person wants."""
        width = self.window().width() * 14 / self._theme.size
        for side, needs in ((self.list_side, LIST_NEEDS), (self.panel_side, PANEL_NEEDS)):
            fits = width >= needs
            side.setVisible(fits if side.wanted is None else side.wanted)
        self.title_bar.list_switch.setVisible(self.list_side.isHidden())

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        for part in (self.list_side, self.panel_side, self.title_bar, self.composer):
            part.set_theme(theme)
        self.arrange()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Crossing a width gives the columns back to it: what was asked for held for the old width only."""
        super().resizeEvent(event)
        scale = 14 / self._theme.size
        before, now = event.oldSize().width() * scale, event.size().width() * scale
        rail = 72
        for side, needs in ((self.list_side, LIST_NEEDS), (self.panel_side, PANEL_NEEDS)):
            if (before + rail >= needs) != (now + rail >= needs) and event.oldSize().isValid():
                side.wanted = False if side.wanted is False and now + rail >= needs else None
        self.arrange()
        self.resized.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self._theme.colors.ground)

"""The rail at the window's edge: an icon over a short word for each page, and a badge for what waits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QEnterEvent, QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSpacerItem, QVBoxLayout, QWidget

from ui.language import _
from ui.window.theme import Theme

WIDTH = 72
_BUTTON = (56, 53)
_KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class Place(NamedTuple):
    """One page that the rail leads to."""

    name: str
    icon: str
    word: str
    keys: str = ""
    foot: bool = False


class RailButton(QAbstractButton):
    """An icon over a word, with an optional count of what waits there."""

    def __init__(self, place: Place, theme: Theme) -> None:
        super().__init__()
        self._place, self._theme = place, theme
        self._waiting = 0
        self._ringed = False
        self.setCheckable(True)
        self.setText(place.word)
        self.setAccessibleName(place.word)
        self.setToolTip(f"{place.word} ({place.keys})" if place.keys else place.word)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def set_waiting(self, count: int) -> None:
        """Show how much waits; 0 shows nothing."""
        self._waiting = count
        self.setAccessibleDescription(_("{n} waiting").replace("{n}", str(count)) if count else "")
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(_BUTTON[0]), self._theme.px(_BUTTON[1]))

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ringed = event.reason() in _KEYBOARD
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ringed = False
        super().focusOutEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        role = "accent" if self.isChecked() else "muted"
        self._paint_ground(painter)
        side = theme.px(20)
        icon = theme.pixmap(self._place.icon, role, 20, self.devicePixelRatioF())
        painter.drawPixmap((self.width() - side) // 2, theme.px(8), icon)
        painter.setFont(theme.font(11, 500 if self.isChecked() else 400))
        painter.setPen(theme.color(role))
        word = QRect(0, theme.px(29), self.width(), theme.px(18))
        line = painter.fontMetrics().elidedText(self._place.word, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(word, Qt.AlignmentFlag.AlignCenter, line)
        if self._waiting:
            self._paint_badge(painter)

    def _paint_ground(self, painter: QPainter) -> None:
        theme = self._theme
        ground = QColor(Qt.GlobalColor.transparent)
        if self.isChecked():
            ground = theme.colors.accent_soft
        elif self.underMouse():
            ground = theme.colors.hover
        painter.setPen(QPen(theme.colors.accent, 1.5) if self._ringed else Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1) if self._ringed else self.rect(), 8, 8)

    def _paint_badge(self, painter: QPainter) -> None:
        theme = self._theme
        text = str(self._waiting) if self._waiting < 100 else "99+"
        painter.setFont(theme.font(11, 500))
        height = theme.px(16)
        width = max(height, painter.fontMetrics().horizontalAdvance(text) + theme.px(8))
        left = self.width() // 2 + theme.px(2)
        if self.isRightToLeft():
            left = self.width() // 2 - theme.px(2) - width
        badge = QRect(left, theme.px(4), width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colors.accent)
        painter.drawRoundedRect(badge, height / 2, height / 2)
        painter.setPen(theme.colors.on_accent)
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, text)


class Mark(QWidget):
    """Bramble's mark at the top of the rail."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setAccessibleName("Bramble")
        self.setFixedSize(theme.px(32), theme.px(32))

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self.setFixedSize(theme.px(32), theme.px(32))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colors.accent)
        painter.drawRoundedRect(self.rect(), 10, 10)
        painter.setPen(self._theme.colors.on_accent)
        painter.setFont(self._theme.font(14, 600))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "B")


class Rail(QWidget):
    """The column of places; `chosen` carries the name of the one that was clicked."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, places: Sequence[Place]) -> None:
        super().__init__()
        self._theme = theme
        self._mark = Mark(theme)
        self._buttons: dict[str, RailButton] = {}
        self._group = QButtonGroup(self)
        self.setAccessibleName(_("Places"))
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignHCenter)
        self._gap = QSpacerItem(0, 0)
        self._column.addSpacerItem(self._gap)
        for place in places:
            if place.foot and not any(p.foot for p in places[: list(places).index(place)]):
                self._column.addStretch(1)
            made = RailButton(place, theme)
            made.clicked.connect(lambda checked=False, name=place.name: self.chosen.emit(name))
            self._buttons[place.name] = made
            self._group.addButton(made)
            self._column.addWidget(made, 0, Qt.AlignmentFlag.AlignHCenter)
        self.set_theme(theme)

    def show_place(self, name: str) -> None:
        """Mark the page that is shown; one that the rail does not lead to marks none."""
        self._group.setExclusive(name in self._buttons)
        for place, each in self._buttons.items():
            each.setChecked(place == name)

    def set_waiting(self, name: str, count: int) -> None:
        """Show how much waits at a place."""
        self._buttons[name].set_waiting(count)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self.setFixedWidth(theme.px(WIDTH))
        self._column.setContentsMargins(0, theme.s12, 0, theme.px(11))
        self._column.setSpacing(theme.s4)
        self._gap.changeSize(0, theme.px(12))
        self._column.invalidate()
        self._mark.set_theme(theme)
        for each in self._buttons.values():
            each.set_theme(theme)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.colors.panel)
        edge = 0 if self.isRightToLeft() else self.width() - 1
        painter.fillRect(edge, 0, 1, self.height(), self._theme.colors.line)

"""A thin bar that shows how much of a whole something is."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ui.window.theme import Theme


class Bar(QWidget):
    """How much of the whole a part is."""

    def __init__(self, theme: Theme, share: float = 0.0) -> None:
        super().__init__()
        self._theme, self._share = theme, share
        self.set_theme(theme)

    def show_share(self, share: float) -> None:
        """Show another share, between 0 and 1."""
        self._share = min(1.0, max(0.0, share))
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self.setFixedHeight(theme.px(6))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colors = QPainter(self), self._theme.colors
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        radius = self.height() / 2
        painter.setBrush(colors.line)
        painter.drawRoundedRect(self.rect(), radius, radius)
        if self._share:
            width = max(self.height(), self.width() * self._share)
            left = self.width() - width if self.isRightToLeft() else 0.0
            painter.setBrush(colors.accent)
            painter.drawRoundedRect(QRectF(left, 0, width, self.height()), radius, radius)

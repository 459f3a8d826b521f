"""The card of a timer that rang: it stays until the person puts it away, also over a restart."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.daily_records import TimerInfo
from ui.inquiry_words import ring_text
from ui.language import _, plural
from ui.window.composer.composer import side_margin
from ui.window.parts import box, button, label
from ui.window.theme import Theme


class RingCard(QWidget):
    """Hidden while no timer has rung; shows the one that rang last."""

    put_away = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.timer: TimerInfo | None = None
        self._icon = QLabel()
        self.words = label("", "strong", wrap=True)
        self.more = label("", "small")
        self.done = button(_("Done"), "main", self._done)
        self._card = box("waiting")
        self._row = QHBoxLayout(self._card)
        self._row.addWidget(self._icon)
        self._row.addWidget(self.words, 1)
        self._row.addWidget(self.more)
        self._row.addWidget(self.done)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._card)
        self.set_theme(theme)
        self.hide()

    def show_rung(self, rung: Sequence[TimerInfo]) -> None:
        """Show the timers that rang and were not put away."""
        newest = max(rung, key=lambda one: (one.rang, one.id), default=None)
        fresh = newest is not None and newest != self.timer
        self.timer = newest
        self.setVisible(newest is not None)
        if newest is None:
            return
        self.words.setText(ring_text(newest, f"{datetime.fromtimestamp(newest.due):%H:%M}"))
        self.setAccessibleName(self.words.text())
        others = len(rung) - 1
        self.more.setVisible(others > 0)
        self.more.setText(plural("and {n} more", "and {n} more", others))
        if fresh:
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def _done(self) -> None:
        if self.timer is not None:
            self.put_away.emit(self.timer.id)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        theme = self._theme
        margin = side_margin(theme, self.width())
        self._column.setContentsMargins(margin, theme.s8, margin, theme.s4)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self._icon.setPixmap(theme.pixmap("clock", "accent", 20, self.devicePixelRatioF()))
        self._icon.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._row.setContentsMargins(theme.s16, theme.s12, theme.s16, theme.s12)
        self._row.setSpacing(theme.s12)
        self._place()

"""Tells when the window stands on the screen for the first time, so that the rest is built only then."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QWindow
from PySide6.QtWidgets import QWidget

_PATIENCE_MS = 2000
"""A window that starts out covered, minimised or on another workspace is never painted; it is built all
the same."""


class FirstPaint(QObject):
    """Emits `painted` once, right after the window was exposed and painted."""

    painted = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._done = False
        handle = window.windowHandle()
        assert handle is not None
        handle.installEventFilter(self)
        QTimer.singleShot(_PATIENCE_MS, self._finish)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        painted = event.type() in (QEvent.Type.Expose, QEvent.Type.Paint)
        if painted and isinstance(watched, QWindow) and watched.isExposed():
            watched.removeEventFilter(self)
            QTimer.singleShot(0, self._finish)
        return False

    def _finish(self) -> None:
        if not self._done:
            self._done = True
            self.painted.emit()

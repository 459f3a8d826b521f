"""Keeps a question from being answered by input that was meant for something else."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

GUARD_SECONDS = 0.3
"""How long a question that has just come up hears nothing (product 5.5; safety facts 2.2, case 26)."""
_INPUT = frozenset(
    {
        QEvent.Type.KeyPress,
        QEvent.Type.KeyRelease,
        QEvent.Type.Shortcut,
        QEvent.Type.ShortcutOverride,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseButtonRelease,
        QEvent.Type.MouseButtonDblClick,
        QEvent.Type.TouchBegin,
    }
)
_RAISED = frozenset({QEvent.Type.Show, QEvent.Type.WindowActivate})


class Guard(QObject):
    """Swallows keys and clicks for a moment after the window has come up, and each time it comes to the
    front.

    A click that only brings the window to the front is swallowed with them.
    """

    def __init__(self, window: QWidget, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(window)
        self._window = window
        self._clock = clock
        self._since = clock()
        application = QApplication.instance()
        assert application is not None
        application.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() in _RAISED:
            self._since = self._clock()
        if event.type() not in _INPUT or self._clock() - self._since >= GUARD_SECONDS:
            return False
        return isinstance(watched, QWidget) and watched.window() is self._window

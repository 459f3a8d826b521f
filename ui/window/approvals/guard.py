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

    The moment begins when the window is both seen and active: a click that only brings it to the front is
    swallowed, also where it arrives before the window is told that it is active.
    """

    def __init__(self, window: QWidget, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(window)
        self._window = window
        self._clock = clock
        self._since = clock()
        application = QApplication.instance()
        assert application is not None
        self._application = application
        window.installEventFilter(self)

    def open(self) -> bool:
        """Whether input is heard now."""
        seen = self._window.isVisible() and (self._window.isActiveWindow() or self._child_active())
        return seen and self._clock() - self._since >= GUARD_SECONDS

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self._window and kind in _RAISED:
            self._since = self._clock()
            if kind == QEvent.Type.Show:
                self._listen()
        elif watched is self._window and kind == QEvent.Type.Hide:
            self._rest()
        if kind not in _INPUT or not isinstance(watched, QWidget):
            return False
        return watched.window() is self._window and not self.open()

    def _listen(self) -> None:
        """Hear the input of all children, while there is any: then each event of the program comes through
        here, and those of the making of a window are thousands."""
        self._window.removeEventFilter(self)
        self._application.installEventFilter(self)

    def _rest(self) -> None:
        self._application.removeEventFilter(self)
        self._window.installEventFilter(self)

    def _child_active(self) -> bool:
        """A list that the window itself has opened (a menu, a choice) is the window's own."""
        popup = QApplication.activePopupWidget() or QApplication.activeWindow()
        while popup is not None and popup is not self._window:
            popup = popup.parentWidget()
        return popup is not None

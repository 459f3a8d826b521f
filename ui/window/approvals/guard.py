"""Keeps a question from being answered by input that was meant for something else."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

GUARD_SECONDS = 0.3
"""How long a question that has just come up hears nothing (product 5.5; safety facts 2.2, case 26)."""
_KEYS = frozenset(
    {QEvent.Type.KeyPress, QEvent.Type.KeyRelease, QEvent.Type.Shortcut, QEvent.Type.ShortcutOverride}
)
_CLICKS = frozenset(
    {
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseButtonRelease,
        QEvent.Type.MouseButtonDblClick,
        QEvent.Type.TouchBegin,
    }
)


class Guard(QObject):
    """Swallows keys and clicks for a moment after the window has come up, and each time it comes to the
    front.

    The moment begins when the window is both seen and active: a click that only brings it to the front is
    swallowed, also where it arrives before the window is told that it is active. While the window that it
    stands over is active, it is in front already: then a click on it is meant for it, and one is enough.
    """

    def __init__(self, window: QWidget, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(window)
        self._window = window
        self._clock = clock
        self._since = self._seen = clock()
        """When it became active, for keys, and when it came to the front, for clicks."""
        over = window.parentWidget()
        self._over = over.window() if over is not None else None
        self._over_active = False
        application = QApplication.instance()
        assert application is not None
        self._application = application
        window.installEventFilter(self)

    def open(self) -> bool:
        """Whether an answer is taken now: keys or clicks are heard."""
        return self._hears_clicks() or self._hears_keys()

    def _hears_keys(self) -> bool:
        return self._is_active() and self._clock() - self._since >= GUARD_SECONDS

    def _hears_clicks(self) -> bool:
        in_front = self._is_active() or (self._window.isVisible() and self._stands_over_active())
        return in_front and self._clock() - self._seen >= GUARD_SECONDS

    def _is_active(self) -> bool:
        return self._window.isVisible() and (self._window.isActiveWindow() or self._child_active())

    def _stands_over_active(self) -> bool:
        return self._over is not None and self._over.isActiveWindow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self._window:
            self._follow(kind)
        elif watched is self._over and kind == QEvent.Type.WindowActivate:
            self._over_active = True
        elif watched is self._over and kind == QEvent.Type.WindowDeactivate:
            self._over_active = False
        if kind not in _KEYS and kind not in _CLICKS:
            return False
        if not isinstance(watched, QWidget) or watched.window() is not self._window:
            return False
        return not (self._hears_keys() if kind in _KEYS else self._hears_clicks())

    def _follow(self, kind: QEvent.Type) -> None:
        if kind == QEvent.Type.Show:
            self._since = self._seen = self._clock()
            self._over_active = self._stands_over_active()
            self._listen()
        elif kind == QEvent.Type.WindowActivate:
            self._since = self._clock()
            if not self._over_active:  # Qt tells of what becomes active before it tells of what no longer is
                self._seen = self._since
        elif kind == QEvent.Type.Hide:
            self._rest()

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

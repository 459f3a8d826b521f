"""Ends the window in order when the system asks the process to end: sign-out, `kill`, Ctrl+C in its
terminal."""

from __future__ import annotations

import signal
import socket

from PySide6.QtCore import QCoreApplication, QObject, QSocketNotifier


class Signals(QObject):
    """Turns SIGTERM and SIGINT into the quit of the application.

    Python runs a handler only between its own instructions, and Qt's loop runs none for a long time; so
    the signal's number also comes through a socket that Qt's loop watches (docs.python.org,
    signal.set_wakeup_fd).
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._read, self._write = socket.socketpair()
        self._read.setblocking(False)
        self._write.setblocking(False)
        signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        self._watch = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        self._watch.activated.connect(self._quit)
        self._before = {
            number: signal.signal(number, lambda number, frame: None)
            for number in (signal.SIGTERM, signal.SIGINT)
        }

    def close(self) -> None:
        """Let signals act as they did."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(-1)
        self._watch.setEnabled(False)
        self._read.close()
        self._write.close()

    def _quit(self) -> None:
        self._read.recv(64)
        QCoreApplication.quit()

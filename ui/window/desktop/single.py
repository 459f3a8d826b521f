"""One window for each home: a lock tells the first start from the second, a local socket carries what the
second wants."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLockFile, QObject

if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalServer, QLocalSocket

_LONGEST_PATH = 100
"""A Unix socket's path holds 108 bytes (104 on macOS); QLocalServer adds a few while it makes the socket."""
_PATIENCE = 3.0
"""Seconds that a second start waits for a first one that is still opening its window."""


def address(runtime: Path) -> str:
    """Return where the window of this home listens: a path in its runtime folder, or a name when that is
    too long."""
    path = str(runtime / "window")
    if os.name == "nt" or len(os.fsencode(path)) > _LONGEST_PATH:
        import hashlib

        return f"bramble-{hashlib.sha256(path.encode()).hexdigest()[:16]}"
    return path


class SingleWindow(QObject):
    """The right to be the one window of a home. Keep it as long as the window lives."""

    def __init__(self, runtime: Path) -> None:
        super().__init__()
        self._address = address(runtime)
        self._lock = QLockFile(str(runtime / "window.lock"))
        self._lock.setStaleLockTime(0)  # only a dead owner gives it up, never its age
        self._server: QLocalServer | None = None
        self._asked: Callable[[list[str]], object] = lambda argv: None

    def claim(self) -> bool:
        """Become the one window; False when another process already is. A home that cannot be written to
        gives True."""
        if self._lock.tryLock(0):
            return True
        return self._lock.error() != QLockFile.LockError.LockFailedError

    def listen(self, asked: Callable[[list[str]], object]) -> bool:
        """Call `asked` with the arguments of every later start. Returns whether the socket could be made."""
        from PySide6.QtNetwork import QLocalServer

        self._asked = asked
        QLocalServer.removeServer(self._address)  # left by a crash: we hold the lock, so nobody listens there
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._greet)
        return self._server.listen(self._address)

    def tell(self, argv: Sequence[str]) -> bool:
        """Hand `argv` to the window that runs and wait until it has them; False when it does not answer."""
        from PySide6.QtNetwork import QLocalSocket

        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            socket = QLocalSocket()
            socket.connectToServer(self._address)
            if socket.waitForConnected(200):
                socket.write(json.dumps(list(argv)).encode() + b"\n")
                return bool(socket.waitForReadyRead(1000)) and bytes(socket.readAll().data()) == b"ok\n"
            time.sleep(0.05)  # its socket is made just after its first paint
        return False

    def close(self) -> None:
        """Stop listening and let another start be the one window."""
        if self._server is not None:
            self._server.close()
        self._lock.unlock()

    def _greet(self) -> None:
        assert self._server is not None
        connection = self._server.nextPendingConnection()
        connection.readyRead.connect(lambda: self._read(connection))
        connection.disconnected.connect(connection.deleteLater)

    def _read(self, connection: QLocalSocket) -> None:
        if not connection.canReadLine():
            return
        try:
            argv = json.loads(bytes(connection.readLine().data()))
        except ValueError:
            argv = None
        if isinstance(argv, list) and all(isinstance(word, str) for word in argv):
            connection.write(b"ok\n")
            connection.flush()
            self._asked(argv)
        connection.disconnectFromServer()

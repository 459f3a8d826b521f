"""Colours of code made in a process that starts at need and goes when it idles, with a cache."""

from __future__ import annotations

import json
import sys
from collections import OrderedDict

from PySide6.QtCore import QCoreApplication, QObject, QProcess, QProcessEnvironment, QTimer, Signal

from ui.window.transcript import lexing
from ui.window.transcript.lexing import Span

IDLE_MS = 60_000
PATIENCE_MS = 20_000
"""How long one block may take; what takes longer stays plain."""
KEPT = 256
"""Blocks whose colours are remembered."""
LONGEST = 200_000
"""Characters; longer code stays plain (pygments needs 3.5 s for a megabyte)."""

Key = tuple[str, str]


class Highlighter(QObject):
    """Answers at once from its cache, or has the work done, the newest wish first, and emits `ready`.

    A process, since a busy thread would hold up the window's own Python; not `multiprocessing`, since that
    imports the program anew and leaves a helper process behind.
    """

    ready = Signal()

    def __init__(self, parent: QObject | None = None, *, idle_ms: int = IDLE_MS) -> None:
        super().__init__(parent)
        self._known: OrderedDict[Key, list[Span]] = OrderedDict()
        self._wanted: list[Key] = []
        self._current: Key | None = None
        self._process: QProcess | None = None
        self._idle_ms = idle_ms
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._timed_out)
        self._soon = QTimer(self, singleShot=True, interval=0)
        """Wishes come while a view is painted, and the start of a process would hold that up."""
        self._soon.timeout.connect(self._next)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.close)

    @property
    def process_id(self) -> int:
        """The id of the process, 0 while there is none."""
        return 0 if self._process is None else int(self._process.processId())

    @property
    def at_work(self) -> bool:
        """Whether the process has a block at hand whose colours did not come back yet."""
        return self._current is not None

    def colours(self, code: str, language: str) -> list[Span] | None:
        """Return the spans, or None while they are being made."""
        key = (language, code)
        if not language or len(code) > LONGEST:
            return []
        if key in self._known:
            self._known.move_to_end(key)
            return self._known[key]
        if key != self._current and key not in self._wanted:
            self._wanted.append(key)
            del self._wanted[:-KEPT]
            self._soon.start()
        return None

    def _next(self) -> None:
        if self._current is not None:
            return
        if not self._wanted:
            self._timer.start(self._idle_ms)
            return
        if self._process is None:
            self._process = self._start()
        self._timer.start(PATIENCE_MS)
        self._current = self._wanted.pop()
        self._process.write(json.dumps(self._current).encode() + b"\n")

    def _start(self) -> QProcess:
        process = QProcess(self)
        environment = QProcessEnvironment.systemEnvironment()
        for name in ("PYTHONPATH", "PYTHONHOME"):
            environment.remove(name)
        process.setProcessEnvironment(environment)
        process.setProcessChannelMode(QProcess.ProcessChannelMode.ForwardedErrorChannel)
        process.readyReadStandardOutput.connect(self._read)
        process.finished.connect(self._ended)
        frozen = getattr(sys, "frozen", False)
        process.start(sys.executable, [lexing.ARGUMENT] if frozen else ["-P", str(lexing.__file__)])
        return process

    def _read(self) -> None:
        while self._process is not None and self._process.canReadLine():
            spans = [
                (start, length, role)
                for start, length, role in json.loads(bytes(self._process.readLine().data()))
            ]
            if self._current is not None:
                self._known[self._current], self._current = spans, None
            while len(self._known) > KEPT:
                self._known.popitem(last=False)
            self.ready.emit()
            self._next()

    def _timed_out(self) -> None:
        if self._current is not None:
            self._known[self._current] = []
        self.close()

    def _ended(self) -> None:
        """It was killed from outside or could not go on: the block at hand stays plain."""
        if self._current is not None:
            self._known[self._current] = []
        self._timer.stop()
        self._forget()
        if self._wanted:
            self._soon.start()

    def _forget(self) -> None:
        if self._process is not None:
            self._process.deleteLater()
        self._process = self._current = None

    def close(self) -> None:
        """End the process; it starts again at need."""
        self._timer.stop()
        self._soon.stop()
        self._wanted.clear()
        if self._process is not None:
            self._process.finished.disconnect(self._ended)
            self._process.kill()
            self._process.waitForFinished(1000)
        self._forget()

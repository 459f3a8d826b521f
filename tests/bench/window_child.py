"""The real window with a measuring timer inside: `window_child.py KIND`, result as JSON.

reply: sends one message and watches the GUI thread while the answer streams in. open: opens the conversations
that BENCH_SESSIONS names, one after the other, until each is painted. beat: an empty window,
BENCH_SECONDS long, with the same timer.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

BEAT_MS = 4


def finish(result: dict[str, Any]) -> None:
    """Print the result and close the window."""
    print(json.dumps(result), flush=True)
    QApplication.closeAllWindows()
    QApplication.quit()


class Beat(QObject):
    """A timer of the GUI thread that notes how late it is, and what the thread has spent so far."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.late: list[float] = []
        self.spent: list[tuple[float, float]] = []
        self._last = time.perf_counter()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(BEAT_MS)
        self._timer.timeout.connect(self._note)

    def start(self) -> None:
        """Begin to note."""
        self._last = time.perf_counter()
        self._timer.start()

    def _note(self) -> None:
        now = time.perf_counter()
        self.late.append((now - self._last) * 1000 - BEAT_MS)
        self.spent.append((now, time.thread_time()))
        self._last = now

    def result(self) -> dict[str, Any]:
        """Milliseconds that the timer was late: the 99th of a hundred, and the longest."""
        ordered = sorted(self.late)
        return {"p99": ordered[int(len(ordered) * 0.99)], "max": ordered[-1], "beats": len(ordered)}

    def cost(self, first: float, last: float) -> float:
        """CPU seconds of the GUI thread between two shares (0 to 1) of the time noted."""
        began, ended = self.spent[0][0], self.spent[-1][0]
        inside = [spent for at, spent in self.spent if first <= (at - began) / (ended - began) <= last]
        return inside[-1] - inside[0]


class Ready(QObject):
    """Calls back once with the window's life when the window has drawn its last conversation."""

    def __init__(self, app: QApplication, then: Callable[[Any], object]) -> None:
        super().__init__(app)
        self._app, self._then = app, then
        self._timer = QTimer(self)
        self._timer.setInterval(20)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def _look(self) -> None:
        life = getattr(self._app, "life", None)
        if life is not None and life.models.current:
            self._timer.stop()
            life.furnish()
            QTimer.singleShot(1000, lambda: self._then(life))


def reply(app: QApplication) -> None:
    """Send a message and measure until its turn has ended."""
    beat = Beat(app)

    def begin(life: Any) -> None:
        life.bridge.events.connect(take)
        life.furnish().deeds.send("Write a long answer.")

    def take(events: list[Any]) -> None:
        names = [type(event).__name__ for event in events]
        if "TextStreamed" in names and not beat.spent:
            beat.start()
        if "TurnEnded" in names:
            stop = next(event.stop for event in events if type(event).__name__ == "TurnEnded")
            costs = {"first": beat.cost(0, 0.1), "last": beat.cost(0.9, 1)}
            finish(beat.result() | costs | {"stop": stop})

    app.ready = Ready(app, begin)  # type: ignore[attr-defined]


class Opening(QObject):
    """Opens one conversation after the other and notes the time until the transcript has painted it."""

    def __init__(self, app: QApplication, life: Any, sessions: list[str]) -> None:
        super().__init__(app)
        self._life, self._waiting = life, list(sessions)
        self.taken: dict[str, list[float]] = {session: [] for session in sessions}
        self._drawn = False
        self._began = 0.0
        self._session = ""
        viewport: QWidget = life.transcript.viewport()
        viewport.installEventFilter(self)
        life.conversation.drawn.connect(self._note_drawn)
        self._next()

    def _next(self) -> None:
        if not self._waiting:
            finish({"taken": self.taken})
            return
        self._session = self._waiting.pop(0)
        info = self._life.list.info(self._session)
        self._drawn = False
        self._began = time.perf_counter()
        self._life.furnish().deeds.open(info, "")

    def _note_drawn(self) -> None:
        self._drawn = True
        self._life.transcript.viewport().update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and self._drawn:
            self._drawn = False
            QTimer.singleShot(0, self._painted)  # runs when this paint is over
        return False

    def _painted(self) -> None:
        self.taken[self._session].append((time.perf_counter() - self._began) * 1000)
        QTimer.singleShot(300, self._next)


def main(kind: str) -> int:
    """Open the window and measure what `kind` names."""
    if kind == "beat":
        return _beat()
    ours = QApplication.exec

    def measured() -> int:
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        if kind == "reply":
            reply(app)
        else:
            sessions = os.environ["BENCH_SESSIONS"].split(",")
            app.ready = Ready(app, lambda life: Opening(app, life, sessions))  # type: ignore[attr-defined]
        return ours()

    QApplication.exec = staticmethod(measured)  # type: ignore[method-assign]
    from ui.launch import main as launch

    return launch([])


def _beat() -> int:
    app = QApplication([])
    window = QMainWindow()
    window.resize(1280, 820)
    window.show()
    beat = Beat(app)
    beat.start()
    QTimer.singleShot(int(float(os.environ["BENCH_SECONDS"]) * 1000), lambda: finish(beat.result()))
    return app.exec()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

"""The way between the window and the engine: one thread runs the engine's loop, events come out batched,
calls go in.

Nothing here waits on the GUI thread. Events are collected for 33 ms, so that a fast model costs the window
one redraw a frame; the first one after a pause goes through at once. The loop ends by an event, then its
tasks are cancelled and gathered.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import threading
from collections import deque
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal
from shiboken6 import isValid

from ui.window.batch import joined

if TYPE_CHECKING:
    from app.engine import Engine
    from app.events import Event
    from app.platform.paths import Home
    from app.records import Problem

log = logging.getLogger(__name__)

FLUSH_MS = 33
CLOSE_MS = 3000

Work = Callable[["Engine"], Coroutine[Any, Any, Any]]
Then = Callable[[Any], object]


class Ticket:
    """One call that was begun; `cancel` stops it (its `failed` is not called)."""

    def __init__(self, thread: EngineThread) -> None:
        self._thread = thread
        self.task: asyncio.Task[None] | None = None
        self._cancelled = False

    def cancel(self) -> None:
        """Stop the call, from the GUI thread."""
        self._cancelled = True
        self._thread.in_loop(self._stop)

    def begun(self, task: asyncio.Task[None]) -> None:
        """Take the task; called in the loop."""
        self.task = task
        if self._cancelled:
            task.cancel()

    def _stop(self) -> None:
        if self.task is not None:
            self.task.cancel()


class EngineThread(QThread):
    """Runs the engine. Its signals are emitted in this thread and so arrive queued in the GUI thread."""

    opened = Signal(object)
    """The engine is open; carries its settings."""
    refused = Signal(object)
    """The engine could not be opened; carries the Problem."""
    done = Signal(object, object)
    woken = Signal()

    def __init__(self, home: Home, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._home = home
        self._ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None
        self._engine: Engine | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.events: deque[Event] = deque()

    def run(self) -> None:
        """Run the engine's loop until it is told to stop. An entry point: whatever escapes is logged and
        shown."""
        try:
            with asyncio.Runner() as runner:
                runner.run(self._main())
        except Exception as error:
            log.exception("the engine's thread ended")
            self.refused.emit(problem_of(error))
        finally:
            self._ready.set()
            self._loop = None

    def begin(self, work: Work, then: Then | None, failed: Then | None) -> Ticket:
        """Run `work(engine)` in the loop, once the engine is open; called from the GUI thread."""
        ticket = Ticket(self)
        self.in_loop(lambda: self._start(ticket, work, then, failed))
        return ticket

    def finish(self) -> bool:
        """Close the engine and end the thread; True when it ended in time."""
        self.in_loop(self._end)
        return self.wait(CLOSE_MS)

    def _end(self) -> None:
        if self._stopping is not None:
            self._stopping.set()

    def in_loop(self, work: Callable[[], object]) -> None:
        """Call `work` in the loop; nothing happens when the loop has ended."""
        if not self.isRunning():
            return
        self._ready.wait()
        loop = self._loop
        if loop is None or loop.is_closed():
            return
        try:
            loop.call_soon_threadsafe(work)
        except RuntimeError:  # the loop closed in between: there is nothing left to ask
            log.debug("the engine's loop is closed")

    async def _main(self) -> None:
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        self._opened = asyncio.Event()
        self._ready.set()
        opening = asyncio.create_task(self._open())
        await self._stopping.wait()
        pending = [opening, *self._tasks]
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
        if self._engine is not None:
            await self._engine.close()

    async def _open(self) -> None:
        try:
            from app.engine import Engine

            engine = Engine(self._home, os.environ, kind="window")
            engine.subscribe(self._collect)
            await engine.open()
        except Exception as error:  # a border: whatever keeps the engine closed must be seen
            log.exception("the engine could not be opened")
            self.refused.emit(problem_of(error))
            return
        self._engine = engine
        self.opened.emit(engine.settings)
        self._opened.set()

    def _collect(self, event: Event) -> None:
        """Keep an event for the window; wakes it only when it is not awake already."""
        self.events.append(event)
        if len(self.events) == 1:
            self.woken.emit()

    def _start(self, ticket: Ticket, work: Work, then: Then | None, failed: Then | None) -> None:
        task = asyncio.ensure_future(self._run(work, then, failed))
        ticket.begun(task)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, work: Work, then: Then | None, failed: Then | None) -> None:
        await self._opened.wait()
        assert self._engine is not None
        try:
            result = await work(self._engine)
        except Exception as error:  # a border: the window words it
            problem = problem_of(error)
            if failed is None or problem.code == "internal":
                log.exception("a call of the window failed")
            self.done.emit(failed, problem)
            return
        self.done.emit(then, result)


class Bridge(QObject):
    """The GUI thread's side. `call` runs something in the engine and hands its result to a callback here."""

    events = Signal(list)
    opened = Signal(object)
    refused = Signal(object)
    failed = Signal(object)
    """A call failed that had no `failed` of its own; carries the Problem."""

    def __init__(self, home: Home, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread = EngineThread(home)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(FLUSH_MS)
        self._pause.timeout.connect(self._flush)
        queued = Qt.ConnectionType.QueuedConnection
        self._thread.opened.connect(self.opened, queued)
        self._thread.refused.connect(self.refused, queued)
        self._thread.done.connect(self._deliver, queued)
        self._thread.woken.connect(self._wake, queued)

    def start(self) -> None:
        """Open the engine in its thread."""
        self._thread.start()

    def call(self, work: Work, then: Then | None = None, failed: Then | None = None) -> Ticket:
        """Run `work(engine)` in the engine's loop; `then(result)` or `failed(problem)` is called in the
        GUI thread.

        A callback that is a method of a widget that is gone by then is left out.
        """
        return self._thread.begin(work, then, failed or self.failed.emit)

    def stop(self) -> bool:
        """Close the engine: turns stop, their questions are withdrawn. True when it ended within 3 s."""
        self._pause.stop()
        return self._thread.finish() if self._thread.isRunning() else True

    def _deliver(self, callback: Then | None, result: object) -> None:
        owner = getattr(callback, "__self__", None)
        if callback is None or (isinstance(owner, QObject) and not isValid(owner)):
            return
        callback(result)

    def _wake(self) -> None:
        if not self._pause.isActive():
            self._flush()

    def _flush(self) -> None:
        waiting = self._thread.events
        batch: list[Event] = []
        while waiting:
            batch.append(waiting.popleft())
        if batch:
            self._pause.start()
            self.events.emit(joined(batch))


def problem_of(error: BaseException) -> Problem:
    """Return the Problem of a typed error, or one that names what nobody foresaw."""
    from app.errors import BrambleError
    from app.records import Problem

    if isinstance(error, BrambleError):
        return error.problem
    if isinstance(error, OSError) and error.errno in _OF_SYSTEM:  # a file that the person named
        path = error.filename if isinstance(error.filename, str) else ""
        fields = {"path": path} if path else {}
        return Problem(code=_OF_SYSTEM[error.errno], fields=fields, detail=str(error.strerror))
    return Problem(code="internal", detail=f"{type(error).__name__}: {error}")


_OF_SYSTEM = {
    errno.ENOSPC: "disk_full",
    getattr(errno, "EDQUOT", errno.ENOSPC): "disk_full",
    errno.EACCES: "no_permission",
    errno.EPERM: "no_permission",
    errno.EROFS: "no_permission",
    errno.ENOENT: "not_found",
}

"""One command from its start to the end of its last process: read its output, wait for it, end it whole."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from app.capabilities.command_log import CommandLog, Keep
from app.errors import ToolError
from app.platform import spawning
from app.platform.processes import group_lives, marked, signal_group, signal_marked
from app.platform.sandbox.confinement import Confinement
from app.platform.spawning import Child
from app.records import FileDiff, Reach

_READ = 1 << 16


@dataclass(frozen=True)
class Limits:
    """Times in seconds."""

    first_wait: float = 10.0
    """A command that still runs after this becomes a job (product.md 4)."""
    background_wait: float = 0.5
    """How long a background command may fail at once before its job is handed out."""
    linger: float = 3.0
    """How long output is awaited from what a shell left behind, once it has ended itself."""
    kill_after: float = 2.0
    """Between TERM and KILL (product.md 1.2)."""
    tell_every: float = 0.5
    """Least time between two reports of a running job."""
    input_wait: float = 5.0
    """How long a program may take to read what it is sent."""
    jobs: int = 50
    """Ended jobs that stay in the list."""
    keep: Keep = field(default_factory=Keep)


class Job:
    """A started command. Its owner runs `live` to the end; others read, wait and wish for its end."""

    def __init__(
        self,
        id: str,
        mark: str,
        session: str,
        command: str,
        cwd: str,
        child: Child,
        log: CommandLog,
        limits: Limits,
        news: Callable[[Job], None],
        confinement: Confinement | None = None,
    ) -> None:
        self.id = id
        self.mark = mark
        self.session = session
        self.command = command
        self.cwd = cwd
        self.log = log
        self.confinement = confinement
        """What holds it, None for nothing."""
        self.reach: Reach = "folder"
        """What its caller wants it to reach."""
        self.change = ""
        """The change in the journal that takes back what it did, once that is known, "" for none."""
        self.changed: tuple[FileDiff, ...] = ()
        """The files of that change."""
        self.not_kept: tuple[str, ...] = ()
        """What it changed beyond that change."""
        self.listed = False
        """Whether it outlived its call, so that people and models know it by its id."""
        self.exit: int | None = None
        """The exit code of the shell, which may be known before its last child ends."""
        self.ended_by: Literal["", "timeout", "stop"] = ""
        """What ends it, from the first signal on: it may still be on its way to `over`."""
        self.settled = asyncio.Event()
        """The shell has ended, and either all it started or the wait for that."""
        self.over = asyncio.Event()
        """Nothing of it runs any more."""
        self._child = child
        self._limits = limits
        self._news = news
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._ended = 0.0
        self._exited = asyncio.Event()
        self._closed = asyncio.Event()
        self._arrived = asyncio.Event()
        self._wish = asyncio.Event()
        self._input = child.input

    @property
    def group(self) -> int:
        """Its process group."""
        return self._child.group

    @property
    def seconds(self) -> float:
        """How long it ran, or has run."""
        return (self._ended or self._loop.time()) - self._began

    def begin(self, *, keeps_input: bool) -> None:
        """Let the command run and read what it says."""
        spawning.on_exit(self._child, self._loop, self._on_exit)
        self._loop.add_reader(self._child.output, self._on_output)
        try:
            spawning.go(self._child)
        except BrokenPipeError:  # its first process was killed; the exit tells
            keeps_input = False
        if not keeps_input:
            self.close_input()

    async def live(self, timeout: float | None) -> None:
        """Return when nothing of it runs any more: by itself, by `stop`, or by `timeout` in seconds."""
        natural, wish = asyncio.ensure_future(self._run_out()), asyncio.ensure_future(self._wish.wait())
        try:
            await asyncio.wait({natural, wish}, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
            if not natural.done():
                self.ended_by = "stop" if self._wish.is_set() else "timeout"
                natural.cancel()
                await self._end()
        finally:
            natural.cancel()
            wish.cancel()
            self._finish()

    def stop(self) -> None:
        """Wish for its end: TERM to all of it now, KILL to what is left after a while. Wait for `over`."""
        self._wish.set()

    async def wait(self, event: asyncio.Event, seconds: float) -> bool:
        """Wait for `settled` or `over`; false when it did not come in time."""
        try:
            async with asyncio.timeout(seconds):
                await event.wait()
        except TimeoutError:
            pass
        return event.is_set()

    async def wait_for_news(self, cursor: int, seconds: float) -> None:
        """Wait until there is output after byte `cursor`, the job is over, or `seconds` have gone by."""
        try:
            async with asyncio.timeout(seconds):
                while self.log.size <= cursor and not self.over.is_set():
                    self._arrived.clear()
                    await self._arrived.wait()
        except TimeoutError:
            pass

    async def send(self, text: bytes) -> None:
        """Write to its input. Raises ToolError when it has none or does not read."""
        try:
            async with asyncio.timeout(self._limits.input_wait):
                while text:
                    text = text[self._write(text) :]
                    if text:
                        await asyncio.sleep(0.02)
        except TimeoutError:
            raise ToolError("no_job", f"{self.id} does not read its input.", job=self.id) from None

    def _write(self, text: bytes) -> int:
        if self._input < 0:
            reason = (
                "has ended" if self.over.is_set() else "takes no input; start it with background for that"
            )
            raise ToolError("no_job", f"{self.id} {reason}.", job=self.id)
        try:
            return os.write(self._input, text)
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            self.close_input()
            raise ToolError("no_job", f"{self.id} has closed its input.", job=self.id) from None

    def close_input(self) -> None:
        """Let it read the end of its input."""
        if self._input >= 0:
            os.close(self._input)
            self._input = -1

    # --- inside --------------------------------------------------------------------------------

    async def _run_out(self) -> None:
        """Wait for the shell, then for what it left behind."""
        await self._exited.wait()
        await self.wait(self._closed, self._limits.linger)
        began, pause = self._loop.time(), 0.002  # a process space is gone a moment after its last process
        while self._left_behind():
            if self._loop.time() - began > 0.1:
                self.settled.set()
            await asyncio.sleep(pause)
            pause = min(2 * pause, 2.0)

    def _left_behind(self) -> bool:
        """Whether something still runs: in the group, or outside of it with our pipe in its hands."""
        return group_lives(self.group) or (not self._closed.is_set() and bool(marked(self.mark)))

    async def _end(self) -> None:
        """End the group, and by their mark those that left it. Never waits for an inherited pipe."""
        for sign in (signal.SIGTERM, signal.SIGKILL):
            signal_group(self.group, sign)
            signal_marked(self.mark, sign, but=self._child.watcher)
            if await self._gone(self._limits.kill_after):
                return

    async def _gone(self, seconds: float) -> bool:
        until, pause = self._loop.time() + seconds, 0.01
        while group_lives(self.group) or marked(self.mark):
            if self._loop.time() >= until:
                return False
            await asyncio.sleep(pause)
            pause = min(2 * pause, 0.1)
        await self.wait(self._exited, 1.0)
        return True

    def _finish(self) -> None:
        """Take what is left in the pipe, close everything, tell those who wait."""
        for _ in range(64):  # a process that slipped away may write on and on
            if self._closed.is_set() or not self._read_some():
                break
        self._close_output()
        self.close_input()
        self.log.close()
        self._ended = self._loop.time()
        self.over.set()
        self.settled.set()
        self._arrived.set()

    def _on_exit(self, code: int) -> None:
        self.exit = code
        self._exited.set()

    def _on_output(self) -> None:
        if self._read_some() and self.log.flooded:
            self._loop.remove_reader(self._child.output)
            self._loop.call_later(0.005, self._read_on)

    def _read_on(self) -> None:
        if not self._closed.is_set():
            self._loop.add_reader(self._child.output, self._on_output)

    def _read_some(self) -> bool:
        """Read once; false when nothing is there now or ever."""
        try:
            data = os.read(self._child.output, _READ)
        except BlockingIOError:
            return False
        if not data:
            self._close_output()
            return False
        self.log.add(data)
        self._arrived.set()
        self._news(self)
        return True

    def _close_output(self) -> None:
        if self._closed.is_set():
            return
        self._loop.remove_reader(self._child.output)
        os.close(self._child.output)
        self._closed.set()

"""The process of one server: a group of its own that ends whole, no terminal, the end of its stderr kept."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

from app.platform.brand import script
from app.platform.children import start_child
from app.platform.ids import new_id
from app.platform.processes import MARK, signal_group, signal_marked
from app.platform.spawning import find_bash
from app.platform.warden import Warden

STDERR_BYTES = 64 << 10
"""What is kept of stderr, its end."""
GRACE_SECONDS = 1.0
"""For a server to end by itself once its stdin closes, and again after TERM."""
PIECE = 64 << 10
"""Bytes that are read at once."""
_GATE = 'read -r || exit 125; exec "$@"'
"""Waits for one line before it becomes the server; it reads no byte more."""
_LOOK_SECONDS = 0.01
_KILL = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL


class Tail:
    """The end of what a process wrote, at most so many bytes."""

    def __init__(self, most: int = STDERR_BYTES) -> None:
        self._most = most
        self._kept = bytearray()
        self.written = 0
        """Bytes that ever came."""

    def add(self, piece: bytes) -> None:
        """Take a piece in."""
        self._kept += piece
        self.written += len(piece)
        if len(self._kept) > 2 * self._most:
            del self._kept[: -self._most]

    @property
    def text(self) -> str:
        """What is kept, as text; a first line that was cut is left out."""
        kept = bytes(self._kept[-self._most :])
        if len(self._kept) > self._most:
            kept = kept.partition(b"\n")[2] or kept
        return kept.decode("utf-8", "replace")

    def since(self, written: int) -> str:
        """What is kept of what came after so many bytes: what one start of several wrote."""
        after = max(0, self.written - written)
        kept = bytes(self._kept[-after:]) if after else b""
        return kept.decode("utf-8", "replace") if after <= self._most else self.text


class Child:
    """A running server. `begin` starts one; `end` must be awaited."""

    def __init__(
        self, process: asyncio.subprocess.Process, mark: str, tail: Tail, warden: Warden | None
    ) -> None:
        self._process = process
        self._mark = mark
        self._warden = warden
        self.tail = tail
        assert process.stdin and process.stdout and process.stderr
        self.input, self.output = process.stdin, process.stdout
        self._reading = asyncio.create_task(self._read(process.stderr), name="stderr of a server")

    @classmethod
    async def begin(
        cls, command: Sequence[str], environ: Mapping[str, str], cwd: str, tail: Tail, warden: Warden | None
    ) -> Child:
        """Start a server. Raises OSError.

        It carries the brand of tools, so that no command of ours that widens rights can be called by it, and
        runs only once it is watched: whatever ends us before lets it end without having begun.
        """
        mark = new_id()
        bash = find_bash() if sys.platform == "linux" else None
        words = (
            [bash, "--noprofile", "--norc", "-c", f"{script(mark)}{_GATE}", "bash", *command]
            if bash
            else [*command]
        )
        process = await start_child(
            *words,
            cwd=cwd,
            env={**environ, MARK: mark},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=PIECE,
        )
        made = cls(process, mark, tail, warden)
        try:
            if warden is not None:
                warden.watch(process.pid, mark)
        except OSError:
            await made.end()
            raise
        if bash:
            made.input.write(b"\n")
        return made

    @property
    def exit(self) -> int | None:
        """Its exit code, None while it runs; below zero for a signal."""
        return self._process.returncode

    async def end(self) -> None:
        """Close its stdin, wait a moment, then end its group and whatever left the group."""
        self.input.close()
        try:
            await self._exited()
        finally:
            await asyncio.shield(self._end())

    async def _end(self) -> None:
        """The wait of asyncio would also wait for the end of the pipes, which a grandchild may hold open."""
        if self.exit is None:
            self._signal(signal.SIGTERM)
            await self._exited()
        self._signal(_KILL)
        await asyncio.to_thread(signal_marked, self._mark, _KILL)
        await self._exited()
        if self._warden is not None:
            self._warden.forget(self._process.pid)
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)
        transport = getattr(self._process, "_transport", None)
        if transport is not None:
            transport.close()

    def _signal(self, sign: int) -> None:
        if sys.platform != "win32":
            signal_group(self._process.pid, sign)
        elif self.exit is None:
            with suppress(ProcessLookupError):
                self._process.terminate()

    async def _exited(self) -> None:
        """Return once it has exited, or after a grace."""
        loop = asyncio.get_running_loop()
        until = loop.time() + GRACE_SECONDS
        while self.exit is None and loop.time() < until:
            await asyncio.sleep(_LOOK_SECONDS)

    async def _read(self, stderr: asyncio.StreamReader) -> None:
        while piece := await stderr.read(PIECE):
            self.tail.add(piece)

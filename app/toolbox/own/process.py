"""One child process of a tool: started in its room, talked to line by line, ended at once with all of it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Mapping
from typing import Any

from app.platform.children import start_child
from app.platform.processes import MARK, signal_group
from app.platform.sandbox import cell
from app.platform.sandbox.confinement import Probe
from app.toolbox.amounts import has_too_many
from app.toolbox.own import wire

MODULE = "app.toolbox.own.child"
_LONGEST, _WHOLE = 8 << 20, 64 << 20
"""Bytes of one message from a child, and of all that it sends."""
_LARGE = 1 << 20
"""Bytes of a message that is read aside, so that nothing else waits for it."""
_PRINTED = 1 << 20
"""Bytes that a tool may print, which nobody reads but for the last of them."""
_TAIL = 2_000
_KEPT = ("TZ", "SYSTEMROOT")


class Broken(Exception):
    """The child is gone, or says what is no message; the text says how, for people and models."""


class Child:
    """A running child. Whoever starts it must `end` it, whatever happens."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._printed = self._taken = 0
        self.size = 0
        """Bytes of the message that came last."""
        self._tail = b""
        self._reader = asyncio.create_task(self._read_printed(), name="what a tool prints")

    @property
    def pid(self) -> int:
        """Its process, which leads a group of its own."""
        return self._process.pid

    async def send(self, message: Mapping[str, Any]) -> None:
        """Send one message. Raises Broken when nobody reads any more."""
        assert self._process.stdin
        try:
            self._process.stdin.write(wire.packed(message))
            await self._process.stdin.drain()
        except wire.NotUnderstood as error:
            raise Broken(str(error)) from None
        except ConnectionError:
            raise Broken(await self._end_in_words()) from None

    async def receive(self) -> dict[str, Any]:
        """Return its next message. Raises Broken."""
        assert self._process.stdout
        try:
            line = await self._process.stdout.readuntil(b"\n")
        except asyncio.IncompleteReadError:
            raise Broken(await self._end_in_words()) from None
        except asyncio.LimitOverrunError:
            raise Broken("it sent more than can be taken at once") from None
        self.size = len(line)
        self._taken += self.size
        if self._taken > _WHOLE:
            raise Broken(f"it sent more than {_WHOLE >> 20} MB")
        try:
            if len(line) < _LARGE:
                return wire.unpacked(line)
            if await asyncio.to_thread(has_too_many, line):
                raise Broken("it sent more values than can be taken at once")
            return await asyncio.to_thread(wire.unpacked, line)
        except wire.NotUnderstood as error:
            raise Broken(str(error)) from None

    async def end(self) -> None:
        """End its whole group at once, and wait until it is gone."""
        self._kill()
        await self._process.wait()
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)
        if self._process.stdin:
            self._process.stdin.close()

    def _kill(self) -> None:
        if self._process.returncode is None and sys.platform == "win32":
            self._process.kill()
        elif self._process.returncode is None:
            signal_group(self._process.pid, signal.SIGKILL)

    async def _read_printed(self) -> None:
        assert self._process.stderr
        while piece := await self._process.stderr.read(1 << 16):
            self._printed += len(piece)
            self._tail = (self._tail + piece)[-_TAIL:]
            if self._printed > _PRINTED:
                self._kill()

    async def _end_in_words(self) -> str:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), 1.0)
        if self._printed > _PRINTED:
            return "it printed without end"
        said = self._tail.decode("utf-8", "replace").strip().splitlines()[-1:]
        code = self._process.returncode
        how = {None: "it closed its output", -signal.SIGXCPU if sys.platform != "win32" else 1:
               "it used up its time on the processor"}.get(code, f"it ended with code {code}")  # fmt: skip
        return f"{how}: {said[0]}" if said else how


async def start(found: Probe, environ: Mapping[str, str]) -> Child:
    """Start a child in what this machine has for it. Raises OSError when no process can be started."""
    await asyncio.to_thread(cell.places)
    with cell.walls(found) as (walls, kept):
        own = {name: environ[name] for name in _KEPT if name in environ}
        process = await start_child(
            *walls, *cell.python(MODULE), grace=0.0,
            cwd=os.path.abspath(os.sep), pass_fds=kept, limit=_LONGEST,
            env={"LANG": "C.UTF-8", "PATH": os.defpath, MARK: "own tool", **own},
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
    return Child(process)

"""Run a small program of the system for a capability: its exact words, bounded output, an end in time.

No shell, nothing on its input but what is given, a group of its own that is ended whole. Programs are found
in absolute folders of PATH only, never in the folder that a conversation works in (facts: safety 2.2, 21).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from app.errors import ToolError
from app.platform.children import end_group, start_child

_CHUNK = 1 << 16
_ERRORS = 64 << 10
"""Bytes of what a program complains about that are kept; the rest is read and dropped."""
_GRACE = 2.0
_DRAINED = 2.0
"""Seconds for what a program's own children still hold of its pipes after it ended."""


class Ran(NamedTuple):
    """What a program did. `code` is -1 where it was ended because `out` is all that was wanted (`cut`)."""

    code: int
    out: bytes
    err: bytes
    cut: bool = False

    @property
    def said(self) -> str:
        """What it complained about, else what it said, as text."""
        return (self.err.strip() or self.out.strip()).decode("utf-8", "backslashreplace")


def locate(name: str, environ: Mapping[str, str], workspace: str = "") -> str:
    """Return the path of a program, "" where there is none outside of `workspace`."""
    file = f"{name}.exe" if sys.platform == "win32" else name
    for place in environ.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(place, file)
        if not os.path.isabs(place) or not os.access(path, os.X_OK) or os.path.isdir(path):
            continue
        if not workspace or not Path(path).resolve().is_relative_to(workspace):
            return path
    return ""


async def run(
    program: str,
    words: Sequence[str],
    *,
    environ: Mapping[str, str],
    cwd: str | None = None,
    stdin: bytes = b"",
    seconds: float = 30.0,
    most: int = 1 << 20,
    whole: bool = False,
) -> Ran:
    """Run a program to its end and return what it said, at most `most` bytes.

    With more it is ended early, unless it must do its work `whole`. A cancel ends it first. Raises ToolError
    (no_program, no_folder, too_slow).
    """
    process = await _start(program, words, environ, cwd, bool(stdin))
    try:
        async with asyncio.timeout(seconds):
            return await _talk(process, stdin, most, whole)
    except TimeoutError:
        name = os.path.basename(program)
        text = f"{name} did not end within {seconds:.0f} seconds and was stopped."
        raise ToolError("too_slow", text, what=name, seconds=f"{seconds:.0f}") from None
    finally:
        await asyncio.shield(_ended(process))


async def _start(
    program: str, words: Sequence[str], environ: Mapping[str, str], cwd: str | None, fed: bool
) -> asyncio.subprocess.Process:
    try:
        return await start_child(
            program,
            *words,
            grace=_GRACE,
            cwd=cwd,
            env=dict(environ),
            stdin=asyncio.subprocess.PIPE if fed else asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
    except (OSError, ValueError) as error:
        if cwd is not None and not os.path.isdir(cwd):
            raise ToolError("no_folder", f"The folder {cwd} does not exist (any more).", path=cwd) from error
        name = os.path.basename(program)
        raise ToolError("no_program", f"{name} could not be started: {error}.", what=name) from error


async def _talk(process: asyncio.subprocess.Process, stdin: bytes, most: int, whole: bool) -> Ran:
    assert process.stdout and process.stderr
    errors = asyncio.ensure_future(_read(process.stderr, _ERRORS, True))
    feeding = asyncio.ensure_future(_feed(process, stdin))
    try:
        out, cut = await _read(process.stdout, most, whole)
        if cut and not whole:
            return Ran(-1, out, b"", True)
        err, _ = await errors
        await feeding
        return Ran(await process.wait(), out, err, cut)
    finally:
        for task in (errors, feeding):
            task.cancel()
        await asyncio.gather(errors, feeding, return_exceptions=True)


async def _feed(process: asyncio.subprocess.Process, text: bytes) -> None:
    if process.stdin is None:
        return
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it has read enough
        process.stdin.write(text)
        await process.stdin.drain()
    process.stdin.close()


async def _read(stream: asyncio.StreamReader, most: int, whole: bool) -> tuple[bytes, bool]:
    """Return what came, at most `most` bytes, and whether there was more; `whole` reads on to the end."""
    found = bytearray()
    cut = False
    while chunk := await stream.read(_CHUNK):
        room = most - len(found)
        found += chunk[:room]
        if len(chunk) > room:
            cut = True
            if not whole:
                break
    return bytes(found), cut


async def _ended(process: asyncio.subprocess.Process) -> None:
    """End it with all it started, and take what is left in its pipes, which are closed at their end only."""
    await end_group(process, _GRACE)
    if process.stdin is not None:
        process.stdin.close()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_DRAINED):
            for pipe in (process.stdout, process.stderr):
                while pipe is not None and await pipe.read(_CHUNK):
                    pass


async def hand_over(
    program: str,
    words: Sequence[str],
    *,
    environ: Mapping[str, str],
    cwd: str | None = None,
    stdin: bytes = b"",
    seconds: float = 10.0,
) -> int | None:
    """Start a program that lives on by itself: its exit code, or None where it still runs after `seconds`.

    What it leaves behind is not ended: a clipboard lives as long as the program that offers it, a window as
    long as the person wants. A cancel ends what has not yet let go. Raises ToolError no_program.
    """
    name = os.path.basename(program)

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [program, *words],
            cwd=cwd,
            env=dict(environ),
            stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    try:
        process = await asyncio.to_thread(start)  # asyncio's own would end it with its last reference
    except (OSError, ValueError) as error:
        raise ToolError("no_program", f"{name} could not be started: {error}.", what=name) from error
    try:
        return await asyncio.to_thread(_let_go, process, stdin, seconds)
    except asyncio.CancelledError:
        process.kill()
        raise


def _let_go(process: subprocess.Popen[bytes], stdin: bytes, seconds: float) -> int | None:
    """Wait for its end; one that goes on is collected by a thread when it ends."""
    try:
        process.communicate(stdin or None, seconds)
    except subprocess.TimeoutExpired:
        threading.Thread(target=process.wait, name="lets go", daemon=True).start()
        return None
    return process.returncode

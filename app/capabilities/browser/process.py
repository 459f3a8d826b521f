"""The process of a browser: started with its two pipes, and ended with everything that it began."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import signal
from collections.abc import AsyncIterator, Mapping

from app.capabilities.browser.program import arguments
from app.capabilities.browser.remote import Heard, Remote
from app.platform.children import end_group, start_child
from app.platform.ids import new_id
from app.platform.processes import MARK, signal_marked
from app.platform.spawning import environment, find_bash

_PIPES = 'exec 3<&"$1" 4>&"$2"; shift 2; exec "$@"'
"""A browser expects its remote control on the descriptors 3 and 4, which subprocess cannot hand over."""
_HIGH = 10


@contextlib.asynccontextmanager
async def started(
    program: str, folder: str, proxy: int, environ: Mapping[str, str], heard: Heard
) -> AsyncIterator[Remote]:
    """Yield the remote control of a new browser. Raises OSError where it cannot be started at all."""
    mark = new_id()
    process, reading, writing = await _begun(program, folder, proxy, {**environment(environ), MARK: mark})
    remote = Remote(reading, writing, heard)
    try:
        yield remote
    finally:
        remote.close()
        await asyncio.shield(_ended(process, mark))


async def _ended(process: asyncio.subprocess.Process, mark: str) -> None:
    await end_group(process, grace=0.5)
    await asyncio.to_thread(signal_marked, mark, signal.SIGKILL)


async def _begun(
    program: str, folder: str, proxy: int, environ: Mapping[str, str]
) -> tuple[asyncio.subprocess.Process, int, int]:
    bash = find_bash()
    if bash is None:
        raise OSError("bash, which hands the browser its pipes, is missing")
    (theirs_in, ours_out), (ours_in, theirs_out) = os.pipe(), os.pipe()
    high = [fcntl.fcntl(one, fcntl.F_DUPFD, _HIGH) for one in (theirs_in, theirs_out)]
    os.close(theirs_in)
    os.close(theirs_out)
    try:
        process = await start_child(
            *(bash, "--noprofile", "--norc", "-c", _PIPES, "browser", *map(str, high)),
            *arguments(program, folder, proxy),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            env={**environ, "HOME": folder},
            cwd=folder,
            pass_fds=high,
        )
    except BaseException:
        os.close(ours_in)
        os.close(ours_out)
        raise
    finally:
        for one in high:
            os.close(one)
    return process, ours_in, ours_out

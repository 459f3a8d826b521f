"""Start child processes of our own (the model's engine, pip, a tool's program), and end them with everything
they started: first kindly, then for good.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from typing import Any

from app.platform.processes import signal_group

GRACE_SECONDS = 2.0


async def start_child(*words: str, grace: float = GRACE_SECONDS, **how: Any) -> asyncio.subprocess.Process:
    """Start a program as the leader of its own group; `how` goes to asyncio.create_subprocess_exec.

    A cancel leaves nothing behind: the process would start all the same, so it is waited for and ended.
    Raises OSError and ValueError where it cannot be started.
    """
    starting = asyncio.ensure_future(asyncio.create_subprocess_exec(*words, start_new_session=True, **how))
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        await asyncio.shield(_end_started(starting, grace))
        raise


async def _end_started(starting: asyncio.Future[asyncio.subprocess.Process], grace: float) -> None:
    with contextlib.suppress(OSError, ValueError):  # it did not start at all
        await end_group(await starting, grace)


async def end_group(process: asyncio.subprocess.Process, grace: float = GRACE_SECONDS) -> None:
    """End the process and its group (it must lead one, `start_new_session`); returns when it is gone.

    On Windows only the process itself is ended.
    """
    if process.returncode is None:
        if sys.platform == "win32":
            process.terminate()
        else:
            signal_group(process.pid, signal.SIGTERM)
        try:
            await asyncio.wait_for(process.wait(), grace)
        except TimeoutError:
            process.kill()
    if sys.platform != "win32":
        signal_group(process.pid, signal.SIGKILL)
    await process.wait()

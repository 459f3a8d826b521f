"""End a child process of our own (the model's engine, pip) with everything it started: first kindly, then
for good.
"""

from __future__ import annotations

import asyncio
import signal
import sys

from app.platform.processes import signal_group

GRACE_SECONDS = 2.0


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

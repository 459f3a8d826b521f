"""Child processes: one whose start is cancelled is ended, with all that it started."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from app.platform.children import end_group, start_child
from app.platform.processes import MARK, marked

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="groups of processes")


async def test_a_cancelled_start_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cancel comes when the process is there and its start has not returned yet."""
    real, begun, going_on = asyncio.create_subprocess_exec, asyncio.Event(), asyncio.Event()

    async def slow(*words: str, **how: object) -> asyncio.subprocess.Process:
        process = await real(*words, **how)  # type: ignore[arg-type]
        begun.set()
        await going_on.wait()
        return process

    monkeypatch.setattr(asyncio, "create_subprocess_exec", slow)
    mark = f"child of {os.getpid()}"
    starting = asyncio.create_task(start_child("sleep", "600", env={**os.environ, MARK: mark}))
    await begun.wait()
    assert len(marked(mark)) == 1
    starting.cancel()
    going_on.set()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert marked(mark) == ()


async def test_what_a_child_started_ends_with_it() -> None:
    mark = f"family of {os.getpid()}"
    script = "sleep 600 & echo; wait"
    process = await start_child(
        "sh", "-c", script, env={**os.environ, MARK: mark}, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    await process.stdout.readline()
    assert len(marked(mark)) == 2
    await end_group(process)
    assert marked(mark) == ()


async def test_what_is_not_there_raises(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        await start_child(str(tmp_path / "none"))

"""A process that makes one change and kills itself at a given system call; started by test_proof_kill."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

from app.changes.apply import Step, content
from app.changes.diff import file_diff
from app.changes.journal import Journal
from app.platform import filesystem
from app.store.database import Store

SYSTEM = frozenset({"posix", "nt", "_io"})


class Countdown:
    """Counts system calls in all threads, before and after each, and kills the process at number `last`."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.count = 0
        self.armed = False
        self.lock = threading.Lock()

    def watch(self) -> None:
        """Look at all threads that start from now on; call it before the first one does."""
        threading.setprofile(self)
        sys.setprofile(self)

    def __call__(self, frame: FrameType, event: str, function: Any) -> None:
        if (
            not self.armed
            or event not in ("c_call", "c_return")
            or getattr(function, "__module__", "") not in SYSTEM
        ):
            return
        with self.lock:
            self.count += 1
            if self.count == self.last:
                os.kill(os.getpid(), signal.SIGKILL)


async def change(data: Path, wanted: dict[str, str | None], countdown: Countdown) -> None:
    """Make the change that `wanted` describes: path -> new content, None for no file."""
    countdown.watch()
    store = Store(data / "bramble.db")
    await store.open()
    journal = Journal(store, data / "journal")
    steps = []
    for path, text in wanted.items():
        before = content(path)
        mode = filesystem.status(path).mode if before is not None else None
        steps.append(Step(path, before, None if text is None else text.encode(), mode))
    files = [file_diff(step.path, step.path, step.before, step.after) for step in steps]
    countdown.armed = True
    await journal.make(steps, files, session="s", turn="t", tool="edit_file")
    countdown.armed = False
    await store.close()


if __name__ == "__main__":
    todo = json.loads(sys.stdin.read())
    counting = Countdown(todo["last"])
    asyncio.run(change(Path(todo["data"]), todo["wanted"], counting))
    print(counting.count)

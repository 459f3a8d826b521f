"""Find files below a folder by what is being typed of their path, fast enough for every key."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from itertools import islice

from app.attachment_records import Named
from app.capabilities.files_walk import Walk
from app.capabilities.files_work import Stopped, in_thread

MOST_FILES = 100_000
"""Files of one folder that are looked at."""
KEPT_SECONDS = 20.0
"""How long the names of a folder count as those that are there."""


PATIENCE_SECONDS = 0.15
"""How long an answer waits for names that are still being read."""


class FileNames:
    """Knows the files of the folder that was asked about last; what git ignores is left out."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._folder, self._read = "", 0.0
        self._names: list[str] = []
        self._reading: asyncio.Task[None] | None = None

    async def find(self, folder: str, typed: str, limit: int = 20) -> Named:
        """Return at most `limit` paths below `folder` that go on from what is typed: names that begin with
        it first, then names and paths that hold it; short paths first. In a large folder these may be those
        that were read so far.
        """
        reading = self._of(folder)
        await asyncio.wait([reading], timeout=PATIENCE_SECONDS)  # the next key ends this, not the reading
        names, whole = list(self._names), reading.done()
        return Named(paths=await asyncio.to_thread(best, names, typed, limit), whole=whole)

    def close(self) -> None:
        """Stop reading."""
        if self._reading is not None:
            self._reading.cancel()

    def _of(self, folder: str) -> asyncio.Task[None]:
        known, now = self._reading, self._clock()
        fresh = known is not None and (not known.done() or now - self._read < KEPT_SECONDS)
        if known is not None and folder == self._folder and fresh:
            return known
        self.close()
        self._folder, self._read, self._names = folder, now, []
        self._reading = asyncio.create_task(_read(folder, self._names), name="read the names of files")
        return self._reading


def best(names: Iterable[str], typed: str, limit: int) -> tuple[str, ...]:
    """Return the names that go on from what is typed, the best first."""
    wanted = typed.casefold()
    ranked = []
    for name in names:
        whole = name.casefold()
        if wanted not in whole:
            continue
        last = whole.rsplit("/", 1)[-1]
        rank = 0 if last.startswith(wanted) or whole.startswith(wanted) else 1 if wanted in last else 2
        ranked.append((rank, whole.count("/"), len(whole), name))
    return tuple(one[-1] for one in sorted(ranked)[:limit])


async def _read(folder: str, names: list[str]) -> None:
    """Add the files below a folder to `names`."""

    def work(stopped: Stopped) -> None:
        found = (one.path for one in Walk(folder, stopped=stopped) if not one.folder)
        for name in islice(found, MOST_FILES):
            names.append(name)  # one by one, to be seen while it goes on

    await in_thread(work)

"""What all calls of a process share about files.

The journal, a lock for each path, and the places of ours.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, field

from app.changes.journal import Journal
from app.events import Event


@dataclass(frozen=True)
class FileWorld:
    """Shared by the file capabilities of all calls of one event loop. All paths are real and absolute."""

    journal: Journal
    emit: Callable[[Event], None]
    secrets: tuple[str, ...] = ()
    """Files and folders of ours that hold keys, conversations and what was changed.

    Asked about everywhere.
    """
    steering: tuple[str, ...] = ()
    """What tells this app what to do; changing it is asked about everywhere, reading it is not."""
    open: tuple[str, ...] = ()
    """Folders of ours that every call may read: whole outputs that were cut for the model."""
    opened: Callable[[str], tuple[str, ...]] = lambda cwd: ()
    """Gives the folders outside of a working folder that its calls may read too: those of its skills.

    It may block.
    """
    environ: Mapping[str, str] = field(default_factory=dict)
    """Where ripgrep is looked for (PATH)."""
    locks: dict[str, tuple[asyncio.Lock, int]] = field(default_factory=dict)
    """Path -> its lock and how many hold it or wait for it."""

    @contextlib.asynccontextmanager
    async def locked(self, paths: Iterable[str]) -> AsyncIterator[None]:
        """Hold the locks of all paths, taken in one order, so that two changes cannot wait for each other."""
        async with contextlib.AsyncExitStack() as held:
            for path in sorted(set(paths)):
                await held.enter_async_context(self._lock(path))
            yield

    @contextlib.asynccontextmanager
    async def _lock(self, path: str) -> AsyncIterator[None]:
        lock, users = self.locks.get(path, (asyncio.Lock(), 0))
        self.locks[path] = (lock, users + 1)
        try:
            async with lock:
                yield
        finally:
            lock, users = self.locks.pop(path)
            if users > 1:
                self.locks[path] = (lock, users - 1)

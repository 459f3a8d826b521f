"""The store: one SQLite file, one thread that writes, one that reads, and news from other processes."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from app.errors import StoreError
from app.platform.ids import new_id
from app.records import Problem
from app.store import backup, integrity
from app.store.connection import broken_letters
from app.store.feed import FeedRow
from app.store.reader import Reader
from app.store.writer import Writer

if TYPE_CHECKING:
    from app.store.salvage import Salvaged

P = ParamSpec("P")
T = TypeVar("T")

POLL_SECONDS = 0.5
"""product.md section 11: changes of others are seen within 1 s."""


class Store:
    """The open database of one process. All methods are for one asyncio loop; the work runs on threads of its
    own.
    """

    def __init__(
        self,
        path: Path,
        clock: Callable[[], float] = time.time,
        *,
        backups: Path | None = None,
        failed: Callable[[Problem | None], None] | None = None,
    ) -> None:
        """Nothing is opened yet. `failed` is called in the loop's thread with `problem` when it changes."""
        self.path = path
        self.owner = new_id(clock())
        """The id of this process in leases, approvals and the feed."""
        self.backups = backups or path.parent / "backups"
        self._clock = clock
        self._failed = failed
        self._loop: asyncio.AbstractEventLoop | None = None
        self._process = 0
        self._seen = 0
        self._writer = Writer(path, self.backups, self.owner, clock, self._tell)
        self._reader = Reader(self._writer, self.owner, clock)
        self._writing = ThreadPoolExecutor(1, "store-write")
        self._reading = ThreadPoolExecutor(1, "store-read")
        self._tasks: set[asyncio.Task[None]] = set()
        self._stop = threading.Event()

    @property
    def problem(self) -> Problem | None:
        """Why the store cannot be written now (store_readonly, _full, _locked, _corrupt); None: it can.

        A corrupt one has the newest backup in its fields `backup` and `made`; `restore` puts it back.
        """
        return self._writer.problem

    async def open(self) -> None:
        """Open or create the database. It can be read afterwards, and written unless `problem` says why not.

        Raises StoreError store_newer, or internal for a migration that failed its rehearsal.
        """
        self._loop = asyncio.get_running_loop()
        self._process = os.getpid()
        await self._on(self._writing, self._writer.open)
        self._seen = -1 if self._writer.sealed else self._writer.seen
        if not self._writer.sealed:
            self._own(self._check_when_due())

    async def close(self) -> None:
        """End all watches and threads and leave a clean file; nothing happens when it was never opened."""
        if not self._process:
            return
        self._stop.set()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._on(self._reading, self._reader.close)
        await self._on(self._writing, self._writer.close)
        self._reading.shutdown()
        self._writing.shutdown()
        self._process = 0

    async def write(
        self, work: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `work(connection, ...)` in one transaction; it is on disk before this returns, or undone whole.

        When the caller is cancelled while it runs, it is still finished. Raises StoreError and what `work`
        raises.
        """
        return await self._on(self._writing, self._writer.run, lambda db: work(db, *args, **kwargs))

    async def read(
        self, work: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `work(connection, ...)` on the reading connection, which shows it one state of the database.

        Damage seals the store; a text with broken letters is then read once more, as far as it goes.
        """
        try:
            return await self._on(self._reading, self._reader.run, lambda db: work(db, *args, **kwargs))
        except StoreError as error:
            if error.code != "store_corrupt" or self._writer.sealed:
                raise
            await self._on(self._writing, self._writer.seal, error.problem)
            if not broken_letters(error.__cause__):
                raise
        return await self._on(self._reading, self._reader.run, lambda db: work(db, *args, **kwargs))

    async def scrub(self) -> bool:
        """Take what was overwritten out of the write-ahead log, too; False while another process reads, which
        the next one does then.
        """
        return await self._on(self._writing, self._writer.scrub)

    async def check(self) -> str:
        """Look at every page; return what is wrong, "" for nothing. Damage seals the store."""
        wrong = await asyncio.to_thread(integrity.examine, self.path, self._stop)
        if wrong:
            problem = Problem(code="store_corrupt", fields={"path": str(self.path)}, detail=wrong)
            await self._on(self._writing, self._writer.seal, problem)
        elif wrong is not None and not self._writer.sealed:
            await self.write(integrity.note, self._clock())
        return wrong or ""

    async def backup(self, target: Path) -> Path:
        """Copy the whole store into one new file. Raises StoreError."""
        return await asyncio.to_thread(backup.backup, self.path, target)

    async def nightly(self) -> Path | None:
        """Make this night's backup unless there is one; return it. Seven are kept. Raises StoreError."""
        return await asyncio.to_thread(backup.nightly, self.path, self.backups, self._clock())

    async def restore(self, source: Path) -> Path:
        """Replace everything by a backup; return the copy of what was there before. Raises StoreError."""
        return await self._on(self._writing, self._writer.restore, source)

    async def salvage(self) -> Salvaged:
        """Write what can be read of a damaged store to a new backup, for `restore`. Raises StoreError."""
        from app.store.salvage import salvage

        target = backup.free_path(self.backups, "salvaged", self._clock())
        return await asyncio.to_thread(salvage, self.path, target, self.owner, self._clock)

    async def changes_since_last(self) -> tuple[FeedRow, ...]:
        """Return what other processes changed since the last call, or since the store was opened."""
        self._seen, rows = await self._on(self._reading, self._reader.news, self._seen)
        return rows

    def watch(self, callback: Callable[[tuple[FeedRow, ...]], None]) -> asyncio.Task[None]:
        """Begin to call `callback` in the loop with what other processes change, within a second, until
        `close`.
        """
        return self._own(self._watch(callback))

    async def _watch(self, callback: Callable[[tuple[FeedRow, ...]], None]) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            try:
                rows = await self.changes_since_last()
            except StoreError:
                continue  # `problem` tells it; the next look may succeed again
            if rows:
                callback(rows)

    async def _check_when_due(self) -> None:
        """Look for damage beside the work, and seal the store when there is any."""
        try:
            seconds = await self.read(integrity.delay, self._clock())
            if seconds is not None:
                await asyncio.sleep(seconds)
                await self.check()
        except StoreError:
            return  # `problem` tells it, and the check stays due

    def _own(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _tell(self, problem: Problem | None) -> None:
        if self._failed and self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._failed, problem)

    async def _on(
        self, threads: ThreadPoolExecutor, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        if not self._process:
            raise RuntimeError("the store is not open")
        if os.getpid() != self._process:
            # Neither SQLite's locks nor our threads survive a fork (sqlite.org/howtocorrupt.html, 2.6).
            raise RuntimeError("the store was opened before a fork and must not be used in the child")
        return await asyncio.get_running_loop().run_in_executor(threads, partial(work, *args, **kwargs))

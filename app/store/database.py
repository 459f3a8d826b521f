"""The store: one SQLite file, one thread that writes and one that reads, and what became of it when it cannot
be written.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from app.errors import StoreError
from app.platform.ids import new_id
from app.records import Problem
from app.store import feed, migrations, presence
from app.store.connection import connect, transact, typed_errors
from app.store.feed import FeedRow
from app.store.rescue import open_to_read
from app.store.schema import STEPS

P = ParamSpec("P")
T = TypeVar("T")

POLL_SECONDS = 0.5
"""product.md section 11: changes of others are seen within 1 s."""
HEAL_SECONDS = 5.0
"""How often a store that could not be opened for writing is tried again."""
_CURABLE = frozenset({"store_full", "store_locked", "store_readonly"})


class Store:
    """The open database of one process. All methods are for one asyncio loop; the work runs on two threads of
    its own.
    """

    def __init__(
        self,
        path: Path,
        clock: Callable[[], float] = time.time,
        *,
        backups: Path | None = None,
        failed: Callable[[Problem | None], None] | None = None,
    ) -> None:
        """Nothing is opened yet. `failed` is called in the loop's thread when `problem` changes."""
        self.path = path
        self.owner = new_id(clock())
        self.backups = backups or path.parent / "backups"
        self._clock = clock
        self._failed = failed
        self._loop: asyncio.AbstractEventLoop | None = None
        self._process = 0
        self._problem: Problem | None = None
        self._sealed = False
        self._tried = 0.0
        self._registered = False
        self._seen = 0
        self._version = -1
        self._writer: sqlite3.Connection | None = None
        self._reader: sqlite3.Connection | None = None
        self._writing = ThreadPoolExecutor(1, "store-write")
        self._reading = ThreadPoolExecutor(1, "store-read")
        self._watches: set[asyncio.Task[None]] = set()

    @property
    def problem(self) -> Problem | None:
        """Why the store cannot be written now (store_readonly, _full, _locked, _corrupt); None: it can."""
        return self._problem

    async def open(self) -> None:
        """Open or create the database. It can be read afterwards, and written unless `problem` says why not.

        Raises StoreError store_newer or internal (a migration that failed its rehearsal).
        """
        self._loop = asyncio.get_running_loop()
        self._process = os.getpid()
        await self._run(self._writing, self._open_now)

    async def close(self) -> None:
        """End all watches and threads and leave a clean file."""
        for task in self._watches:
            task.cancel()
        await asyncio.gather(*self._watches, return_exceptions=True)
        await self._run(self._reading, self._close_reader)
        await self._run(self._writing, self._close_writer)
        self._reading.shutdown()
        self._writing.shutdown()

    async def write(
        self, work: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `work(connection, ...)` in one transaction; it is on disk before this returns, or undone whole.

        When the caller is cancelled while it runs, it is still finished. Raises StoreError and what `work`
        raises.
        """
        return await self._run(self._writing, self._write_now, lambda db: work(db, *args, **kwargs))

    async def read(
        self, work: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `work(connection, ...)` on the reading connection, which sees one state of the database
        throughout.
        """
        return await self._run(self._reading, self._read_now, lambda db: work(db, *args, **kwargs))

    async def changes_since_last(self) -> tuple[FeedRow, ...]:
        """Return what other processes changed since the last call (the first call: since the store was
        opened).
        """
        return await self._run(self._reading, self._changes_now)

    def watch(self, callback: Callable[[tuple[FeedRow, ...]], None]) -> asyncio.Task[None]:
        """Begin to call `callback` in the loop with what other processes change, within a second, until
        `close`.
        """
        task = asyncio.get_running_loop().create_task(self._watch(callback))
        self._watches.add(task)
        task.add_done_callback(self._watches.discard)
        return task

    async def _watch(self, callback: Callable[[tuple[FeedRow, ...]], None]) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            rows = await self.changes_since_last()
            if rows:
                callback(rows)

    async def _run(self, threads: ThreadPoolExecutor, work: Callable[..., T], *args: object) -> T:
        if os.getpid() != self._process:
            # SQLite's locks and our threads do not survive a fork; see "How To Corrupt", section 2.6, of
            # its documentation.
            raise RuntimeError("the store was opened before a fork and must not be used in the child")
        return await asyncio.get_running_loop().run_in_executor(threads, work, *args)

    # On the writing thread.

    def _open_now(self) -> None:
        self._tried = time.monotonic()
        try:
            if not self.path.parent.is_dir():
                from app.platform.paths import make_private

                with typed_errors(self.path):
                    make_private(self.path.parent)
            writer = connect(self.path, self.owner, self._clock)
            try:
                with typed_errors(self.path):
                    migrations.migrate(writer, self.path, self.backups, self.owner, self._clock)
                    self._version = len(STEPS)
                    self._seen = feed.newest(writer)
            except BaseException:
                writer.close()
                raise
            self._writer = writer
        except StoreError as error:
            if error.code not in _CURABLE | {"store_corrupt"}:
                raise
            self._seal(error.problem)
        else:
            self._sealed = False
            self._tell(None)

    def _write_now(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if self._sealed:
            self._heal()
        assert self._writer is not None, "write after close or before open"
        try:
            with typed_errors(self.path):
                result = transact(self._writer, partial(self._registered_work, work))
        except StoreError as error:
            if error.code in ("store_corrupt", "store_newer"):
                self._seal(error.problem)
            elif error.code in _CURABLE:
                self._tell(error.problem)
            raise
        self._registered = True
        if self._problem is not None:
            self._tell(None)
        return result

    def _registered_work(self, work: Callable[[sqlite3.Connection], T], db: sqlite3.Connection) -> T:
        if migrations.version(db) != self._version:
            raise StoreError(
                "store_newer", "a newer program changed the store meanwhile", path=str(self.path)
            )
        if not self._registered:
            presence.register(db)
        return work(db)

    def _heal(self) -> None:
        """Try again to open for writing what could not be, else raise why."""
        problem = self._problem
        assert problem is not None
        if problem.code in _CURABLE and time.monotonic() - self._tried >= HEAL_SECONDS:
            self._open_now()
            if not self._sealed:
                self._reading.submit(self._close_reader)
                return
        raise StoreError(
            problem.code,
            f"the store cannot be written: {problem.code}",
            detail=problem.detail,
            **problem.fields,
        )

    def _seal(self, problem: Problem) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None
            self._reading.submit(self._close_reader)
        self._sealed = True
        self._tell(problem)

    def _tell(self, problem: Problem | None) -> None:
        if problem == self._problem:
            return
        self._problem = problem
        if self._failed and self._loop:
            self._loop.call_soon_threadsafe(self._failed, problem)

    def _close_writer(self) -> None:
        if self._writer is None:
            return
        try:
            if self._registered:
                transact(self._writer, presence.leave)
        finally:
            self._writer.close()
            self._writer = None

    # On the reading thread.

    def _read_now(self, work: Callable[[sqlite3.Connection], T]) -> T:
        db = self._reader or self._open_reader()
        with typed_errors(self.path):
            db.execute("BEGIN")
            try:
                return work(db)
            finally:
                db.execute("ROLLBACK")

    def _open_reader(self) -> sqlite3.Connection:
        if self._sealed:
            self._reader = open_to_read(self.path, self.owner, self._clock)
        else:
            self._reader = connect(self.path, self.owner, self._clock, reading=True)
        return self._reader

    def _close_reader(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def _changes_now(self) -> tuple[FeedRow, ...]:
        self._seen, rows = self._read_now(partial(feed.since, seq=self._seen, owner=self.owner))
        return rows

"""The writing side of the store, for one thread: it opens, migrates, writes, and closes the door when it must
not.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from app.errors import StoreError
from app.platform.paths import make_private
from app.records import Problem
from app.store import backup, feed, migrations, presence, search
from app.store.connection import connect, open_as_is, transact, typed_errors
from app.store.schema import STEPS

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

HEAL_SECONDS = 5.0
"""How often a store that could not be opened for writing is tried again, at a write."""
JUST_MADE_SECONDS = 10.0
"""So long an empty file may be one that another process is about to fill."""
CLOSE_MILLISECONDS = 300
"""How long the end waits for another process that writes."""
_PASSING = frozenset({"store_full", "store_locked", "store_readonly"})
"""Problems that may go away by themselves."""


class Writer:
    """The one connection of this process that writes. Not for several threads at once."""

    def __init__(
        self,
        path: Path,
        backups: Path,
        owner: str,
        clock: Callable[[], float],
        told: Callable[[Problem | None], None],
    ) -> None:
        """Nothing is opened yet. `told` is called on the writing thread when `problem` changes."""
        self.path = path
        self.problem: Problem | None = None
        self.generation = 0
        """Counts openings; a reader of an older one opens again."""
        self.seen = 0
        """The newest row of the feed when it was opened."""
        self._backups = backups
        self._owner = owner
        self._clock = clock
        self._told = told
        self._db: sqlite3.Connection | None = None
        self._file = (0, 0)
        self._tried = 0.0
        self._registered = False

    @property
    def sealed(self) -> bool:
        """Whether there is no connection to write with."""
        return self._db is None

    def open(self) -> None:
        """Open or create the database, else set `problem`. Raises StoreError store_newer or internal."""
        self._tried = time.monotonic()
        try:
            self._db = self._opened()
        except StoreError as error:
            if error.code not in _PASSING | {"store_corrupt"}:
                raise
            self._set_problem(error.problem)
        else:
            self._set_problem(None)
        self.generation += 1

    def run(self, work: Work[T]) -> T:
        """Run `work` in one transaction; on disk before this returns, or undone whole. Raises StoreError."""
        db = self._connection()
        try:
            result = self._attempt(db, work)
        except StoreError as error:
            if not search.index_is_damaged(error):
                self._judge(error)
                raise
            # The index can always be made anew from the messages, so its damage is no reason to stop.
            self._attempt(db, search.rebuild)
            result = self._attempt(db, work)
        self._registered = True
        self._set_problem(None)
        return result

    def seal(self, problem: Problem) -> None:
        """Write no more; reading goes on as far as it goes."""
        self._drop()
        self._set_problem(problem)
        self.generation += 1

    def scrub(self) -> bool:
        """Move the log into the file and empty it; False while somebody reads from it. Raises StoreError."""
        with typed_errors(self.path):
            busy = self._connection().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        return not busy

    def close(self) -> None:
        """Leave a clean file, as far as that can be written."""
        if self._db is None:
            return
        try:
            if self._registered:
                self._db.execute(f"PRAGMA busy_timeout = {CLOSE_MILLISECONDS}")
                self._attempt(self._db, presence.leave)
        except StoreError:
            return  # the next start finds this process dead, and clears up
        finally:
            self._drop()

    def restore(self, source: Path) -> Path:
        """Replace everything by a backup; return the copy of what was there. Raises StoreError."""
        version = _version_of(source)
        if version > len(STEPS):
            raise StoreError(
                "store_newer", "the backup is of a newer program", path=str(source), found=str(version)
            )
        before = max(self.seen, feed.newest(self._db) if self._db else 0)
        saved = self._replace(source)
        self._drop()
        self.open()
        self.run(lambda db: _start_anew(db, before))
        return saved

    def _opened(self) -> sqlite3.Connection:
        with typed_errors(self.path):
            make_private(self.path.parent)
            if _was_emptied(self.path) and backup.found(self._backups):
                raise StoreError("store_corrupt", "the data file is empty", path=str(self.path))
        db = connect(self.path, self._owner, self._clock)
        try:
            with typed_errors(self.path):
                _refuse_unwritable(self.path)
                migrations.migrate(db, self.path, self._backups, self._owner, self._clock)
                self.seen = max(self.seen, feed.newest(db))
                self._file = file_identity(self.path)
        except BaseException as error:
            db.close()
            if isinstance(error, sqlite3.Error):  # such as an SQLite without FTS5
                raise StoreError("internal", f"{self.path.name}: {error}", detail=str(error)) from error
            raise
        return db

    def _connection(self) -> sqlite3.Connection:
        if self._db is not None and file_identity(self.path) != self._file:
            self._drop()  # another process restored a backup into the place of a damaged file
            self.open()
        elif self._db is None and self._may_heal():
            self.open()
        if self._db is None:
            problem = self.problem or Problem(code="internal", detail="the store is not open")
            raise StoreError(
                problem.code, f"cannot write: {problem.code}", detail=problem.detail, **problem.fields
            )
        return self._db

    def _may_heal(self) -> bool:
        passing = self.problem is not None and self.problem.code in _PASSING
        return passing and time.monotonic() - self._tried >= HEAL_SECONDS

    def _attempt(self, db: sqlite3.Connection, work: Work[T]) -> T:
        with typed_errors(self.path):
            return transact(db, lambda db: self._known(db, work))

    def _known(self, db: sqlite3.Connection, work: Work[T]) -> T:
        if migrations.version(db) != len(STEPS):
            raise migrations.changed_meanwhile(self.path)
        if not self._registered:
            presence.register(db)
        return work(db)

    def _judge(self, error: StoreError) -> None:
        if error.code in ("store_corrupt", "store_newer"):
            self.seal(error.problem)
        elif error.code in _PASSING:
            self._set_problem(error.problem)

    def _replace(self, source: Path) -> Path:
        if self._db is not None:
            try:
                target = backup.free_path(self._backups, "before-restore", self._clock())
                saved = backup.copy_database(self._db, target)
                with typed_errors(self.path), open_as_is(source, "ro") as db:
                    db.backup(self._db)
                return saved
            except StoreError as error:
                if error.code != "store_corrupt":
                    raise
                self._drop()
        saved = backup.set_aside(self.path, self._backups, self._clock())
        backup.put_in_place(source, self.path)
        return saved

    def _drop(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None
        self._registered = False

    def _set_problem(self, problem: Problem | None) -> None:
        if problem is not None and problem.code == "store_corrupt":
            problem = with_offer(problem, self._backups)
        if problem != self.problem:
            self.problem = problem
            self._told(problem)


def with_offer(problem: Problem, backups: Path) -> Problem:
    """Return the problem with the newest backup in its fields `backup` (path) and `made` (unix seconds), if
    any.
    """
    copies = backup.found(backups)
    offer = {"backup": str(copies[0].path), "made": str(copies[0].made)} if copies else {}
    return Problem(code=problem.code, fields={**problem.fields, **offer}, detail=problem.detail)


def file_identity(path: Path) -> tuple[int, int]:
    """Return what tells this file from another of the same name; (0, 0) when there is none."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return 0, 0
    return status.st_dev, status.st_ino


def _refuse_unwritable(path: Path) -> None:
    """Find out at the start, not at the first message, that nothing can be written."""
    for place in (path, path.parent):
        if not os.access(place, os.W_OK):
            raise StoreError("store_readonly", f"{place} cannot be written", path=str(path))


def _was_emptied(path: Path) -> bool:
    """Whether a file stands there with nothing in it, and not since a moment ago, as when one is just made.

    SQLite takes such a file for a new database; with backups beside it, it is one that was lost.
    """
    try:
        found = path.stat()
    except OSError:
        return False
    log = Path(f"{path}-wal")
    empty = stat.S_ISREG(found.st_mode) and not found.st_size
    return empty and not log.exists() and time.time() - found.st_mtime > JUST_MADE_SECONDS


def _version_of(source: Path) -> int:
    """Return the version of a backup. Raises StoreError bad_backup: it is the file that is at fault, not the
    store.
    """
    try:
        return backup.check(source)
    except StoreError as error:
        if error.code != "store_corrupt":
            raise
        raise StoreError("bad_backup", str(error), detail=error.problem.detail, path=str(source)) from error


def _start_anew(db: sqlite3.Connection, before: int) -> None:
    """Clear what belonged to processes of the backup's time, and let the feed go on after the numbers already
    seen.
    """
    for table in ("processes", "leases", "approvals", "feed"):
        db.execute(f"DELETE FROM {table}")
    feed.skip_to(db, before + feed.KEPT)
    presence.register(db)
    feed.append(db, "session")

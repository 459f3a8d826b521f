"""The reading side of the store, for one thread: it follows the writer when that opens the database anew."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import TypeVar

import msgspec

from app.store import feed, migrations
from app.store.connection import connect, typed_errors
from app.store.feed import FeedRow
from app.store.rescue import open_to_read
from app.store.schema import STEPS
from app.store.writer import Writer, file_identity

T = TypeVar("T")


class Reader:
    """The one connection of this process that reads. Not for several threads at once."""

    def __init__(self, writer: Writer, owner: str, clock: Callable[[], float]) -> None:
        self._writer = writer
        self._owner = owner
        self._clock = clock
        self._db: sqlite3.Connection | None = None
        self._generation = -1
        self._file = (0, 0)
        self._data_version = -1

    def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` on one state of the database. Raises StoreError, store_newer for what only a newer
        program can read.
        """
        with typed_errors(self._writer.path):
            db = self._connection()
            db.execute("BEGIN")
            try:
                return work(db)
            except (msgspec.DecodeError, UnicodeDecodeError):
                if migrations.version(db) > len(STEPS):
                    raise migrations.changed_meanwhile(self._writer.path) from None
                raise
            finally:
                if db.in_transaction:
                    db.execute("ROLLBACK")

    def news(self, seq: int) -> tuple[int, tuple[FeedRow, ...]]:
        """Return what `feed.since` does; when nothing was written since the last look this costs
        microseconds.
        """
        with typed_errors(self._writer.path):
            version = int(self._connection().execute("PRAGMA data_version").fetchone()[0])
        if version == self._data_version:
            return seq, ()
        found = self.run(lambda db: feed.since(db, seq, self._owner))
        self._data_version = version
        return found

    def close(self) -> None:
        """Close the connection; the next use opens it again."""
        if self._db is not None:
            self._db.close()
            self._db = None
        self._data_version = -1

    def _connection(self) -> sqlite3.Connection:
        stale = self._generation != self._writer.generation or self._file != file_identity(self._writer.path)
        if self._db is None or stale:
            self.close()
            self._generation = self._writer.generation
            self._file = file_identity(self._writer.path)
            self._db = self._opened()
        return self._db

    def _opened(self) -> sqlite3.Connection:
        if not self._writer.sealed:
            return connect(self._writer.path, self._owner, self._clock, reading=True)
        return open_to_read(self._writer.path, self._owner, self._clock)

"""One SQLite connection as this program uses it: its settings, its transaction, and its errors as typed
errors.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

import msgspec

from app.errors import StoreError

T = TypeVar("T")

BUSY_SECONDS = 5.0
"""product.md section 11: busy timeout 5 s."""
SWITCH_SECONDS = 0.01
"""Between two tries to switch a new file to its log; it takes a few milliseconds."""
LOG_BYTES = 64 << 20
"""What the write-ahead log is cut back to after something large."""
BEGIN_TRIES = 3
"""A write that found the database locked for that long is tried again before it counts as failed."""


def connect(
    path: Path, owner: str, clock: Callable[[], float], *, reading: bool = False
) -> sqlite3.Connection:
    """Open `path` for use in any one thread at a time; with `reading` it refuses to write. Raises StoreError.

    SQL of this folder may call `bramble_owner()` and `bramble_now()`, so that who and when come in from
    outside.
    """
    with typed_errors(path):
        if not reading:
            _make_private_file(path)
        db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            prepare(db, owner, clock)
            _write_ahead(db)
            db.execute("PRAGMA synchronous=FULL")
            db.execute(f"PRAGMA journal_size_limit={LOG_BYTES}")
            # What is deleted is overwritten, so that what was forgotten stands nowhere in the file.
            db.execute("PRAGMA secure_delete=ON")
            # A disk's own cache counts as the disk on macOS unless told otherwise; nothing happens elsewhere.
            db.execute("PRAGMA fullfsync=ON")
            if reading:
                db.execute("PRAGMA query_only=ON")
        except BaseException:
            db.close()
            raise
    return db


def _write_ahead(db: sqlite3.Connection) -> None:
    """Switch to the write-ahead log. SQLite does not wait for others that switch the same new file at that
    moment
    (its busy handler could deadlock there), so this does.
    """
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            db.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(SWITCH_SECONDS)


@contextmanager
def open_as_is(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """Open a database that exists, change none of its settings, and close it. `mode` is rw or ro."""
    db = sqlite3.connect(
        f"file:{quote(str(path))}?mode={mode}", uri=True, timeout=BUSY_SECONDS, isolation_level=None
    )
    try:
        yield db
    finally:
        db.close()


def prepare(db: sqlite3.Connection, owner: str, clock: Callable[[], float]) -> None:
    """Give a connection what our SQL expects of it."""
    db.create_function("bramble_owner", 0, lambda: owner)
    db.create_function("bramble_now", 0, clock)
    db.execute("PRAGMA foreign_keys=ON")


def transact(db: sqlite3.Connection, work: Callable[[sqlite3.Connection], T]) -> T:
    """Run `work` in one immediate transaction, on disk before this returns; undone whole when it raises."""
    _begin(db)
    try:
        result = work(db)
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    return result


def _begin(db: sqlite3.Connection) -> None:
    for attempt in range(BEGIN_TRIES):
        try:
            db.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.OperationalError as error:
            if primary_code(error) != sqlite3.SQLITE_BUSY or attempt == BEGIN_TRIES - 1:
                raise


def primary_code(error: sqlite3.Error) -> int:
    """Return SQLite's own number of the error without its extended part, 0 when it has none."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


@contextmanager
def typed_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system say about `path`, and rows that hold no record of ours, into a
    StoreError; other errors pass.
    """
    try:
        yield
    except sqlite3.Error as error:
        code = _code_of(error, path)
        if code is None:
            raise
        raise StoreError(code, f"{path.name}: {error}", detail=str(error), path=str(path)) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise StoreError(
            "store_corrupt", f"{path.name}: {error}", detail=str(error)[:200], path=str(path)
        ) from error
    except OSError as error:
        code = "store_full" if error.errno in _FULL_ERRNOS else "store_readonly"
        raise StoreError(code, f"{path.name}: {error}", detail=str(error), path=str(path)) from error


_FULL_ERRNOS = frozenset({errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})
_CODES = {
    sqlite3.SQLITE_BUSY: "store_locked",
    sqlite3.SQLITE_LOCKED: "store_locked",
    sqlite3.SQLITE_READONLY: "store_readonly",
    sqlite3.SQLITE_CANTOPEN: "store_readonly",
    sqlite3.SQLITE_PERM: "store_readonly",
    sqlite3.SQLITE_AUTH: "store_readonly",
    sqlite3.SQLITE_FULL: "store_full",
    sqlite3.SQLITE_CORRUPT: "store_corrupt",
    sqlite3.SQLITE_NOTADB: "store_corrupt",
}


def _code_of(error: sqlite3.Error, path: Path) -> str | None:
    number = primary_code(error)
    if broken_letters(error):
        return "store_corrupt"
    if number in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN) and not _has_room(path):
        return "store_full"
    if number == sqlite3.SQLITE_IOERR:
        # Disks over their quota and limits on file size come as plain input/output errors of a write.
        writing = (sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_TRUNCATE)
        return "store_full" if error.sqlite_errorcode in writing else "store_readonly"
    return _CODES.get(number)


def broken_letters(error: BaseException | None) -> bool:
    """Whether a text is no UTF-8, as we write it: damage in a page that is sound otherwise.

    Python says so itself, without a number of SQLite's.
    """
    return isinstance(error, sqlite3.OperationalError) and "Could not decode to UTF-8" in str(error)


def _has_room(path: Path) -> bool:
    """Whether the disk of `path` has room for a page or two; True where the system does not tell."""
    if not hasattr(os, "statvfs"):
        return True
    try:
        disk = os.statvfs(path.parent)
    except OSError:
        return True
    return disk.f_bavail * disk.f_frsize >= 64 * 1024


def _make_private_file(path: Path) -> None:
    """Create the file as 0600 before SQLite would make it readable for others."""
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))

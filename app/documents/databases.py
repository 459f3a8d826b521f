"""Statements on a SQLite database file: reading ones alone, or changing ones as one transaction."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote

from app.documents.failing import Unreadable

T = TypeVar("T")
SECONDS = 30.0
"""How long statements may run."""
BUSY = 3.0
"""Seconds that a lock of another program is waited for."""
REHEARSED = 64 * 1024 * 1024
"""Bytes of a database that is copied into memory to see what statements would do."""
_CELL = 2_000
_LENGTH = 50_000_000
"""Bytes of the longest text or blob that a statement may make."""
_HEAP = 1 << 30
_STEPS = 20_000
"""Steps of SQLite's machine between two looks at the clock."""
_HEADER = b"SQLite format 3\0"
_BROKEN_OFF = "SQLITE_READONLY_ROLLBACK"
_MAGIC = bytes.fromhex("d9d505f920a163d7")
_TELLING = frozenset(
    {
        "application_id", "collation_list", "compile_options", "data_version", "database_list", "encoding",
        "foreign_key_check", "foreign_key_list", "freelist_count", "function_list", "index_info",
        "index_list", "index_xinfo", "integrity_check", "journal_mode", "page_count", "page_size",
        "quick_check", "schema_version", "table_info", "table_list", "table_xinfo", "user_version",
    }
)  # fmt: skip
"""Pragmas that only tell something where they have no argument, or where it names a table or an index."""
_NAMING = frozenset({name for name in _TELLING if name.endswith(("_info", "_xinfo", "_list", "_check"))})
_SETTING = frozenset({"user_version", "application_id", "defer_foreign_keys", "foreign_keys"})
_READS = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
)
_NEVER = frozenset(
    {sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH, sqlite3.SQLITE_TRANSACTION, sqlite3.SQLITE_SAVEPOINT}
)


class Rows(NamedTuple):
    """What a statement returned, as texts."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    more: bool = False
    seconds: float = 0.0


class Done(NamedTuple):
    """What changing statements did: rows that were added, changed or removed, and the last result."""

    changed: int
    returned: Rows
    sound: bool = True
    """Whether the file reads back and passes SQLite's own check."""


def query(path: str, sql: str, limit: int, seconds: float = SECONDS) -> Rows:
    """Run one statement that only reads. Raises Unreadable; meant for a process of its own."""
    _must_be_database(path)

    def ask(db: sqlite3.Connection) -> Rows:
        db.execute("PRAGMA query_only=ON")
        _bound(db, seconds)
        db.set_authorizer(_only_reads)
        started = time.monotonic()
        found = _taken(db.execute(sql), limit)
        return found._replace(seconds=time.monotonic() - started)

    with _told(seconds):
        return _looked(path, ask)


def rehearse(path: str, sql: str, limit: int, seconds: float = SECONDS) -> Done:
    """Do it on a copy in memory, an empty one where there is no file. Raises Unreadable."""
    with _told(seconds), closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
        if os.path.exists(path):
            _must_be_database(path)
            try:
                _looked(path, lambda db: db.backup(copy))
            except sqlite3.OperationalError as error:
                if error.sqlite_errorname != _BROKEN_OFF:
                    raise
                _mended(path, copy)
        return _changed(copy, sql, limit, seconds)


def make(path: str, sql: str, limit: int, seconds: float = SECONDS) -> Done:
    """Make a new database at `path`, where nothing stands. Raises Unreadable."""
    with _told(seconds), closing(_opened(path, "rwc")) as db:
        return _changed(db, sql, limit, seconds)


def settle(path: str) -> tuple[int, int]:
    """Bring what a write-ahead log holds into the file itself, so that the file alone is the database; return
    its size and time of change in nanoseconds. Raises Unreadable where another program is in the middle of
    something.
    """
    _must_be_database(path)
    with _told(BUSY), closing(_opened(path, "rw")) as db:
        _checkpoint(db, path)
    return _stamp(path)


def execute(path: str, sql: str, limit: int, stamp: tuple[int, int], seconds: float = SECONDS) -> Done:
    """Run statements as one transaction on the file itself, if it still is as `settle` said.

    Raises Unreadable; then nothing was changed.
    """
    with _told(seconds), closing(_opened(path, "rw")) as db:
        db.execute("BEGIN IMMEDIATE")
        log = f"{path}-wal"
        if _stamp(path) != stamp or (os.path.exists(log) and os.path.getsize(log)):
            raise Unreadable("unknown", "Another program changed it meanwhile. Nothing was changed.")
        done = _changed(db, sql, limit, seconds)
        db.set_progress_handler(None, 0)
        _checkpoint(db, path)
    with closing(_opened(path, "ro")) as db:
        sound = db.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok"
    return done._replace(sound=sound)


def _changed(db: sqlite3.Connection, sql: str, limit: int, seconds: float) -> Done:
    statements = list(_statements(sql))
    if not statements:
        raise Unreadable("unknown", "There is no SQL statement.")
    before, returned = db.total_changes, Rows()
    if not db.in_transaction:
        db.execute("BEGIN IMMEDIATE")
    _bound(db, seconds)
    db.set_authorizer(_no_way_out)
    try:
        for statement in statements:
            returned = _taken(db.execute(statement), limit)
    except (sqlite3.Error, sqlite3.Warning, MemoryError):
        db.set_authorizer(None)
        if db.in_transaction:  # SQLite takes some back by itself, as when the memory is full
            db.execute("ROLLBACK")
        raise
    db.set_authorizer(None)
    db.execute("COMMIT")
    return Done(db.total_changes - before, returned)


def _statements(sql: str) -> Iterator[str]:
    """Yield each statement of a script."""
    rest = ""
    for part in re.split("(;)", sql):
        rest += part
        if part == ";" and sqlite3.complete_statement(rest):
            if rest.strip(" \t\r\n;"):
                yield rest
            rest = ""
    if re.sub(r"--[^\n]*|/\*.*?\*/", "", rest, flags=re.DOTALL).strip(" \t\r\n;"):
        yield rest


def _taken(cursor: sqlite3.Cursor, limit: int) -> Rows:
    columns = tuple(str(column[0]) for column in cursor.description or ())
    rows = cursor.fetchmany(limit + 1) if columns else []
    return Rows(columns, tuple(tuple(map(_shown, row)) for row in rows[:limit]), len(rows) > limit)


def _shown(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"x'{value[:32].hex()}{'…' if len(value) > 32 else ''}' ({len(value):,} bytes)"
    text = str(value)
    return text if len(text) <= _CELL else f"{text[:_CELL]}… [{len(text) - _CELL:,} more characters]"


def _must_be_database(path: str) -> None:
    with open(path, "rb") as file:
        beginning = file.read(16)
    if beginning and beginning != _HEADER:
        raise Unreadable("broken", "It is no SQLite database, or it is encrypted.")


def _looked(path: str, work: Callable[[sqlite3.Connection], T]) -> T:
    """Return what `work` makes of a database that nothing may be written to: a plain reader of one with a
    write-ahead log would leave two files beside it. With no log there nobody else has it open; what somebody
    begins meanwhile is seen, and it is read again as one that changes.
    """
    logs = [f"{path}{ending}" for ending in ("-wal", "-journal")]
    if _is_logged(path) and not any(map(os.path.lexists, logs)):
        stamp = _stamp(path)
        failed: sqlite3.Error | None = None
        try:
            with closing(_opened(path, "ro&immutable=1")) as db:
                found = work(db)
        except sqlite3.DatabaseError as error:
            failed = error
        if _stamp(path) == stamp and not any(map(os.path.lexists, logs)):
            if failed is not None:
                raise failed
            return found
    with closing(_opened(path, "ro")) as db:
        return work(db)


def _mended(path: str, copy: sqlite3.Connection) -> None:
    """Fill `copy` with a database as it is once a change that was broken off is taken back."""
    with tempfile.TemporaryDirectory(prefix="bramble-") as folder:
        beside = os.path.join(folder, "copy")
        for ending in ("", "-journal"):
            shutil.copyfile(f"{path}{ending}", f"{beside}{ending}")
        with closing(_opened(beside, "rw")) as db:
            db.backup(copy)


def _names_another(journal: str) -> bool:
    """Whether a rollback journal names another file, as for a change of several (SQLite's file format, 3)."""
    try:
        with open(journal, "rb") as file:
            return (
                file.seek(0, os.SEEK_END) >= 8 and file.seek(-8, os.SEEK_END) >= 0 and file.read() == _MAGIC
            )
    except FileNotFoundError:
        return False


def _is_logged(path: str) -> bool:
    """Whether a database keeps a write-ahead log (file format of SQLite, 1.3.3)."""
    with open(path, "rb") as file:
        return file.read(20)[18:] == b"\x02\x02"


def _opened(path: str, mode: str) -> sqlite3.Connection:
    """Connect. A journal that was left is rolled back where something is changed, unless it names another
    file as the one above it: SQLite would delete that file, whatever it is.
    """
    if mode == "rw" and _names_another(f"{path}-journal"):
        words = "A change of several databases was broken off. Open it with the program that made it first."
        raise Unreadable("unknown", words)
    db = sqlite3.connect(f"file:{quote(path)}?mode={mode}", uri=True, timeout=BUSY, isolation_level=None)
    db.text_factory = lambda data: data.decode("utf-8", "replace")
    db.execute("PRAGMA trusted_schema=OFF")
    db.execute(f"PRAGMA hard_heap_limit={_HEAP}")
    db.execute("PRAGMA temp_store=MEMORY")  # what a query sorts must not fill the disk
    db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return db


def _bound(db: sqlite3.Connection, seconds: float) -> None:
    if hasattr(db, "setlimit"):
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LENGTH)
        db.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    ends = time.monotonic() + seconds
    db.set_progress_handler(lambda: int(time.monotonic() > ends), _STEPS)


def _only_reads(action: int, one: str | None, other: str | None, *_: Any) -> int:
    if action in _READS:
        return _function(action, other)
    if action == sqlite3.SQLITE_PRAGMA and one in _TELLING and (not other or one in _NAMING):
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def _no_way_out(action: int, one: str | None, other: str | None, *_: Any) -> int:
    if action in _NEVER:
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_PRAGMA:
        fine = one in _SETTING or (one in _TELLING and (not other or one in _NAMING))
        return sqlite3.SQLITE_OK if fine else sqlite3.SQLITE_DENY
    return _function(action, other)


def _function(action: int, name: str | None) -> int:
    wild = action == sqlite3.SQLITE_FUNCTION and (name or "").lower() in ("load_extension", "fts3_tokenizer")
    return sqlite3.SQLITE_DENY if wild else sqlite3.SQLITE_OK


def _checkpoint(db: sqlite3.Connection, path: str) -> None:
    if db.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        return
    if db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
        raise Unreadable("unknown", "Another program is reading or writing it. Close it there first.")


def _stamp(path: str) -> tuple[int, int]:
    found = os.stat(path)
    return found.st_size, found.st_mtime_ns


@contextmanager
def _told(seconds: float) -> Iterator[None]:
    """Turn SQLite's errors into words."""
    try:
        yield
    except MemoryError:
        raise Unreadable("too_large", "The statement takes too much memory.") from None
    except (sqlite3.Error, sqlite3.Warning) as error:
        name = getattr(error, "sqlite_errorname", "") or ""
        raise _words(str(error), name, seconds) from None


def _words(text: str, name: str, seconds: float) -> Unreadable:
    if name.startswith("SQLITE_INTERRUPT") or text == "interrupted":
        return Unreadable("too_large", f"The statement ran longer than {seconds:g} s and was stopped.")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return Unreadable("unknown", "Another program holds it locked. Try again once it is done there.")
    if name.startswith("SQLITE_NOTADB"):
        return Unreadable("broken", "It is no SQLite database, or it is encrypted.")
    if name.startswith("SQLITE_CORRUPT"):
        return Unreadable("broken", f"The database is damaged ({text}).")
    if name == _BROKEN_OFF:
        words = (
            "A change was broken off in it. The program that made it, or a change with write, puts it right."
        )
        return Unreadable("unknown", words)
    if name.startswith(("SQLITE_AUTH", "SQLITE_READONLY")):
        return Unreadable(
            "unknown", f"This is not allowed here: {text}. Statements that change something need write."
        )
    if name.startswith(("SQLITE_NOMEM", "SQLITE_TOOBIG")):
        return Unreadable("too_large", f"The statement takes too much memory ({text}).")
    if "one statement at a time" in text:
        return Unreadable("unknown", "Give one statement that reads; several at once only with write.")
    return Unreadable("unknown", f"SQLite says: {text}.")

"""Take out of a damaged database what can still be read, as a sound one that can be restored like a
backup.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from app.memory_records import MemoryItem
from app.platform.paths import make_private
from app.records import ChangeInfo, Message, Pin
from app.store.backup import copy_database
from app.store.columns import unpack
from app.store.connection import prepare, transact, typed_errors
from app.store.journal import JournaledFile
from app.store.rescue import open_unwritable
from app.store.schema import STEPS

_TABLES = (
    "sessions", "kept", "messages", "pieces", "queue", "pins", "changes", "change_files", "blobs", "spend",
    "memory_items",
)  # fmt: skip
"""What outlives a process, parents before children; the indexes are built anew."""
_BODIES: dict[str, Any] = {
    "messages": Message,
    "pins": Pin,
    "changes": ChangeInfo,
    "change_files": JournaledFile,
    "memory_items": MemoryItem,
}
_LARGEST_SKIP = 1 << 24
"""Row numbers that are skipped at most in search of a readable page behind a damaged one."""


@dataclass(frozen=True)
class Salvaged:
    """A sound database with what could be read: `rows` in all, `sessions` and `messages` among them."""

    path: Path
    rows: int
    sessions: int
    messages: int


def salvage(damaged: Path, target: Path, owner: str, clock: Callable[[], float]) -> Salvaged:
    """Write to `target` what can be read of a damaged database, which is not changed.

    Raises StoreError store_corrupt when it cannot be read as a database at all.
    """
    with typed_errors(damaged):
        make_private(target.parent)
        with closing(open_unwritable(damaged)) as source, closing(_new(owner, clock)) as rescued:
            source.text_factory = lambda text: text.decode("utf-8", "replace")
            rows = transact(rescued, lambda db: _copy_all(source, db))
            copy_database(rescued, target)
            (sessions,) = rescued.execute("SELECT count(*) FROM sessions").fetchone()
            (messages,) = rescued.execute("SELECT count(*) FROM messages").fetchone()
    return Salvaged(target, rows, sessions, messages)


def _new(owner: str, clock: Callable[[], float]) -> sqlite3.Connection:
    # A name of "" is a temporary file of SQLite's own, gone when it is closed.
    db = sqlite3.connect("", isolation_level=None)
    prepare(db, owner, clock)
    db.execute("PRAGMA foreign_keys=OFF")
    for step in STEPS:
        transact(db, step)
    db.execute(f"PRAGMA user_version = {len(STEPS)}")
    return db


def _copy_all(source: sqlite3.Connection, target: sqlite3.Connection) -> int:
    rows = sum(_copy(source, target, table) for table in _TABLES)
    _mend(target)
    return rows


def _copy(source: sqlite3.Connection, target: sqlite3.Connection, table: str) -> int:
    columns = [row[1] for row in target.execute(f"PRAGMA table_info({table})")]
    body = columns.index("body") if table in _BODIES else -1
    fill = f"INSERT OR IGNORE INTO {table}({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    copied = 0
    for row in _readable(source, table, columns):
        if body >= 0 and not _decodes(row[body], _BODIES[table]):
            continue
        copied += target.execute(fill, row).rowcount
    return copied


def _readable(db: sqlite3.Connection, table: str, columns: list[str]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a table in the order of their numbers, jumping over pages that cannot be read."""
    names = ", ".join(columns)
    if columns[0] != "seq":
        yield from _until_damage(db, f"SELECT {names} FROM {table}", ())
        return
    query = f"SELECT {names} FROM {table} NOT INDEXED WHERE seq > ? ORDER BY seq"
    last, skip = -1, 1
    while skip <= _LARGEST_SKIP:
        before = last
        for row in _until_damage(db, query, (last,)):
            last = row[0]
            yield row
        # Beyond the end nothing is found either, so that this ends after some twenty empty looks.
        skip = skip * 2 if last == before else 1
        last += skip


def _until_damage(db: sqlite3.Connection, query: str, values: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    try:
        yield from db.execute(query, values)
    except sqlite3.DatabaseError:
        return


def _decodes(body: Any, kind: Any) -> bool:
    try:
        unpack(body, kind)
    except (msgspec.MsgspecError, ValueError, TypeError):
        return False
    return True


def _mend(db: sqlite3.Connection) -> None:
    """Give orphans a home: messages without their session, branches cut from their root, heads that are
    gone.
    """
    db.execute(
        "INSERT INTO sessions(id, title, cwd, model, mode, created, updated)"
        " SELECT session, '…', '', '', 'agent', min(created), max(created) FROM messages"
        " WHERE session NOT IN (SELECT id FROM sessions) GROUP BY session"
    )
    db.execute("UPDATE messages SET parent = NULL WHERE parent NOT IN (SELECT id FROM messages)")
    db.execute(
        "UPDATE sessions SET head ="
        " (SELECT m.id FROM messages m WHERE m.session = sessions.id ORDER BY m.seq DESC LIMIT 1)"
        " WHERE head IS NULL OR head NOT IN (SELECT id FROM messages)"
    )
    for table, column, parents, key in (
        ("kept", "session", "sessions", "id"),
        ("queue", "session", "sessions", "id"),
        ("pieces", "message", "messages", "id"),
        ("change_files", "change", "changes", "seq"),
    ):
        db.execute(f"DELETE FROM {table} WHERE {column} NOT IN (SELECT {key} FROM {parents})")

"""What a session keeps beside its messages, under a key of its owner: the beginning of its requests."""

from __future__ import annotations

import sqlite3


def get(db: sqlite3.Connection, session: str, key: str) -> bytes | None:
    """Return what is kept, None where nothing is."""
    row = db.execute("SELECT value FROM kept WHERE session = ? AND key = ?", (session, key)).fetchone()
    return None if row is None else bytes(row[0])


def put(db: sqlite3.Connection, session: str, key: str, value: bytes) -> None:
    """Keep `value` in the place of what was there; for a session that is gone nothing happens."""
    db.execute(
        "INSERT INTO kept(session, key, value) SELECT id, ?, ? FROM sessions WHERE id = ? "
        "ON CONFLICT(session, key) DO UPDATE SET value = excluded.value",
        (key, value, session),
    )


def keys(db: sqlite3.Connection, session: str) -> list[str]:
    """Return the keys of what a session keeps."""
    rows = db.execute("SELECT key FROM kept WHERE session = ? ORDER BY key", (session,))
    return [str(row[0]) for row in rows]

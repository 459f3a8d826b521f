"""Messages that wait for their place in a turn; they survive the process.

Take a message and add it to the tree in the same `store.write`, so that a kill between the two loses nothing.
"""

from __future__ import annotations

import sqlite3
from typing import Any, Literal

from app.records import Message, Queued
from app.store import feed, kept, messages, presence, sessions
from app.store.columns import as_column, as_text


def add(db: sqlite3.Connection, queued: Queued, owner: str = "") -> None:
    """Put a text at the end of its line. With an `owner` only that process takes it, while it lives: it
    waits for
    a session that another one holds, with rights of its own.
    """
    db.execute(
        "INSERT INTO queue(id, session, kind, text, owner) VALUES (?, ?, ?, ?, ?)",
        (queued.id, queued.session, queued.kind, as_column(queued.text), owner),
    )
    feed.append(db, "queue", queued.session, queued.id)


def waiting(db: sqlite3.Connection, session: str) -> list[Queued]:
    """Return what waits in a session, in order."""
    return [_queued(row) for row in db.execute(f"{_SELECT} WHERE session = ? ORDER BY seq", (session,))]


def get(db: sqlite3.Connection, queued: str) -> Queued | None:
    """Return one waiting text, None when it was taken or removed."""
    row = db.execute(f"{_SELECT} WHERE id = ?", (as_column(queued),)).fetchone()
    return _queued(row) if row else None


def edit(db: sqlite3.Connection, queued: str, text: str) -> bool:
    """Change a waiting text; False when it waits no more."""
    return _changed(
        db, "UPDATE queue SET text = ? WHERE id = ? RETURNING session", (as_column(text), as_column(queued))
    )


def remove(db: sqlite3.Connection, queued: str) -> bool:
    """Take a text out without sending it; False when it waits no more."""
    return _changed(db, "DELETE FROM queue WHERE id = ? RETURNING session", (as_column(queued),))


def due(db: sqlite3.Connection, session: str, kind: Literal["steer", "next"]) -> list[Queued]:
    """Return what this process may take of that kind, in order."""
    rows = db.execute(
        "SELECT id, session, kind, text, owner IN ('', bramble_owner()), owner FROM queue"
        " WHERE session = ? AND kind = ? ORDER BY seq",
        (session, kind),
    ).fetchall()
    others = presence.living(db) if not all(row[4] for row in rows) else frozenset()
    return [_queued(row) for row in rows if row[4] or row[5] not in others]


def say(
    db: sqlite3.Connection,
    message: Message,
    queued: str = "",
    title: str = "",
    keep: tuple[str, bytes] | None = None,
) -> bool:
    """Put a message into the tree in place of the text that waited, in one step, so that a kill loses
    neither; with a `title`, that becomes the session's; `keep` is a key and a value that go with the session.
    False, and nothing is said, when the person took the text back a moment before.
    """
    if queued and not remove(db, queued):
        return False
    messages.add(db, message)
    if title:
        sessions.rename(db, message.session, title)
    if keep:
        kept.put(db, message.session, *keep)
    return True


_SELECT = "SELECT id, session, kind, text FROM queue"


def _queued(row: tuple[Any, ...]) -> Queued:
    return Queued(id=row[0], session=row[1], kind=row[2], text=as_text(row[3]))


def _changed(db: sqlite3.Connection, statement: str, values: tuple[Any, ...]) -> bool:
    row = db.execute(statement, values).fetchone()
    if row:
        feed.append(db, "queue", row[0])
    return row is not None

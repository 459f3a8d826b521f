"""Sessions: the rows of the session list, and what is kept beside a session."""

from __future__ import annotations

import sqlite3
from typing import Any

from app.errors import StoreError
from app.records import SessionInfo
from app.store import feed, leases
from app.store.columns import as_column, as_text

_COLUMNS = """s.id, s.title, s.summary, s.cwd, s.model, s.mode, s.created, s.updated, s.pinned, s.archived,
    s.deleted, s.head, s.effort, s.parent, s.private"""
_CHANGEABLE = frozenset({"title", "summary", "cwd", "model", "mode", "effort", "pinned", "archived"})


def create(db: sqlite3.Connection, info: SessionInfo) -> SessionInfo:
    """Store a new session and return it. `head`, `deleted` and `running` of `info` do not count."""
    db.execute(
        "INSERT INTO sessions(id, title, summary, cwd, model, mode, created, updated, pinned, archived,"
        " effort, parent, private) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            info.id,
            as_column(info.title),
            as_column(info.summary),
            as_column(info.cwd),
            as_column(info.model),
            info.mode,
            info.created,
            info.updated,
            info.pinned,
            info.archived,
            info.effort,
            info.parent,
            info.private,
        ),
    )
    feed.append(db, "session", info.id)
    return _known(db, info.id)


def get(db: sqlite3.Connection, session: str) -> SessionInfo | None:
    """Return one session, deleted or not."""
    rows = _select(db, "WHERE s.id = ?", (as_column(session),))
    return rows[0] if rows else None


def list_sessions(
    db: sqlite3.Connection, *, deleted: bool = False, archived: bool = False, limit: int = 500
) -> list[SessionInfo]:
    """Return sessions by their newest message, newest first: the living, with `archived` those too, or the
    deleted ones.
    """
    where = "s.deleted IS NOT NULL" if deleted else "s.deleted IS NULL"
    if not deleted and not archived:
        where += " AND s.archived = 0"
    where += " AND s.parent = ''"  # helpers are opened from the card of the call that began them
    return _select(db, f"WHERE {where} ORDER BY s.updated DESC, s.seq DESC LIMIT ?", (limit,))


def update(db: sqlite3.Connection, session: str, /, **fields: Any) -> SessionInfo:
    """Change title, summary, cwd, model, mode, effort, pinned or archived; return the whole.

    Raises StoreError no_session.
    """
    unknown = fields.keys() - _CHANGEABLE
    if unknown:
        raise TypeError(f"not a field of a session that can be changed: {', '.join(sorted(unknown))}")
    if fields:
        places = ", ".join(f"{name} = ?" for name in fields)
        values = [as_column(value) if isinstance(value, str) else value for value in fields.values()]
        db.execute(f"UPDATE sessions SET {places} WHERE id = ?", (*values, as_column(session)))
        feed.append(db, "session", session)
    return _known(db, session)


def rename(db: sqlite3.Connection, session: str, title: str) -> SessionInfo:
    """Give a session another title. Raises StoreError no_session."""
    return update(db, session, title=title)


def delete(db: sqlite3.Connection, session: str) -> SessionInfo:
    """Put a session out of sight; `restore` brings it back until the purge. Raises StoreError no_session."""
    return _mark(db, session, "bramble_now()")


def restore(db: sqlite3.Connection, session: str) -> SessionInfo:
    """Take back a delete. Raises StoreError no_session."""
    return _mark(db, session, "NULL")


def helpers_of(db: sqlite3.Connection, session: str) -> list[str]:
    """Return the ids of the conversations that helped this one, oldest first."""
    rows = db.execute("SELECT id FROM sessions WHERE parent = ? ORDER BY seq", (as_column(session),))
    return [str(row[0]) for row in rows]


def purge(db: sqlite3.Connection, session: str) -> None:
    """Remove a session with its messages and helpers for good; nothing happens when it is gone already."""
    for helper in helpers_of(db, session):
        purge(db, helper)
    db.execute("DELETE FROM messages WHERE session = ?", (session,))
    if db.execute("DELETE FROM sessions WHERE id = ?", (session,)).rowcount:
        feed.append(db, "session", session)


def purge_deleted(db: sqlite3.Connection, before: float) -> int:
    """Purge what was deleted before that time; return how many."""
    rows = db.execute("SELECT id FROM sessions WHERE deleted < ?", (before,)).fetchall()
    for (session,) in rows:
        purge(db, session)
    return len(rows)


def _mark(db: sqlite3.Connection, session: str, value: str) -> SessionInfo:
    db.execute(f"UPDATE sessions SET deleted = {value} WHERE id = ?", (as_column(session),))
    feed.append(db, "session", session)
    return _known(db, session)


def _known(db: sqlite3.Connection, session: str) -> SessionInfo:
    info = get(db, session)
    if info is None:
        raise StoreError("no_session", f"there is no session {session!r}", session=session)
    return info


def _select(db: sqlite3.Connection, rest: str, values: tuple[Any, ...]) -> list[SessionInfo]:
    rows = db.execute(f"SELECT {_COLUMNS} FROM sessions s {rest}", values).fetchall()
    busy = leases.sessions_in_turn(db) if rows else frozenset()
    return [_info(row, row[0] in busy) for row in rows]


def _info(row: tuple[Any, ...], running: bool) -> SessionInfo:
    return SessionInfo(
        id=row[0],
        title=as_text(row[1]),
        summary=as_text(row[2]),
        cwd=as_text(row[3]),
        model=as_text(row[4]),
        mode=row[5],
        created=row[6],
        updated=row[7],
        pinned=bool(row[8]),
        archived=bool(row[9]),
        deleted=row[10] is not None,
        head=row[11],
        effort=row[12],
        parent=row[13],
        private=bool(row[14]),
        running=running,
    )

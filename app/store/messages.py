"""The tree of messages of a session: a branch is the way from the root to a head."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from app.errors import StoreError
from app.records import Message
from app.store import feed
from app.store.columns import as_column, as_text, pack, unpack

SUMMARY_LENGTH = 120

_TAIL = """
WITH RECURSIVE way(id, step) AS (
    SELECT ?, 0
    UNION ALL
    SELECT m.parent, way.step + 1 FROM way JOIN messages m ON m.id = way.id
    WHERE m.parent IS NOT NULL AND way.step < ?
)
SELECT m.state, m.text, m.body FROM way JOIN messages m ON m.id = way.id ORDER BY way.step DESC
"""


def add(db: sqlite3.Connection, message: Message) -> None:
    """Store a new message and make it the head of its session; the session's time and summary follow.

    Raises StoreError no_session, and not_found when the parent is not of that session.
    """
    insert(db, message)
    db.execute(
        "UPDATE sessions SET head = ?, updated = max(updated, ?) WHERE id = ?",
        (message.id, message.created, message.session),
    )
    _summarise(db, message)
    feed.append(db, "message", message.session, message.id)


def with_pictures(db: sqlite3.Connection) -> str:
    """Return everything that messages and waiting texts say of pictures, to look for their ids in."""
    bodies = db.execute("SELECT body FROM messages WHERE instr(body, '\"pictures\":[{') > 0")
    waiting = db.execute("SELECT text FROM queue WHERE instr(text, 'Attached picture ') > 0")
    rows = (row[0] for found in (bodies, waiting) for row in found)
    return "\n".join(one if isinstance(one, str) else bytes(one).decode("utf-8", "replace") for one in rows)


def insert(db: sqlite3.Connection, message: Message) -> None:
    """Store a new message and nothing else; for imports, which set the rest in the end. Raises as `add`."""
    if message.parent is None:
        found = db.execute("SELECT 1 FROM sessions WHERE id = ?", (message.session,)).fetchone()
        if not found:
            raise StoreError(
                "no_session", f"there is no session {message.session!r}", session=message.session
            )
    elif _session_of(db, message.parent) != message.session:
        raise StoreError(
            "not_found", f"message {message.parent!r} is not in this session", ref=message.parent
        )
    db.execute(
        "INSERT INTO messages(id, session, parent, turn, role, state, created, text, body) "
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            message.id,
            message.session,
            message.parent,
            message.turn,
            message.role,
            message.state,
            message.created,
            as_column(message.text),
            _body(message),
        ),
    )


def put(db: sqlite3.Connection, message: Message) -> None:
    """Replace the message of that id, and what was streamed for it. Raises StoreError not_found."""
    changed = db.execute(
        "UPDATE messages SET turn = ?, role = ?, state = ?, text = ?, body = ? WHERE id = ? AND session = ?",
        (
            message.turn,
            message.role,
            message.state,
            as_column(message.text),
            _body(message),
            message.id,
            message.session,
        ),
    ).rowcount
    if not changed:
        raise StoreError("not_found", f"there is no message {message.id!r}", ref=message.id)
    db.execute("DELETE FROM pieces WHERE message = ?", (message.id,))
    _summarise(db, message)
    feed.append(db, "message", message.session, message.id)


def append_text(db: sqlite3.Connection, message: str, text: str, reasoning: str = "") -> None:
    """Append streamed text to a message in state "streaming"; costs the same however long it is.

    The text is searchable once `put` stores the whole. Raises StoreError not_found.
    """
    session = _session_of(db, message)
    if session is None:
        raise StoreError("not_found", f"there is no message {message!r}", ref=message)
    db.execute(
        "INSERT INTO pieces(message, text, reasoning) VALUES (?, ?, ?)",
        (message, as_column(text), as_column(reasoning)),
    )
    feed.append(db, "message", session, message)


def drop_text(db: sqlite3.Connection, message: str) -> None:
    """Forget what was streamed for a message, for a request that starts anew."""
    db.execute("DELETE FROM pieces WHERE message = ?", (message,))
    feed.append(db, "message", _session_of(db, message) or "", message)


def get(db: sqlite3.Connection, message: str) -> Message | None:
    """Return one message."""
    rows = db.execute("SELECT state, text, body FROM messages WHERE id = ?", (as_column(message),))
    return next(iter(_messages(db, rows)), None)


def branch(db: sqlite3.Connection, session: str, head: str | None = None) -> list[Message]:
    """Return the messages from the root to `head`, by default the head of the session."""
    # One scan of the session is several times quicker than a look-up for each step of a long way.
    rows = db.execute(
        "SELECT id, parent, state, text, body FROM messages WHERE session = ?", (as_column(session),)
    )
    found = {row[0]: row[1:] for row in rows}
    way = []
    step = head if head is not None else _head(db, session)
    while step is not None and step in found:
        parent, *row = found.pop(step)
        way.append(row)
        step = parent
    return _messages(db, reversed(way))


def tail(db: sqlite3.Connection, session: str, count: int, head: str | None = None) -> list[Message]:
    """Return the newest `count` messages of the branch, oldest first, however long it is in as much time."""
    head = head if head is not None else _head(db, session)
    if head is None or count <= 0:
        return []
    return _messages(db, db.execute(_TAIL, (as_column(head), count - 1)))


def tree(db: sqlite3.Connection, session: str) -> list[Message]:
    """Return all messages of all branches, each after its parent, in the order in which they were made."""
    rows = db.execute(
        "SELECT state, text, body FROM messages WHERE session = ? ORDER BY seq", (as_column(session),)
    )
    return _messages(db, rows)


def siblings(db: sqlite3.Connection, message: str) -> list[str]:
    """Return the ids of all messages with the same parent, oldest first, this one included."""
    rows = db.execute(
        "SELECT b.id FROM messages a JOIN messages b ON b.parent IS a.parent AND b.session = a.session"
        " WHERE a.id = ? ORDER BY b.seq",
        (as_column(message),),
    )
    return [row[0] for row in rows]


def newest_leaf(db: sqlite3.Connection, message: str) -> str:
    """Return the end of the branch that was last worked on below `message`, itself when it has no answers."""
    row = db.execute(
        "WITH RECURSIVE below(id, seq) AS (SELECT id, seq FROM messages WHERE id = ?"
        " UNION ALL SELECT m.id, m.seq FROM below JOIN messages m ON m.parent = below.id)"
        " SELECT id FROM below ORDER BY seq DESC LIMIT 1",
        (as_column(message),),
    ).fetchone()
    return str(row[0]) if row else message


def set_head(db: sqlite3.Connection, session: str, message: str | None) -> None:
    """Show another branch; the times stay. Raises StoreError not_found when the message is not of that
    session.
    """
    if message is not None and _session_of(db, message) != session:
        raise StoreError("not_found", f"message {message!r} is not in this session", ref=message)
    db.execute("UPDATE sessions SET head = ? WHERE id = ?", (message, session))
    feed.append(db, "session", session)


def summary_of(text: str) -> str:
    """Return the first line of an answer that says something, without Markdown's marks, at most 120
    characters.
    """
    for line in text[:4000].splitlines():
        words = " ".join(re.sub(r"^[\s#>*+-]+|[*_`]+", "", line).split())
        if words:
            return words if len(words) <= SUMMARY_LENGTH else words[: SUMMARY_LENGTH - 1].rstrip() + "…"
    return ""


def _summarise(db: sqlite3.Connection, message: Message) -> None:
    if message.role == "assistant" and (line := summary_of(message.text)):
        db.execute("UPDATE sessions SET summary = ? WHERE id = ?", (as_column(line), message.session))


def _head(db: sqlite3.Connection, session: str) -> str | None:
    row = db.execute("SELECT head FROM sessions WHERE id = ?", (as_column(session),)).fetchone()
    return row[0] if row else None


def _session_of(db: sqlite3.Connection, message: str) -> str | None:
    row = db.execute("SELECT session FROM messages WHERE id = ?", (as_column(message),)).fetchone()
    return row[0] if row else None


class _Body(Message, omit_defaults=True, kw_only=True):
    """A message as JSON without what is empty: a quarter of the bytes, and as much less to read."""


def _body(message: Message) -> bytes:
    """The record without its text, which has a column of its own for the full-text index."""
    fields = {name: getattr(message, name) for name in _FIELDS}
    return pack(_Body(**fields))


_FIELDS = tuple(name for name in Message.__struct_fields__ if name != "text")


def _messages(db: sqlite3.Connection, rows: Iterable[Sequence[Any]]) -> list[Message]:
    found = []
    for state, text, body in rows:
        message = msgspec.structs.replace(unpack(body, Message), text=as_text(text))
        found.append(_with_pieces(db, message) if state == "streaming" else message)
    return found


def _with_pieces(db: sqlite3.Connection, message: Message) -> Message:
    rows = db.execute(
        "SELECT text, reasoning FROM pieces WHERE message = ? ORDER BY seq", (message.id,)
    ).fetchall()
    return msgspec.structs.replace(
        message,
        text=message.text + "".join(as_text(row[0]) for row in rows),
        reasoning=message.reasoning + "".join(as_text(row[1]) for row in rows),
    )

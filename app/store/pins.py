"""The notes that a person keeps in a conversation, in the order in which they were pinned."""

from __future__ import annotations

import sqlite3

import msgspec

from app.records import Pin
from app.store import feed
from app.store.columns import as_column, as_text, pack, unpack


def add(db: sqlite3.Connection, pin: Pin) -> None:
    """Keep a note; for a session that is gone nothing happens."""
    db.execute(
        "INSERT INTO pins(id, session, text, body) SELECT ?, id, ?, ? FROM sessions WHERE id = ?",
        (pin.id, as_column(pin.text), pack(msgspec.structs.replace(pin, text="")), pin.session),
    )
    feed.append(db, "pins", pin.session)


def remove(db: sqlite3.Connection, session: str, pin: str) -> bool:
    """Let a note go; false when it had gone."""
    gone = db.execute("DELETE FROM pins WHERE id = ? AND session = ?", (as_column(pin), session)).rowcount > 0
    if gone:
        feed.append(db, "pins", session)
    return gone


def of(db: sqlite3.Connection, session: str) -> list[Pin]:
    """Return the notes of a session, oldest first."""
    rows = db.execute("SELECT text, body FROM pins WHERE session = ? ORDER BY seq", (as_column(session),))
    return [msgspec.structs.replace(unpack(body, Pin), text=as_text(text)) for text, body in rows]

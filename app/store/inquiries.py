"""What a model asks a person: waits in the store, answered by any process, taken up by the one that asked.

A question whose process is dead waits no more, whoever looks.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any

from app.daily_records import Inquiry, InquiryReply
from app.store import feed
from app.store.alive import Process, is_dead, this_process
from app.store.columns import as_column, pack, unpack


def ask(db: sqlite3.Connection, inquiry: Inquiry) -> None:
    """Store a question of this process."""
    me = this_process()
    db.execute(
        "INSERT INTO inquiries(id, session, asked, pid, begun, place, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (inquiry.id, inquiry.session, inquiry.asked, me.pid, me.begun, me.place, pack(inquiry)),
    )
    feed.append(db, "inquiry", inquiry.session, inquiry.id)


def answer(db: sqlite3.Connection, inquiry: str, reply: InquiryReply) -> bool:
    """Answer a question; False when it is gone or was answered before."""
    row = _open_row(db, inquiry)
    if row is None:
        return False
    db.execute("UPDATE inquiries SET reply = ? WHERE id = ?", (pack(reply), as_column(inquiry)))
    feed.append(db, "inquiry", row[0], inquiry)
    return True


def answered(db: sqlite3.Connection, inquiries: Iterable[str]) -> dict[str, InquiryReply]:
    """Return the replies there are to these questions."""
    found = {}
    for inquiry in inquiries:
        row = db.execute(
            "SELECT reply FROM inquiries WHERE id = ? AND reply IS NOT NULL", (as_column(inquiry),)
        ).fetchone()
        if row:
            found[inquiry] = unpack(row[0], InquiryReply)
    return found


def waiting(db: sqlite3.Connection) -> list[Inquiry]:
    """Return the questions that can be answered now, oldest first."""
    rows = db.execute(f"{_SELECT} WHERE reply IS NULL ORDER BY asked, id").fetchall()
    return [unpack(row[4], Inquiry) for row in rows if not is_dead(_process(row))]


def get(db: sqlite3.Connection, inquiry: str) -> Inquiry | None:
    """Return one question that can be answered now."""
    row = _open_row(db, inquiry)
    return unpack(row[4], Inquiry) if row else None


def withdraw(db: sqlite3.Connection, inquiry: str) -> None:
    """Remove a question, answered or not, and those of dead processes."""
    gone = [row[5] for row in db.execute(_SELECT).fetchall() if is_dead(_process(row))]
    for one in (inquiry, *gone):
        row = db.execute("DELETE FROM inquiries WHERE id = ? RETURNING session", (one,)).fetchone()
        if row:
            feed.append(db, "inquiry", row[0], one)


_SELECT = "SELECT session, pid, begun, place, body, id FROM inquiries"


def _open_row(db: sqlite3.Connection, inquiry: str) -> tuple[Any, ...] | None:
    row: tuple[Any, ...] | None = db.execute(
        f"{_SELECT} WHERE id = ? AND reply IS NULL", (as_column(inquiry),)
    ).fetchone()
    return None if row is None or is_dead(_process(row)) else row


def _process(row: tuple[Any, ...]) -> Process:
    return Process(row[1], row[2], row[3])

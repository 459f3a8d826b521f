"""Waiting questions: asked by the process that runs the turn, answered by any, acted on by the one that
asked.

A question whose process is dead waits no more, whoever looks.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any

from app.records import Answer, Approval
from app.store import feed
from app.store.alive import Process, is_dead, this_process
from app.store.columns import as_column, pack, unpack


def ask(db: sqlite3.Connection, approval: Approval, owner: str) -> None:
    """Store a question of this process."""
    me = this_process()
    db.execute(
        "INSERT INTO approvals(id, session, turn, asked, owner, pid, begun, place, body)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            approval.id,
            approval.session,
            approval.turn,
            approval.asked,
            owner,
            me.pid,
            me.begun,
            me.place,
            pack(approval),
        ),
    )
    feed.append(db, "approval", approval.session, approval.id)


def answer(db: sqlite3.Connection, approval: str, answer: Answer) -> bool:
    """Answer a question; False when it is gone or was answered before."""
    row = _open_row(db, approval)
    if row is None:
        return False
    db.execute(
        "UPDATE approvals SET answer = ?, answered = bramble_now() WHERE id = ?", (pack(answer), approval)
    )
    feed.append(db, "approval", row[0], approval)
    return True


def answered(db: sqlite3.Connection, approvals: Iterable[str]) -> dict[str, Answer]:
    """Return the answers there are to these questions."""
    found = {}
    for approval in approvals:
        row = db.execute(
            "SELECT answer FROM approvals WHERE id = ? AND answer IS NOT NULL", (as_column(approval),)
        ).fetchone()
        if row:
            found[approval] = unpack(row[0], Answer)
    return found


def waiting(db: sqlite3.Connection) -> list[Approval]:
    """Return the questions that can be answered now, oldest first."""
    rows = db.execute(f"{_SELECT} WHERE answer IS NULL ORDER BY asked, id").fetchall()
    return [unpack(row[4], Approval) for row in rows if not is_dead(_process(row))]


def get(db: sqlite3.Connection, approval: str) -> Approval | None:
    """Return one question that can be answered now."""
    row = _open_row(db, approval)
    return unpack(row[4], Approval) if row else None


def withdraw(db: sqlite3.Connection, approval: str) -> None:
    """Remove a question, answered or not, once its owner acted or stopped."""
    row = db.execute("DELETE FROM approvals WHERE id = ? RETURNING session", (approval,)).fetchone()
    if row:
        feed.append(db, "approval", row[0], approval)


def reap(db: sqlite3.Connection) -> list[str]:
    """Remove the questions of dead processes; return their ids."""
    rows = db.execute(f"{_SELECT}").fetchall()
    gone = [row[5] for row in rows if is_dead(_process(row))]
    for approval in gone:
        withdraw(db, approval)
    return gone


_SELECT = "SELECT session, pid, begun, place, body, id FROM approvals"


def _open_row(db: sqlite3.Connection, approval: str) -> tuple[Any, ...] | None:
    row: tuple[Any, ...] | None = db.execute(
        f"{_SELECT} WHERE id = ? AND answer IS NULL", (as_column(approval),)
    ).fetchone()
    return None if row is None or is_dead(_process(row)) else row


def _process(row: tuple[Any, ...]) -> Process:
    return Process(row[1], row[2], row[3])

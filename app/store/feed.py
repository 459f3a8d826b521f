"""What other processes changed: a short list of pointers that each process reads from where it last stood."""

from __future__ import annotations

import sqlite3
from typing import Literal

from app.record import Record

FeedKind = Literal[
    "session",
    "message",
    "queue",
    "approval",
    "change",
    "settings",
    "keys",
    "rules",
    "skills",
    "instructions",
    "pins",
    "memory",
    "own_tools",
    "inquiry",
    "timers",
    "routines",
    "servers",
    "stop",
    "missed",
]
KEPT = 4096
"""Rows kept. A process that fell further behind gets one row of kind "missed": read everything again."""


class FeedRow(Record):
    """One thing that changed. `ref` is the id of the message, approval or change, or the name of a key; ""
    for a session or queue as a whole.
    """

    seq: int
    owner: str
    kind: FeedKind
    session: str
    ref: str


def append(db: sqlite3.Connection, kind: FeedKind, session: str = "", ref: str = "") -> None:
    """Tell the other processes; part of the transaction that made the change."""
    cursor = db.execute(
        "INSERT INTO feed(owner, kind, session, ref) VALUES (bramble_owner(), ?, ?, ?)", (kind, session, ref)
    )
    if cursor.lastrowid and cursor.lastrowid % 256 == 0:
        db.execute("DELETE FROM feed WHERE seq <= ?", (cursor.lastrowid - KEPT,))


def newest(db: sqlite3.Connection) -> int:
    """Return the number of the newest row, 0 when there never was one."""
    row = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'feed'").fetchone()
    return int(row[0]) if row else 0


def skip_to(db: sqlite3.Connection, seq: int) -> None:
    """Let the next row have a number after `seq`."""
    if not db.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'feed'", (seq,)).rowcount:
        db.execute("INSERT INTO sqlite_sequence(name, seq) VALUES ('feed', ?)", (seq,))


def since(db: sqlite3.Connection, seq: int, owner: str) -> tuple[int, tuple[FeedRow, ...]]:
    """Return the newest number and the rows after `seq` that others than `owner` wrote, oldest first.

    A negative `seq` starts at now.
    """
    last = newest(db)
    if seq < 0 or last == seq:
        return last, ()
    rows = db.execute(
        "SELECT seq, owner, kind, session, ref FROM feed WHERE seq > ? AND seq <= ? ORDER BY seq", (seq, last)
    ).fetchall()
    if last < seq or len(rows) < last - seq:
        return last, (FeedRow(last, "", "missed", "", ""),)
    return last, tuple(FeedRow(*row) for row in rows if row[1] != owner)

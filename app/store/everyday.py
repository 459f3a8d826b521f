"""Timers: kept over a restart, told by one process each (tables: `schema.EVERYDAY`)."""

from __future__ import annotations

import sqlite3

from app.daily_records import TimerInfo
from app.store import feed
from app.store.alive import Process, is_dead, this_process
from app.store.columns import as_column

_COLUMNS = "id, label, due, session, made, rang"


def add(db: sqlite3.Connection, timer: TimerInfo) -> None:
    """Keep a timer."""
    db.execute(
        "INSERT INTO timers(id, label, due, session, made) VALUES (?, ?, ?, ?, ?)",
        (timer.id, as_column(timer.label), timer.due, timer.session, timer.made),
    )
    feed.append(db, "timers")


def timers(db: sqlite3.Connection) -> list[TimerInfo]:
    """Return all that were not put away yet, the next one first."""
    return [_timer(row) for row in db.execute(f"SELECT {_COLUMNS} FROM timers ORDER BY due, id").fetchall()]


def claim(db: sqlite3.Connection, now: float) -> list[TimerInfo]:
    """Take upon this process to tell of timers that are due; those that a dead process took are due again.

    Two processes never tell of the same one.
    """
    rows = db.execute(
        f"SELECT {_COLUMNS}, pid, begun, place FROM timers WHERE due <= ? ORDER BY due, id", (now,)
    ).fetchall()
    mine = [row for row in rows if row[5] is None or is_dead(Process(row[6], row[7], row[8]))]
    me = this_process()
    for row in mine:
        db.execute(
            "UPDATE timers SET rang = ?, pid = ?, begun = ?, place = ? WHERE id = ?",
            (now, me.pid, me.begun, me.place, row[0]),
        )
    if mine:
        feed.append(db, "timers")
    return [_timer((*row[:5], now)) for row in mine]


def remove(db: sqlite3.Connection, timer: str) -> bool:
    """Take one away; False when it is gone."""
    gone = db.execute("DELETE FROM timers WHERE id = ? RETURNING id", (as_column(timer),)).fetchone()
    if gone:
        feed.append(db, "timers")
    return gone is not None


def _timer(row: tuple[object, ...]) -> TimerInfo:
    id_, label, due, session, made, rang = row
    return TimerInfo(
        id=str(id_), label=str(label), due=float(str(due)), session=str(session), made=float(str(made)),
        rang=float(str(rang)) if rang is not None else 0.0,
    )  # fmt: skip

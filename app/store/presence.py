"""Which processes have written to the store and not left it; a dead one among them means an unclean stop."""

from __future__ import annotations

import sqlite3

from app.store.alive import Process, is_dead, this_process


def register(db: sqlite3.Connection) -> None:
    """Write down this process; part of its first write."""
    me = this_process()
    db.execute(
        "INSERT OR REPLACE INTO processes(owner, pid, begun, place, opened)"
        " VALUES (bramble_owner(), ?, ?, ?, bramble_now())",
        (me.pid, me.begun, me.place),
    )


def leave(db: sqlite3.Connection) -> None:
    """Strike out this process; its last write."""
    db.execute("DELETE FROM processes WHERE owner = bramble_owner()")


def dead(db: sqlite3.Connection) -> list[str]:
    """Return the owners that ended without leaving."""
    rows = db.execute("SELECT owner, pid, begun, place FROM processes").fetchall()
    return [row[0] for row in rows if is_dead(Process(row[1], row[2], row[3]))]


def living(db: sqlite3.Connection) -> frozenset[str]:
    """Return the owners whose processes may still live."""
    rows = db.execute("SELECT owner, pid, begun, place FROM processes").fetchall()
    return frozenset(row[0] for row in rows if not is_dead(Process(row[1], row[2], row[3])))


def forget(db: sqlite3.Connection, owners: list[str]) -> None:
    """Strike out processes that ended without leaving."""
    db.executemany("DELETE FROM processes WHERE owner = ?", [(owner,) for owner in owners])

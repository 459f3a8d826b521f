"""What needs one owner (a session during its turn, the runner, a migration) has a row with a heartbeat."""

from __future__ import annotations

import sqlite3

from app.record import Record
from app.store import feed
from app.store.alive import Process, is_dead, process

TTL = 30.0
"""Seconds that a lease lasts; beat three times in that."""
_SESSION = "session:"


class Lease(Record):
    """Who holds a name, since when and until when unless they beat."""

    name: str
    owner: str
    process: Process
    taken: float
    until: float


def session_name(session: str) -> str:
    """Return the name of the lease that a session's turn holds; it makes the session count as running."""
    return _SESSION + session


def acquire(db: sqlite3.Connection, name: str, owner: str, now: float, ttl: float, pid: int) -> bool:
    """Take the lease for `ttl` seconds; True when `owner` has it now.

    Another owner's lease is taken over when it expired, or when its process `pid` is surely dead.
    """
    held = _row(db, name)
    if held and held.owner != owner and not _is_free(held, now):
        return False
    me = process(pid)
    taken = held.taken if held and held.owner == owner else now
    db.execute(
        "INSERT OR REPLACE INTO leases(name, owner, pid, begun, place, taken, until)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (name, owner, me.pid, me.begun, me.place, taken, now + ttl),
    )
    if not held or held.owner != owner:
        _tell(db, name)
    return True


def beat(db: sqlite3.Connection, name: str, owner: str, now: float, ttl: float) -> bool:
    """Prolong a lease; False when it was taken over or released, so that its owner must stop."""
    return (
        db.execute(
            "UPDATE leases SET until = ? WHERE name = ? AND owner = ?", (now + ttl, name, owner)
        ).rowcount
        > 0
    )


def release(db: sqlite3.Connection, name: str, owner: str) -> None:
    """Give a lease back; nothing happens when another has it."""
    if db.execute("DELETE FROM leases WHERE name = ? AND owner = ?", (name, owner)).rowcount:
        _tell(db, name)


def holder(db: sqlite3.Connection, name: str, now: float) -> Lease | None:
    """Return who holds the lease now; None when nobody does, its time is over or its process is dead."""
    held = _row(db, name)
    return None if held is None or _is_free(held, now) else held


def holds(db: sqlite3.Connection, name: str, owner: str) -> bool:
    """Whether nobody took the lease from `owner`; asked inside a write, it stops a late owner."""
    held = _row(db, name)
    return held is not None and held.owner == owner


def sessions_in_turn(db: sqlite3.Connection) -> frozenset[str]:
    """Return the ids of the sessions whose turn runs now, in any process."""
    rows = db.execute(
        f"{_SELECT} WHERE name >= ? AND name < ? AND until > bramble_now()", (_SESSION, _SESSION + "\uffff")
    ).fetchall()
    return frozenset(row[0][len(_SESSION) :] for row in rows if not is_dead(_lease(row).process))


_SELECT = "SELECT name, owner, pid, begun, place, taken, until FROM leases"


def _row(db: sqlite3.Connection, name: str) -> Lease | None:
    row = db.execute(f"{_SELECT} WHERE name = ?", (name,)).fetchone()
    return _lease(row) if row else None


def _lease(row: tuple[str, str, int, float, str, float, float]) -> Lease:
    return Lease(row[0], row[1], Process(row[2], row[3], row[4]), row[5], row[6])


def _is_free(lease: Lease, now: float) -> bool:
    return lease.until <= now or is_dead(lease.process)


def _tell(db: sqlite3.Connection, name: str) -> None:
    if name.startswith(_SESSION):
        feed.append(db, "session", name[len(_SESSION) :])

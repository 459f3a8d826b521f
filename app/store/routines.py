"""Routines and the ledger of their slots (tables: `schema.ROUTINES`); what the rows mean is decided in
`app.routines.slots`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

import msgspec

from app.routine_records import RoutineInfo, SlotInfo, SlotReason, SlotState
from app.store import feed
from app.store.alive import Process
from app.store.columns import as_column, as_text, pack, unpack

_ROUTINE = "body, id, name, enabled, zone, used_zone, through, next, failures, revision"
_SLOT = "routine, slot, last, count, start, state, reason, cause, decided, started, finished, session, detail"


# --- routines ----------------------------------------------------------------------------------------------


def add(db: sqlite3.Connection, info: RoutineInfo) -> None:
    """Keep a new routine."""
    columns = _columns(info)
    db.execute(
        f"INSERT INTO routines({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})",
        tuple(columns.values()),
    )
    feed.append(db, "routines", ref=info.id)


def put(db: sqlite3.Connection, info: RoutineInfo, *, told: bool = True) -> None:
    """Replace a routine that was not removed; others hear of it when it is `told`."""
    columns = _columns(info)
    changes = ", ".join(f"{name} = ?" for name in columns)
    db.execute(
        f"UPDATE routines SET {changes} WHERE id = ? AND removed IS NULL", (*columns.values(), info.id)
    )
    if told:
        feed.append(db, "routines", ref=info.id)


def get(db: sqlite3.Connection, routine: str) -> RoutineInfo | None:
    """Return a routine; None when it is not there or was removed."""
    found = _routines(db, "WHERE id = ? AND removed IS NULL", (routine,))
    return found[0] if found else None


def listed(db: sqlite3.Connection) -> list[RoutineInfo]:
    """Return all that were not removed, in the order in which they were made."""
    return _routines(db, "WHERE removed IS NULL ORDER BY seq", ())


def remove(db: sqlite3.Connection, routine: str, now: float) -> None:
    """Take a routine away; its ledger stays until `forget`."""
    db.execute("UPDATE routines SET removed = ? WHERE id = ? AND removed IS NULL", (now, routine))
    feed.append(db, "routines", ref=routine)


def passed(db: sqlite3.Connection, now: int, here: str, limit: int) -> list[RoutineInfo]:
    """Return routines whose next slot came, whose ledger is ahead of the clock, or that follow this computer
    out of another zone than `here`.
    """
    return _routines(
        db,
        "WHERE enabled AND removed IS NULL"
        " AND (next <= ? OR through > ? OR (zone = '' AND used_zone != ?)) ORDER BY next LIMIT ?",
        (now, now, here, limit),
    )


def wake(db: sqlite3.Connection) -> int | None:
    """Return when something is to be done next, as far as the clock decides it."""
    row = db.execute(
        "SELECT min(at) FROM (SELECT min(next) AS at FROM routines WHERE enabled AND removed IS NULL"
        " UNION ALL SELECT min(start) FROM slots WHERE state = 'due')"
    ).fetchone()
    return None if row[0] is None else int(row[0])


def forget(db: sqlite3.Connection, before: int) -> int:
    """Drop lines of the ledger that ended before a slot's time, and removed routines without any; return how
    many lines.
    """
    gone = db.execute(
        "DELETE FROM slots WHERE last < ? AND state NOT IN ('due', 'claimed')", (before,)
    ).rowcount
    db.execute(
        "DELETE FROM routines WHERE removed < ? AND id NOT IN (SELECT routine FROM slots)", (float(before),)
    )
    return gone


def _routines(db: sqlite3.Connection, rest: str, values: Sequence[Any]) -> list[RoutineInfo]:
    rows = db.execute(f"SELECT {_ROUTINE} FROM routines {rest}", values).fetchall()
    return [
        msgspec.structs.replace(
            unpack(body, RoutineInfo), id=id_, name=as_text(name), enabled=bool(enabled), zone=zone,
            used_zone=used, through=through, next=coming, failures=failures, revision=revision,
        )
        for body, id_, name, enabled, zone, used, through, coming, failures, revision in rows
    ]  # fmt: skip


def _columns(info: RoutineInfo) -> dict[str, Any]:
    return {
        "id": info.id,
        "name": as_column(info.name),
        "enabled": info.enabled,
        "zone": info.zone,
        "used_zone": info.used_zone,
        "through": info.through,
        "next": info.next,
        "failures": info.failures,
        "revision": info.revision,
        "body": pack(info),
    }


# --- slots -------------------------------------------------------------------------------------------------


def write_down(db: sqlite3.Connection, lines: Sequence[SlotInfo]) -> None:
    """Put new lines into the ledger. Raises sqlite3.IntegrityError for a slot that stands in it."""
    for line in lines:
        db.execute(
            f"INSERT INTO slots({_SLOT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                line.routine, line.slot, line.last, line.count, line.start, line.state, line.reason,
                line.cause, line.decided, line.started, line.finished, line.session, as_column(line.detail),
            ),
        )  # fmt: skip
    for routine in {line.routine for line in lines}:
        feed.append(db, "routines", ref=routine)


def slot(db: sqlite3.Connection, routine: str, at: int) -> SlotInfo | None:
    """Return one line of the ledger."""
    found = _slots(db, "WHERE routine = ? AND slot = ?", (routine, at))
    return found[0] if found else None


def timeline(
    db: sqlite3.Connection, begin: int, end: int, routine: str | None = None, limit: int = 1_000
) -> list[SlotInfo]:
    """Return the lines that reach into a span of time, both ends included, the newest first."""
    only = "" if routine is None else "AND routine = ?"
    values = (begin, end) if routine is None else (begin, end, routine)
    rest = f"WHERE last >= ? AND slot <= ? {only} ORDER BY slot DESC, routine LIMIT ?"
    return _slots(db, rest, (*values, limit))


def taken(db: sqlite3.Connection, routine: str, after: int, until: int) -> frozenset[int]:
    """Return the slots between, `until` included, that stand in the ledger."""
    rows = db.execute(
        "SELECT slot FROM slots WHERE routine = ? AND slot > ? AND slot <= ?", (routine, after, until)
    )
    return frozenset(row[0] for row in rows)


def waiting(db: sqlite3.Connection, routine: str) -> list[SlotInfo]:
    """Return what is due of one routine, the oldest first."""
    return _slots(db, "WHERE routine = ? AND state = 'due' ORDER BY slot", (routine,))


def startable(db: sqlite3.Connection, now: int, limit: int) -> list[SlotInfo]:
    """Return what is due and may start, in its order, of routines that do not run."""
    return _slots(
        db,
        "WHERE state = 'due' AND start <= ? AND routine NOT IN"
        " (SELECT routine FROM slots WHERE state = 'claimed') ORDER BY start, routine LIMIT ?",
        (now, limit),
    )


def settle(db: sqlite3.Connection, line: SlotInfo, state: SlotState, reason: SlotReason, now: float) -> None:
    """Give a slot that is due another state."""
    db.execute(
        "UPDATE slots SET state = ?, reason = ?, decided = ?"
        " WHERE routine = ? AND slot = ? AND state = 'due'",
        (state, reason, now, line.routine, line.slot),
    )
    feed.append(db, "routines", ref=line.routine)


def claim(db: sqlite3.Connection, line: SlotInfo, now: float, owner: str, who: Process) -> bool:
    """Let `owner` run a slot that is due; False when it is not due any more."""
    done = db.execute(
        "UPDATE slots SET state = 'claimed', decided = ?, started = ?, owner = ?, pid = ?,"
        " begun = ?, place = ?"
        " WHERE routine = ? AND slot = ? AND state = 'due'",
        (now, now, owner, who.pid, who.begun, who.place, line.routine, line.slot),
    ).rowcount
    feed.append(db, "routines", ref=line.routine)
    return done > 0


def finish(db: sqlite3.Connection, line: SlotInfo, owner: str) -> bool:
    """Write down how a slot ended that `owner` runs; False when it is not theirs any more."""
    done = db.execute(
        "UPDATE slots SET state = ?, reason = ?, decided = ?, finished = ?, session = ?, detail = ?"
        " WHERE routine = ? AND slot = ? AND state = 'claimed' AND owner = ?",
        (
            line.state, line.reason, line.decided, line.finished, line.session, as_column(line.detail),
            line.routine, line.slot, owner,
        ),
    ).rowcount  # fmt: skip
    feed.append(db, "routines", ref=line.routine)
    return done > 0


def claimed(db: sqlite3.Connection) -> list[tuple[SlotInfo, str, Process]]:
    """Return what runs now, with its owner and process."""
    rows = db.execute(
        f"SELECT {_SLOT}, owner, pid, begun, place FROM slots WHERE state = 'claimed' ORDER BY routine, slot"
    ).fetchall()
    return [(_info(row[:13]), row[13], Process(row[14], row[15], row[16])) for row in rows]


def withdraw(db: sqlite3.Connection, routine: str, after: int) -> int:
    """Take back what was written down of slots by time later than `after` that nobody ran, as the clock
    stood wrong; return up to when the ledger is whole now.
    """
    unrun = "routine = ? AND last > ? AND cause = 'time' AND state IN ('due', 'skipped', 'missed')"
    first = db.execute(f"SELECT min(slot) FROM slots WHERE {unrun}", (routine, after)).fetchone()[0]
    db.execute(f"DELETE FROM slots WHERE {unrun}", (routine, after))
    feed.append(db, "routines", ref=routine)
    return after if first is None else min(after, int(first) - 1)


def _slots(db: sqlite3.Connection, rest: str, values: Sequence[Any]) -> list[SlotInfo]:
    return [_info(row) for row in db.execute(f"SELECT {_SLOT} FROM slots {rest}", values).fetchall()]


def _info(row: Sequence[Any]) -> SlotInfo:
    return SlotInfo(
        routine=row[0], slot=row[1], last=row[2], count=row[3], start=row[4], state=row[5], reason=row[6],
        cause=row[7], decided=row[8], started=row[9], finished=row[10], session=row[11],
        detail=as_text(row[12]),
    )  # fmt: skip

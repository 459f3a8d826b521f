"""What page watches saw: snapshots within bounds, and the numbers of them for a chart, which are kept longer
(tables: `schema.WATCH_SNAPSHOTS`).
"""

from __future__ import annotations

import sqlite3
import zlib
from typing import NamedTuple

from app.store.columns import pack, unpack
from app.watch_records import ChartPoint, Seen, Snapshot

_SMALL = 512
"""Bytes from which packing a snapshot is worth it."""
_PACKED = b"z"


class Bounds(NamedTuple):
    """How much is kept of one watch; the newest snapshot always is. `size` is bytes, `age` seconds; `values`
    are points of the chart.
    """

    most: int = 200
    size: int = 8_000_000
    age: float = 400 * 86_400.0
    values: int = 5_000


_BOUNDS = Bounds()


def add(
    db: sqlite3.Connection, snapshot: Snapshot, value: float | None, bounds: Bounds = _BOUNDS
) -> Snapshot:
    """Keep a snapshot and its number, let go of what is beyond the bounds, and return it with its id."""
    body = pack(snapshot.seen)
    if len(body) >= _SMALL:
        body = _PACKED + zlib.compress(body, 6)
    row = db.execute(
        "INSERT INTO watch_snapshots(watch, at, size, told, body) VALUES (?, ?, ?, ?, ?) RETURNING seq",
        (snapshot.watch, snapshot.at, len(body), snapshot.told, body),
    ).fetchone()
    if value is not None:
        note_value(db, snapshot.watch, snapshot.at, value, bounds)
    prune(db, snapshot.watch, snapshot.at, bounds)
    return Snapshot(
        id=int(row[0]), watch=snapshot.watch, at=snapshot.at, seen=snapshot.seen, told=snapshot.told
    )


def note_value(db: sqlite3.Connection, watch: str, at: float, value: float, bounds: Bounds = _BOUNDS) -> None:
    """Keep a number for the chart, one for each time."""
    db.execute(
        "INSERT INTO watch_values(watch, at, value) VALUES (?, ?, ?) "
        "ON CONFLICT(watch, at) DO UPDATE SET value = excluded.value",
        (watch, at, value),
    )
    db.execute(
        "DELETE FROM watch_values WHERE watch = ?1 AND at <= (SELECT at FROM watch_values WHERE watch = ?1 "
        "ORDER BY at DESC LIMIT 1 OFFSET ?2)",
        (watch, bounds.values),
    )


def prune(db: sqlite3.Connection, watch: str, now: float, bounds: Bounds = _BOUNDS) -> int:
    """Let go of the oldest snapshots beyond the bounds, never of the newest; return how many went."""
    rows = db.execute(
        "SELECT seq, at, size FROM watch_snapshots WHERE watch = ? ORDER BY at DESC, seq DESC", (watch,)
    ).fetchall()
    total, gone = 0, 0
    for place, (seq, at, size) in enumerate(rows):
        total += size
        if place and (place >= bounds.most or total > bounds.size or now - at > bounds.age):
            db.execute("DELETE FROM watch_snapshots WHERE seq = ?", (seq,))
            gone += 1
    return gone


def snapshots(
    db: sqlite3.Connection, watch: str, limit: int = 200, before: float = float("inf")
) -> list[Snapshot]:
    """Return the newest snapshots from before a time, the newest first."""
    rows = db.execute(
        "SELECT seq, watch, at, told, body FROM watch_snapshots WHERE watch = ? AND at < ? "
        "ORDER BY at DESC, seq DESC LIMIT ?",
        (watch, before, limit),
    )
    return [_snapshot(row) for row in rows.fetchall()]


def get(db: sqlite3.Connection, identity: int) -> Snapshot | None:
    """Return one snapshot, None where it is gone."""
    row = db.execute(
        "SELECT seq, watch, at, told, body FROM watch_snapshots WHERE seq = ?", (identity,)
    ).fetchone()
    return None if row is None else _snapshot(row)


def mark_told(db: sqlite3.Connection, identity: int) -> None:
    """Note that the person was told of a snapshot."""
    db.execute("UPDATE watch_snapshots SET told = 1 WHERE seq = ?", (identity,))


def values(db: sqlite3.Connection, watch: str, since: float = 0.0) -> list[ChartPoint]:
    """Return the numbers since a time, in its order."""
    rows = db.execute(
        "SELECT at, value FROM watch_values WHERE watch = ? AND at >= ? ORDER BY at", (watch, since)
    )
    return [ChartPoint(at=float(at), value=float(value)) for at, value in rows.fetchall()]


def remove(db: sqlite3.Connection, watch: str) -> int:
    """Forget all that a watch saw; return how many snapshots that were."""
    db.execute("DELETE FROM watch_values WHERE watch = ?", (watch,))
    return db.execute("DELETE FROM watch_snapshots WHERE watch = ?", (watch,)).rowcount


def _snapshot(row: tuple[object, ...]) -> Snapshot:
    seq, watch, at, told, body = row
    data = bytes(body) if isinstance(body, (bytes, memoryview)) else b""
    if data[:1] == _PACKED:
        data = zlib.decompress(data[1:])
    return Snapshot(
        id=int(str(seq)), watch=str(watch), at=float(str(at)), told=bool(told), seen=unpack(data, Seen)
    )

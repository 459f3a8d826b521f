"""Counters of searches for tools, and the searches that found none."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from app.records import LookupCounts, MissedSearch, ToolLookups
from app.store.columns import as_column, as_text

MOST_MISSES = 500
"""So many are kept, the newest."""
_COUNT = """
INSERT INTO lookups(kind, tool, times) VALUES (?, ?, 1)
ON CONFLICT(kind, tool) DO UPDATE SET times = times + 1
"""
_MISS = """
INSERT INTO misses(query, times, last) VALUES (?, 1, ?)
ON CONFLICT(query) DO UPDATE SET times = times + 1, last = max(last, excluded.last)
"""
_OLD = (
    "DELETE FROM misses WHERE seq IN (SELECT seq FROM misses ORDER BY last DESC, seq DESC LIMIT -1 OFFSET ?)"
)


def searched(db: sqlite3.Connection, query: str, names: Sequence[str], when: float) -> None:
    """Count one search and what it named; one that named nothing is kept as a miss."""
    db.execute(_COUNT, ("searched", ""))
    for name in dict.fromkeys(names):
        db.execute(_COUNT, ("found", as_column(name)))
    if not names:
        db.execute(_COUNT, ("missed", ""))
        db.execute(_MISS, (as_column(query), when))
        db.execute(_OLD, (MOST_MISSES,))


def called(db: sqlite3.Connection, name: str) -> None:
    """Count one call of a tool that was loaded when it was needed."""
    db.execute(_COUNT, ("called", as_column(name)))


def counts(db: sqlite3.Connection) -> LookupCounts:
    """Return all counters."""
    totals = {"searched": 0, "missed": 0}
    tools: dict[str, dict[str, int]] = {}
    for kind, tool, times in db.execute("SELECT kind, tool, times FROM lookups ORDER BY tool"):
        if kind in totals:
            totals[kind] = times
        else:
            tools.setdefault(as_text(tool), {})[kind] = times
    found = [ToolLookups(name=name, **each) for name, each in tools.items()]
    return LookupCounts(**totals, tools=tuple(sorted(found, key=lambda one: (-one.found, one.name))))


def misses(db: sqlite3.Connection) -> tuple[MissedSearch, ...]:
    """Return the searches that found nothing, the newest first."""
    rows = db.execute("SELECT query, times, last FROM misses ORDER BY last DESC, seq DESC")
    return tuple(MissedSearch(query=as_text(query), times=times, last=last) for query, times, last in rows)


def clear(db: sqlite3.Connection) -> None:
    """Forget all counters and misses."""
    db.execute("DELETE FROM lookups")
    db.execute("DELETE FROM misses")


def put_back(db: sqlite3.Connection, counts: LookupCounts, misses: Sequence[MissedSearch]) -> None:
    """Add counters and misses that were cleared to what was counted since."""
    rows: list[tuple[str, str | bytes, int]] = [
        ("searched", "", counts.searched),
        ("missed", "", counts.missed),
    ]
    for tool in counts.tools:
        name = as_column(tool.name)
        rows += [("found", name, tool.found), ("called", name, tool.called)]
    for kind, name, times in rows:
        if times:
            db.execute(
                "INSERT INTO lookups(kind, tool, times) VALUES (?, ?, ?)"
                " ON CONFLICT(kind, tool) DO UPDATE SET times = times + excluded.times",
                (kind, name, times),
            )
    for miss in reversed(misses):  # the newest has the highest number
        db.execute(
            "INSERT INTO misses(query, times, last) VALUES (?, ?, ?) ON CONFLICT(query) DO UPDATE SET"
            " times = times + excluded.times, last = max(last, excluded.last)",
            (as_column(miss.query), miss.times, miss.last),
        )
    db.execute(_OLD, (MOST_MISSES,))

"""The check at the start: cheap to ask whether it is due, and done beside the work when it is."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

from app.store import approvals, presence
from app.store.connection import open_as_is, typed_errors

DAY = 86400.0
START_UP_SECONDS = 3.0
"""A daily check lets the start-up pass first."""
_STEPS_BETWEEN_LOOKS = 20_000
"""Steps of SQLite's machine, well under a millisecond each thousand, between looks whether to stop."""


def delay(db: sqlite3.Connection, now: float) -> float | None:
    """Return in how many seconds a check is due: at once after an unclean stop, once a day otherwise, else
    None.
    """
    if presence.dead(db):
        return 0.0
    row = db.execute("SELECT value FROM meta WHERE key = 'checked'").fetchone()
    # A clock that was set back must not put the check off for years.
    fresh = row is not None and now - DAY < float(row[0]) <= now
    return None if fresh else START_UP_SECONDS


def examine(path: Path, stop: threading.Event) -> str | None:
    """Check the database on its own connection; return what is wrong, "" if nothing, None when stopped."""
    with typed_errors(path), open_as_is(path, "rw") as db:
        db.set_progress_handler(stop.is_set, _STEPS_BETWEEN_LOOKS)
        try:
            answer = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
        except sqlite3.OperationalError:
            if stop.is_set():
                return None
            raise
        except sqlite3.DatabaseError as error:
            return str(error)
    return "" if answer == "ok" else answer


def note(db: sqlite3.Connection, now: float) -> None:
    """Write down that the database is sound, and clear away what dead processes left."""
    db.execute("INSERT OR REPLACE INTO meta(key, value) VALUES ('checked', ?)", (now,))
    approvals.reap(db)
    presence.forget(db, presence.dead(db))

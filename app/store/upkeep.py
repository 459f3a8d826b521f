"""What is done once a night, off the hot path: backup, and clearing away what is past its time."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from app.platform.paths import Home
from app.store import approvals, blobs, journal, messages, search, sessions
from app.store.database import Store

DAY = 86400.0
DELETED_KEPT = 30 * DAY
"""How long a deleted session can be restored."""
SPILL_KEPT = 30 * DAY
SPILL_BYTES = 1 << 30
ORPHANS_KEPT = DAY
PICTURES_KEPT = 30 * DAY
"""How long a picture is kept that no message names: it may stand in a draft that waits to be sent."""


@dataclass(frozen=True)
class Upkeep:
    """What a night's work did; `backup` is None when the night's copy was there already."""

    backup: Path | None
    sessions: int
    blobs: int
    spilled: int


async def nightly(store: Store, home: Home, now: float) -> Upkeep:
    """Make the night's backup, then clear away; call it every hour or so. Raises StoreError.

    Deleted sessions go for good after 30 days with the /tmp of their commands, journal and spill files at
    their caps, the newest last.
    """

    backup = await store.nightly()
    purged = await store.write(sessions.purge_deleted, now - DELETED_KEPT)
    unused = await store.write(journal.forget_old, now)
    await store.write(approvals.reap)
    known = await store.read(journal.known_blobs)
    swept = await asyncio.to_thread(_sweep_blobs, home.journal, unused, known, now)
    pictured = await store.read(messages.with_pictures)
    await asyncio.to_thread(_sweep_pictures, home.pictures, pictured, now - PICTURES_KEPT)
    spilled = await asyncio.to_thread(clean_spill, home.spill, now)
    await clean_temporaries(store, home.temporaries)
    await store.write(_optimise)
    return Upkeep(backup, purged, swept, spilled)


async def clean_temporaries(store: Store, folder: Path) -> int:
    """Remove the /tmp of each session that is gone for good; return how many. Those of calls outside of any
    session ("_") stay.
    """
    places = [place for place in await asyncio.to_thread(lambda: list(folder.glob("*"))) if place.name != "_"]
    gone = [place for place in places if await store.read(sessions.get, place.name) is None]
    for place in gone:
        await asyncio.to_thread(shutil.rmtree, place, ignore_errors=True)
    return len(gone)


def clean_spill(folder: Path, now: float, *, seconds: float = SPILL_KEPT, cap: int = SPILL_BYTES) -> int:
    """Remove spill files older than `seconds`, then the oldest while all are over `cap` bytes; return how
    many.
    """
    found = []
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            status = path.lstat()
            if path.is_file() or path.is_symlink():
                found.append((status.st_mtime, status.st_size, path))
    size, removed = sum(one[1] for one in found), 0
    for modified, length, path in sorted(found):
        if modified >= now - seconds and size <= cap:
            break
        path.unlink(missing_ok=True)
        size -= length
        removed += 1
    _remove_empty(folder)
    return removed


def _sweep_pictures(folder: Path, said: str, older_than: float) -> None:
    """Remove pictures that no message names any more."""
    for path in folder.glob("*"):
        with contextlib.suppress(FileNotFoundError):
            if path.name not in said and path.lstat().st_mtime < older_than:
                path.unlink()


def _sweep_blobs(folder: Path, unused: list[str], known: set[str], now: float) -> int:
    return journal.remove_blobs(folder, unused) + blobs.remove_orphans(folder, known, now - ORPHANS_KEPT)


def _remove_empty(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        with contextlib.suppress(OSError):  # not empty, or gone
            if path.is_dir() and not path.is_symlink():
                path.rmdir()


def _optimise(db: sqlite3.Connection) -> None:
    search.verify(db)
    # Small steps that keep search quick; a whole rebuild would hold writers up.
    for table in ("message_words", "title_words", "memory_words"):
        db.execute(f"INSERT INTO {table}({table}, rank) VALUES ('merge', 200)")

"""Bring a database to the tables of this program: a backup first, a rehearsal on a copy, then one
transaction.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from app.errors import StoreError
from app.store import leases
from app.store.backup import copy_database, free_path
from app.store.connection import prepare, transact, typed_errors
from app.store.schema import STEPS, Step

APPLICATION_ID = 0x42524D42
"""PRAGMA application_id of our files ("BRMB"), so that another program's database is never taken for ours."""
LEASE = "migration"
LEASE_SECONDS = 600.0


def version(db: sqlite3.Connection) -> int:
    """Return how many steps the database has seen."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def changed_meanwhile(path: Path) -> StoreError:
    """Return the error of a program that still runs while a newer one brought the database to its own."""
    return StoreError("store_newer", "a newer program changed the store meanwhile", path=str(path))


def migrate(
    db: sqlite3.Connection,
    path: Path,
    backups: Path,
    owner: str,
    clock: Callable[[], float],
    steps: Sequence[Step] = STEPS,
) -> Path | None:
    """Run the missing steps; return the backup that was made, None when none was needed.

    Raises StoreError: store_newer for a database of a later program, store_corrupt for a foreign or broken
    file, internal
    when the rehearsal failed. In each case the database is as it was.
    """
    found = version(db)
    if found == len(steps):
        return None
    if found > len(steps):
        raise StoreError(
            "store_newer",
            f"the store has version {found}, this program knows {len(steps)}",
            path=str(path),
            found=str(found),
            known=str(len(steps)),
        )
    if found == 0:
        transact(db, lambda db: _create(db, path, steps))
        return None
    return _upgrade(db, path, backups, owner, clock, steps)


def _create(db: sqlite3.Connection, path: Path, steps: Sequence[Step]) -> None:
    if version(db):
        return  # another process was first
    if db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
        raise StoreError("store_corrupt", f"{path.name} is not a store of this program", path=str(path))
    _run(db, steps, 0)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _upgrade(
    db: sqlite3.Connection,
    path: Path,
    backups: Path,
    owner: str,
    clock: Callable[[], float],
    steps: Sequence[Step],
) -> Path | None:
    if not _take_lease(db, owner, clock, steps):
        return None
    try:
        found = version(db)
        backup = copy_database(db, free_path(backups, f"before-version-{len(steps)}", clock()))
        _rehearse(backup, owner, clock, steps, found)
        _really(db, steps)
        return backup
    finally:
        transact(db, lambda db: leases.release(db, LEASE, owner))


def _take_lease(
    db: sqlite3.Connection, owner: str, clock: Callable[[], float], steps: Sequence[Step]
) -> bool:
    """Wait for the lease; False when another process has done the work meanwhile."""
    while version(db) < len(steps):
        if transact(db, lambda db: leases.acquire(db, LEASE, owner, clock(), LEASE_SECONDS, os.getpid())):
            return version(db) < len(steps) or _give_back(db, owner)
        time.sleep(0.1)
    return False


def _give_back(db: sqlite3.Connection, owner: str) -> bool:
    transact(db, lambda db: leases.release(db, LEASE, owner))
    return False


def _rehearse(
    backup: Path, owner: str, clock: Callable[[], float], steps: Sequence[Step], found: int
) -> None:
    """Run the steps on a copy of the backup and look whether a sound database comes out. Raises StoreError
    internal.
    """
    copy = backup.with_suffix(".rehearsal")
    source = sqlite3.connect(backup)
    try:
        with typed_errors(copy):
            copy_database(source, copy)
    finally:
        source.close()
    db = sqlite3.connect(copy, isolation_level=None)
    try:
        prepare(db, owner, clock)
        _really(db, steps)
        answer = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if answer != "ok":
            raise sqlite3.DatabaseError(answer)
    except sqlite3.Error as error:
        raise StoreError(
            "internal",
            f"the rehearsal of steps {found + 1} to {len(steps)} failed, nothing was changed: {error}",
            detail=str(error),
            backup=str(backup),
        ) from error
    finally:
        db.close()
        for leftover in (copy, Path(f"{copy}-wal"), Path(f"{copy}-shm")):
            leftover.unlink(missing_ok=True)


def _really(db: sqlite3.Connection, steps: Sequence[Step]) -> None:
    # Tables that are rebuilt lose their children while foreign keys are on; they are checked as a whole
    # instead.
    db.execute("PRAGMA foreign_keys=OFF")
    try:
        transact(db, lambda db: _run(db, steps, version(db)))
    finally:
        db.execute("PRAGMA foreign_keys=ON")


def _run(db: sqlite3.Connection, steps: Sequence[Step], found: int) -> None:
    for step in steps[found:]:
        step(db)
    broken = db.execute("PRAGMA foreign_key_check").fetchone()
    if broken:
        raise sqlite3.IntegrityError(f"a row of {broken[0]} points to a missing row of {broken[2]}")
    db.execute(f"PRAGMA user_version = {len(steps)}")

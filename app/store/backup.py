"""Copies of the database: made whole while others write, checked before they count, and put back."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from app.errors import StoreError
from app.platform.paths import make_private
from app.record import Record
from app.store.connection import open_as_is, typed_errors
from app.store.rescue import open_unwritable

STAMP = "%Y%m%dT%H%M%S"
NIGHTLY_KEPT = 7
NIGHTLY_SECONDS = 20 * 3600.0
"""A night's copy is made when the newest is older than this; a little under a day, so that its hour does not
drift.
"""
OTHERS_KEPT = 5
"""Copies made before a migration or a restore that are kept."""
DAMAGED_KEPT = 2


class Backup(Record):
    """A copy among the backups. `made` in unix seconds, `size` in bytes; `kind` is night, before-version-N,
    before-restore.
    """

    path: Path
    kind: str
    made: float
    size: int


def copy_database(db: sqlite3.Connection, target: Path) -> Path:
    """Copy the database as it stands now into one new file at `target` (0600); writers are not held up.

    The file appears whole and sound or not at all. Raises StoreError.
    """
    with typed_errors(target):
        make_private(target.parent)
        unfinished = target.with_name(target.name + ".part")
        unfinished.unlink(missing_ok=True)
        os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        try:
            with open_as_is(unfinished, "rw") as copy:
                db.backup(copy)
                # One file that can be carried away: no -wal beside it.
                copy.execute("PRAGMA journal_mode=DELETE")
                _sound(copy, unfinished)
            sync_file(unfinished)
            os.replace(unfinished, target)
        finally:
            unfinished.unlink(missing_ok=True)
        sync_folder(target.parent)
    return target


def backup(database: Path, target: Path) -> Path:
    """Copy the file of a store, open or not, to `target`, which must not exist. Raises StoreError."""
    if target.exists():
        raise StoreError("file_exists", f"{target} exists already", path=str(target))
    with _source(database) as db:
        return copy_database(db, target)


def nightly(database: Path, backups: Path, now: float, *, keep: int = NIGHTLY_KEPT) -> Path | None:
    """Make this night's copy unless there is one, and remove the oldest beyond `keep`; return the new one.

    Blocks while it copies: call it on a thread. Raises StoreError.
    """
    nights = [copy for copy in found(backups) if copy.kind == "night"]
    if nights and now - NIGHTLY_SECONDS < nights[0].made <= now:
        return None
    with _source(database) as db:
        made = copy_database(db, free_path(backups, "night", now))
    prune(backups, keep)
    return made


def prune(backups: Path, keep: int = NIGHTLY_KEPT) -> None:
    """Remove the oldest copies: `keep` nights stay, and the newest few of each other kind."""
    copies = found(backups)
    nights = [copy for copy in copies if copy.kind == "night"]
    others = [copy for copy in copies if copy.kind != "night"]
    damaged = sorted(backups.glob("*.damaged"), reverse=True)
    for path in [copy.path for copy in nights[keep:] + others[OTHERS_KEPT:]] + damaged[DAMAGED_KEPT:]:
        for ending in ("", "-wal", "-shm"):
            Path(f"{path}{ending}").unlink(missing_ok=True)


def found(backups: Path) -> list[Backup]:
    """Return the copies there are, newest first."""
    import calendar

    copies = []
    for path in backups.glob("*_*.db"):
        kind, _, stamp = path.stem.rpartition("_")
        try:
            made = float(calendar.timegm(time.strptime(stamp, STAMP)))
            copies.append(Backup(path, kind, made, path.stat().st_size))
        except (ValueError, FileNotFoundError):
            continue
    return sorted(copies, key=lambda copy: (copy.made, copy.path.name), reverse=True)


def free_path(backups: Path, kind: str, now: float) -> Path:
    """Return where a copy made now goes: its kind and time (UTC), a second later when that name is taken."""
    path = backups / f"{kind}_{time.strftime(STAMP, time.gmtime(now))}.db"
    return free_path(backups, kind, now + 1) if path.exists() else path


def check(source: Path) -> int:
    """Return the version of the store in that file. Raises StoreError: not_found, store_corrupt."""
    with _source(source) as db, typed_errors(source):
        _sound(db, source)
        version = int(db.execute("PRAGMA user_version").fetchone()[0])
        if not version or not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'sessions'").fetchone():
            raise StoreError("store_corrupt", f"{source.name} is not a backup of a store", path=str(source))
        return version


def set_aside(database: Path, backups: Path, now: float) -> Path:
    """Move a database that cannot be read, with what lies beside it, out of the way; return where it is now.

    Its name ends in .damaged, so that it is never offered as a backup. Raises StoreError.
    """
    import shutil

    target = free_path(backups, "store", now).with_suffix(".damaged")
    with typed_errors(database):
        make_private(backups)
        for ending in ("", "-wal", "-shm"):
            file = Path(f"{database}{ending}")
            if file.exists():
                shutil.move(file, f"{target}{ending}")
        sync_folder(database.parent)
    return target


def put_in_place(source: Path, database: Path) -> None:
    """Copy a backup to where no database stands. Raises StoreError."""
    with _source(source) as db:
        copy_database(db, database)


def sync_file(path: Path) -> None:
    """Force a file's content to the disk."""
    descriptor = os.open(path, os.O_RDONLY if os.name != "nt" else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Force the names in a folder to the disk, where the system can (Windows cannot and need not)."""
    if os.name != "nt":
        sync_file(folder)


@contextmanager
def _source(path: Path) -> Iterator[sqlite3.Connection]:
    if not path.is_file():
        raise StoreError("not_found", f"there is no file {path}", path=str(path))
    writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    with typed_errors(path), open_as_is(path, "rw") if writable else closing(open_unwritable(path)) as db:
        yield db


def _sound(db: sqlite3.Connection, path: Path) -> None:
    answer = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if answer != "ok":
        raise StoreError("store_corrupt", f"{path.name} is damaged: {answer}", detail=answer, path=str(path))

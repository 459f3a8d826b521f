"""Copies of the database: made whole while others write, checked before they count, and put back."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from app.platform.paths import make_private
from app.store.connection import typed_errors


def copy_database(db: sqlite3.Connection, target: Path) -> Path:
    """Copy the database as it stands now into one new file at `target` (0600); writers are not held up.

    The file appears whole or not at all. Raises StoreError.
    """
    with typed_errors(target):
        make_private(target.parent)
        unfinished = target.with_name(target.name + ".part")
        unfinished.unlink(missing_ok=True)
        os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        copy = sqlite3.connect(unfinished, isolation_level=None)
        try:
            db.backup(copy)
            # One file that can be carried away: no -wal beside it.
            copy.execute("PRAGMA journal_mode=DELETE")
        finally:
            copy.close()
        sync_file(unfinished)
        os.replace(unfinished, target)
        sync_folder(target.parent)
    return target


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

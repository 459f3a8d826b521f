"""Read what can be read of a database that cannot be opened for writing."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from app.store.connection import prepare, transact
from app.store.schema import STEPS


def open_to_read(path: Path, owner: str, clock: Callable[[], float]) -> sqlite3.Connection:
    """Open `path` without writing to it or beside it; an empty store in memory when nothing of it can be
    read.
    """
    for attempt in (_beside_others, _copied, _main_file_only):
        with contextlib.suppress(sqlite3.Error, OSError):
            db = attempt(path)
            try:
                prepare(db, owner, clock)
                db.execute("SELECT count(*) FROM sessions").fetchone()
            except sqlite3.Error:
                db.close()
                raise
            db.execute("PRAGMA query_only=ON")
            return db
    return _empty(owner, clock)


def _open(path: Path, options: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"file:{quote(str(path))}?{options}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=1.0,
    )


def _beside_others(path: Path) -> sqlite3.Connection:
    """With the write-ahead log that a writer holds open; needs its -shm file."""
    return _open(path, "mode=ro")


def _copied(path: Path) -> sqlite3.Connection:
    """With a write-ahead log that nobody has open, in a folder where its -shm file cannot be made: read a
    copy.
    """
    log = Path(f"{path}-wal")
    if not log.exists() or not log.stat().st_size:
        raise FileNotFoundError(log)
    with tempfile.TemporaryDirectory(prefix="bramble-") as folder:
        copy = Path(folder) / path.name
        shutil.copyfile(path, copy)
        shutil.copyfile(log, f"{copy}-wal")
        source = _open(copy, "mode=rw")
        try:
            memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            source.backup(memory)
        finally:
            source.close()
    return memory


def _main_file_only(path: Path) -> sqlite3.Connection:
    """Without the log: nothing is looked for or made beside the file."""
    return _open(path, "immutable=1")


def _empty(owner: str, clock: Callable[[], float]) -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    prepare(db, owner, clock)

    def build(db: sqlite3.Connection) -> None:
        for step in STEPS:
            step(db)

    transact(db, build)
    db.execute("PRAGMA query_only=ON")
    return db

"""Read what can be read of a database that cannot be written."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from app.store.connection import prepare, transact
from app.store.schema import STEPS


def open_to_read(path: Path, owner: str, clock: Callable[[], float]) -> sqlite3.Connection:
    """Open `path` without writing to it or beside it; an empty store when nothing of it can be read."""
    try:
        db = open_unwritable(path)
    except sqlite3.Error:
        db = _empty()
    prepare(db, owner, clock)
    db.text_factory = lambda text: text.decode("utf-8", "replace")
    db.execute("PRAGMA query_only=ON")
    return db


def open_unwritable(path: Path) -> sqlite3.Connection:
    """Open a store that exists without writing to it or beside it. Raises sqlite3.Error when it is none."""
    for attempt in (_beside_others, _with_copied_log):
        with contextlib.suppress(sqlite3.Error, OSError):
            return _tried(attempt(path))
    return _tried(_main_file_only(path))


def _tried(db: sqlite3.Connection) -> sqlite3.Connection:
    try:
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'sessions'").fetchone():
            raise sqlite3.DatabaseError("no store of this program")
    except sqlite3.Error:
        db.close()
        raise
    return db


def _open(path: Path, options: str) -> sqlite3.Connection:
    name = f"file:{quote(str(path))}?{options}"
    return sqlite3.connect(name, uri=True, isolation_level=None, check_same_thread=False, timeout=1.0)


def _beside_others(path: Path) -> sqlite3.Connection:
    """With the write-ahead log that a writer holds open; needs its -shm file."""
    return _open(path, "mode=ro")


def _with_copied_log(path: Path) -> sqlite3.Connection:
    """With a write-ahead log whose -shm file cannot be made here: from a copy, in memory."""
    import shutil
    import tempfile

    log = Path(f"{path}-wal")
    if not log.exists() or not log.stat().st_size:
        raise FileNotFoundError(log)
    memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    try:
        with tempfile.TemporaryDirectory(prefix="bramble-") as folder:
            copy = Path(folder) / path.name
            shutil.copyfile(path, copy)
            shutil.copyfile(log, f"{copy}-wal")
            with contextlib.closing(_open(copy, "mode=rw")) as source:
                source.backup(memory)
    except (sqlite3.Error, OSError):
        memory.close()
        raise
    return memory


def _main_file_only(path: Path) -> sqlite3.Connection:
    """Without the log: nothing is looked for or made beside the file."""
    return _open(path, "immutable=1")


def _empty() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)

    def build(db: sqlite3.Connection) -> None:
        for step in STEPS:
            step(db)

    transact(db, build)
    return db

"""What was changed in files, and what stood there before, so that it can be taken back; SQL for
`app/changes`.

First `blobs.put` the content as it was, then `record` the change, then change the file: a kill leaves too
much, never too
little.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePath
from typing import Any

import msgspec

from app.errors import StoreError
from app.records import ChangeInfo, Mark, Record
from app.store import blobs, feed
from app.store.columns import as_column, pack, unpack

CAP_BYTES = 1 << 30
CAP_SECONDS = 30 * 86400.0
"""product.md 5.6: journal cap 1 GiB or 30 days."""
JUST_PUT_SECONDS = 600.0


class JournaledFile(Record, kw_only=True):
    """One file of a change: what it was and what it became. A hash of None means that there was, or is, no
    file.
    """

    path: str
    """Absolute, resolved."""
    before: str | None = None
    """SHA-256 of the content in the blobs."""
    after: str | None = None
    before_size: int = 0
    after_size: int = 0
    before_mode: int | None = None
    """Permission bits; None where there was no file."""
    after_mode: int | None = None
    old_path: str = ""
    """For a rename: where the file stood."""
    target: str = ""
    """For a symbolic link that was replaced: what it pointed to."""
    way: str = ""
    """For a whole file, link or folder that took another place (`app/changes/shifts.py`): moved, trashed,
    restored, sent, made, folder, unfolder. "" for content."""
    kind: str = ""
    """What moved: file, folder or link."""
    slot: str = ""
    """trashed, restored: its place in the trash; made: where it lay ready."""
    ident: tuple[int, int] = (0, 0)
    """Device and number of what moved."""
    print: str = ""
    """What tells it from a changed one (`app/platform/trees.py`)."""
    items: int = 0
    size: int = 0


def record(db: sqlite3.Connection, change: ChangeInfo, files: Sequence[JournaledFile]) -> None:
    """Write down a change with its files."""
    _record(db, None, change, files)


def _record(
    db: sqlite3.Connection, seq: int | None, change: ChangeInfo, files: Sequence[JournaledFile]
) -> None:
    row = db.execute(
        "INSERT INTO changes(seq, id, session, turn, made, undone, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (seq, change.id, change.session, change.turn, change.made, change.undone, pack(change)),
    ).lastrowid
    for place, file in enumerate(files):
        db.execute(
            "INSERT INTO change_files(change, place, path, before, after, body) VALUES (?, ?, ?, ?, ?, ?)",
            (row, place, as_column(file.path), file.before, file.after, pack(file)),
        )
        for sha, size in ((file.before, file.before_size), (file.after, file.after_size)):
            if sha is not None:
                _know(db, sha, size, change.made)
    feed.append(db, "change", change.session, change.id)


def amend(db: sqlite3.Connection, change: ChangeInfo, files: Sequence[JournaledFile]) -> None:
    """Replace a change by what really happened, known only once it was made. Raises StoreError no_change."""
    old = db.execute("SELECT seq FROM changes WHERE id = ?", (change.id,)).fetchone()
    if old is None:
        raise StoreError("no_change", f"there is no change {change.id!r}", change=change.id)
    _drop(db, old[0])
    _record(db, old[0], change, files)


def remove(db: sqlite3.Connection, change: str) -> None:
    """Strike out a change that did not happen after all."""
    row = db.execute("SELECT seq, session FROM changes WHERE id = ?", (as_column(change),)).fetchone()
    if row:
        _drop(db, row[0])
        feed.append(db, "change", row[1], change)


def changes(
    db: sqlite3.Connection,
    *,
    session: str = "",
    turn: str = "",
    since: float | None = None,
    limit: int = 1000,
) -> list[ChangeInfo]:
    """Return changes, newest first, of a session, a turn or since a time (unix seconds); all of them without
    these.
    """
    wanted = [("session = ?", session), ("turn = ?", turn), ("made >= ?", since)]
    used = [(clause, value) for clause, value in wanted if value not in ("", None)]
    where = " AND ".join(clause for clause, _ in used) or "1"
    rows = db.execute(
        f"SELECT body, undone FROM changes WHERE {where} ORDER BY seq DESC LIMIT ?",
        (*(value for _, value in used), limit),
    )
    return [_change(row) for row in rows]


def change(db: sqlite3.Connection, change: str) -> ChangeInfo | None:
    """Return one change."""
    row = db.execute("SELECT body, undone FROM changes WHERE id = ?", (as_column(change),)).fetchone()
    return _change(row) if row else None


def files(db: sqlite3.Connection, change: str) -> list[JournaledFile]:
    """Return the files of a change, in the order in which they were recorded."""
    rows = db.execute(
        "SELECT f.body FROM changes c JOIN change_files f ON f.change = c.seq WHERE c.id = ?"
        " ORDER BY f.place",
        (as_column(change),),
    )
    return [unpack(row[0], JournaledFile) for row in rows]


MOVES_FOLLOWED = 20
"""How many places a file that moved is followed back to for its marks."""


def marks_of(db: sqlite3.Connection, path: str) -> tuple[Mark, ...]:
    """Return the marks of the newest standing change of a path, and of where a moved file came from.

    `path` is absolute and resolved. A change of a folder it lies in counts too. Nothing where no change
    stands.
    """
    found: dict[Mark, None] = {}
    for _ in range(MOVES_FOLLOWED):
        newest = _newest(db, path)
        if newest is None:
            break
        change, file = newest
        found.update(dict.fromkeys(change.marks))
        if not file.old_path:
            break
        path = file.old_path + path[len(file.path) :]
    return tuple(found)


def history(db: sqlite3.Connection, path: str, limit: int = 200) -> list[tuple[ChangeInfo, JournaledFile]]:
    """Return the changes of a path (absolute, resolved), newest first, each with what it did there."""
    rows = db.execute(
        "SELECT c.body, c.undone, f.body FROM change_files f JOIN changes c ON c.seq = f.change"
        " WHERE f.path = ? ORDER BY c.seq DESC LIMIT ?",
        (as_column(path), limit),
    )
    return [(_change(row), unpack(row[2], JournaledFile)) for row in rows]


def _newest(db: sqlite3.Connection, path: str) -> tuple[ChangeInfo, JournaledFile] | None:
    """Return the newest standing change that made or changed the path, or a folder above it."""
    places = [path, *map(str, PurePath(path).parents)]
    rows = db.execute(
        "SELECT c.body, c.undone, f.body FROM change_files f JOIN changes c ON c.seq = f.change"
        f" WHERE f.path IN ({', '.join('?' * len(places))}) AND NOT c.undone ORDER BY c.seq DESC",
        tuple(map(as_column, places)),
    )
    for row in rows:
        change, file = _change(row), unpack(row[2], JournaledFile)
        if change.undoes or file.way in ("folder", "unfolder", "trashed", "sent"):
            continue
        if file.way or file.after is not None:
            return change, file
    return None


def mark_undone(db: sqlite3.Connection, change: str, undone: bool = True) -> None:
    """Mark a change as taken back, or as standing again. Raises StoreError no_change."""
    row = db.execute(
        "UPDATE changes SET undone = ? WHERE id = ? RETURNING session", (undone, as_column(change))
    ).fetchone()
    if row is None:
        raise StoreError("no_change", f"there is no change {change!r}", change=change)
    feed.append(db, "change", row[0], change)


def mark_taken_back(db: sqlite3.Connection, changes: Sequence[str]) -> None:
    """Mark changes, newest first, as taken back; what an undo among them took back stands again, and so on.

    The same when it is done twice. Raises StoreError no_change.
    """
    for change_id in changes:
        _stand(db, change_id, undone=True)


def _stand(db: sqlite3.Connection, change_id: str, *, undone: bool) -> None:
    mark_undone(db, change_id, undone)
    found = change(db, change_id)
    for other in found.undoes if found else ():
        if change(db, other) is not None:  # else forgotten meanwhile
            _stand(db, other, undone=not undone)


def forget_old(
    db: sqlite3.Connection, now: float, *, cap_bytes: int = CAP_BYTES, cap_seconds: float = CAP_SECONDS
) -> list[str]:
    """Strike out the oldest changes beyond the caps; return the hashes that no change names any more.

    Their files are removed (`remove_blobs`) once the transaction is on disk, so that a kill leaves too much.
    """
    size = int(db.execute("SELECT coalesce(sum(size), 0) FROM blobs").fetchone()[0])
    unused: list[str] = []
    for seq, made in db.execute("SELECT seq, made FROM changes ORDER BY seq").fetchall():
        if made >= now - cap_seconds and size <= cap_bytes:
            break
        for sha, freed in _drop(db, seq):
            unused.append(sha)
            size -= freed
    return unused


def known_blobs(db: sqlite3.Connection) -> set[str]:
    """Return all hashes that the journal names."""
    return {row[0] for row in db.execute("SELECT sha FROM blobs")}


def remove_blobs(folder: Path, unused: Iterable[str], older_than: float | None = None) -> int:
    """Remove the files of hashes that `forget_old` returned; return how many.

    Those put in the last ten minutes stay, since a change of another process may be about to name them; a
    later sweep (`blobs.remove_orphans`) takes them if not.
    """
    limit = time.time() - JUST_PUT_SECONDS if older_than is None else older_than
    return sum(blobs.remove(folder, sha, limit) for sha in unused)


def _know(db: sqlite3.Connection, sha: str, size: int, made: float) -> None:
    db.execute("INSERT OR IGNORE INTO blobs(sha, size, made) VALUES (?, ?, ?)", (sha, size, made))


def _drop(db: sqlite3.Connection, seq: int) -> list[tuple[str, int]]:
    """Strike out one change; return hash and size of each content that only it named."""
    rows = db.execute("SELECT before, after FROM change_files WHERE change = ?", (seq,)).fetchall()
    db.execute("DELETE FROM changes WHERE seq = ?", (seq,))
    freed: list[tuple[str, int]] = []
    for sha in {sha for row in rows for sha in row if sha is not None}:
        freed += db.execute(
            "DELETE FROM blobs WHERE sha = ? AND NOT EXISTS (SELECT 1 FROM change_files WHERE before = ?)"
            " AND NOT EXISTS (SELECT 1 FROM change_files WHERE after = ?) RETURNING sha, size",
            (sha, sha, sha),
        ).fetchall()
    return freed


def _change(row: tuple[Any, ...]) -> ChangeInfo:
    return msgspec.structs.replace(unpack(row[0], ChangeInfo), undone=bool(row[1]))

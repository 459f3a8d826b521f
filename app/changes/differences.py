"""Tell what a command changed in a folder by what it was before, as rows for the journal.

What our own tools, or another command, wrote meanwhile stands in the journal already and is not told again.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from app.changes.diff import file_diff
from app.changes.listing import Entry, Listing, TooMuch, listed, read_as, same
from app.errors import StoreError
from app.platform.sandbox.confinement import covers
from app.records import FileDiff
from app.store import blobs, journal as rows
from app.store.journal import JournaledFile

_LARGEST = 64 << 20
"""Bytes of a file that a command made and whose content is still kept, so that an undo can be taken back."""
_COUNTED = 1 << 20
"""Bytes of a file whose lines are still counted."""
_FORCED_ONE_BY_ONE = 32
"""More contents than that are forced to disk in one go."""


@dataclass(frozen=True)
class Written:
    """What the journal has taken down since a command began: its newest row of each file, and what moved."""

    files: dict[str, JournaledFile]
    places: tuple[str, ...]

    @staticmethod
    def since(db: sqlite3.Connection, began: float) -> Written:
        changes = reversed(rows.changes(db, since=began, limit=1_000_000))
        found = [file for change in changes for file in rows.files(db, change.id)]
        places = {place for file in found if file.way for place in (file.path, file.old_path) if place}
        return Written({file.path: file for file in found if not file.way}, tuple(places))

    def moved(self, path: str) -> bool:
        """Whether the path was, or came to be, what our own tools moved as a whole."""
        return any(covers(place, path) for place in self.places)


class Differences:
    """What differs, as it is gathered: rows for the journal, what is shown, and what cannot be kept."""

    def __init__(self, folder: Path, kept: Callable[[Entry], bytes | None]) -> None:
        """Contents go below `folder`; `kept` gives one as it was before, None where that is gone."""
        self._cwd = ""
        self._folder = folder
        self._kept = kept
        self._at_once = False
        self._size = 0
        self._diffs: list[FileDiff] = []
        self._missed: list[str] = []
        self.rows: list[JournaledFile] = []

    @property
    def files(self) -> tuple[FileDiff, ...]:
        """The files as front ends show them, with counts."""
        return tuple(self._diffs)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Paths that have changed and cannot be brought back."""
        return tuple(self._missed)

    def look(self, roots: tuple[str, ...], earlier: Listing, written: Written) -> None:
        """Compare what is below the roots, the working folder first, with what was.

        Raises OSError, StoreError.
        """
        self._cwd = _folder(roots)
        now = _now(roots, earlier)
        pairs = {path: (earlier.get(path), now.get(path)) for path in earlier.keys() | now.keys()}
        other = [path for path, (one, two) in pairs.items() if not (one and two and same(one, two))]
        self._at_once = len(other) > _FORCED_ONE_BY_ONE and hasattr(os, "sync")
        for path in sorted(other):
            if not written.moved(path):
                self._compare(path, *pairs[path], written.files.get(path))
        if self._at_once:
            os.sync()

    def _compare(
        self, path: str, before: Entry | None, after: Entry | None, ours: JournaledFile | None
    ) -> None:
        if _beyond(path, before, after):
            if before is None or after is None or before.sha != after.sha:
                self._missed.append(path)
            return
        content = read_as(path, after) if after and after.size <= _LARGEST else None
        if after and content is None:
            self._missed.append(path)
            return
        sha = None if content is None else hashlib.sha256(content).hexdigest()
        mode = after.mode if after else None
        old_sha, old_mode = (before.sha if before else None), (before.mode if before else None)
        if ours is not None:  # the command goes on from what our own tools wrote meanwhile
            old_sha = ours.after
            old_mode = ours.after_mode if ours.after_mode or old_sha is None else old_mode or mode
        if old_sha == sha and (old_mode == mode or old_sha is None):
            return
        old = self._old(before, old_sha)
        if old is None and old_sha is not None:
            self._missed.append(path)
            return
        self._add(path, (old, content), (old_mode, mode))

    def _old(self, before: Entry | None, sha: str | None) -> bytes | None:
        """Return the content before, None where it could not be read then ("") or is gone."""
        if not sha:
            return None
        if before and before.sha == sha:
            return self._kept(before)
        try:
            return blobs.get(self._folder, sha)
        except StoreError:
            return None

    def _add(
        self,
        path: str,
        contents: tuple[bytes | None, bytes | None],
        modes: tuple[int | None, int | None],
    ) -> None:
        old, new = contents
        self._size += len(old or b"") + len(new or b"")
        if self._size > rows.CAP_BYTES // 2:  # it would push out all else that can be taken back
            self._missed.append(path)
            return
        self.rows.append(
            JournaledFile(
                path=path,
                before=self._put(old),
                after=self._put(new),
                before_size=len(old or b""),
                after_size=len(new or b""),
                before_mode=modes[0],
                after_mode=modes[1],
            )
        )
        self._diffs.append(_counted(path, self._shown(path), old, new, modes))

    def _shown(self, path: str) -> str:
        """Return the path as `FileDiff.shown` has it; what lies elsewhere keeps its whole path."""
        return os.path.relpath(path, self._cwd) if self._cwd and covers(self._cwd, path) else path

    def _put(self, content: bytes | None) -> str | None:
        return None if content is None else blobs.put(self._folder, content, forced=not self._at_once)


def _folder(roots: tuple[str, ...]) -> str:
    """Return the folder that names are told from: the first root, or where single files lie, "" for none."""
    if not roots or os.path.isdir(roots[0]):
        return roots[0] if roots else ""
    folder = os.path.dirname(roots[0])
    while not all(covers(folder, root) for root in roots) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    return folder


def _beyond(path: str, before: Entry | None, after: Entry | None) -> bool:
    """Whether the change is one that undo cannot take back: to or from a link or a folder, or another name
    of a file that stands elsewhere too, since writing there would write to the other place.
    """
    if (before and before.is_link) or (after and after.is_link) or (after is None and os.path.lexists(path)):
        return True
    return bool(before and after and after.links > 1 and before.number != after.number)


def _now(roots: tuple[str, ...], earlier: Listing) -> Listing:
    """Return the files as they are; where a command has made very many, only those that were there before."""
    now: Listing = {}
    for root in roots:
        try:
            now |= listed(root, most_files=10 * len(earlier) + 50_000, most_bytes=1 << 62)
        except FileNotFoundError:
            continue
        except TooMuch:
            inside = (path for path in earlier if covers(root, path))
            now |= {path: entry for path in inside for entry in _one(path)}
    return now


def _one(path: str) -> list[Entry]:
    """Return the file at a path as a listing has it, nothing where there is none."""
    try:
        return list(listed(path).values()) if os.path.isfile(path) and not os.path.islink(path) else []
    except (TooMuch, OSError):
        return []


def _counted(
    path: str, shown: str, old: bytes | None, new: bytes | None, modes: tuple[int | None, int | None]
) -> FileDiff:
    changed = (modes[0] or 0, modes[1] or 0) if None not in modes and modes[0] != modes[1] else (0, 0)
    if len(old or b"") + len(new or b"") > _COUNTED:
        kind = "new" if old is None else "deleted" if new is None else "changed"
        size = len(new if new is not None else old or b"")
        return FileDiff(path=path, shown=shown, kind=kind, size=size)  # type: ignore[arg-type]
    return msgspec.structs.replace(file_diff(path, shown, old, new, modes=changed), hunks=(), text=None)

"""Journal what a command changed in the working folder, as one change that can be taken back.

Before the command the folder is listed and its contents are kept aside; afterwards it is compared. What our
own tools, or another command, wrote meanwhile stands in the journal and is not taken for the command's. What
the person wrote meanwhile cannot be told apart from it. Links, rights of folders, empty folders and what is
below `.git` are not brought back.

A note is written before the command runs; one that a kill left behind is settled at the next start.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from app.changes.diff import file_diff
from app.changes.journal import Journal
from app.changes.listing import Entry, Kept, Listing, TooMuch, listed, read_as, same
from app.errors import StoreError
from app.events import ChangeMade, Event
from app.platform.ids import new_id
from app.platform.paths import make_private
from app.platform.sandbox.confinement import covers
from app.records import ChangeInfo, FileDiff, Mark
from app.store import alive, blobs, journal as rows
from app.store.journal import JournaledFile

log = logging.getLogger(__name__)

_TOOL = "run_command"
_LARGEST = 64 << 20
"""Bytes of a file that a command made and whose content is still kept, so that an undo can be taken back."""
_COUNTED = 1 << 20
"""Bytes of a file whose lines are still counted."""
_FORCED_ONE_BY_ONE = 32
"""More contents than that are forced to disk in one go."""


class Ran(msgspec.Struct, frozen=True):
    """The note that a command runs: whose it is, where, and what its folder was before."""

    id: str
    process: alive.Process
    session: str
    turn: str
    began: float
    roots: tuple[bytes, ...]
    before: dict[bytes, Entry]
    """Paths as the system has them: a name need not be text."""
    kept: str
    """The file with the contents."""
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True)
class Settled:
    """What came of a command: the change ("" for none), its files, and what of it cannot be taken back."""

    change: str = ""
    files: tuple[FileDiff, ...] = ()
    left_out: tuple[str, ...] = ()


class Snapshots:
    """Takes and settles snapshots for the commands of a process."""

    def __init__(self, journal: Journal, emit: Callable[[Event], None] = lambda event: None) -> None:
        self._journal = journal
        self._emit = emit
        self._kept = Kept(journal.folder / "kept")
        self._notes = journal.folder / "ran"
        self._known: dict[str, Listing] = {}
        """Root -> its newest listing with hashes, so that only what is new is read."""
        self._cleared = False

    async def holds(self, folder: str) -> bool:
        """Whether a snapshot of the folder may be promised: it is not too large."""
        try:
            await asyncio.to_thread(listed, folder)
        except (TooMuch, OSError):
            return False
        return True

    async def take(
        self, session: str, turn: str, roots: Sequence[str], marks: tuple[Mark, ...] = ()
    ) -> Ran | None:
        """Return the note of a command that is about to run, None where a root holds too much.

        `roots` are the working folder and what else the command may write. Raises OSError (a full disk).
        """
        now = self._journal.clock()
        taking = asyncio.ensure_future(asyncio.to_thread(self._take, session, turn, tuple(roots), marks, now))
        try:
            return await asyncio.shield(taking)
        except asyncio.CancelledError:
            taking.add_done_callback(self._drop_taken)
            raise

    def _drop_taken(self, taking: asyncio.Future[Ran | None]) -> None:
        ran = None if taking.cancelled() or taking.exception() else taking.result()
        if ran:
            self.drop(ran)

    def drop(self, ran: Ran) -> None:
        """Forget a command that has not run, so that nobody else's changes are taken for its own."""
        (self._notes / ran.id).unlink(missing_ok=True)

    def _take(
        self, session: str, turn: str, roots: tuple[str, ...], marks: tuple[Mark, ...], now: float
    ) -> Ran | None:
        if not self._cleared:
            self._cleared = True
            self._kept.clear(time.time())
        try:
            with self._kept.turn:
                if self._kept.begin():
                    self._known.clear()
                before, kept = self._listing(roots), self._kept.name
        except (TooMuch, FileNotFoundError):
            return None
        named = {os.fsencode(path): entry for path, entry in before.items()}
        places = tuple(map(os.fsencode, roots))
        ran = Ran(new_id(now), alive.this_process(), session, turn, now, places, named, kept, marks)
        make_private(self._notes)
        unfinished = self._notes / f"{ran.id}.part"
        unfinished.write_bytes(msgspec.msgpack.encode(ran))
        os.replace(unfinished, self._notes / ran.id)
        return ran

    def _listing(self, roots: Iterable[str]) -> Listing:
        whole: Listing = {}
        for root in roots:
            listing = self._kept.read(listed(root), self._known.get(root, {}))
            self._known[root] = listing
            whole |= listing
        return whole

    async def settle(self, ran: Ran) -> Settled:
        """Journal what the command has changed; call it once nothing of it runs any more.

        What cannot be written down is said in `left_out`; it does not raise.
        """
        try:
            written = await self._journal.store.read(_Written.since, ran.began)
            found = await asyncio.to_thread(self._compared, ran, written)
            settled = await self._recorded(ran, found)
        except (OSError, StoreError) as error:
            roots = tuple(map(os.fsdecode, ran.roots))
            log.warning("what a command changed in %r is not in the journal: %s", roots, error)
            return Settled(left_out=roots)
        self.drop(ran)
        return settled

    async def _recorded(self, ran: Ran, found: _Found) -> Settled:
        if not found.rows:
            return Settled(left_out=found.left_out)
        made = self._journal.clock()
        change = ChangeInfo(
            id=new_id(made),
            session=ran.session,
            turn=ran.turn,
            tool=_TOOL,
            made=made,
            files=found.files,
            marks=ran.marks,
        )
        await self._journal.store.write(rows.record, change, found.rows)
        self._emit(ChangeMade(session=ran.session, change=change.id))
        return Settled(change.id, found.files, found.left_out)

    def _compared(self, ran: Ran, written: _Written) -> _Found:
        earlier = {os.fsdecode(path): entry for path, entry in ran.before.items()}
        now = _now(tuple(map(os.fsdecode, ran.roots)), earlier)
        pairs = {path: (earlier.get(path), now.get(path)) for path in earlier.keys() | now.keys()}
        other = [
            path for path, (before, after) in pairs.items() if not (before and after and same(before, after))
        ]
        found = _Found(self._journal.folder, at_once=len(other) > _FORCED_ONE_BY_ONE)
        for path in sorted(other):
            if not written.moved(path):
                self._look(found, ran.kept, path, pairs[path], written.files.get(path))
        found.force()
        return found

    def _look(
        self,
        found: _Found,
        kept: str,
        path: str,
        states: tuple[Entry | None, Entry | None],
        ours: JournaledFile | None,
    ) -> None:
        before, after = states
        content = read_as(path, after) if after and after.size <= _LARGEST else None
        if after and content is None:
            found.leave_out(path)
            return
        sha = None if content is None else hashlib.sha256(content).hexdigest()
        mode = after.mode if after else None
        old_sha, old_mode = (before.sha if before else None), (before.mode if before else None)
        if ours is not None:  # the command goes on from what our own tools wrote meanwhile
            old_sha = ours.after
            old_mode = ours.after_mode if ours.after_mode or old_sha is None else old_mode or mode
        if old_sha == sha and (old_mode == mode or old_sha is None):
            return
        old = self._old(kept, before, old_sha)
        if old is None and old_sha is not None:
            found.leave_out(path)
            return
        found.add(path, (old, content), (old_mode, mode))

    def _old(self, kept: str, before: Entry | None, sha: str | None) -> bytes | None:
        """Return the content before, None where it could not be read then ("") or is gone."""
        if not sha:
            return None
        if before and before.sha == sha:
            return self._kept.get(kept, before)
        try:
            return blobs.get(self._journal.folder, sha)
        except StoreError:
            return None

    async def recover(self) -> list[str]:
        """Settle the commands of processes that are gone; return the ids of their changes."""
        changes = []
        for ran in await asyncio.to_thread(_notes, self._notes):
            if alive.is_dead(ran.process):
                settled = await self.settle(ran)
                changes += [settled.change] if settled.change else []
        return changes


class _Found:
    """What differs, as it is gathered. Contents go below `folder`, to disk each for itself or `at_once`."""

    def __init__(self, folder: Path, *, at_once: bool) -> None:
        self._folder = folder
        self._at_once = at_once and hasattr(os, "sync")
        self.rows: list[JournaledFile] = []
        self.diffs: list[FileDiff] = []
        self.missed: list[str] = []
        self.size = 0

    @property
    def files(self) -> tuple[FileDiff, ...]:
        return tuple(self.diffs)

    @property
    def left_out(self) -> tuple[str, ...]:
        return tuple(self.missed)

    def leave_out(self, path: str) -> None:
        self.missed.append(path)

    def add(
        self,
        path: str,
        contents: tuple[bytes | None, bytes | None],
        modes: tuple[int | None, int | None],
    ) -> None:
        old, new = contents
        self.size += len(old or b"") + len(new or b"")
        if self.size > rows.CAP_BYTES // 2:  # it would push out all else that can be taken back
            self.leave_out(path)
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
        self.diffs.append(_counted(path, old, new, modes))

    def _put(self, content: bytes | None) -> str | None:
        return None if content is None else blobs.put(self._folder, content, forced=not self._at_once)

    def force(self) -> None:
        """Force all contents to disk, if that was not done for each."""
        if self._at_once:
            os.sync()


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
    path: str, old: bytes | None, new: bytes | None, modes: tuple[int | None, int | None]
) -> FileDiff:
    changed = (modes[0] or 0, modes[1] or 0) if None not in modes and modes[0] != modes[1] else (0, 0)
    if len(old or b"") + len(new or b"") > _COUNTED:
        kind = "new" if old is None else "deleted" if new is None else "changed"
        size = len(new if new is not None else old or b"")
        return FileDiff(path=path, shown=path, kind=kind, size=size)  # type: ignore[arg-type]
    return msgspec.structs.replace(file_diff(path, path, old, new, modes=changed), hunks=(), text=None)


@dataclass(frozen=True)
class _Written:
    """What the journal has taken down since a command began: its newest row of each file, and what moved."""

    files: dict[str, JournaledFile]
    places: tuple[str, ...]

    @staticmethod
    def since(db: sqlite3.Connection, began: float) -> _Written:
        changes = reversed(rows.changes(db, since=began, limit=1_000_000))
        found = [file for change in changes for file in rows.files(db, change.id)]
        places = {place for file in found if file.way for place in (file.path, file.old_path) if place}
        return _Written({file.path: file for file in found if not file.way}, tuple(places))

    def moved(self, path: str) -> bool:
        """Whether the path was, or came to be, what our own tools moved as a whole."""
        return any(covers(place, path) for place in self.places)


def _notes(folder: Path) -> list[Ran]:
    found: list[Ran] = []
    for path in sorted(folder.glob("*")) if folder.is_dir() else []:
        try:
            found.append(msgspec.msgpack.decode(path.read_bytes(), type=Ran))
        except (msgspec.DecodeError, FileNotFoundError):
            path.unlink(missing_ok=True)  # never finished, so its command had not begun
    return found

"""The journal of file changes.

What stood there before is on disk before anything changes, and can be put back.

A change is written down whole (a note that it begins, the contents by hash, its row) before the first file is
touched. The note goes away when the change is made; one that is left behind by a kill is
settled by `recover`: all files as they should be, or all as they were.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from app.changes import apply
from app.changes.apply import Step
from app.changes.failures import told
from app.errors import StoreError, ToolError
from app.platform import filesystem
from app.platform.ids import new_id
from app.records import ChangeInfo, FileDiff, Mark
from app.store import alive, blobs, journal as rows
from app.store.database import Store
from app.store.journal import JournaledFile

log = logging.getLogger(__name__)

_TIDY_SECONDS = 3600.0


class Begun(msgspec.Struct, frozen=True):
    """The note that a change has begun: which, by what process, and the temporary names it uses."""

    change: str
    process: alive.Process
    folders: tuple[str, ...]
    takes_back: tuple[str, ...] = ()
    """For an undo: the changes, newest first, that do not stand any more once it is made."""


class Journal:
    """Writes changes down in the store and carries them out, one at a time and each whole or not at all."""

    def __init__(self, store: Store, folder: Path, clock: Callable[[], float] = time.time) -> None:
        """`folder` holds the contents by hash (`Home.journal`)."""
        self.store = store
        self.folder = folder
        self.clock = clock
        self._begun = folder / "begun"
        self._tidied = 0.0

    async def make(
        self,
        steps: Sequence[Step],
        files: Sequence[FileDiff],
        *,
        session: str,
        turn: str,
        tool: str,
        undoes: tuple[str, ...] = (),
        takes_back: tuple[str, ...] = (),
        marks: tuple[Mark, ...] = (),
    ) -> tuple[str, tuple[bool, ...]]:
        """Write the change down, carry it out, and return its id and which files read back as meant.

        An undo `takes_back` changes (newest first), of which `undoes` are those that still stood. `marks` are
        the untrusted sources that its content may come from.

        Raises StoreError (nothing was changed, since it could not be taken back), ToolError (changed_since,
        no_permission, disk_full, ...: nothing was changed). It is not interrupted by being cancelled.
        """
        now = self.clock()
        counts = tuple(msgspec.structs.replace(file, hunks=()) for file in files)
        change = ChangeInfo(
            id=new_id(now),
            session=session,
            turn=turn,
            tool=tool,
            made=now,
            files=counts,
            undoes=undoes,
            marks=tuple(dict.fromkeys((*marks, *await self._inherited(steps)))),
        )
        work = asyncio.ensure_future(self._make(change, steps, takes_back))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            with contextlib.suppress(ToolError, StoreError):
                await work
            raise

    async def _inherited(self, steps: Sequence[Step]) -> tuple[Mark, ...]:
        """Return what the files were made from so far: an edit leaves some of it standing."""
        paths = [step.path for step in steps if step.before is not None]

        def look(db: sqlite3.Connection) -> tuple[Mark, ...]:
            return tuple(mark for path in paths for mark in rows.marks_of(db, path))

        return await self.store.read(look) if paths else ()

    async def _make(
        self, change: ChangeInfo, steps: Sequence[Step], takes_back: tuple[str, ...]
    ) -> tuple[str, tuple[bool, ...]]:
        try:
            before = await asyncio.to_thread(self._keep, change.id, steps, takes_back)
            await self.store.write(rows.record, change, before)
        except (StoreError, OSError) as error:
            self._forget_begun(change.id)
            raise _unwritten(error) if isinstance(error, StoreError) else told(error) from error
        try:
            verified = await asyncio.to_thread(self._carry_out, change.id, steps)
        except apply.RollBackFailed as error:
            raise ToolError(
                "internal",
                f"The change failed half-way; these files could not be put back: {', '.join(error.paths)}. "
                f"The journal holds what stood there: undo {change.id}.",
                detail=str(error.cause),
            ) from error
        except (OSError, ToolError) as error:
            await self.store.write(rows.remove, change.id)
            self._forget_begun(change.id)
            raise error if isinstance(error, ToolError) else told(error) from error
        try:
            if takes_back:  # before the note goes, so that `recover` makes a kill in between good
                await self.store.write(rows.mark_taken_back, takes_back)
        except StoreError as error:
            log.warning("%s is made; what it takes back is marked at the next start: %s", change.id, error)
            return change.id, verified
        self._forget_begun(change.id)
        await self._tidy(change.made)
        return change.id, verified

    def _keep(self, change: str, steps: Sequence[Step], takes_back: tuple[str, ...]) -> list[JournaledFile]:
        """Note that the change begins and put the contents of both sides on disk; return the rows."""
        folders = tuple(sorted({os.path.dirname(step.path) for step in steps}))
        self._note_begun(Begun(change, alive.this_process(), folders, takes_back))
        return [
            JournaledFile(
                path=step.path,
                before=blobs.put(self.folder, step.before) if step.before is not None else None,
                after=blobs.put(self.folder, step.after) if step.after is not None else None,
                before_size=len(step.before or b""),
                after_size=len(step.after or b""),
                before_mode=step.before_mode,
                after_mode=None
                if step.after is None
                else step.before_mode
                if step.mode is None
                else step.mode,
                old_path=step.source,
            )
            for step in steps
        ]

    def _carry_out(self, change: str, steps: Sequence[Step]) -> tuple[bool, ...]:
        changed = apply.changed_since(steps)
        if changed:
            raise ToolError("changed_since", f"Changed meanwhile: {', '.join(changed)}. Nothing was changed.")
        return apply.carry_out(steps, change)

    def _note_begun(self, begun: Begun) -> None:
        self._begun.mkdir(mode=0o700, parents=True, exist_ok=True)
        note = self._begun / begun.change
        unfinished = note.with_suffix(".part")
        unfinished.write_bytes(msgspec.json.encode(begun))
        descriptor = os.open(unfinished, os.O_RDWR | getattr(os, "O_BINARY", 0))
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(unfinished, note)
        filesystem.sync_folder(str(self._begun))

    def _forget_begun(self, change: str) -> None:
        (self._begun / change).unlink(missing_ok=True)

    async def _tidy(self, now: float) -> None:
        """Keep the journal within its caps, now and then."""
        if now - self._tidied < _TIDY_SECONDS:
            return
        self._tidied = now
        with contextlib.suppress(StoreError):  # the change is made; tidying can wait for the next one
            unused = await self.store.write(rows.forget_old, now)
            await asyncio.to_thread(rows.remove_blobs, self.folder, unused)

    async def recover(self) -> list[str]:
        """Settle what processes that are gone have begun; return the ids of changes that were taken back.

        Call it once the store is open. A change whose files all are as they should be is kept. What cannot be
        settled now (a folder that may not be written, content that is gone) is tried again at the next start.
        """
        taken_back: list[str] = []
        for note in await asyncio.to_thread(_notes, self._begun):
            if not alive.is_dead(note.process):
                continue
            try:
                taken_back += await self._recovered(note)
            except (OSError, StoreError, ToolError) as error:
                log.warning("the change %s is not settled: %s", note.change, error)
        return taken_back

    async def _recovered(self, note: Begun) -> list[str]:
        files = await self.store.read(rows.files, note.change)
        gone = await asyncio.to_thread(self._settle, note, files)
        if gone:
            await self.store.write(rows.remove, note.change)
        elif files and note.takes_back:
            await self.store.write(rows.mark_taken_back, note.takes_back)
        self._forget_begun(note.change)
        return [note.change] if gone else []

    def _settle(self, note: Begun, files: Sequence[JournaledFile]) -> bool:
        """Remove temporary files and put back what a half-made change left; return whether it was taken back.

        A file that holds something else altogether was written by somebody since, and is left alone.
        """
        for folder in note.folders:
            for leftover in Path(folder).glob(f".bramble-{note.change}-*.tmp"):
                leftover.unlink(missing_ok=True)
        sides = [(file, self._content(file.before), self._content(file.after)) for file in files]
        now = [apply.content(file.path) for file in files]
        torn = [_torn(here, before, after) for here, (_, before, after) in zip(now, sides, strict=True)]
        waiting = any(here == before != after for here, (_, before, after) in zip(now, sides, strict=True))
        if not waiting and not any(torn):
            return False
        for here, half, (file, before, after) in zip(now, torn, sides, strict=True):
            if half or here == after != before:
                apply.restore(file.path, before, file.before_mode, f"{note.change}-back")
        return True

    def _content(self, sha: str | None) -> bytes | None:
        return blobs.get(self.folder, sha) if sha else None


def _unwritten(error: StoreError) -> StoreError:
    """Return the error in words for the model: what cannot be written down cannot be taken back."""
    problem = error.problem
    why = problem.detail or error.code
    words = f"The change could not be written down for undo ({why}). Nothing was changed."
    return StoreError(error.code, words, detail=problem.detail, **problem.fields)


def _torn(now: bytes | None, before: bytes | None, after: bytes | None) -> bool:
    """Whether a write into the file itself was cut off.

    It begins as the new content and goes on as the old.
    """
    if now is None or before is None or after is None or now in (before, after):
        return False
    most = min(len(now), len(after))
    shared = next((at for at in range(most) if now[at] != after[at]), most)
    return shared > 0 and now[shared:] == before[shared:]


def _notes(folder: Path) -> list[Begun]:
    found: list[Begun] = []
    for path in sorted(folder.glob("*")) if folder.is_dir() else []:
        try:
            found.append(msgspec.json.decode(path.read_bytes(), type=Begun))
        except (msgspec.DecodeError, FileNotFoundError):
            path.unlink(
                missing_ok=True
            )  # never finished, so nothing had begun; or another process was faster
    return found

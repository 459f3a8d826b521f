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

from app.changes import apply, journaled, recovery, shifts
from app.changes.apply import AnyStep
from app.changes.failures import told
from app.changes.recovery import Begun
from app.changes.shifts import Shift
from app.errors import StoreError, ToolError
from app.platform import filesystem
from app.platform.ids import new_id
from app.records import ChangeInfo, FileDiff, Mark
from app.store import alive, journal as rows
from app.store.database import Store
from app.store.journal import JournaledFile

log = logging.getLogger(__name__)

_TIDY_SECONDS = 3600.0
SLOT_TRIES = 8
"""How often another place in the trash is tried when somebody takes the one that was free."""


class Journal:
    """Writes changes down in the store and carries them out, one at a time and each whole or not at all."""

    def __init__(
        self, store: Store, folder: Path, clock: Callable[[], float] = time.time, trash: str = ""
    ) -> None:
        """`folder` holds the contents by hash (`Home.journal`); `trash` is the person's own trash folder, ""
        for one beside the journal.
        """
        self.store = store
        self.trash = trash or str(folder.resolve().parent / "Trash")
        self.folder = folder
        self.clock = clock
        self.cap = rows.CAP_BYTES
        """Bytes of contents that are kept; the oldest changes go first."""
        self._begun = folder / "begun"
        self._tidied = 0.0
        self._added = 0

    async def make(
        self,
        steps: Sequence[AnyStep],
        files: Sequence[FileDiff],
        *,
        session: str,
        turn: str,
        tool: str,
        undoes: tuple[str, ...] = (),
        takes_back: tuple[str, ...] = (),
        chosen: bool = False,
        marks: tuple[Mark, ...] = (),
    ) -> tuple[str, tuple[bool, ...]]:
        """Write the change down, carry it out, and return its id and which files read back as meant.

        An undo `takes_back` changes (newest first), of which `undoes` still stood; `chosen` as in ChangeInfo.
        `marks` are the untrusted sources that its content may come from.

        Raises StoreError (nothing was changed, since it could not be taken back), ToolError (changed_since,
        no_permission, disk_full, ...: nothing was changed). It is not interrupted by being cancelled.
        """
        now = self.clock()
        counts = tuple(msgspec.structs.replace(file, hunks=(), text=None) for file in files)
        change = ChangeInfo(
            id=new_id(now),
            session=session,
            turn=turn,
            tool=tool,
            made=now,
            files=counts,
            undoes=undoes,
            chosen=chosen,
            marks=tuple(dict.fromkeys((*marks, *await self._inherited(steps)))),
        )
        work = asyncio.ensure_future(self._make(change, steps, takes_back))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            with contextlib.suppress(ToolError, StoreError):
                await work
            raise

    async def _inherited(self, steps: Sequence[AnyStep]) -> tuple[Mark, ...]:
        """Return what the files were made from so far: an edit leaves some of it standing."""
        paths = [one.leaves if isinstance(one, Shift) else one.path for one in steps if _stood(one)]

        def look(db: sqlite3.Connection) -> tuple[Mark, ...]:
            return tuple(mark for path in paths for mark in rows.marks_of(db, path))

        return await self.store.read(look) if paths else ()

    async def _make(
        self, change: ChangeInfo, steps: Sequence[AnyStep], takes_back: tuple[str, ...]
    ) -> tuple[str, tuple[bool, ...]]:
        ready: list[AnyStep] = []
        try:
            ready, before = await asyncio.to_thread(self._keep, change, steps, takes_back)
            await self.store.write(rows.record, change, before)
        except (StoreError, OSError, ToolError, apply.ChangedSince) as error:
            await asyncio.to_thread(journaled.clear_away, ready)
            self._forget_begun(change.id)
            raise _unwritten(error) from error
        try:
            verified = await asyncio.to_thread(apply.carry_out, ready, change.id)
        except apply.RollBackFailed as error:
            raise ToolError(
                "internal",
                f"The change failed half-way; these files could not be put back: {', '.join(error.paths)}. "
                f"The journal holds what stood there: undo {change.id}.",
                detail=str(error.cause),
            ) from error
        except (OSError, apply.ChangedSince) as error:
            await asyncio.to_thread(journaled.clear_away, ready)
            await self.store.write(rows.remove, change.id)
            self._forget_begun(change.id)
            raise _unmade(error) from error
        await asyncio.to_thread(_finish, ready)
        try:
            if takes_back:  # before the note goes, so that `recover` makes a kill in between good
                await self.store.write(rows.mark_taken_back, takes_back)
        except StoreError as error:
            log.warning("%s is made; what it takes back is marked at the next start: %s", change.id, error)
            return change.id, verified
        self._forget_begun(change.id)
        await self._tidy(change.made)
        return change.id, verified

    def _keep(
        self, change: ChangeInfo, steps: Sequence[AnyStep], takes_back: tuple[str, ...]
    ) -> tuple[list[AnyStep], list[JournaledFile]]:
        """Note that the change begins, make it ready and put the contents of both sides on disk.

        Return the steps as they are carried out, and their rows. Raises OSError, StoreError.
        """
        self._must_fit(steps)
        notes = journaled.Notes(change.made, self.trash)
        folders = tuple(sorted(journaled.staging_folders(steps)))
        for left in range(SLOT_TRIES, 0, -1):
            chosen = notes.choose(steps)
            slots = tuple((one.slot, one.info) for one in chosen if isinstance(one, Shift) and one.info)
            self._note_begun(Begun(change.id, alive.this_process(), folders, takes_back, slots))
            try:
                ready = journaled.make_ready(chosen, change.id, lambda: False)
            except FileExistsError:
                if left == 1:
                    raise
                continue
            break
        try:
            return ready, journaled.rows_of(self.folder, ready)
        except (StoreError, OSError):
            journaled.clear_away(ready)
            raise

    def _must_fit(self, steps: Sequence[AnyStep]) -> None:
        """Refuse what would push out all else that can be taken back, and in the end itself."""
        size = sum(len(data or b"") for step in steps for data in _sides(step))
        if size > self.cap // 2:
            raise ToolError(
                "too_large",
                f"The change holds {size} bytes, more than undo can keep. Make it in smaller parts. "
                "Nothing was changed.",
            )
        self._added += size

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
        for name in (change, f"{change}.part"):  # a kill may leave the second, whole or torn
            (self._begun / name).unlink(missing_ok=True)

    async def _tidy(self, now: float) -> None:
        """Keep the journal within its caps, now and then."""
        if now - self._tidied < _TIDY_SECONDS and self._added < self.cap // 16:
            return
        self._tidied, self._added = now, 0
        with contextlib.suppress(StoreError):  # the change is made; tidying can wait for the next one
            unused = await self.store.write(rows.forget_old, now, cap_bytes=self.cap)
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
        gone = await asyncio.to_thread(recovery.settle, note, files, self.folder)
        if gone:
            await self.store.write(rows.remove, note.change)
        elif files and note.takes_back:
            await self.store.write(rows.mark_taken_back, note.takes_back)
        self._forget_begun(note.change)
        return [note.change] if gone else []


def _finish(steps: Sequence[AnyStep]) -> None:
    for step in steps:
        if isinstance(step, Shift):
            shifts.finish(step)


def _unmade(error: OSError | apply.ChangedSince) -> ToolError:
    if isinstance(error, OSError):
        return told(error)
    return ToolError("changed_since", f"Changed meanwhile: {error}. Nothing was changed.")


def _unwritten(error: StoreError | OSError | ToolError | apply.ChangedSince) -> StoreError | ToolError:
    """Return the error in words for the model: what cannot be written down cannot be taken back."""
    if isinstance(error, OSError | apply.ChangedSince):
        return _unmade(error)
    if isinstance(error, ToolError):
        return error
    problem = error.problem
    why = problem.detail or error.code
    words = f"The change could not be written down for undo ({why}). Nothing was changed."
    return StoreError(error.code, words, detail=problem.detail, **problem.fields)


def _stood(step: AnyStep) -> bool:
    """Whether it goes on from what stood there, with all that it was made from."""
    return step.way == "moved" if isinstance(step, Shift) else step.before is not None


def _sides(step: AnyStep) -> tuple[bytes | None, ...]:
    return (step.before,) if isinstance(step, Shift) else (step.before, step.after)


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

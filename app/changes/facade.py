"""What a front end can do with changes.

List them, look at one, take back one, a turn, or all since a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence

import msgspec

from app.changes.diff import file_diff
from app.changes.journal import Journal
from app.changes.undo import NO_CHOICES, Undo
from app.errors import ToolError
from app.events import ChangeMade, Event
from app.memory_records import UNDO
from app.records import ChangeInfo, Choice, FileConflict, FileDiff
from app.store import blobs, journal as rows
from app.store.journal import JournaledFile


class Changes:
    """Facade over the journal. Undoing raises ToolError.

    No_change, undo_conflict, and what a write may raise.
    """

    def __init__(
        self,
        journal: Journal,
        emit: Callable[[Event], None],
        memory: Callable[[str], Awaitable[str]] | None = None,
    ) -> None:
        """`memory` takes back a change of what is remembered, whose id tells it from one of files."""
        self._memory = memory
        self._journal = journal
        self._undo = Undo(journal)
        self._emit = emit

    async def list(
        self, *, session: str = "", turn: str = "", since: float | None = None
    ) -> Sequence[ChangeInfo]:
        """Return changes, newest first; their files carry counts, not lines."""
        return await self._journal.store.read(rows.changes, session=session, turn=turn, since=since)

    async def show(self, change: str) -> ChangeInfo:
        """Return one change with the lines of each file. Raises ToolError (no_change)."""
        found = await self._journal.store.read(rows.change, change)
        if found is None:
            raise ToolError("no_change", f"There is no change {change}.", change=change)
        files = await self._journal.store.read(rows.files, change)
        told = {file.path: file for file in found.files}
        diffs = await asyncio.to_thread(lambda: tuple(self._diffs(files, told)))
        return msgspec.structs.replace(found, files=diffs)

    async def preview(self, file: FileDiff, text: str) -> FileDiff:
        """Return a question's file as it would be with the person's `text`; see `app.changes.preview`.

        For the editor of the approval dialog. Raises ToolError: encoding, no_change.
        """
        from app.changes.preview import preview

        return await asyncio.to_thread(preview, file, text)

    async def conflicts(self, change: str) -> tuple[FileConflict, ...]:
        """Return the whole three-way difference of each file that keeps a change from being taken back."""
        return await self._undo.conflicts(change)

    async def undo(self, change: str, choices: Mapping[str, Choice] = NO_CHOICES) -> str:
        """Take back one change (or an undo); return the id that takes this back.

        `choices` say by path what becomes of files that were changed since; without one for each of them
        UndoConflict is raised, which holds them.
        """
        if change.startswith(UNDO) and self._memory is not None:
            return await self._memory(change)
        return self._told(await self._undo.one(change, choices))

    async def undo_turn(self, turn: str, choices: Mapping[str, Choice] = NO_CHOICES) -> str:
        """Take back what stands of a turn."""
        return self._told(await self._undo.turn(turn, choices))

    async def undo_since(
        self, time: float, session: str = "", choices: Mapping[str, Choice] = NO_CHOICES
    ) -> str:
        """Bring all files back to how they were at `time` (unix seconds)."""
        return self._told(await self._undo.since(time, session, choices))

    def _told(self, made: str) -> str:
        self._emit(ChangeMade(change=made))
        return made

    def _diffs(self, files: Sequence[JournaledFile], told: Mapping[str, FileDiff]) -> Iterator[FileDiff]:
        for file in files:
            if not file.way or file.before:
                yield self._diff(file)
            elif file.path in told:
                yield told[file.path]

    def _diff(self, file: JournaledFile) -> FileDiff:
        before, after = (
            blobs.get(self._journal.folder, sha) if sha else None for sha in (file.before, file.after)
        )
        return file_diff(file.path, file.path, before, after, old_path=file.old_path)

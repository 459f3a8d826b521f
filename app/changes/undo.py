"""Take back one change, a turn, or everything since a time.

An undo is a change itself, so it can be taken back too.

Nothing that a person, or a later change, wrote since is overwritten: where a file is no longer as the change
left it, nothing at all is done and both differences are handed out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from app.changes import diff
from app.changes.apply import Step, content
from app.changes.journal import Journal
from app.errors import ToolError
from app.platform import filesystem
from app.records import ChangeInfo, FileConflict
from app.store import blobs, journal as rows
from app.store.journal import JournaledFile


class UndoConflict(ToolError):
    """Files are no longer as the change left them (code undo_conflict).

    `conflicts` holds both differences.
    """

    def __init__(self, conflicts: Sequence[FileConflict]) -> None:
        names = ", ".join(conflict.path for conflict in conflicts)
        super().__init__(
            "undo_conflict",
            f"Changed since, so nothing was taken back: {names}.",
            path=names,
            count=str(len(conflicts)),
        )
        self.conflicts = tuple(conflicts)


@dataclass
class _Way:
    """How one file came from `start` to `end` over the changes that are taken back, newest first."""

    end: JournaledFile
    start: JournaledFile
    broken: bool = False
    """Whether somebody wrote to the file between two of the changes."""


class Undo:
    """Takes changes of a journal back.

    Every method returns the id of the change that does it, for the way back.

    Raises ToolError: no_change (nothing to take back), UndoConflict, or what making a change raises.
    """

    def __init__(self, journal: Journal) -> None:
        self.journal = journal

    async def one(self, change: str) -> str:
        """Take back one change; for an undo: let stand again what it took back."""
        found = await self.journal.store.read(rows.change, change)
        if found is None:
            raise ToolError("no_change", f"There is no change {change}.", change=change)
        if found.undone:
            raise ToolError("no_change", f"The change {change} is taken back already.", change=change)
        return await self._take_back([found])

    async def turn(self, turn: str) -> str:
        """Take back what stands of a turn; a change of another turn on top of it refuses it."""
        found = await self.journal.store.read(rows.changes, turn=turn)
        standing = [change for change in found if not change.undone and not change.undoes]
        if not turn or not standing:
            raise ToolError("no_change", "There is nothing to take back in this turn.", turn=turn)
        return await self._take_back(standing)

    async def since(self, time: float, session: str = "") -> str:
        """Bring all files back to how they were at that time (unix seconds), whatever was done since."""
        found = await self.journal.store.read(rows.changes, session=session, since=time, limit=1_000_000)
        if not any(not change.undone for change in found):
            raise ToolError("no_change", "Nothing was changed since then.")
        return await self._take_back(found)

    async def conflicts(self, change: str) -> tuple[FileConflict, ...]:
        """Return what keeps a change from being taken back, nothing when it can be."""
        ways = await self._ways([change])
        return tuple(await asyncio.to_thread(self._conflicts, ways))

    async def _take_back(self, changes: Sequence[ChangeInfo]) -> str:
        ways = await self._ways([change.id for change in changes])
        conflicts = await asyncio.to_thread(self._conflicts, ways)
        if conflicts:
            raise UndoConflict(conflicts)
        steps = await asyncio.to_thread(self._steps, ways)
        if not steps:
            raise ToolError("no_change", "The files are as they were already.")
        files = [diff.file_diff(step.path, step.path, step.before, step.after) for step in steps]
        turns = {change.session for change in changes}
        made, _ = await self.journal.make(
            steps,
            files,
            session=turns.pop() if len(turns) == 1 else "",
            turn="",
            tool="undo",
            undoes=tuple(change.id for change in changes if not change.undone),
            takes_back=tuple(change.id for change in changes),
        )
        return made

    async def _ways(self, changes: Sequence[str]) -> dict[str, _Way]:
        """Follow each path back over the changes, newest first."""
        ways: dict[str, _Way] = {}
        for change in changes:
            for file in await self.journal.store.read(rows.files, change):
                way = ways.get(file.path)
                if way is None:
                    ways[file.path] = _Way(file, file)
                else:
                    way.broken = way.broken or file.after != way.start.before
                    way.start = file
        return ways

    def _conflicts(self, ways: dict[str, _Way]) -> list[FileConflict]:
        found: list[FileConflict] = []
        for path, way in ways.items():
            now = content(path)
            after = blobs.get(self.journal.folder, way.end.after) if way.end.after else None
            if now == after and not way.broken:
                continue
            before = blobs.get(self.journal.folder, way.start.before) if way.start.before else None
            found.append(
                FileConflict(
                    path=path,
                    ours=diff.file_diff(path, path, before, after),
                    since=diff.file_diff(path, path, after, now),
                )
            )
        return found

    def _steps(self, ways: dict[str, _Way]) -> list[Step]:
        """Return what brings the files back: contents, places, and modes where a change set one."""
        steps: list[Step] = []
        moved = {way.start.old_path: path for path, way in ways.items() if way.start.old_path}
        for path, way in ways.items():
            now = content(path)
            before = blobs.get(self.journal.folder, way.start.before) if way.start.before else None
            mode, current = way.start.before_mode, filesystem.status(path).mode if now is not None else None
            if before is None or (now is not None and way.end.after_mode == way.start.before_mode):
                mode = None  # no mode to set, or one that the changes left alone
            if before != now or (mode is not None and mode != current):
                source = moved.get(path, "") if now is None else ""
                steps.append(Step(path, now, before, current, mode, source))
        return steps

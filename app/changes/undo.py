"""Take back one change, a turn, or everything since a time.

An undo is a change itself, so it can be taken back too.

Nothing that a person, or a later change, wrote since is overwritten: where a file is no longer as the change
left it, nothing at all is done and both differences are handed out.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from app.changes.failures import told
from app.changes.journal import Journal
from app.changes.returning import Return, shown
from app.changes.standing import to_go_back_over
from app.errors import ToolError, UndoConflict as UndoConflict
from app.platform import trees
from app.records import ChangeInfo, Choice, FileConflict, FileDiff
from app.store import journal as rows
from app.store.journal import JournaledFile

NO_CHOICES: Mapping[str, Choice] = MappingProxyType({})


class Undo:
    """Takes changes of a journal back.

    Every method returns the id of the change that does it, for the way back.

    Raises ToolError: no_change (nothing to take back), taken_back (by an earlier undo), UndoConflict, or
    what making a change raises.
    """

    def __init__(self, journal: Journal) -> None:
        self.journal = journal

    async def one(self, change: str, choices: Mapping[str, Choice] = NO_CHOICES) -> str:
        """Take back one change; for an undo: let stand again what it took back.

        `choices` say for files (absolute paths) that were changed since: "mine" leaves them, "before" puts
        back what was there before, "merged" takes back only our part where none of the person's touches it.
        """
        found = await self.journal.store.read(rows.change, change)
        if found is None:
            raise ToolError("no_change", f"There is no change {change}.", change=change)
        if found.undone:
            raise ToolError("taken_back", f"The change {change} is taken back already.", change=change)
        every = await self._all()
        return await self._take_back(to_go_back_over([found], every), every, choices)

    async def turn(self, turn: str, choices: Mapping[str, Choice] = NO_CHOICES) -> str:
        """Take back what stands of a turn; a change of another turn on top of it refuses it."""
        found = await self.journal.store.read(rows.changes, turn=turn)
        standing = [change for change in found if not change.undone and not change.undoes]
        if not turn or not standing:
            raise ToolError("no_change", "There is nothing to take back in this turn.", turn=turn)
        every = await self._all()
        return await self._take_back(to_go_back_over(standing, every), every, choices)

    async def since(self, time: float, session: str = "", choices: Mapping[str, Choice] = NO_CHOICES) -> str:
        """Bring all files back to how they were at that time (unix seconds), whatever was done since."""
        found = await self.journal.store.read(rows.changes, session=session, since=time, limit=1_000_000)
        if not any(not change.undone for change in found):
            raise ToolError("no_change", "Nothing was changed since then.")
        return await self._take_back(found, found, choices)

    async def conflicts(self, change: str) -> tuple[FileConflict, ...]:
        """Return what keeps a change from being taken back, nothing when it can be."""
        found = await self.journal.store.read(rows.change, change)
        going = to_go_back_over([found], await self._all()) if found else []
        return tuple((await self._way_back([one.id for one in going], NO_CHOICES)).conflicts)

    async def _all(self) -> list[ChangeInfo]:
        return await self.journal.store.read(rows.changes, limit=1_000_000)

    async def _take_back(
        self, changes: Sequence[ChangeInfo], every: Sequence[ChangeInfo], choices: Mapping[str, Choice]
    ) -> str:
        way = await self._way_back([change.id for change in to_go_back_over(changes, every)], choices)
        if way.conflicts:
            raise UndoConflict(way.conflicts, rest=bool(way.steps))
        if not way.steps:
            raise ToolError("no_change", "The files are as they were already.")
        files = await asyncio.to_thread(lambda: [one for one in map(shown, way.steps) if one is not None])
        gone = _without_kept(changes, choices)
        turns = {change.session for change in changes}
        made, _ = await self.journal.make(
            way.steps,
            files,
            session=turns.pop() if len(turns) == 1 else "",
            turn="",
            tool="undo",
            undoes=tuple(change.id for change in gone if not change.undone),
            takes_back=tuple(change.id for change in gone),
            chosen=bool(choices),
        )
        return made

    async def _way_back(self, changes: Sequence[str], choices: Mapping[str, Choice]) -> Return:
        """Work out the way back over changes, newest first."""
        found = [await self.journal.store.read(rows.files, change) for change in changes]
        way = Return(self.journal.folder, choices)

        def work() -> Return:
            try:
                way.over([row for files in found for row in reversed(files)])
            except OSError as error:
                raise told(error, "Nothing was taken back.") from error
            for files in found:
                _must_be_empty(files, way)
            return way

        return await asyncio.to_thread(work)


def _without_kept(changes: Sequence[ChangeInfo], choices: Mapping[str, Choice]) -> list[ChangeInfo]:
    """Leave out the changes of which a person kept every file: they stand, and can be taken back later."""
    mine = {path for path, choice in choices.items() if choice == "mine"}
    return [one for one in changes if not one.files or not all(file.path in mine for file in one.files)]


def _must_be_empty(files: Sequence[JournaledFile], way: Return) -> None:
    """Refuse to take back a new folder, which is all that a change made, once something stands in it."""
    if not files or any(file.way != "folder" for file in files):
        return
    path = files[-1].path
    if os.path.isdir(path) and os.listdir(path) and not way.view.pending[:-1] and not way.conflicts:
        held = trees.survey(path)
        ours = FileDiff(path=path, shown=path, kind="folder")
        since = FileDiff(path=path, shown=path, kind="changed", items=held.items, sample=held.sample)
        way.conflicts.append(FileConflict(path=path, ours=ours, since=since))

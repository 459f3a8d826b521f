"""Change files behind the gate: the whole effect is known, shown and permitted before anything is written.

What is written is what was permitted: the files are compared with what the question showed once more at the
moment of writing, and asked about again when they are no longer the same.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace

import msgspec

from app.capabilities import files_outcome as outcome
from app.capabilities.files_arranging import (
    CONTENT,
    arrange,
    guarded,
    must_be_apart,
    must_be_readable,
    places,
)
from app.capabilities.files_paths import is_secret, resolve, shown
from app.capabilities.files_proposal import Proposal, Settled, diffs, look, proposed, settled, with_texts
from app.capabilities.files_reading import FileReader
from app.capabilities.files_work import Stopped, in_thread
from app.capabilities.files_world import FileWorld
from app.capabilities.gate import Permit
from app.changes.apply import AnyStep
from app.changes.failures import ContentError, told
from app.changes.plan import plan
from app.changes.restoring import Versions
from app.changes.shifts import Shift
from app.errors import ToolError
from app.events import ChangeMade
from app.permissions.marks import sources
from app.records import ChangeInfo, FilesEffect, Mark, ReadEffect
from app.store import blobs, journal as rows
from app.store.journal import JournaledFile
from tools import Changed, ChangeSet, Restore

ASKED_AT_MOST = 3
"""How often a change is asked about when its files change under the question each time."""


class Files(FileReader):
    """Reading and changing behind the gate of one call. Implements `tools.ChangeFiles`."""

    def __init__(
        self, world: FileWorld, gate: Permit, cwd: str, *, session: str, turn: str, tool: str
    ) -> None:
        super().__init__(world, gate, cwd)
        self._session = session
        self._turn = turn
        self._tool = tool

    async def change(self, changes: ChangeSet) -> Changed:
        """Make all operations happen, or none; return what really happened.

        Raises Refused, StoreError where the change could not be taken back, and ToolError: not_found,
        not_unique, no_change, binary, encoding, too_large, protected, outside, changed_since, no_permission,
        no_trash, disk_full, no_folder.
        """
        unfit: dict[str, str] = {}
        for asked in range(ASKED_AT_MOST):
            proposal = with_texts(await self._proposal(changes, again=asked > 0), unfit)
            if proposal.empty:
                return await self._nothing(proposal)
            answer = await self._gate.permit(proposal.effect)
            try:
                wanted = await asyncio.to_thread(settled, proposal, answer)
            except ToolError as error:
                if error.code != "encoding" or not answer.edited or asked == ASKED_AT_MOST - 1:
                    raise
                unfit = dict(answer.edited)
                continue
            if not wanted.steps:
                return outcome.rejected(proposal)
            made = await self._make(wanted)
            if made is not None:
                return await asyncio.to_thread(
                    outcome.changed, proposal, wanted, made[0], made[1], self._real_cwd()
                )
        raise ToolError(
            "changed_since", "The file changed each time before it could be written. Nothing was changed."
        )

    def locked(self, real: str) -> AbstractAsyncContextManager[None]:
        """Return the lock of a path, for a capability that writes into the file itself."""
        return self._world.locked([real])

    async def foresee(self, changes: ChangeSet) -> FilesEffect:
        """Return what operations would do, for a question that asks about more than that. Changes nothing.

        Raises ToolError as `change`.
        """
        return (await self._proposal(changes, again=False)).effect

    def resolve(self, path: str) -> str:
        """Return the real path that a path means; touches the disk. Raises ToolError."""
        return self._resolve(path)

    async def _make(self, wanted: Settled) -> tuple[str, dict[str, bool]] | None:
        """Write, under the locks of all paths; None where a file is no longer as the question showed it."""
        cwd = self._real_cwd()
        async with self._world.locked(_touched(wanted.steps)):
            files = await asyncio.to_thread(diffs, [file for file in wanted.files if not file.same], cwd)
            files += [one for made in wanted.arranged for one in made.diffs]
            try:
                change, verified = await self._world.journal.make(
                    wanted.steps,
                    files,
                    session=self._session,
                    turn=self._turn,
                    tool=self._tool,
                    marks=(*self._gate.origin, *_origins(wanted, cwd)),
                )
            except ToolError as error:
                if error.code != "changed_since":
                    raise
                return None
        self._world.emit(ChangeMade(session=self._session, change=change))
        return change, {step.path: good for step, good in zip(wanted.steps, verified, strict=True)}

    async def _proposal(self, changes: ChangeSet, *, again: bool) -> Proposal:
        named: list[str] = []
        versions = [await self._versions(one.path) for one in changes.operations if isinstance(one, Restore)]

        def work(stopped: Stopped) -> Proposal:
            named.clear()
            if not os.path.isdir(self._cwd):
                raise ToolError("no_folder", f"The working folder {self._cwd} is gone.", path=self._cwd)
            where = places(self._world, self._cwd, stopped)
            contents = [one for one in changes.operations if isinstance(one, CONTENT)]
            files = plan(contents, look, lambda path: _remember(named, resolve(self._cwd, path)))
            waiting = iter(versions)
            arranged = [
                arrange(one, where, next(waiting) if isinstance(one, Restore) else None)
                for one in changes.operations
                if not isinstance(one, CONTENT)
            ]
            must_be_apart(arranged, [file.path for file in files])
            safe = [guarded(one, self._world, self._gate, where.cwd) for one in arranged]
            return _with_sources(proposed(files, safe, where), self._world, self._gate, where.cwd)

        try:
            return await in_thread(work)
        except OSError as error:
            raise told(error) from error
        except ToolError as error:
            if again:
                raise ToolError("changed_since", f"Changed while the question waited. {error}") from error
            if isinstance(error, ContentError):
                await self._may_tell(named[-2:])  # the operation that failed; a rename names two
            raise

    async def _versions(self, path: str) -> Versions:
        """Return what the journal knows of a path."""

        def named(stopped: Stopped) -> dict[str, None]:
            where = places(self._world, self._cwd, stopped)
            return dict.fromkeys((where.entry(path), where.resolve(path)))

        names = await in_thread(named)

        def read(db: sqlite3.Connection) -> list[tuple[ChangeInfo, JournaledFile]]:
            return [row for name in names for row in rows.history(db, name)]

        found = await self._world.journal.store.read(read)
        return Versions(found, lambda sha: blobs.get(self._world.journal.folder, sha))

    async def _may_tell(self, named: Sequence[str]) -> None:
        """Ask before an error tells lines of a file that the call could not simply read."""
        cwd = self._real_cwd()
        for path in dict.fromkeys(named):
            secret = is_secret(path, self._world.secrets)
            if secret or shown(path, cwd) == path:
                await self._gate.permit(ReadEffect(path=path, secret=secret))

    async def _nothing(self, proposal: Proposal) -> Changed:
        """Say that the files hold that already, which is an answer about their content."""
        await self._may_tell([file.path for file in proposal.same])
        return outcome.nothing(proposal, self._real_cwd())


def _with_sources(proposal: Proposal, world: FileWorld, gate: Permit, cwd: str) -> Proposal:
    """Return it with what the question must name: secrets, and files from outside of the working folder
    `cwd`, whose content a patch takes to another place.

    Raises Refused where a rule forbids reading one of them.
    """
    told = list(proposal.diffs)
    for at, file in enumerate(proposal.files):
        if not file.read:
            continue
        must_be_readable(file.read, gate)
        if is_secret(file.read, world.secrets):
            told[at] = msgspec.structs.replace(told[at], note="secret_source")
        elif not file.old_path and shown(file.read, cwd) == file.read:
            told[at] = msgspec.structs.replace(told[at], note="outside_source")
    return replace(proposal, diffs=tuple(told))


def _remember(named: list[str], path: str) -> str:
    named.append(path)
    return path


def _touched(steps: Sequence[AnyStep]) -> set[str]:
    """Return the paths that are locked."""
    return {path for step in steps for path in (step.path, getattr(step, "source", "")) if path}


def _origins(wanted: Settled, cwd: str) -> tuple[Mark, ...]:
    """Return the marks of what is copied or moved in from outside of the working folder."""
    paths = [shift.origin or shift.leaves for one in wanted.arranged for shift in one.shifts if _comes(shift)]
    paths += [file.read for file in wanted.files if file.read]
    return tuple(mark for path in paths for mark in sources(ReadEffect(path=path), cwd))


def _comes(shift: Shift) -> bool:
    return bool(shift.origin) or shift.way == "moved"

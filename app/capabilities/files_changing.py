"""Change files behind the gate: the whole effect is known, shown and permitted before anything is written.

What is written is what was permitted: the files are compared with what the question showed once more at the
moment of writing, and asked about again when they are no longer the same.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass

from app.capabilities.files_paths import is_secret, is_system, resolve, shown
from app.capabilities.files_reading import FileReader
from app.capabilities.files_work import in_thread
from app.capabilities.files_world import FileWorld
from app.capabilities.gate import Permit
from app.changes import apply, diff
from app.changes.failures import ContentError, told
from app.changes.plan import Planned, Standing, plan, settle
from app.errors import ToolError
from app.events import ChangeMade
from app.platform import filesystem
from app.records import Answer, FileDiff, FilesEffect, ReadEffect
from tools import Changed, ChangedFile, ChangeSet

CHANGE_CAP = 64 * 1024 * 1024
"""Largest file, in bytes, that is changed: the journal keeps it whole."""
ASKED_AT_MOST = 3
"""How often a change is asked about when its files change under the question each time."""
_TOLD = 2_000  # characters of a difference that the model is told


@dataclass(frozen=True)
class _Proposal:
    """What a call wants.

    Each file that would change and how it is shown, and those that would stay the same.
    """

    files: tuple[Planned, ...]
    diffs: tuple[FileDiff, ...]
    same: tuple[Planned, ...]


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
        not_unique, no_change, binary, encoding, too_large, protected, changed_since, no_permission,
        disk_full, no_folder.
        """
        for asked in range(ASKED_AT_MOST):
            proposal = await self._proposal(changes, again=asked > 0)
            if not proposal.files:
                return await self._nothing(proposal)
            answer = await self._gate.permit(FilesEffect(files=proposal.diffs))
            settled = await asyncio.to_thread(_settled, proposal, answer)
            steps = apply.steps(settled)
            if not steps:
                return _rejected(proposal)
            made = await self._make(steps, settled)
            if made is not None:
                return await asyncio.to_thread(
                    _changed, proposal, settled, made[0], made[1], self._real_cwd()
                )
        raise ToolError(
            "changed_since", "The file changed each time before it could be written. Nothing was changed."
        )

    async def _make(
        self, steps: Sequence[apply.Step], settled: Sequence[Planned]
    ) -> tuple[str, dict[str, bool]] | None:
        """Write, under the locks of all paths; None where a file is no longer as the question showed it."""
        cwd = self._real_cwd()
        async with self._world.locked(step.path for step in steps):
            files = await asyncio.to_thread(_diffs, [file for file in settled if not file.same], cwd)
            try:
                change, verified = await self._world.journal.make(
                    steps,
                    files,
                    session=self._session,
                    turn=self._turn,
                    tool=self._tool,
                    marks=self._gate.origin,
                )
            except ToolError as error:
                if error.code != "changed_since":
                    raise
                return None
        self._world.emit(ChangeMade(session=self._session, change=change))
        return change, {step.path: good for step, good in zip(steps, verified, strict=True)}

    async def _proposal(self, changes: ChangeSet, *, again: bool) -> _Proposal:
        named: list[str] = []

        def work() -> _Proposal:
            named.clear()
            if not os.path.isdir(self._cwd):
                raise ToolError("no_folder", f"The working folder {self._cwd} is gone.", path=self._cwd)
            files = plan(changes.operations, _look, lambda path: _remember(named, resolve(self._cwd, path)))
            wanted = tuple(file for file in files if not file.same)
            diffs = _diffs(wanted, os.path.realpath(self._cwd))
            return _Proposal(wanted, tuple(diffs), tuple(file for file in files if file.same))

        try:
            return await in_thread(lambda stopped: work())
        except OSError as error:
            raise told(error) from error
        except ToolError as error:
            if again:
                raise ToolError("changed_since", f"Changed while the question waited. {error}") from error
            if isinstance(error, ContentError):
                await self._may_tell(named[-2:])  # the operation that failed; a rename names two
            raise

    async def _may_tell(self, named: Sequence[str]) -> None:
        """Ask before an error tells lines of a file that the call could not simply read."""
        cwd = self._real_cwd()
        for path in dict.fromkeys(named):
            secret = is_secret(path, self._world.secrets)
            if secret or shown(path, cwd) == path:
                await self._gate.permit(ReadEffect(path=path, secret=secret))

    async def _nothing(self, proposal: _Proposal) -> Changed:
        """Say that the files hold that already, which is an answer about their content."""
        await self._may_tell([file.path for file in proposal.same])
        return Changed(
            _unchanged(proposal, self._real_cwd()),
            undo="",
            note="The files hold exactly that already; nothing was written.",
        )


def _unchanged(proposal: _Proposal, cwd: str) -> tuple[ChangedFile, ...]:
    return tuple(ChangedFile(shown(file.path, cwd), "same", 0, 0) for file in proposal.same)


def _remember(named: list[str], path: str) -> str:
    named.append(path)
    return path


def _look(path: str) -> Standing:
    """Return what stands at a real path. Raises ToolError where it may not be changed at all."""
    if is_system(path):
        raise ToolError(
            "protected", f"{path} is part of the system, not a file. Nothing was changed.", path=path
        )
    standing = filesystem.status(path)
    if standing.kind == "missing":
        _must_have_room(path)
        return Standing()
    if standing.kind == "folder":
        raise ToolError("bad_arguments", f"{path} is a folder. Nothing was changed.", path=path)
    if standing.kind == "link":
        raise ToolError("outside", f"{path} is a link in a circle. Nothing was changed.", path=path)
    if standing.kind != "file":
        raise ToolError(
            "protected", f"{path} is no file but a {standing.kind}. Nothing was changed.", path=path
        )
    if standing.size > CHANGE_CAP:
        raise ToolError(
            "too_large", f"{path} has {standing.size} bytes; the most is {CHANGE_CAP}.", path=path
        )
    return Standing(filesystem.read(path), standing.mode, standing.links)


def _must_have_room(path: str) -> None:
    """Refuse a path below a file, and names that the system cannot hold, before anyone is asked."""
    name = os.path.basename(path)
    if len(os.fsencode(name)) > 255:
        raise ToolError(
            "bad_arguments", f"The name {name[:40]}... is too long. Nothing was changed.", path=path
        )
    folder = os.path.dirname(path)
    while not os.path.lexists(folder):
        folder = os.path.dirname(folder)
    if not os.path.isdir(folder):
        raise ToolError("bad_arguments", f"{folder} is no folder. Nothing was changed.", path=path)


def _diffs(files: Sequence[Planned], cwd: str) -> list[FileDiff]:
    return [
        diff.file_diff(
            file.path,
            shown(file.path, cwd),
            file.before,
            file.after,
            old_path=file.old_path,
            note=_note(file),
            modes=_modes(file),
        )
        for file in files
    ]


def _note(file: Planned) -> str:
    """Return the code of what a person should know that its lines do not show; "" leaves that to the diff."""
    if file.links > 1 and file.after is not None:
        return "hard_link"
    return "mode_changed" if any(_modes(file)) else ""


def _modes(file: Planned) -> tuple[int, int]:
    """Return the permission bits before and after where they change, else zeros."""
    if file.before is None or file.mode is None or file.before_mode is None or file.mode == file.before_mode:
        return 0, 0
    return file.before_mode, file.mode


def _settled(proposal: _Proposal, answer: Answer) -> tuple[Planned, ...]:
    rejected: dict[int, set[int]] = {}
    for file, hunk in answer.rejected:
        rejected.setdefault(file, set()).add(hunk)
    return settle(proposal.files, rejected, answer.edited)


def _rejected(proposal: _Proposal) -> Changed:
    files = tuple(
        ChangedFile(one.shown, "same", 0, 0, note="All of it was rejected.") for one in proposal.diffs
    )
    return Changed(
        files, undo="", note="The person rejected every piece of this change; nothing was written."
    )


def _changed(
    proposal: _Proposal, settled: Sequence[Planned], change: str, verified: dict[str, bool], cwd: str
) -> Changed:
    """Say what was written, and where it is not what was proposed."""
    files: list[ChangedFile] = []
    for wanted, made, proposed in zip(proposal.files, settled, proposal.diffs, strict=True):
        whole = made.after == wanted.after and made.path == wanted.path
        now = proposed if whole else _diffs([made], cwd)[0]
        good = verified.get(made.path, True) and verified.get(made.old_path, True)
        notes = [wanted.note, "" if whole else _difference(wanted, made)]
        notes.append("" if good else "Unverified: the file does not read back as it was written.")
        kind = "same" if made.same else now.kind
        files.append(
            ChangedFile(now.shown, kind, now.added, now.removed, " ".join(filter(None, notes)), verified=good)
        )
    partly = any(made.after != wanted.after for wanted, made in zip(proposal.files, settled, strict=True))
    note = "The person did not take all of it as proposed; see the notes." if partly else ""
    return Changed((*files, *_unchanged(proposal, cwd)), undo=change, note=note)


def _difference(wanted: Planned, made: Planned) -> str:
    """Tell the way from the proposal to what the file holds now."""
    if made.same:
        return "The person rejected this; the file is as it was."
    found = diff.file_diff(made.path, made.path, wanted.after, made.after)
    lines = [line.kind + line.text for hunk in found.hunks for line in hunk.lines]
    text = "\n".join(lines)
    cut = text[:_TOLD] + ("\n..." if len(text) > _TOLD else "")
    return f"The person changed the proposal. From it (-) to what the file holds (+):\n{cut}"

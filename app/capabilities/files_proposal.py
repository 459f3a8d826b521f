"""What a call wants to do to files, whole: worked out, shown, and settled by the person's answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from app.capabilities.files_paths import is_system, shown
from app.changes import apply, arranging, diff, shifts
from app.changes.apply import AnyStep, Step
from app.changes.arranging import Arranged, Places
from app.changes.plan import Planned, Standing, settle
from app.changes.text import decode, is_binary
from app.errors import ToolError
from app.platform import filesystem, trash, trees
from app.records import Answer, FileDiff, FilesEffect, Loss

CHANGE_CAP = 64 * 1024 * 1024
"""Largest file, in bytes, that is changed: the journal keeps it whole."""
TEXT_CAP = 1024 * 1024
"""Bytes of proposed text that one question carries for editing: more than anybody edits in a dialog."""


@dataclass(frozen=True)
class Proposal:
    """Each file whose content would change and how it is shown, and those that would stay the same."""

    files: tuple[Planned, ...]
    diffs: tuple[FileDiff, ...]
    """Those of `files`, then those of `arranged`."""
    same: tuple[Planned, ...] = ()
    arranged: tuple[Arranged, ...] = ()
    losses: tuple[Loss, ...] = ()

    @property
    def effect(self) -> FilesEffect:
        """What is asked about."""
        lasting = [shift for one in self.arranged for shift in one.shifts if shift.way == "sent"]
        undoable = all(shift.before is not None for shift in lasting)
        return FilesEffect(files=self.diffs, losses=self.losses, undoable=undoable)

    @property
    def empty(self) -> bool:
        """Whether nothing would happen."""
        return not self.files and not any(one.shifts for one in self.arranged)


@dataclass(frozen=True)
class Settled:
    """What the person wants of a proposal."""

    files: tuple[Planned, ...]
    arranged: tuple[Arranged, ...]
    steps: tuple[AnyStep, ...] = field(default=())


def proposed(planned: Sequence[Planned], arranged: Sequence[Arranged], where: Places) -> Proposal:
    """Return the proposal. Reads the disk. Raises ToolError, OSError."""
    contents = [file for one in arranged for file in one.contents]
    every = [*planned, *contents]
    wanted = tuple(file for file in every if not file.same)
    shown_files = tuple(diffs(wanted, where.cwd, texts=True))
    losses = [loss for one in arranged for loss in one.losses]
    for file in wanted:
        if is_deletion(file):
            trash.folder_for(file.path, where.trash, make=False)
            losses.append(where.loss(file.path, trees.survey(file.path)))
    return Proposal(
        wanted,
        (*shown_files, *(one for made in arranged for one in made.diffs)),
        tuple(file for file in every if file.same),
        tuple(arranged),
        tuple(losses),
    )


def is_deletion(file: Planned) -> bool:
    """Whether the file goes away, to the trash."""
    return file.after is None and file.before is not None and not file.old_path


def settled(proposal: Proposal, answer: Answer) -> Settled:
    """Return what is to be done. Raises ToolError (encoding) where an edited text does not fit the file."""
    rejected: dict[int, set[int]] = {}
    for file, hunk in answer.rejected:
        rejected.setdefault(file, set()).add(hunk)
    files = settle(proposal.files, rejected, answer.edited)
    at = len(proposal.files)
    kept: list[Arranged] = []
    for one in proposal.arranged:
        places = range(at, at + len(one.diffs))
        at += len(one.diffs)
        if not any(place in rejected for place in places):
            kept.append(one)
    return Settled(files, tuple(kept), _steps(files, kept))


def _steps(files: Sequence[Planned], arranged: Sequence[Arranged]) -> tuple[AnyStep, ...]:
    contents = apply.steps(files)
    above = _folders([step for step in contents if step.after is not None])
    gone = {file.path for file in files if is_deletion(file)}
    written = [step for step in contents if step.path not in gone or step.after is not None]
    aside = [_aside(step) for step in contents if step.path in gone and step.after is None]
    moved = [shift for one in arranged for shift in one.shifts]
    return (*above, *written, *aside, *moved)


def _folders(contents: Sequence[Step]) -> list[shifts.Shift]:
    """Return the missing folders above new files as steps, so that undo takes them away again."""
    every = (shift for step in contents for shift in arranging.parents(step.path, step.path))
    return list(dict.fromkeys(every))


def _aside(step: Step) -> shifts.Shift:
    """Return the way of a deleted file into the trash; the journal keeps its content too."""
    assert step.before is not None
    found = trees.survey(step.path)
    seal = trees.content_print(step.before)
    return shifts.goes(step.path, replace(found, print=seal), step.before)


def with_texts(proposal: Proposal, texts: Mapping[str, str]) -> Proposal:
    """Return the proposal with what the person wrote and the encoding cannot hold, to be asked anew."""
    if not texts:
        return proposal
    told = [
        msgspec.structs.replace(one, text=texts[one.path], note="cannot_hold") if one.path in texts else one
        for one in proposal.diffs
    ]
    return Proposal(proposal.files, tuple(told), proposal.same, proposal.arranged, proposal.losses)


def look(path: str) -> Standing:
    """Return what stands at a real path. Raises ToolError where it may not be changed at all."""
    if is_system(path):
        raise ToolError(
            "protected", f"{path} is part of the system, not a file. Nothing was changed.", path=path
        )
    standing = filesystem.status(path)
    if standing.kind == "missing":
        arranging.parents(path, path)  # refuses what no folder can take, before anyone is asked
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


def diffs(files: Sequence[Planned], cwd: str, *, texts: bool = False) -> list[FileDiff]:
    """Return how each file is shown; with the whole proposed text where a person may edit it."""
    found: list[FileDiff] = []
    left = TEXT_CAP if texts else 0
    for file in files:
        made = diff.file_diff(
            file.path,
            shown(file.path, cwd),
            file.before,
            file.after,
            old_path=file.old_path,
            note=_note(file),
            modes=_modes(file),
        )
        if made.binary and file.shows:
            made = msgspec.structs.replace(made, sample=file.shows, note=made.note or "shown_changes")
        text = _text(file, left)
        if text is not None:
            left -= len(file.after or b"")
            made = msgspec.structs.replace(made, text=text)
        found.append(made)
    return found


def _text(file: Planned, left: int) -> str | None:
    if file.after is None or len(file.after) > left or is_binary(file.after) or is_binary(file.before or b""):
        return None
    source = decode(file.after)
    return source.text if source.known else None


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

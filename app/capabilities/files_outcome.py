"""What became of a change, for the model: what was written, and where it is not what was proposed."""

from __future__ import annotations

from collections.abc import Mapping

from app.capabilities.files_paths import shown
from app.capabilities.files_proposal import Proposal, Settled, diffs
from app.changes import diff
from app.changes.arranging import Arranged
from app.changes.plan import Planned
from app.records import FileDiff
from tools import Changed, ChangedFile

_TOLD = 2_000  # characters of a difference that the model is told
_UNVERIFIED = "Unverified: the file does not read back as it was written."


def unchanged(proposal: Proposal, cwd: str) -> tuple[ChangedFile, ...]:
    """Return the files that hold already what was wanted."""
    return tuple(ChangedFile(shown(file.path, cwd), "same", 0, 0) for file in proposal.same)


def nothing(proposal: Proposal, cwd: str) -> Changed:
    """Say that there was nothing to do."""
    notes = " ".join(one.note for one in proposal.arranged if one.note)
    return Changed(
        unchanged(proposal, cwd),
        undo="",
        note=notes or "The files hold exactly that already; nothing was written.",
    )


def rejected(proposal: Proposal) -> Changed:
    """Say that the person wanted none of it."""
    files = tuple(
        ChangedFile(one.shown, "same", 0, 0, note="All of it was rejected.") for one in proposal.diffs
    )
    return Changed(
        files, undo="", note="The person rejected every piece of this change; nothing was written."
    )


def changed(
    proposal: Proposal, settled: Settled, change: str, verified: Mapping[str, bool], cwd: str
) -> Changed:
    """Say what was done."""
    files: list[ChangedFile] = []
    for wanted, made, proposed in zip(proposal.files, settled.files, proposal.diffs, strict=False):
        whole = made.after == wanted.after and made.path == wanted.path
        now = proposed if whole else diffs([made], cwd)[0]
        good = verified.get(made.path, True) and verified.get(made.old_path, True)
        notes = [wanted.note, "" if whole else _difference(wanted, made), "" if good else _UNVERIFIED]
        kind = "same" if made.same else now.kind
        files.append(
            ChangedFile(now.shown, kind, now.added, now.removed, " ".join(filter(None, notes)), verified=good)
        )
    for one in proposal.arranged:
        files += _moved(one, one in settled.arranged, verified)
    partly = len(settled.arranged) < len(proposal.arranged) or any(
        made.after != wanted.after for wanted, made in zip(proposal.files, settled.files, strict=True)
    )
    note = "The person did not take all of it as proposed; see the notes." if partly else ""
    return Changed((*files, *unchanged(proposal, cwd)), undo=change, note=note)


def _moved(one: Arranged, done: bool, verified: Mapping[str, bool]) -> list[ChangedFile]:
    if not done:
        return [ChangedFile(file.shown, "same", 0, 0, "The person rejected this.") for file in one.diffs]
    good = all(verified.get(shift.path, True) for shift in one.shifts)
    shown_files = [file for file in one.diffs if file.note != "protected_within"]
    return [
        ChangedFile(
            file.shown, file.kind, 0, 0, _words(file, one.note if not number else "", good), verified=good
        )
        for number, file in enumerate(shown_files)
    ]


def _words(file: FileDiff, note: str, good: bool) -> str:
    """Return what a person would want to know of a whole folder or archive."""
    files = "1 file" if file.items == 1 else f"{file.items:,} files"
    holds = f"{files}, {file.size:,} bytes." if file.items else ""
    come = f"From {file.old_path}." if file.old_path else ""
    trashed = "It is in the trash." if file.kind == "deleted" else ""
    return " ".join(filter(None, (come, holds, trashed, note, "" if good else _UNVERIFIED)))


def _difference(wanted: Planned, made: Planned) -> str:
    """Tell the way from the proposal to what the file holds now."""
    if made.same:
        return "The person rejected this; the file is as it was."
    found = diff.file_diff(made.path, made.path, wanted.after, made.after)
    lines = [line.kind + line.text for hunk in found.hunks for line in hunk.lines]
    text = "\n".join(lines)
    cut = text[:_TOLD] + ("\n..." if len(text) > _TOLD else "")
    return f"The person changed the proposal. From it (-) to what the file holds (+):\n{cut}"

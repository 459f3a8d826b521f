"""Settle a change that a kill cut off: all files as they should be, or all as they were."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from app.changes import apply, shifts
from app.changes.journaled import groups, shift_of
from app.changes.shifts import Shift
from app.platform import trash, trees
from app.store import alive, blobs
from app.store.journal import JournaledFile


class Begun(msgspec.Struct, frozen=True):
    """The note that a change has begun: which, by what process, and the temporary names it uses."""

    change: str
    process: alive.Process
    folders: tuple[str, ...]
    takes_back: tuple[str, ...] = ()
    """For an undo: the changes, newest first, that do not stand any more once it is made."""
    slots: tuple[tuple[str, str], ...] = ()
    """Places in the trash that it takes, with what their info files say."""


def settle(note: Begun, files: Sequence[JournaledFile], folder: Path) -> bool:
    """Remove temporary files and put back what a half-made change left; return whether it was taken back.

    From the last step to the first: the first one that is seen to be done tells that all before it are. If it
    is the last of all, the change is made; else all are taken back, each where the ones after it are gone.
    Contents that follow each other are one step: they are not written in the order of their rows. A file that
    holds something else altogether was written by somebody since, and is left alone. `folder` holds the
    contents by hash.
    """
    clear_away(note)  # else a folder that was made is not empty
    cut = False
    for group in reversed(list(groups(files))):
        if isinstance(group, list):
            cut = _contents_back(group, cut, note.change, folder)
        else:
            cut = _step_back(shift_of(group, _content(folder, group.before)), cut)
    if not cut:
        for file in files:
            if file.way:
                shifts.finish(shift_of(file))
    clear_away(note)
    return cut


def _step_back(shift: Shift, cut: bool) -> bool:
    """Take one step back if a later one is missing; return whether this or a later one is missing."""
    state = shifts.state(shift)
    if state == "done" and cut:
        shifts.back(shift)
    return cut or state == "waiting"


def _contents_back(files: Sequence[JournaledFile], cut: bool, change: str, folder: Path) -> bool:
    """Take contents back if one of them, or a later step, is missing; return whether that is so."""
    sides = [(file, _content(folder, file.before), _content(folder, file.after)) for file in files]
    now = [apply.content(file.path) for file in files]
    half = [torn(here, before, after) for here, (_, before, after) in zip(now, sides, strict=True)]
    waiting = any(here == before != after for here, (_, before, after) in zip(now, sides, strict=True))
    if not (cut or waiting or any(half)):
        return False
    for here, broken, (file, before, after) in zip(now, half, sides, strict=True):
        if broken or here == after != before:
            apply.restore(file.path, before, file.before_mode, f"{change}-back")
    return True


def clear_away(note: Begun) -> None:
    """Remove what the change made ready and did not use."""
    for place in note.folders:
        for leftover in Path(place).glob(f".bramble-{note.change}-*.tmp"):
            trees.remove(str(leftover))
    for place, info in note.slots:
        with contextlib.suppress(OSError):
            trash.forget(trash.slot_at(place), info)


def _content(folder: Path, sha: str | None) -> bytes | None:
    return blobs.get(folder, sha) if sha else None


def torn(now: bytes | None, before: bytes | None, after: bytes | None) -> bool:
    """Whether a write into the file itself was cut off.

    It begins as the new content and goes on as the old.
    """
    if now is None or before is None or after is None or now in (before, after):
        return False
    most = min(len(now), len(after))
    shared = next((at for at in range(most) if now[at] != after[at]), most)
    return shared > 0 and now[shared:] == before[shared:]

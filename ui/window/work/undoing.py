"""Changes as people see them: an undo marks what it took back, and the way back is known."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import msgspec

from app.records import ChangeInfo, FileDiff
from ui.language import plural
from ui.places import tilde
from ui.window.transcript.legible import legible


def listed(changes: Sequence[ChangeInfo]) -> list[ChangeInfo]:
    """Return what has a row of its own: all but the undos of what has one."""
    known = {change.id for change in changes}
    return [change for change in changes if known.isdisjoint(change.undoes)]


def way_back(changes: Sequence[ChangeInfo], change: ChangeInfo) -> str:
    """Return what must be taken back to flip a change: itself, or the undo that took it back."""
    if not change.undone:
        return change.id
    undos = (one.id for one in changes if change.id in one.undoes and not one.undone)
    return next(undos, change.id)


def named(changes: Sequence[ChangeInfo], folder: Callable[[str], str]) -> tuple[ChangeInfo, ...]:
    """Return the changes with their files as people know them: below the folder of the conversation, which
    `folder(session)` returns ("" where it is not known).
    """
    return tuple(
        msgspec.structs.replace(
            change, files=tuple(_named(file, folder(change.session)) for file in change.files)
        )
        for change in changes
    )


def _named(file: FileDiff, folder: str) -> FileDiff:
    if not os.path.isabs(file.shown):
        return file
    inside = folder and file.shown.startswith(folder.rstrip(os.sep) + os.sep)
    shown = os.path.relpath(file.shown, folder) if inside else tilde(file.shown)
    return msgspec.structs.replace(file, shown=shown)


def name_of(change: ChangeInfo) -> str:
    """Return the name of a change: its first file, and how many more there are."""
    if not change.files:
        return change.tool
    name = legible(change.files[0].shown)
    if len(change.files) == 1:
        return name
    words = plural("{name} and {n} more", "{name} and {n} more", len(change.files) - 1)
    return words.replace("{name}", name)

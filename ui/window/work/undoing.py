"""Changes as people see them: an undo marks what it took back, and the way back is known."""

from __future__ import annotations

from collections.abc import Sequence

from app.records import ChangeInfo
from ui.language import plural
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


def name_of(change: ChangeInfo) -> str:
    """Return the name of a change: its first file, and how many more there are."""
    if not change.files:
        return change.tool
    name = legible(change.files[0].shown)
    if len(change.files) == 1:
        return name
    words = plural("{name} and {n} more", "{name} and {n} more", len(change.files) - 1)
    return words.replace("{name}", name)

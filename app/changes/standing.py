"""Which changes to go back over: an undo and what it took back are no change, and what an undo of an undo let
stand again stands as that one has made it, at places and in files that the first knows nothing of. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.records import ChangeInfo


def to_go_back_over(wanted: Sequence[ChangeInfo], everything: Sequence[ChangeInfo]) -> list[ChangeInfo]:
    """Return the changes, newest first, whose way back takes back the wanted ones; both come newest first."""
    known = {change.id: change for change in everything}
    asked = {change.id for change in wanted}
    gone: set[str] = set()
    instead: set[str] = set()
    for change in everything:
        if not change.undoes or change.undone or change.id in gone:
            continue
        below = _below(change, known)
        if below is None or below & gone:
            continue
        standing = {other for other in below if not known[other].undone}
        if _depth(change, known) % 2 and below | {change.id} <= asked:
            gone |= below | {change.id}
        elif standing and standing <= asked:
            gone |= below
            instead.add(change.id)
    return [change for change in everything if change.id in (asked | instead) - gone]


def _below(change: ChangeInfo, known: Mapping[str, ChangeInfo]) -> set[str] | None:
    """Return all that an undo took back, and what that took back; None where it was no exact way back."""
    found: set[str] = set()
    waiting = [change]
    while waiting:
        one = waiting.pop()
        if one.chosen or any(other not in known for other in one.undoes):
            return None
        found.update(one.undoes)
        waiting += [known[other] for other in one.undoes]
    return found


def _depth(change: ChangeInfo, known: Mapping[str, ChangeInfo]) -> int:
    """Return 0 for a change, 1 for its undo, 2 for the undo of that, and so on."""
    return 1 + max(_depth(known[other], known) for other in change.undoes) if change.undoes else 0

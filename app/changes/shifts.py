"""Steps that give a whole file, link or folder another place by one rename, so that nothing is read or
written anew: moved, into the trash, out of it, newly made beside its place, and new or removed folders.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from app.changes import sending
from app.platform import filesystem, trash, trees
from app.platform.filesystem import Kind
from app.platform.trees import Survey

Way = Literal["moved", "trashed", "restored", "sent", "made", "folder", "unfolder"]
Maker = Callable[[str, trees.Stopped], None]
"""Makes a file, link or folder at a path where nothing stands, with all in it on disk."""
State = Literal["done", "waiting", "foreign"]


@dataclass(frozen=True)
class Shift:
    """One rename. `path` is the person's place: where it stands afterwards; for the trash, stood before."""

    way: Way
    path: str
    kind: Kind = "file"
    source: str = ""
    """moved: where it stands before. made: where it lies ready; the journal fills it in."""
    origin: str = ""
    """made: what it is a copy of, if it is one."""
    expects: str = ""
    """made: what the print of the origin must be, before and after the copy."""
    slot: str = ""
    """trashed, restored: its place in the trash. The journal fills it in for what goes there."""
    ident: tuple[int, int] = (0, 0)
    """Device and number, by which it is known at either place."""
    print: str = ""
    """See `trees.Survey`; it must still be that when it moves. "" where any content will do."""
    items: int = 0
    size: int = 0
    mode: int = 0
    before: bytes | None = None
    """trashed: the content of a single file, kept by the journal beside the trash. sent: see `sending.py`."""
    make: Maker | None = None
    info: str = ""
    """trashed: what its info file says."""

    @property
    def leaves(self) -> str:
        """Where it stands before the step, "" for a folder that is made."""
        if self.way in ("trashed", "sent"):
            return self.path
        return {"moved": self.source, "made": self.source, "restored": self.slot}.get(self.way, "")

    @property
    def enters(self) -> str:
        """Where it stands after the step."""
        return "" if self.way == "sent" else self.slot if self.way == "trashed" else self.path


def of(way: Way, path: str, found: Survey, **more: object) -> Shift:
    """Return the step for what a survey found."""
    return Shift(
        way,
        path,
        found.kind,
        ident=found.ident,
        print=found.print,
        items=found.items,
        size=found.size,
        mode=found.mode,
        **more,  # type: ignore[arg-type]
    )


def goes(path: str, found: Survey, before: bytes | None) -> Shift:
    """Return the step that sends what stands at a path to the trash of this system. Reads what is kept."""
    if trash.told():
        return of("trashed", path, found, before=before)
    return of("sent", path, found, before=sending.kept(path, found))


def do(shift: Shift) -> None:
    """Carry the step out; on disk when this returns. Raises OSError."""
    if shift.way == "folder":
        filesystem.make_folders(os.path.dirname(shift.path))
        os.mkdir(shift.path)
        if shift.mode:
            os.chmod(shift.path, shift.mode)
        filesystem.sync_folder(os.path.dirname(shift.path))
    elif shift.way == "unfolder":
        remove_if_empty(shift.path)
    elif shift.way == "sent":
        trash.send(shift.path)
    else:
        trees.rename(shift.leaves, shift.enters)


def back(shift: Shift) -> None:
    """Take the step back. Raises OSError."""
    if shift.way == "folder":
        remove_if_empty(shift.path)
    elif shift.way == "unfolder":
        if not os.path.lexists(shift.path):
            os.mkdir(shift.path)
            if shift.mode:
                os.chmod(shift.path, shift.mode)
    elif shift.way == "sent":
        if shift.before is None:
            raise FileNotFoundError(2, "it is in the trash of the system", shift.path)
        sending.bring_back(shift.path, shift.kind, shift.before, shift.mode)
    else:
        if shift.way == "restored" and not os.path.lexists(trash.slot_at(shift.slot).info):
            raise FileNotFoundError(2, "the trash has forgotten it", shift.slot)
        trees.rename(shift.enters, shift.leaves)


def remove_if_empty(path: str) -> None:
    """Remove a folder unless something stands in it, which is somebody's."""
    with contextlib.suppress(OSError):
        os.rmdir(path)
        filesystem.sync_folder(os.path.dirname(path))


def finish(shift: Shift) -> None:
    """Clear away what the step no longer needs, once the whole change is made; may be done twice."""
    if shift.way == "restored":
        with contextlib.suppress(OSError):
            trash.forget(trash.slot_at(shift.slot))


def discard(shift: Shift) -> None:
    """Clear away what was made ready for a step that is not done; may be done twice."""
    with contextlib.suppress(OSError):
        if shift.way == "made" and shift.source:
            trees.remove(shift.source)
        elif shift.way == "trashed" and shift.slot:
            trash.forget(trash.slot_at(shift.slot), shift.info or None)


def state(shift: Shift) -> State:
    """Tell whether the step is done, by where the very file stands."""
    if shift.way in ("folder", "unfolder"):
        there = os.path.isdir(shift.path)
        if shift.way == "unfolder":  # one that is not empty stays
            return "waiting" if there and not os.listdir(shift.path) else "done"
        return "done" if there else "waiting"
    if shift.way == "sent" and not os.path.lexists(shift.path):
        return "done"
    if trees.ident(shift.enters) == shift.ident:
        return "done"
    if shift.way == "made" and not os.path.lexists(shift.path):
        return "waiting"  # what lay ready may be cleared away already
    return "waiting" if trees.ident(shift.leaves) == shift.ident else "foreign"


def unlike(shift: Shift) -> str:
    """Return the path that keeps the step from being what was shown, "" where all is as it was."""
    if shift.way == "unfolder":
        return ""
    if shift.way == "folder":
        return shift.path if os.path.lexists(shift.path) else ""
    if shift.way not in ("trashed", "sent") and os.path.lexists(shift.path):
        return shift.path
    if shift.way == "made":
        return ""
    found = trees.survey(shift.leaves)
    if found.ident != shift.ident or (shift.print and found.print != shift.print):
        return shift.leaves
    return ""


def reads_back(shift: Shift) -> bool:
    """Whether the step is seen on disk: the very file at its new place, and gone from the old one."""
    if shift.way in ("folder", "unfolder"):
        return state(shift) == "done"
    if shift.way == "sent":
        return not os.path.lexists(shift.path)
    good = trees.ident(shift.enters) == shift.ident
    return good and not os.path.lexists(shift.leaves)

"""What an operation on whole files and folders will do, known before anything happens.

Reads the disk, changes nothing. Archives have a module of their own (`archives.py`).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from app.changes import shifts
from app.changes.diff import file_diff
from app.changes.plan import Planned
from app.changes.shifts import Shift
from app.errors import ToolError
from app.platform import filesystem, trash as trashes, trees
from app.platform.trees import Survey
from app.records import FileDiff, Loss

KEPT = 16 * 1024 * 1024
"""Largest trashed file, in bytes, whose content the journal keeps too, for a trash that is emptied."""
SHOWN = 1024 * 1024
"""Largest trashed file, in bytes, whose lines are shown."""


@dataclass(frozen=True)
class Arranged:
    """What one operation does. `diffs` say it to a person, the first of them the whole of it."""

    shifts: tuple[Shift, ...] = ()
    diffs: tuple[FileDiff, ...] = ()
    losses: tuple[Loss, ...] = ()
    contents: tuple[Planned, ...] = ()
    """Files whose content changes instead (an earlier version that is brought back)."""
    below: tuple[str, ...] = ()
    """Every path that is made, changed or goes, for rules that speak of one of them."""
    reads: tuple[str, ...] = ()
    """Files whose content becomes readable at another place."""
    note: str = ""
    """For the model."""


Shown = Callable[[str], str]
"""A real path as people read it."""


@dataclass(frozen=True)
class Places:
    """What the planning knows of the world. All paths are real and absolute."""

    cwd: str
    home: str
    own: tuple[str, ...] = ()
    """Folders of this program: never moved away under it."""
    trash: str = ""
    resolve: Callable[[str], str] = field(default=lambda path: path)
    """The real path of what a path leads to."""
    shown: Shown = field(default=lambda path: path)
    loss: Callable[[str, Survey], Loss] = field(default=lambda path, found: Loss(path=path))
    stopped: trees.Stopped = field(default=lambda: False)

    def entry(self, path: str) -> str:
        """Return the path of the very file or link that a path names: links are followed on the way to it."""
        bare = path.rstrip("/" + (os.sep if os.sep != "/" else "")) or path
        name = os.path.basename(bare)
        if name in ("", ".", "..", "~"):
            return self.resolve(path)
        self.resolve(path)  # refuses names that no file can have
        folder = os.path.dirname(bare)
        return os.path.join(self.resolve(folder or "."), name)


def trash(path: str, places: Places) -> Arranged:
    """Plan to send a file, link or folder to the trash. Raises ToolError, OSError."""
    real = places.entry(path)
    must_be_movable(real, path, places)
    found = survey(real, path, places)
    must_be_whole(path, found, "trash")
    shift, diff = _to_trash(real, found, places)
    return Arranged((shift,), (diff,), (places.loss(real, found),), below=every_path(real, found))


def _to_trash(real: str, found: Survey, places: Places) -> tuple[Shift, FileDiff]:
    trashes.folder_for(real, places.trash, make=False)
    small = found.kind == "file" and found.size <= KEPT
    before = filesystem.read(real) if small else None
    shift = shifts.goes(real, found, before)
    if before is not None and found.size <= SHOWN:
        return shift, file_diff(real, places.shown(real), before, None)
    return shift, entry_diff("deleted", real, found, places)


def entry_diff(
    kind: str, real: str, found: Survey, places: Places, old: str = "", note: str = ""
) -> FileDiff:
    """Return how a whole file or folder is shown."""
    folder = found.kind == "folder"
    return FileDiff(
        path=real,
        shown=places.shown(real),
        kind=kind,  # type: ignore[arg-type]
        old_path=old,
        binary=not folder,
        note=note or ("" if found.kind != "link" else "link"),
        items=found.items if folder else 0,
        size=found.size,
        sample=found.sample,
    )


def survey(real: str, named: str, places: Places) -> Survey:
    """Look at what stands there. Raises ToolError (not_found)."""
    found = trees.survey(real, places.stopped)
    if found.kind == "missing":
        raise refused("not_found", f"There is no {named}.", named)
    return found


def refused(code: str, words: str, named: str) -> ToolError:
    """Return the error for the model, which says that nothing was changed."""
    return ToolError(code, f"{words} Nothing was changed.", path=named)


def must_be_movable(real: str, named: str, places: Places) -> None:
    """Refuse what must never go away: the system, mount points, home, what this program stands in."""
    refuse_system(real)
    if real == os.path.dirname(real) or real in trashes.mounts():
        raise refused("protected", f"{named} is a whole drive.", named)
    if _holds(real, places.home):
        raise refused("protected", f"{named} is the home folder or holds it.", named)
    kept = [place for place in (*places.own, places.trash) if place and _holds(real, place)]
    if kept:
        raise refused("protected", f"{named} holds data of this program.", named)


def must_be_whole(named: str, found: Survey, verb: str) -> None:
    """Refuse what cannot go as a whole, or be looked at as a whole before the question."""
    if found.mounted:
        where = os.path.join(named, found.mounted[0])
        raise refused("protected", f"Another drive is mounted at {where}.", named)
    if found.kind in ("socket", "device"):
        raise refused("protected", f"{named} is no file but a {found.kind}.", named)
    if not found.complete:
        raise ToolError(
            "too_large",
            f"{named} holds more than {trees.COUNTED} files, more than can be looked at before the question. "
            f"Nothing was changed; {verb} parts of it.",
            path=named,
        )


def refuse_system(real: str) -> None:
    """Raise ToolError (protected) for places that are no storage."""
    if any(real == place or real.startswith(place + "/") for place in ("/proc", "/dev", "/sys")):
        raise refused("protected", f"{real} is part of the system, not a file.", real)


def _holds(real: str, place: str) -> bool:
    return place == real or place.startswith(real.rstrip(os.sep) + os.sep)


def every_path(real: str, found: Survey) -> tuple[str, ...]:
    """Return every path of a folder; the file itself where it is none."""
    if found.kind != "folder":
        return (real,)
    return (real, *(os.path.join(real, name) for name, _, _ in trees.walk(real)))


def parents(real: str, named: str) -> tuple[Shift, ...]:
    """Return the folders that are missing above a path, as steps. Raises ToolError where none can stand."""
    missing: list[Shift] = []
    folder = os.path.dirname(real)
    for part in real.split(os.sep):
        if len(os.fsencode(part)) > 255:
            raise refused("bad_arguments", f"The name {part[:40]}... is too long.", named)
    while not os.path.lexists(folder):
        missing.append(Shift("folder", folder, "folder"))
        folder = os.path.dirname(folder)
    if not os.path.isdir(folder):
        raise refused("bad_arguments", f"{folder} is no folder.", named)
    return tuple(missing[::-1])


def move(source: str, destination: str, overwrite: bool, places: Places) -> Arranged:
    """Plan a move or a new name; over file systems a copy, with the original in the trash."""
    real = places.entry(source)
    must_be_movable(real, source, places)
    found = survey(real, source, places)
    must_be_whole(source, found, "move")
    target, above = _target(real, destination, places)
    _must_not_lie_within(real, target, source)
    gone, diffs, losses = _cleared(target, destination, overwrite, places, real)
    paths = every_path(real, found)
    below = (*paths, *moved_to(target, real, paths))
    shown = entry_diff("renamed", target, found, places, old=real)
    if not _same_drive(real, target):
        _must_be_copyable(source, found, target)
        aside, _ = _to_trash(real, found, places)
        made = _copied(real, target, found)
        steps = (*above, *gone, made, aside)
        note = "It is another drive: copied there, and the original went to the trash."
        return Arranged(steps, (shown, *diffs), losses, below=below, reads=(real,), note=note)
    moved = shifts.of("moved", target, found, source=real)
    return Arranged((*above, *gone, moved), (shown, *diffs), losses, below=below, reads=(real,))


def copy(source: str, destination: str, overwrite: bool, places: Places) -> Arranged:
    """Plan a copy of a file, a link or a whole folder."""
    real = places.entry(source)
    found = survey(real, source, places)
    refuse_system(real)
    target, above = _target(real, destination, places)
    _must_be_copyable(source, found, target)
    _must_not_lie_within(real, target, source)
    gone, diffs, losses = _cleared(target, destination, overwrite, places, real)
    paths = every_path(real, found)
    shown = entry_diff("copied", target, found, places, old=real)
    return Arranged(
        (*above, *gone, _copied(real, target, found)), (shown, *diffs), losses,
        below=moved_to(target, real, paths), reads=paths,
    )  # fmt: skip


def put(staged: str, path: str, shows: tuple[str, ...], expects: str, places: Places) -> Arranged:
    """Plan to give a file that was made elsewhere its place; `expects` is the print of what stands there.

    Raises ToolError, OSError.
    """
    target = places.resolve(path)
    refuse_system(target)
    found, ready = trees.survey(target, places.stopped), trees.survey(staged)
    if found.print != expects if found.kind != "missing" else expects:
        raise refused("changed_since", f"{path} changed since it was read.", path)
    gone, _, losses = _cleared(target, path, True, places, staged)
    _must_be_copyable(path, ready, target)

    def make(place: str, stopped: trees.Stopped) -> None:
        import shutil

        with open(staged, "rb") as source, open(place, "xb") as file:
            shutil.copyfileobj(source, file, 1 << 20)
            file.flush()
            os.fsync(file.fileno())
        if found.mode:
            os.chmod(place, found.mode)

    made = replace(shifts.of("made", target, ready, make=make), ident=(0, 0), print="")
    diff = FileDiff(
        path=target, shown=places.shown(target), kind="changed" if gone else "new", binary=True,
        size=ready.size, sample=shows, note="shown_changes" if shows else "",
    )  # fmt: skip
    note = "The file as it was is in the trash." if gone else ""
    return Arranged(
        (*parents(target, path), *gone, made), (diff,), losses, below=(target,), note=note
    )  # fmt: skip


def _copied(real: str, target: str, found: Survey) -> Shift:
    def make(path: str, stopped: trees.Stopped) -> None:
        trees.copy(real, path, stopped)

    return replace(shifts.of("made", target, found, make=make, origin=real), expects=found.print)


def _target(real: str, destination: str, places: Places) -> tuple[str, tuple[Shift, ...]]:
    """Return where it would stand: in a folder that is named, else under that very name; and new folders."""
    into = destination.endswith(("/", os.sep))
    target = places.entry(destination)
    if os.path.isdir(target) and target != real:
        target = os.path.join(os.path.realpath(target), os.path.basename(real))
    elif into and not os.path.lexists(target):
        target = os.path.join(target, os.path.basename(real))
    refuse_system(target)
    return target, parents(target, destination)


def _must_not_lie_within(real: str, target: str, named: str) -> None:
    if target == real:
        raise refused("no_change", f"{named} stands there already.", named)
    if _holds(real, target):
        raise refused("bad_arguments", f"{named} cannot go into itself.", named)


def _cleared(
    target: str, named: str, overwrite: bool, places: Places, real: str
) -> tuple[tuple[Shift, ...], tuple[FileDiff, ...], tuple[Loss, ...]]:
    """Plan to send what stands at the target to the trash, if it may go."""
    if not os.path.lexists(target):
        return (), (), ()
    if not overwrite:
        raise refused(
            "bad_arguments",
            f"{places.shown(target)} exists already. With overwrite it goes to the trash.",
            named,
        )
    if _holds(target, real):
        raise refused("bad_arguments", f"{named} holds what would replace it.", named)
    gone = trash(target, places)
    return gone.shifts, gone.diffs, gone.losses


def _same_drive(real: str, target: str) -> bool:
    folder = filesystem.nearest_folder(os.path.dirname(target))
    return trashes.mount_of(folder) == trashes.mount_of(os.path.dirname(real))


def _must_be_copyable(named: str, found: Survey, target: str) -> None:
    if found.special:
        raise refused("bad_arguments", f"{named} holds {found.special[0]}, which is no file.", named)
    if not found.complete:
        raise ToolError(
            "too_large", f"{named} holds more than {trees.COUNTED} files. Copy parts of it.", path=named
        )
    import shutil

    free = shutil.disk_usage(filesystem.nearest_folder(os.path.dirname(target))).free
    if found.size > free:
        raise ToolError(
            "disk_full", f"{named} has {found.size} bytes and the disk has {free} left. Nothing was changed."
        )


def moved_to(target: str, real: str, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Return where paths at and below `real` will stand once that stands at `target`."""
    return tuple(target + path[len(real) :] for path in paths)


def make_folder(path: str, places: Places) -> Arranged:
    """Plan a new folder with its parents; nothing where it stands already."""
    target = places.entry(path)
    refuse_system(target)
    if os.path.isdir(target):
        return Arranged(note=f"{places.shown(target)} is there already.")
    if os.path.lexists(target):
        raise refused("bad_arguments", f"{path} exists and is no folder.", path)
    above = parents(target, path)
    diff = FileDiff(path=target, shown=places.shown(target), kind="folder")
    return Arranged((*above, Shift("folder", target, "folder")), (diff,), below=(target,))

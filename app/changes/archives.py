"""Plan to make an archive, or to take one apart: nothing is written before it was shown, nothing replaced."""

from __future__ import annotations

import os
import shutil
import stat
import tarfile
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO

from app.changes import arranging, members
from app.changes.apply import ChangedSince
from app.changes.arranging import Arranged, Places
from app.changes.members import Member
from app.changes.shifts import Shift
from app.errors import ToolError
from app.platform import filesystem, trees
from app.records import FileDiff

_CHUNK = 1 << 20


def pack(archive: str, paths: Sequence[str], places: Places) -> Arranged:
    """Plan to make an archive of files and folders. Raises ToolError, OSError."""
    kind = members.format_of(archive)
    target = places.entry(archive)
    arranging.refuse_system(target)
    if os.path.lexists(target):
        raise arranging.refused("bad_arguments", f"{archive} exists already.", archive)
    if not paths:
        raise arranging.refused("bad_arguments", "Give the paths of the files and folders to pack.", archive)
    chosen = _named([places.entry(path) for path in paths], places)
    seals: dict[str, str] = {}
    reads: list[str] = []
    items = size = 0
    for real, named in zip(chosen, paths, strict=True):
        arranging.refuse_system(real)
        found = arranging.survey(real, named, places)
        if found.special or not found.complete:
            what = found.special[0] if found.special else "too many files"
            raise arranging.refused("bad_arguments", f"{named} holds {what}, which cannot be packed.", named)
        seals[real], items, size = found.print, items + found.items, size + found.size
        reads += arranging.every_path(real, found)

    def make(place: str, stopped: trees.Stopped) -> None:
        _as_shown(seals)
        _write(kind, place, chosen, target, stopped)
        _as_shown(seals)

    shift = Shift("made", target, "file", make=make)
    diff = FileDiff(
        path=target, shown=places.shown(target), kind="new", binary=True, items=items, size=size,
        sample=tuple(list(chosen.values())[: trees.SAMPLE]), note="archive",
    )  # fmt: skip
    steps = (*arranging.parents(target, archive), shift)
    return Arranged(steps, (diff,), below=(target,), reads=tuple(reads))


def _named(reals: Sequence[str], places: Places) -> dict[str, str]:
    """Return the name of each in the archive: its own, or its path where two have the same."""
    if len(set(reals)) < len(reals):
        raise ToolError("bad_arguments", "A path is named twice. Nothing was changed.")
    names = [os.path.basename(real) for real in reals]
    if len(set(names)) == len(names) and all(names):
        return dict(zip(reals, names, strict=True))
    shown = [places.shown(real) for real in reals]
    if any(os.path.isabs(name) for name in shown):
        raise ToolError("bad_arguments", "Two of the paths have the same name. Nothing was changed.")
    return dict(zip(reals, shown, strict=True))


def _as_shown(seals: dict[str, str]) -> None:
    changed = [real for real, seal in seals.items() if trees.survey(real).print != seal]
    if changed:
        raise ChangedSince(changed)


def _write(kind: str, place: str, chosen: dict[str, str], target: str, stopped: trees.Stopped) -> None:
    descriptor = os.open(place, os.O_RDWR | os.O_CREAT | os.O_EXCL | filesystem.PLAIN, 0o666)
    with os.fdopen(descriptor, "w+b") as file:
        add = _zipping(file) if kind == "zip" else _tarring(file, "" if kind == "tar" else kind)
        for real, name in chosen.items():
            for path, inside in _entries(real, name):
                if path in (place, target):
                    continue
                if stopped():
                    raise ToolError("internal", "Stopped. Nothing was changed.")
                add(path, inside)
        add("", "")
        file.flush()
        os.fsync(file.fileno())


def _entries(real: str, name: str) -> list[tuple[str, str]]:
    below = [] if not os.path.isdir(real) or os.path.islink(real) else list(trees.walk(real))
    return [(real, name), *((entry.path, f"{name}/{inside}") for inside, entry, _ in below)]


Add = Callable[[str, str], None]
"""Adds a path under a name; two empty texts finish the archive."""


def _zipping(file: IO[bytes]) -> Add:
    archive = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False)

    def add(path: str, name: str) -> None:
        if not path:
            archive.close()
            return
        found = os.lstat(path)
        info = zipfile.ZipInfo.from_file(path, _encodable(name), strict_timestamps=False)
        info.create_system = 3
        info.external_attr = (found.st_mode & 0xFFFF) << 16
        if stat.S_ISLNK(found.st_mode):
            archive.writestr(info, os.fsencode(os.readlink(path)))
        elif stat.S_ISDIR(found.st_mode):
            archive.writestr(info, b"")
        else:
            info.compress_type = zipfile.ZIP_DEFLATED
            with (
                filesystem.opened(path) as descriptor,
                os.fdopen(os.dup(descriptor), "rb") as source,
                archive.open(info, "w") as inside,
            ):
                shutil.copyfileobj(source, inside, _CHUNK)

    return add


def _encodable(name: str) -> str:
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise ToolError(
            "encoding", f"A zip cannot hold the name {name!a}. Use tar. Nothing was changed."
        ) from error
    return name


def _tarring(file: IO[bytes], packing: str) -> Add:
    archive = tarfile.open(  # noqa: SIM115
        fileobj=file, mode=f"w:{packing}", format=tarfile.PAX_FORMAT
    )  # type: ignore[call-overload]

    def add(path: str, name: str) -> None:
        if not path:
            archive.close()
            return
        info = archive.gettarinfo(path, name)
        info.uid = info.gid = 0
        info.uname = info.gname = ""  # whose account it was is nobody's business
        if info.isreg():
            with filesystem.opened(path) as descriptor, os.fdopen(os.dup(descriptor), "rb") as source:
                archive.addfile(info, source)
        else:
            archive.addfile(info)

    return add


def unpack(archive: str, destination: str, places: Places) -> Arranged:
    """Plan to extract an archive; whatever is in the way refuses it as a whole. Raises ToolError, OSError."""
    source = places.resolve(archive)
    if filesystem.status(source).kind != "file":
        raise arranging.refused("not_found", f"There is no archive {archive}.", archive)
    found = members.members(source)
    members.must_fit_together(found)
    root = places.resolve(destination or ".")
    arranging.refuse_system(root)
    seal = trees.survey(source).print
    size = sum(member.size for member in found)
    if size > shutil.disk_usage(filesystem.nearest_folder(root)).free:
        raise arranging.refused(
            "disk_full", f"{archive} holds {size} bytes, more than the disk has left.", archive
        )
    names = _with_parents(found)
    if not os.path.lexists(root):
        above, tops = arranging.parents(root, destination), [""]
    else:
        above, tops = (), _tops(root, names)
    if not tops:
        return Arranged(note=f"{archive} holds nothing that is not there already.")
    extraction = Extraction(source, seal, found, len(tops))
    steps = [
        Shift("made", os.path.join(root, top) if top else root, "folder", make=extraction.maker(top))
        for top in tops
    ]
    diffs = _extracted(root, tops, found, names, places)
    below = tuple(os.path.join(root, name) for name in names)
    return Arranged((*above, *steps), diffs, below=(root, *below) if tops == [""] else below, reads=(source,))


SHOWN = 50
"""New files and folders at the top of an extraction that are shown one by one; more as their folder."""


def _extracted(
    root: str, tops: Sequence[str], found: Sequence[Member], names: dict[str, bool], places: Places
) -> tuple[FileDiff, ...]:
    if len(tops) > SHOWN or tops == [""]:
        files = [member for member in found if member.kind != "folder"]
        sample = tuple(member.name for member in files[: trees.SAMPLE])
        size = sum(member.size for member in files)
        return (
            FileDiff(
                path=root, shown=places.shown(root), kind="new", items=len(files), size=size, sample=sample
            ),
        )
    diffs = []
    for top in tops:
        inside = [m for m in found if m.kind != "folder" and (m.name == top or m.name.startswith(f"{top}/"))]
        path = os.path.join(root, top)
        diffs.append(
            FileDiff(
                path=path, shown=places.shown(path), kind="new", binary=not names[top],
                items=len(inside) if names[top] else 0, size=sum(m.size for m in inside),
                sample=tuple(m.name for m in inside[: trees.SAMPLE]) if names[top] else (),
            )
        )  # fmt: skip
    return tuple(diffs)


def _with_parents(found: Sequence[Member]) -> dict[str, bool]:
    """Return all names with the folders above them that the archive leaves out; True for a folder."""
    names: dict[str, bool] = {}
    for member in found:
        parts = member.name.split("/") if member.name else []
        for end in range(1, len(parts)):
            names.setdefault("/".join(parts[:end]), True)
        if parts:
            names[member.name] = member.kind == "folder"
    return names


def _tops(root: str, names: dict[str, bool]) -> list[str]:
    """Return the highest names that are not there yet. Raises ToolError where one is in the way."""
    if not os.path.isdir(root):
        raise arranging.refused("bad_arguments", f"{root} is no folder.", root)
    tops: list[str] = []
    new: set[str] = set()
    for name in sorted(names, key=lambda name: name.count("/")):
        if name.rpartition("/")[0] in new:
            new.add(name)
            continue
        path = os.path.join(root, name)
        if not os.path.lexists(path):
            tops.append(name)
            new.add(name)
        elif os.path.islink(path) or not (names[name] and os.path.isdir(path)):
            raise arranging.refused(
                "bad_arguments", f"{path} exists already, and extracting replaces nothing.", path
            )
    return tops


@dataclass
class Extraction:
    """One archive that is taken apart beside its destination, once for all of its new places."""

    source: str
    seal: str
    found: Sequence[Member]
    left: int
    stage: str = ""

    def maker(self, top: str) -> Callable[[str, trees.Stopped], None]:
        """Return what puts one of the new files or folders to a place beside the destination."""

        def make(place: str, stopped: trees.Stopped) -> None:
            if trees.survey(self.source).print != self.seal:
                raise ChangedSince([self.source])
            try:
                if not self.stage:
                    self.stage = place.removesuffix(".tmp") + "-all.tmp"
                    _extract(self.source, self.stage, self.found, stopped)
                os.rename(os.path.join(self.stage, top) if top else self.stage, place)
                filesystem.sync_folder(os.path.dirname(place))
            except BaseException:
                self._clear()
                raise
            self.left -= 1
            if not self.left:
                self._clear()

        return make

    def _clear(self) -> None:
        if self.stage and os.path.lexists(self.stage):
            trees.remove(self.stage)
        self.stage = ""


def _extract(source: str, stage: str, found: Sequence[Member], stopped: trees.Stopped) -> None:
    """Write all members below a new folder, on disk when this returns. Raises ToolError, OSError."""
    os.mkdir(stage)
    made = stat.S_IMODE(os.lstat(stage).st_mode)
    usual = made & 0o777  # to ask for the umask is to set it, for all threads
    os.chmod(stage, made & ~0o077 | 0o700)
    folders: dict[str, Member | None] = {}
    kind = members.format_of(source)
    if kind == "zip":
        with members.opened(source) as (inside, archive):
            for member, info in inside:
                _place(stage, member, folders, stopped, lambda info=info: archive.open(info))  # type: ignore[misc]
    else:
        with members.tar_opened(source, kind) as stream:
            for member, entry, tar in stream:
                _place(stage, member, folders, stopped, lambda e=entry, t=tar: t.extractfile(e))  # type: ignore[misc]
    for name in sorted(folders, reverse=True):
        path, said = os.path.join(stage, name), folders[name]
        os.chmod(path, (said.mode | 0o700) if said and said.mode else usual)
        if said:
            os.utime(path, (said.modified, said.modified))
    os.chmod(stage, usual)
    if hasattr(os, "sync"):
        os.sync()


def _place(
    stage: str, member: Member, folders: dict[str, Member | None], stopped: trees.Stopped,
    content: Callable[[], IO[bytes] | None],
) -> None:  # fmt: skip
    if stopped():
        raise ToolError("internal", "Stopped. Nothing was changed.")
    parts = member.name.split("/") if member.name else []
    for end in range(1, len(parts) + (member.kind == "folder")):
        name = "/".join(parts[:end])
        if name not in folders:
            os.mkdir(os.path.join(stage, name), 0o700)
            folders[name] = None
    if not parts:
        return
    path = os.path.join(stage, member.name)
    if member.kind == "folder":
        folders[member.name] = member
    elif member.kind == "link":
        os.symlink(member.target, path)
    elif member.kind == "hard":
        os.link(os.path.join(stage, member.target), path, follow_symlinks=False)
    else:
        _inflate(path, member, content)


def _inflate(path: str, member: Member, content: Callable[[], IO[bytes] | None]) -> None:
    """Write one file; never more bytes than the archive has said, which were counted before."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | filesystem.PLAIN, 0o666)
    source = content()
    with os.fdopen(descriptor, "wb") as file:
        size = 0
        while source is not None and (part := source.read(_CHUNK)):
            size += len(part)
            if size > member.size:
                raise members.refused(f"{member.name!a} is larger than it says", "too_large")
            file.write(part)
        if size != member.size:
            raise members.refused(f"{member.name!a} ends too early")
        if member.mode and hasattr(os, "fchmod"):
            os.fchmod(file.fileno(), (member.mode | 0o600) & 0o777)
    if member.modified:
        os.utime(path, (member.modified, member.modified))

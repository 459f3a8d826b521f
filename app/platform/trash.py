"""The trash of the desktop on Linux, as freedesktop.org's Trash specification 1.0 describes it.

Written here and not left to a package, since undo must find again what it trashed: a file goes there by one
rename to a place that is known before, and comes back by another. All functions block and raise OSError,
among them NoTrash.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote_to_bytes

from app.platform import filesystem

_MOUNTS = "/proc/self/mountinfo"
_NAMES = 10_000  # names of one kind that are tried
_LONGEST = 255 - len(".trashinfo") - 8  # bytes of a name, with room for a number


class NoTrash(OSError):
    """There is no trash for this place, and none can be made."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(errno.ENOTSUP, why, path)
        self.why = why


def told() -> bool:
    """Whether this system's trash is the one of this module, which tells where a thing goes."""
    return sys.platform not in ("darwin", "win32")


def send(path: str) -> None:
    """Give a file or folder to the trash of macOS or Windows. Raises OSError (NoTrash)."""
    from send2trash import send2trash  # type: ignore[import-untyped]

    try:
        send2trash(path)
    except OSError as error:
        raise NoTrash(path, str(error)) from error


@dataclass(frozen=True)
class Slot:
    """One item of a trash: `folder` is that trash, `name` the item's name in it."""

    folder: str
    name: str

    @property
    def place(self) -> str:
        """Where the item itself stands."""
        return os.path.join(self.folder, "files", self.name)

    @property
    def info(self) -> str:
        """The file that says where it came from, and when."""
        return os.path.join(self.folder, "info", f"{self.name}.trashinfo")


def slot_at(place: str) -> Slot:
    """Return the slot whose item stands at `place`."""
    files, name = os.path.split(place)
    return Slot(os.path.dirname(files), name)


@dataclass(frozen=True)
class Item:
    """What lies in a trash. `path` is where it came from, `deleted` the local time as it is written there."""

    slot: Slot
    path: str
    deleted: str


def home_trash(environ: Mapping[str, str]) -> str:
    """Return the person's own trash folder. With BRAMBLE_HOME it is below that, as all data are, so that a
    test never touches the person's.
    """
    own = environ.get("BRAMBLE_HOME", "")
    if own:
        return os.path.join(os.path.realpath(os.path.expanduser(own)), "Trash")
    data = environ.get("XDG_DATA_HOME", "")
    if os.path.isabs(data):
        return os.path.join(os.path.realpath(data), "Trash")
    person = environ.get("HOME") or os.path.expanduser("~")
    return os.path.join(os.path.realpath(person), ".local", "share", "Trash")


def folder_for(path: str, home: str, *, make: bool = True) -> str:
    """Return the trash that can take what stands at `path` by a rename, made where it is missing if `make`.

    The home trash for its own file system; else, at the top of the file system, `.Trash/UID` where an
    administrator has made that safe, or `.Trash-UID`. Raises NoTrash.
    """
    if not told():
        return home
    top = mount_of(os.path.dirname(path))
    if mount_of(filesystem.nearest_folder(home)) == top:
        return _ready(home, path, make)
    shared = os.path.join(top, ".Trash")
    user = os.getuid()
    if _is_safe(shared):
        with contextlib.suppress(OSError):
            return _ready(os.path.join(shared, str(user)), path, make)
    return _ready(os.path.join(top, f".Trash-{user}"), path, make)


def _is_safe(shared: str) -> bool:
    """Whether the shared trash is a real folder with the sticky bit, as the specification demands."""
    try:
        found = os.lstat(shared)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and bool(found.st_mode & stat.S_ISVTX)


def _ready(folder: str, path: str, make: bool) -> str:
    """Return the trash folder, made or seen to be possible. Raises NoTrash."""
    if make or os.path.isdir(os.path.join(folder, "files")):
        return _made(folder, path)
    if not os.access(filesystem.nearest_folder(folder), os.W_OK | os.X_OK):
        raise NoTrash(path, f"{folder} cannot be made")
    return folder


def _made(folder: str, path: str) -> str:
    """Make a trash with its two folders, for its owner alone. Raises NoTrash."""
    try:
        filesystem.make_folders(os.path.dirname(folder))
        for part in (folder, os.path.join(folder, "files"), os.path.join(folder, "info")):
            with contextlib.suppress(FileExistsError):
                os.mkdir(part, 0o700)
                filesystem.sync_folder(os.path.dirname(part))
            found = os.lstat(part)
            if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
                raise NoTrash(path, f"{part} is no folder of yours")
            if not os.access(part, os.W_OK | os.X_OK):
                raise NoTrash(path, f"{part} cannot be written")
    except NoTrash:
        raise
    except OSError as error:
        raise NoTrash(path, f"{folder} cannot be made: {error.strerror}") from error
    return folder


def mount_of(path: str) -> str:
    """Return the folder where the file system of a folder begins, bind mounts told apart."""
    path = os.path.realpath(path)
    places = mounts()
    while path not in places and path != os.path.dirname(path):
        parent = os.path.dirname(path)
        if not places and os.path.ismount(path):
            break
        path = parent
    return path


def mounts() -> frozenset[str]:
    """Return where file systems are mounted, nothing where the system does not say."""
    try:
        with open(_MOUNTS, "rb") as file:
            lines = file.read().splitlines()
    except OSError:
        return frozenset()
    return frozenset(os.fsdecode(_unescaped(line.split(b" ")[4])) for line in lines if line.count(b" ") > 5)


def _unescaped(field: bytes) -> bytes:
    for code, byte in ((b"\\040", b" "), (b"\\011", b"\t"), (b"\\012", b"\n"), (b"\\134", b"\\")):
        field = field.replace(code, byte)
    return field


def free_slots(folder: str, name: str) -> Iterator[Slot]:
    """Yield slots for a name that are free now, the plain name first. Raises OSError when none is left."""
    stem, ending = os.path.splitext(name)
    while len(os.fsencode(stem + ending)) > _LONGEST:
        stem, ending = (
            (stem[:-1], ending) if len(ending) < 20 and len(stem) > 1 else ((stem + ending)[:-1], "")
        )
    for number in range(1, _NAMES):
        slot = Slot(folder, f"{stem}{ending}" if number == 1 else f"{stem}.{number}{ending}")
        if not os.path.lexists(slot.place) and not os.path.lexists(slot.info):
            yield slot
    raise OSError(errno.EEXIST, "the trash holds too many things of that name", name)


def info_text(path: str, folder: str, now: float) -> str:
    """Return what the info file of something that stood at `path` says; `now` in unix seconds.

    Paths are percent-encoded; in a trash that is not the home one they count from the top of its file system.
    """
    parent = os.path.dirname(folder)
    top = os.path.dirname(parent) if os.path.basename(parent) == ".Trash" else parent
    local = os.path.basename(parent) == ".Trash" or os.path.basename(folder).startswith(".Trash-")
    named = os.path.relpath(path, top) if local else path
    date = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(now))
    return f"[Trash Info]\nPath={quote(os.fsencode(named), safe='/')}\nDeletionDate={date}\n"


def reserve(slot: Slot, text: str) -> None:
    """Write the info file, on disk when this returns; it holds the name. Raises FileExistsError if taken."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(slot.info, flags, 0o600)
    try:
        filesystem.write_all(descriptor, text.encode())
        os.fsync(descriptor)
    except OSError:
        os.unlink(slot.info)
        raise
    finally:
        os.close(descriptor)
    filesystem.sync_folder(os.path.dirname(slot.info))
    if os.path.lexists(slot.place):
        forget(slot)
        raise FileExistsError(errno.EEXIST, "exists already", slot.place)


def forget(slot: Slot, text: str | None = None) -> None:
    """Remove the info file of a slot whose item is gone, or, with `text`, only where it says just that."""
    if os.path.lexists(slot.place):
        return
    with contextlib.suppress(FileNotFoundError):
        if text is not None and filesystem.read(slot.info, 65_536) != text.encode():
            return
        os.unlink(slot.info)
        filesystem.sync_folder(os.path.dirname(slot.info))


def items(folder: str) -> list[Item]:
    """Return what lies in a trash, newest first; info files that cannot be read are left out."""
    found: list[Item] = []
    info = os.path.join(folder, "info")
    try:
        names = os.listdir(info)
    except OSError:
        return []
    for name in names:
        item = _item(folder, name.removesuffix(".trashinfo")) if name.endswith(".trashinfo") else None
        if item is not None and os.path.lexists(item.slot.place):
            found.append(item)
    return sorted(found, key=lambda item: (item.deleted, item.slot.name), reverse=True)


def _item(folder: str, name: str) -> Item | None:
    slot = Slot(folder, name)
    try:
        lines = filesystem.read(slot.info, 65_536).splitlines()
    except OSError:
        return None
    said = dict(line.partition(b"=")[::2] for line in reversed(lines) if b"=" in line)
    if lines[:1] != [b"[Trash Info]"] or b"Path" not in said:
        return None
    path = os.fsdecode(unquote_to_bytes(said[b"Path"].strip()))
    if not os.path.isabs(path):
        parent = os.path.dirname(folder)
        path = os.path.join(os.path.dirname(parent) if os.path.basename(parent) == ".Trash" else parent, path)
    return Item(
        slot, os.path.normpath(path), said.get(b"DeletionDate", b"").decode("ascii", "replace").strip()
    )


def trashes(path: str, home: str) -> tuple[str, ...]:
    """Return the trash folders that may hold what stood at `path`; none is made."""
    if not told():
        return ()
    top = mount_of(filesystem.nearest_folder(os.path.dirname(path)))
    user = os.getuid()
    places = (home, os.path.join(top, ".Trash", str(user)), os.path.join(top, f".Trash-{user}"))
    return tuple(place for place in places if os.path.isdir(os.path.join(place, "info")))

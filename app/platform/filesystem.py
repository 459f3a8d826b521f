"""Files read and written so that a crash leaves the old or the new content.

Checked, forced to disk, attributes kept.

Writing is in two steps: `prepare` makes the whole new content beside the target, `Prepared.put` moves it
there in one step. Folders are held open in between, so that a link put in their place cannot send the write
elsewhere. All functions block and raise OSError.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import time
from collections.abc import Iterator
from typing import Literal

from app.record import Record

Kind = Literal["missing", "file", "folder", "link", "fifo", "socket", "device"]
_HELD = os.open in os.supports_dir_fd and os.rename in os.supports_dir_fd
PLAIN = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
"""For os.open: bytes as they are, not for children, and no link at the end of the path; 0 where not known."""
FULL = frozenset({errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)})
"""Numbers of errors that say that the disk is full or that its quota is used up."""
_CANNOT = frozenset({errno.ENOTSUP, errno.EPERM, errno.EACCES, errno.ENODATA, errno.EINVAL})
_IN_PLACE_INSTEAD = frozenset({errno.EACCES, errno.EPERM, errno.EBUSY, errno.EXDEV})


class Status(Record):
    """What stands at a path, links not followed.

    `mode` are the permission bits, `links` the names of the file.
    """

    kind: Kind
    size: int = 0
    mode: int = 0
    links: int = 0
    modified: float = 0.0


def status(path: str) -> Status:
    """Return what stands there. Raises OSError where that cannot be seen (no permission, a loop of links)."""
    try:
        found = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return Status("missing")
    return Status(
        kind_of(found.st_mode), found.st_size, stat.S_IMODE(found.st_mode), found.st_nlink, found.st_mtime
    )


def kind_of(mode: int) -> Kind:
    """Return the kind for a mode as the system gives it."""
    tests: tuple[tuple[bool, Kind], ...] = (
        (stat.S_ISREG(mode), "file"),
        (stat.S_ISDIR(mode), "folder"),
        (stat.S_ISLNK(mode), "link"),
        (stat.S_ISFIFO(mode), "fifo"),
        (stat.S_ISSOCK(mode), "socket"),
    )
    return next((kind for holds, kind in tests if holds), "device")


@contextlib.contextmanager
def opened(path: str) -> Iterator[int]:
    """Open a regular file for reading; `path` must be real (no link in it), also once it is open.

    Raises OSError, among them ELOOP where a link stands in the way.
    """
    descriptor = os.open(path, os.O_RDONLY | PLAIN | getattr(os, "O_NONBLOCK", 0))
    try:
        _check_place(path, descriptor)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "no regular file", path)
        yield descriptor
    finally:
        os.close(descriptor)


def read(path: str, limit: int | None = None) -> bytes:
    """Return the content, at most `limit` bytes."""
    parts: list[bytes] = []
    left = limit if limit is not None else 1 << 62
    with opened(path) as descriptor:
        while left > 0 and (part := os.read(descriptor, min(left, 1 << 20))):
            parts.append(part)
            left -= len(part)
    return b"".join(parts)


class Prepared(Record):
    """New content that lies ready beside its target, or waits where only writing into the file keeps it."""

    path: str
    data: bytes
    temporary: str
    """Name of the file beside the target, "" where the target itself is to be written."""
    new: bool
    mode: int | None

    def put(self) -> None:
        """Make the target hold the content. Raises FileExistsError where a new file appeared meanwhile."""
        if not self.temporary:
            write_in_place(self.path, self.data, self.mode)
            return
        folder, name = os.path.split(self.path)
        with held_open(folder) as held:
            if self.new:
                _place(self.temporary, name, folder, held)
            else:
                try:
                    _replace(self.temporary, name, folder, held)
                except OSError as error:  # such as a single file that is mounted
                    if error.errno not in _IN_PLACE_INSTEAD:
                        raise
                    self.drop()
                    write_in_place(self.path, self.data, self.mode)
        sync_folder(folder)

    def drop(self) -> None:
        """Remove the temporary file, if there is one."""
        if self.temporary:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(os.path.dirname(self.path), self.temporary))


def prepare(
    path: str,
    data: bytes,
    temporary: str,
    *,
    mode: int | None = None,
    like: str = "",
    keep: bool = False,
) -> Prepared:
    """Write the content beside `path` under the name `temporary` and force it to disk.

    An existing file keeps mode, owner and extended attributes (or those of `like`). Where only writing into
    the file itself keeps it as it is (several hard links, an owner that cannot be given, a folder that takes
    no new file, or `keep`) nothing is written yet. `mode` are permission bits to set; a new file gets the
    usual ones otherwise.
    """
    model = like or path
    standing = status(model)
    exists = status(path).kind == "file"
    if exists and (standing.links > 1 or keep) and not like:
        return Prepared(path, data, "", False, mode)
    folder = os.path.dirname(path)
    try:
        with held_open(folder) as held:
            _write_new(temporary, folder, held, data, model if standing.kind == "file" else "", mode)
    except _OwnerLost:
        Prepared(path, data, temporary, not exists, mode).drop()
        temporary = ""
    except OSError as error:
        if not exists or error.errno not in _IN_PLACE_INSTEAD:
            Prepared(path, data, temporary, not exists, mode).drop()
            if error.filename == temporary:  # a name of ours, which says nothing to anybody
                error.filename = path
            raise
        temporary = ""
    if not temporary and not exists:
        raise PermissionError(errno.EPERM, "the owner of the file cannot be kept", path)
    return Prepared(path, data, temporary, not exists, mode)


def sweep(folder: str, prefix: str, seconds: float = 60.0) -> None:
    """Remove what killed processes left of files that they prepared here: names with that beginning that
    nobody has touched for so long. Never raises OSError.
    """
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(prefix) and time.time() - entry.stat().st_mtime > seconds:
                os.unlink(entry.path)


def write_in_place(path: str, data: bytes, mode: int | None = None) -> None:
    """Write into the file itself: keeps hard links, but a crash may leave it torn; the journal heals that."""
    descriptor = os.open(path, os.O_WRONLY | PLAIN)
    try:
        _check_place(path, descriptor)
        write_all(descriptor, data)
        os.ftruncate(descriptor, len(data))
        if mode is not None:
            _set_mode(descriptor, path, mode)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def set_mode(path: str, mode: int) -> None:
    """Set the permission bits of a file."""
    with opened(path) as descriptor:
        _set_mode(descriptor, path, mode)
        os.fsync(descriptor)


def remove(path: str) -> None:
    """Remove a file; on disk when this returns."""
    folder, name = os.path.split(path)
    with held_open(folder) as held:
        os.unlink(name, dir_fd=held) if held is not None else os.unlink(path)
    sync_folder(folder)


def move(source: str, target: str) -> None:
    """Rename a file where nothing stands at the target; it stays the same file. Raises FileExistsError."""
    with held_open(os.path.dirname(source)) as here, held_open(os.path.dirname(target)) as there:
        if status(target).kind != "missing" and not os.path.samefile(source, target):
            raise FileExistsError(errno.EEXIST, "exists already", target)
        if here is None or there is None:
            os.rename(source, target)
        else:
            os.rename(os.path.basename(source), os.path.basename(target), src_dir_fd=here, dst_dir_fd=there)
    for folder in {os.path.dirname(target), os.path.dirname(source)}:
        sync_folder(folder)


def nearest_folder(path: str) -> str:
    """Return the path itself or the nearest folder above it that stands."""
    while not os.path.isdir(path):
        path = os.path.dirname(path)
    return path


def make_folders(path: str) -> list[str]:
    """Make the folder and its missing parents, on disk when this returns.

    Return the new ones, outermost first.
    """
    missing: list[str] = []
    while not os.path.isdir(path):
        missing.append(path)
        parent = os.path.dirname(path)
        if parent == path:
            break
        path = parent
    for folder in reversed(missing):
        os.mkdir(folder)
        sync_folder(os.path.dirname(folder))
    return missing[::-1]


def sync_folder(folder: str) -> None:
    """Force the names in a folder to disk, on systems where a folder can be opened."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network file systems
            raise
    finally:
        os.close(descriptor)


class _OwnerLost(Exception):
    """The new file could not get the owner of the old one."""


@contextlib.contextmanager
def held_open(folder: str) -> Iterator[int | None]:
    """Hold a folder open, so that names below it mean the same whatever becomes of its path.

    `folder` must be real (no link in it), also once it is open. None where the system cannot do that.
    """
    if not _HELD:
        yield None
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | PLAIN)
    try:
        _check_place(folder, descriptor)
        yield descriptor
    finally:
        os.close(descriptor)


def _check_place(path: str, descriptor: int) -> None:
    """Raise OSError (ELOOP) where the path leads over a link, or to another file than the open one."""
    if _place_of(descriptor) == path:
        return
    if os.path.realpath(path) != path or not os.path.samestat(os.stat(path), os.fstat(descriptor)):
        raise OSError(errno.ELOOP, "a link stands in the way", path)


def _place_of(descriptor: int) -> str:
    """Return the real path of what is open, as Linux tells it at once; "" where nothing tells it."""
    if sys.platform != "linux":
        return ""
    try:
        return os.readlink(f"/proc/self/fd/{descriptor}")
    except OSError:  # no /proc in here
        return ""


def _write_new(name: str, folder: str, held: int | None, data: bytes, like: str, mode: int | None) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | PLAIN
    where = name if held is not None else os.path.join(folder, name)
    # A new file gets the usual mode from the system; one that replaces another is private until it has that
    # one's.
    descriptor = os.open(where, flags, 0o600 if like else 0o666, dir_fd=held)
    try:
        write_all(descriptor, data)
        if like:
            _copy_attributes(like, descriptor, where)
        if mode is not None:
            _set_mode(descriptor, where, mode)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of it, however little the system takes at once."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _copy_attributes(source: str, descriptor: int, where: str) -> None:
    model = os.stat(source, follow_symlinks=False)
    if hasattr(os, "fchown"):
        made = os.fstat(descriptor)
        if (made.st_uid, made.st_gid) != (model.st_uid, model.st_gid):
            try:
                os.fchown(descriptor, model.st_uid, model.st_gid)
            except PermissionError as error:
                raise _OwnerLost from error
    copy_xattrs(source, descriptor)
    _set_mode(descriptor, where, stat.S_IMODE(model.st_mode))


def copy_xattrs(source: str | int, descriptor: int) -> None:
    """Give an open file the extended attributes of another (a path, not followed, or open) if it can."""
    if not hasattr(os, "listxattr"):  # Linux has them; elsewhere Python cannot reach them
        return
    follow = isinstance(source, int)
    try:
        names = os.listxattr(source, follow_symlinks=follow)
    except OSError as error:
        if error.errno in _CANNOT:
            return
        raise
    for name in names:
        try:
            os.setxattr(descriptor, name, os.getxattr(source, name, follow_symlinks=follow))
        except OSError as error:  # labels that only the system may set
            if error.errno not in _CANNOT:
                raise


def _set_mode(descriptor: int, path: str, mode: int) -> None:
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, mode)
    else:
        os.chmod(path, mode)


def _replace(name: str, target: str, folder: str, held: int | None) -> None:
    if held is None:
        os.replace(os.path.join(folder, name), os.path.join(folder, target))
    else:
        os.replace(name, target, src_dir_fd=held, dst_dir_fd=held)


def _place(name: str, target: str, folder: str, held: int | None) -> None:
    """Give the new file its name only if nothing has it.

    File systems without hard links get a check and a move.
    """
    if held is None:
        os.rename(os.path.join(folder, name), os.path.join(folder, target))  # never replaces on Windows
        return
    try:
        os.link(name, target, src_dir_fd=held, dst_dir_fd=held, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError:
        if status(os.path.join(folder, target)).kind != "missing":
            raise FileExistsError(errno.EEXIST, "exists already", os.path.join(folder, target)) from None
        os.replace(name, target, src_dir_fd=held, dst_dir_fd=held)
    else:
        os.unlink(name, dir_fd=held)

"""Whole files, links and folders: what they hold, moved by one rename, copied with all that belongs to them.

Links are never followed: a link itself is counted, moved and copied. All functions block and raise OSError.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from app.platform import filesystem
from app.platform.filesystem import Kind, held_open

COUNTED = 100_000
"""Entries at which a survey stops: a person learns no more from a larger number, and it takes a second."""
HASHED = 64 * 1024 * 1024
"""Largest single file, in bytes, that is told from another by its content; larger ones by size and time."""
SAMPLE = 8
_NO_REPLACE = 1  # RENAME_NOREPLACE of renameat2(2)
_AT_ONCE = 64  # files that are forced to disk one by one; more of them all at once
_DESCRIPTORS = {os.open, os.mkdir, os.symlink, os.link} <= os.supports_dir_fd
Stopped = Callable[[], bool]


@dataclass(frozen=True)
class Survey:
    """What stands at a path, down to the last file below it.

    `size` in bytes, `sample` a few names relative to it, `print` changes when anything in it does.
    """

    kind: Kind
    ident: tuple[int, int] = (0, 0)
    """Device and number of the very file: the same after a rename."""
    items: int = 0
    """Files and links below a folder, 1 for a file or link."""
    size: int = 0
    sample: tuple[str, ...] = ()
    print: str = ""
    special: tuple[str, ...] = ()
    """FIFOs, sockets and devices in it, which cannot be copied."""
    mounted: tuple[str, ...] = ()
    """Folders in it that are other file systems."""
    complete: bool = True
    """False where counting stopped at `COUNTED`."""
    mode: int = 0
    links: int = 0


def ident(path: str) -> tuple[int, int] | None:
    """Return device and number of what stands there, None where nothing does."""
    try:
        found = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino


def survey(path: str, stopped: Stopped = lambda: False) -> Survey:
    """Look at a file, a link, or a folder with everything below it."""
    standing = filesystem.status(path)
    if standing.kind == "missing":
        return Survey("missing")
    found = os.lstat(path)
    where = (found.st_dev, found.st_ino)
    if standing.kind != "folder":
        special = () if standing.kind in ("file", "link") else (os.path.basename(path),)
        size = standing.size if standing.kind == "file" else 0
        seal = file_print(path, found)
        return Survey(
            standing.kind, where, 1, size, (), seal, special, mode=standing.mode, links=standing.links
        )
    return _folder(path, where, standing.mode, stopped)


def file_print(path: str, found: os.stat_result) -> str:
    """Return what tells a single file or link from a changed one: its content where it is not too large."""
    if stat.S_ISLNK(found.st_mode):
        return _digest(b"link\0" + os.fsencode(os.readlink(path)))
    if stat.S_ISREG(found.st_mode) and found.st_size <= HASHED:
        return content_print(filesystem.read(path))
    return _digest(f"{stat.S_IFMT(found.st_mode)} {found.st_size} {found.st_mtime_ns}".encode())


def content_print(data: bytes) -> str:
    """Return the print of a single file that holds `data`."""
    return _digest(b"file\0" + data)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _folder(path: str, where: tuple[int, int], mode: int, stopped: Stopped) -> Survey:
    seal = hashlib.sha256(b"folder\0")
    items = size = seen = 0
    sample: list[str] = []
    special: list[str] = []
    mounted: list[str] = []
    for name, entry, found in walk(path):
        seen += 1
        if seen > COUNTED or stopped():
            break
        kind = filesystem.kind_of(found.st_mode)
        seal.update(_line(name, kind, entry, found))
        if kind == "folder":
            if found.st_dev != where[0]:
                mounted.append(name)
            continue
        items += 1
        size += found.st_size if kind == "file" else 0
        if len(sample) < SAMPLE:
            sample.append(name)
        if kind not in ("file", "link"):
            special.append(name)
    return Survey(
        "folder", where, items, size, tuple(sample), seal.hexdigest(), tuple(special), tuple(mounted),
        seen <= COUNTED, mode,
    )  # fmt: skip


def _line(name: str, kind: Kind, entry: os.DirEntry[str], found: os.stat_result) -> bytes:
    """Return one entry for the print: content is told by size and time; reading all takes too long."""
    more = f"{found.st_size} {found.st_mtime_ns}" if kind == "file" else ""
    target = os.fsencode(os.readlink(entry.path)) if kind == "link" else b""
    return os.fsencode(name) + f"\0{kind} {found.st_mode:o} {more}\0".encode() + target + b"\n"


def walk(path: str) -> Iterator[tuple[str, os.DirEntry[str], os.stat_result]]:
    """Yield everything below a folder, sorted: its name from there (with slashes), its entry and status."""
    waiting = [("", path)]
    while waiting:
        below, folder = waiting.pop()
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
        folders = []
        for entry in entries:
            name = f"{below}{entry.name}"
            status = entry.stat(follow_symlinks=False)
            yield name, entry, os.lstat(entry.path) if not status.st_ino else status
            if entry.is_dir(follow_symlinks=False):
                folders.append((f"{name}/", entry.path))
        waiting += folders[::-1]


def rename(source: str, target: str) -> None:
    """Give a file, link or folder another place where nothing stands; it stays the very same.

    Both names are on disk when this returns. Raises FileExistsError, and OSError (EXDEV) over file systems.
    """
    with held_open(os.path.dirname(source)) as here, held_open(os.path.dirname(target)) as there:
        if here is None or there is None:
            _renamed_by_path(source, target)
        elif not _rename_new(here, os.path.basename(source), there, os.path.basename(target), target):
            _must_be_free(target)
            os.rename(os.path.basename(source), os.path.basename(target), src_dir_fd=here, dst_dir_fd=there)
    for folder in {os.path.dirname(target), os.path.dirname(source)}:
        filesystem.sync_folder(folder)


def _renamed_by_path(source: str, target: str) -> None:
    _must_be_free(target)
    os.rename(source, target)


def _must_be_free(target: str) -> None:
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, "exists already", target)


def _rename_new(here: int, source: str, there: int, target: str, shown: str) -> bool:
    """Rename where nothing stands, checked by the system itself; False where it cannot do that."""
    call = _renameat2()
    if call is None:
        return False
    if call(here, os.fsencode(source), there, os.fsencode(target), _NO_REPLACE) == 0:
        return True
    import ctypes

    number = ctypes.get_errno()
    if number in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP):
        return False
    raise OSError(number, os.strerror(number), shown)


@functools.cache
def _renameat2() -> Callable[..., int] | None:
    """Return Linux's own call, which the standard library lacks."""
    import ctypes  # late: it costs a start some milliseconds

    try:
        found = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        return None
    found.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    return found


@dataclass
class _Copying:
    """What one copy knows: hard links within it, and what waits to be forced to disk."""

    stopped: Stopped
    root: int
    """The open folder that `made` counts from."""
    made: dict[tuple[int, int], str] = field(default_factory=dict)
    """Files with several names, by device and number: the place of their first copy."""
    files: int = 0


def copy(source: str, target: str, stopped: Stopped = lambda: False) -> None:
    """Copy a file, link or folder to a place where nothing stands, on disk when this returns.

    Kept: content, modes, times, links as links, hard links among the copied, empty folders, extended
    attributes where possible. Raises OSError (EINVAL) for FIFOs, sockets and devices, and where `stopped`.
    """
    if not _DESCRIPTORS:
        _copied_by_path(source, target)
        return
    with held_open(os.path.dirname(source)) as here, held_open(os.path.dirname(target)) as there:
        assert here is not None and there is not None
        copying = _Copying(stopped, there)
        name, made = os.path.basename(source), os.path.basename(target)
        _copy_entry(here, name, there, made, made, copying)
        os.fsync(there)
    if copying.files > _AT_ONCE:
        os.sync()


def _copied_by_path(source: str, target: str) -> None:
    """Copy on systems where a folder cannot be held open."""
    import shutil  # late: it loads every kind of packing

    if os.path.isdir(source) and not os.path.islink(source):
        shutil.copytree(source, target, symlinks=True)
    else:
        shutil.copy2(source, target, follow_symlinks=False)


def _copy_entry(here: int, name: str, there: int, made: str, below: str, copying: _Copying) -> None:
    """Copy one entry of the open folder `here` into the open folder `there`."""
    if copying.stopped():
        raise OSError(errno.EINTR, "stopped", name)
    found = os.stat(name, dir_fd=here, follow_symlinks=False)
    kind = filesystem.kind_of(found.st_mode)
    if kind == "link":
        os.symlink(os.readlink(name, dir_fd=here), made, dir_fd=there)
        with contextlib.suppress(OSError, NotImplementedError):  # some file systems keep no time of a link
            times = (found.st_atime_ns, found.st_mtime_ns)
            os.utime(made, ns=times, dir_fd=there, follow_symlinks=False)
    elif kind == "folder":
        _copy_folder(here, name, there, made, below, copying, found)
    elif kind == "file":
        _copy_file(here, name, there, made, below, copying)
    else:
        raise OSError(errno.EINVAL, f"a {kind} cannot be copied", name)


def _copy_folder(
    here: int, name: str, there: int, made: str, below: str, copying: _Copying, found: os.stat_result
) -> None:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    os.mkdir(made, 0o700, dir_fd=there)
    source = os.open(name, flags, dir_fd=here)
    try:
        target = os.open(made, flags, dir_fd=there)
        try:
            for entry in sorted(os.listdir(source)):
                _copy_entry(source, entry, target, entry, f"{below}/{entry}", copying)
            _copy_attributes(source, target, found)
            os.fsync(target)
        finally:
            os.close(target)
    finally:
        os.close(source)


def _copy_file(here: int, name: str, there: int, made: str, below: str, copying: _Copying) -> None:
    source = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=here)
    try:
        found = os.fstat(source)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "no regular file any more", name)
        number = (found.st_dev, found.st_ino)
        if found.st_nlink > 1 and number in copying.made:
            os.link(copying.made[number], made, src_dir_fd=copying.root, dst_dir_fd=there)
            return
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        target = os.open(made, flags, 0o600, dir_fd=there)
        try:
            while part := os.read(source, 1 << 20):
                filesystem.write_all(target, part)
            _copy_attributes(source, target, found)
            copying.files += 1
            if copying.files <= _AT_ONCE:
                os.fsync(target)
        finally:
            os.close(target)
        copying.made[number] = below
    finally:
        os.close(source)


def _copy_attributes(source: int, target: int, found: os.stat_result) -> None:
    filesystem.copy_xattrs(source, target)
    os.fchmod(target, stat.S_IMODE(found.st_mode))
    os.utime(target, ns=(found.st_atime_ns, found.st_mtime_ns))


def remove(path: str) -> None:
    """Remove what this program made: a file, a link, or a folder with all below it; links not followed."""
    import shutil

    if os.path.isdir(path) and not os.path.islink(path):
        for _, entry, found in list(walk(path)):
            if stat.S_ISDIR(found.st_mode):
                os.chmod(entry.path, 0o700)
        os.chmod(path, 0o700)
        shutil.rmtree(path)
    else:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)

"""What the files of a folder are at a moment, with their contents kept aside, so that changes show.

Contents are not forced to disk: what a command changed is put into the journal for good afterwards, and what
it left alone is only read once.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from app.platform.ids import new_id
from app.platform.paths import make_private

MOST_FILES = 10_000
"""A walk over them takes about a tenth of a second, twice for each command."""
MOST_BYTES = 200 << 20
"""Reading and keeping them takes one or two seconds, once for a session."""
_KEPT_SECONDS = 2 * 86400.0
_KEPT_BYTES = 1 << 30
"""How long contents stay that no command has needed, and how much of them one file takes."""


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """One regular file, or a link. All but `sha` is what the system tells without reading it."""

    size: int
    mode: int
    modified: int
    changed: int
    number: int
    links: int
    """Names of the file."""
    sha: str = ""
    """SHA-256 of its content, "" while that was not read; of a link @ and that of where it points."""
    place: int = 0
    """Where the content begins in the file in which it is kept."""

    @property
    def is_link(self) -> bool:
        """Whether it is a symbolic link."""
        return self.sha.startswith("@")


Listing = dict[str, Entry]
"""Path -> file or link. Pipes, sockets and devices are not in it, nor what is below `.git`."""


class TooMuch(Exception):
    """The folder holds more than a snapshot may."""


def listed(root: str, most_files: int = MOST_FILES, most_bytes: int = MOST_BYTES) -> Listing:
    """Return the files below `root`, or `root` itself. Raises TooMuch, OSError where the root cannot be read.

    `.git` is left out: a repository is not brought back file by file behind Git's back.
    """
    found: Listing = {}
    size = 0
    for path, status in _walk(root):
        size += status.st_size
        if len(found) >= most_files or size > most_bytes:
            raise TooMuch(root)
        found[path] = _link(path, status) if stat.S_ISLNK(status.st_mode) else _entry(status)
    return found


def _walk(root: str) -> Iterator[tuple[str, os.stat_result]]:
    status = os.lstat(root)
    if stat.S_ISREG(status.st_mode):
        yield root, status
        return
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        try:
            entries = list(os.scandir(folder))
        except OSError:
            if folder == root:
                raise
            continue  # it cannot be read now, so a command of the same person cannot change it either
        for entry in entries:
            with contextlib.suppress(FileNotFoundError):  # gone while we look
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != ".git":
                        waiting.append(entry.path)
                elif entry.is_symlink() or entry.is_file(follow_symlinks=False):
                    yield entry.path, entry.stat(follow_symlinks=False)


def _link(path: str, status: os.stat_result) -> Entry:
    try:
        target = os.fsencode(os.readlink(path))
    except OSError:  # gone or another thing while we look
        target = b""
    return msgspec.structs.replace(_entry(status), sha=f"@{hashlib.sha256(target).hexdigest()}")


def _entry(status: os.stat_result) -> Entry:
    return Entry(
        status.st_size,
        stat.S_IMODE(status.st_mode),
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_ino,
        status.st_nlink,
    )


def same(one: Entry, other: Entry) -> bool:
    """Whether the system tells of both that nothing was written in between."""
    return _told(one) == _told(other)


def _told(entry: Entry) -> tuple[int, ...]:
    return (entry.size, entry.mode, entry.modified, entry.changed, entry.number)


class Kept:
    """Contents kept aside, one after the other in one file of this process: many small files take far longer.

    Threads take turns; whoever puts holds `turn`.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.turn = threading.Lock()
        self.name = ""
        """The file that is written now, "" before the first content."""
        self._file = -1
        self._end = 0
        self._places: dict[str, int] = {}

    def read(self, listing: Listing, known: Mapping[str, Entry]) -> Listing:
        """Return the listing with hash and place of each content, which is kept; reads what is not `known`.

        A file that cannot be read, or that changes while it is read, has no hash.
        """
        return {path: self._with_hash(path, entry, known.get(path)) for path, entry in listing.items()}

    def _with_hash(self, path: str, entry: Entry, before: Entry | None) -> Entry:
        if entry.is_link:
            return entry
        if before and before.sha and same(before, entry):
            return before
        content = read_as(path, entry)
        if content is None:
            return entry
        sha, place = self.put(content)
        return msgspec.structs.replace(entry, sha=sha, place=place)

    def put(self, content: bytes) -> tuple[str, int]:
        """Keep a content; return its hash and its place in the file."""
        sha = hashlib.sha256(content).hexdigest()
        if sha not in self._places:
            rest, place = memoryview(content), self._end
            while rest:  # a disk that fills up takes a part first
                written = os.pwrite(self._file, rest, self._end)
                self._end += written
                rest = rest[written:]
            self._places[sha] = place
        return sha, self._places[sha]

    def begin(self) -> bool:
        """Make ready for contents; return whether a new file was begun, in which nothing is known yet."""
        if self._file >= 0 and self._end < _KEPT_BYTES and os.path.exists(self.folder / self.name):
            os.utime(self.folder / self.name)
            return False
        self.close()
        make_private(self.folder)
        self.name = new_id()
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC
        self._file = os.open(self.folder / self.name, flags, 0o600)
        self._end = 0
        self._places = {}
        return True

    def close(self) -> None:
        """Close the file; what is in it stays for a while."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def get(self, name: str, entry: Entry) -> bytes | None:
        """Return a content kept in the file `name`, None when it is gone or damaged."""
        try:
            with open(self.folder / name, "rb") as file:
                file.seek(entry.place)
                content = file.read(entry.size)
        except OSError:
            return None
        return content if hashlib.sha256(content).hexdigest() == entry.sha else None

    def clear(self, now: float) -> None:
        """Remove the files that nobody has used for long."""
        for file in self.folder.glob("*"):
            with contextlib.suppress(FileNotFoundError):
                if file.stat().st_mtime < now - _KEPT_SECONDS:
                    file.unlink()


def read_as(path: str, entry: Entry) -> bytes | None:
    """Return the content of the very file that was listed, None where that is another one by now."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        content = file.read(entry.size + 1)
        return content if same(_entry(os.fstat(descriptor)), entry) and len(content) == entry.size else None

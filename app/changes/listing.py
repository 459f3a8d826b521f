"""What the files of a folder are at a moment, with their contents kept aside, so that changes show.

Contents lie in a folder of their own by hash, not forced to disk: what a command changed is put into the
journal for good afterwards, and what it left alone is only read once.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
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
"""How long contents stay that no command has needed, and how much of them."""


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """One regular file. All but `sha` is what the system tells without reading it."""

    size: int
    mode: int
    modified: int
    changed: int
    number: int
    sha: str = ""
    """SHA-256 of its content, "" while that was not read."""


Listing = dict[str, Entry]
"""Path -> file. Links, pipes, sockets and devices are not in it, nor what is below `.git`."""


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
        found[path] = _entry(status)
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
                elif entry.is_file(follow_symlinks=False):
                    yield entry.path, entry.stat(follow_symlinks=False)


def _entry(status: os.stat_result) -> Entry:
    return Entry(
        status.st_size,
        stat.S_IMODE(status.st_mode),
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_ino,
    )


def same(one: Entry, other: Entry) -> bool:
    """Whether the system tells of both that nothing was written in between."""
    return _told(one) == _told(other)


def _told(entry: Entry) -> tuple[int, ...]:
    return (entry.size, entry.mode, entry.modified, entry.changed, entry.number)


class Kept:
    """Contents kept aside below a folder of ours."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, listing: Listing, known: Mapping[str, Entry], *, look: bool) -> Listing:
        """Return the listing with the hash of each content, which is kept; reads only what is not `known`.

        `look` makes sure that what is known is still kept, and keeps it longer. A file that cannot be read,
        or that changes while it is read, has no hash.
        """
        return {path: self._with_hash(path, entry, known.get(path), look) for path, entry in listing.items()}

    def _with_hash(self, path: str, entry: Entry, before: Entry | None, look: bool) -> Entry:
        known = before is not None and before.sha and same(before, entry)
        if before and known and (not look or self._is_there(before.sha, entry.size)):
            return before
        content = read_as(path, entry)
        return msgspec.structs.replace(entry, sha="" if content is None else self.put(content))

    def put(self, content: bytes) -> str:
        """Keep a content; return its hash."""
        sha = hashlib.sha256(content).hexdigest()
        if not self._is_there(sha, len(content)):
            target = self._path(sha)
            make_private(target.parent)
            unfinished = target.with_name(f"{sha}.{new_id()}")
            try:
                with open(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                    file.write(content)
                os.replace(unfinished, target)
            finally:
                unfinished.unlink(missing_ok=True)
        return sha

    def get(self, sha: str) -> bytes | None:
        """Return a kept content, None when it is gone or damaged."""
        try:
            content = self._path(sha).read_bytes()
        except OSError:
            return None
        return content if hashlib.sha256(content).hexdigest() == sha else None

    def clear(self, now: float) -> None:
        """Remove what was not needed for long, and the oldest of too much."""
        files = []
        for file in self.folder.glob("??/*"):
            with contextlib.suppress(FileNotFoundError):
                status = file.stat()
                files.append((status.st_mtime, status.st_size, file))
        left = sum(size for _, size, _ in files)
        for modified, size, file in sorted(files):
            if modified < now - _KEPT_SECONDS or left > _KEPT_BYTES:
                file.unlink(missing_ok=True)
                left -= size

    def _is_there(self, sha: str, size: int) -> bool:
        path = self._path(sha)
        try:
            os.utime(path)
            return path.stat().st_size == size
        except FileNotFoundError:
            return False

    def _path(self, sha: str) -> Path:
        return self.folder / sha[:2] / sha


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

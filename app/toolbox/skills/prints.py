"""Tells whether the skills of a project are still the ones that the person agreed to: a hash of all files."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from app.platform import filesystem
from app.toolbox.skills.folder import skill_folders
from app.toolbox.skills.places import IN_PROJECT

MOST_FILES, MOST_BYTES = 2_000, 64 << 20
"""What is looked at of one project. More cannot be agreed to, since it could not be compared later."""
TOO_LARGE = "too large"

_Stamp = tuple[int, int, int, int]


class Prints:
    """Hashes of the folders of skills, by name. Files that did not change are not read again."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[_Stamp, str]] = {}

    def of(self, project: Path) -> dict[str, str]:
        """Return the hash of each folder of skills of a project; TOO_LARGE stands where there is none."""
        found: dict[str, str] = {}
        left, size = MOST_FILES, MOST_BYTES
        root = os.path.realpath(project)
        known: dict[str, tuple[_Stamp, str]] = {}
        for folder in skill_folders(project / IN_PROJECT):
            whole = hashlib.sha256()
            for path in _files(os.path.realpath(folder), root):
                left, size = left - 1, size - _size(path)
                if left < 0 or size < 0:
                    return {**found, folder.name: TOO_LARGE}
                whole.update(f"{path}\0{self._file(path, known)}\n".encode("utf-8", "surrogateescape"))
            found[folder.name] = whole.hexdigest()
        self._known = known
        return found

    def _file(self, path: str, known: dict[str, tuple[_Stamp, str]]) -> str:
        """Return the hash of a file, or where a link leads, or that it cannot be read."""
        try:
            if os.path.islink(path):
                return f"-> {os.readlink(path)}"
            seen = os.stat(path)
            stamp = (seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)
            before = self._known.get(path)
            if before is None or before[0] != stamp:
                before = (stamp, hashlib.sha256(filesystem.read(path, MOST_BYTES)).hexdigest())
            known[path] = before
            return before[1]
        except OSError as error:
            return f"unread {error.errno}"


def _files(folder: str, root: str) -> Iterator[str]:
    """Yield all files and links of a folder in one order, hidden ones too; none outside of `root`."""
    if not Path(folder).is_relative_to(root):
        yield folder
        return
    for top, folders, names in os.walk(folder):
        folders.sort()
        links = [name for name in folders if os.path.islink(os.path.join(top, name))]
        yield from (os.path.join(top, name) for name in sorted([*names, *links]))


def _size(path: str) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0


def whole_print(prints: Mapping[str, str]) -> str:
    """Return one hash for all folders of a project."""
    lines = "".join(f"{name}\0{prints[name]}\n" for name in sorted(prints))
    return hashlib.sha256(lines.encode("utf-8", "surrogateescape")).hexdigest()

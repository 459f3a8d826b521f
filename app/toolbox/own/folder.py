"""The files of the folder of own tools as they are now; only what changed since is read again."""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from app.own_tool_records import Problem
from app.toolbox.own.outline import LARGEST, NOTHING, Outline, outline, text_of

SUFFIX = ".py"
_MOST = 500
"""Files that are looked at; nobody writes so many."""
Stamp = tuple[int, int, int, int]
"""Time of the last change of content and of the entry in ns, size, and the number of the file."""


@dataclass(frozen=True)
class OwnFile:
    """One file. `source` is "" and `hash` may be where it cannot be read."""

    name: str
    path: str
    hash: str = ""
    source: str = ""
    size: int = 0
    outline: Outline = NOTHING


class Folder:
    """The folder, which need not exist. Methods block; call them in a thread, one at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: dict[str, tuple[Stamp, OwnFile]] = {}

    def files(self) -> tuple[OwnFile, ...]:
        """Return all files by name. One that cannot be read is there with the reason."""
        try:
            names = sorted(name for name in os.listdir(self.path) if name.endswith(SUFFIX))
        except OSError:
            names = []
        known: dict[str, tuple[Stamp, OwnFile]] = {}
        for name in [name for name in names if not name.startswith(".")][:_MOST]:
            path = str(self.path / name)
            stamp = _stamp(path)
            before = self._known.get(name)
            known[name] = before if before and stamp and before[0] == stamp else (stamp, read(path))
        self._known = known
        return tuple(file for _, file in known.values())


def _stamp(path: str) -> Stamp:
    try:
        found = os.stat(path)
    except OSError:
        return (0, 0, 0, 0)
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)


def read(path: str) -> OwnFile:
    """Return the tool at a path, with its faults; never raises and never waits for a pipe."""
    name = os.path.basename(path).removesuffix(SUFFIX)
    try:
        data = _bytes(path)
    except OSError as error:
        return _broken(name, path, f"The file cannot be read: {error.strerror or error}.")
    if not path.endswith(SUFFIX):
        return _broken(name, path, f"The name of a tool's file ends in {SUFFIX}.")
    source, problems = text_of(data)
    readable = bool(source) or not problems
    found = outline(source, name, problems) if readable else Outline(problems=problems)
    return OwnFile(name, path, hashlib.sha256(data).hexdigest(), source, len(data), found)


def _bytes(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    with open(descriptor, "rb") as file:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(0, "it is a folder")
        if not stat.S_ISREG(mode):
            raise OSError(0, "it is no file")
        return file.read(LARGEST + 1)


def _broken(name: str, path: str, message: str) -> OwnFile:
    return OwnFile(name, path, outline=Outline(problems=(Problem(line=0, message=message),)))

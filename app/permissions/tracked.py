"""The files that a Git repository holds, from its index as a file: asking Git could run what the repository
says (facts: safety 2.2, 16).

Format: git documentation, "index-format", versions 2 to 4.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from pathlib import Path

_MOST = 64 * 1024 * 1024
"""Bytes of an index that are read; a larger one counts as if nothing were tracked, which only asks more."""
_FIXED = 62
"""Bytes of an entry before its name: times, numbers, mode, size, a SHA-1, flags."""


def tracked_files(path: str) -> frozenset[str]:
    """Return the absolute paths at or below `path` that the repository around it has in its index, as long as
    they are there unchanged in size; empty where there is none or it cannot be read.
    """
    for folder in (Path(path), *Path(path).parents):
        index = folder / ".git" / "index"
        try:
            if index.is_file() and index.stat().st_size <= _MOST:
                return frozenset(_unchanged(str(folder), path, index.read_bytes()))
        except OSError:
            return frozenset()
    return frozenset()


def _unchanged(folder: str, path: str, data: bytes) -> Iterator[str]:
    below = path.rstrip("/") + "/"
    try:
        for name, size, seconds in entries(data):
            full = os.path.join(folder, os.fsdecode(name))
            if (full == path or full.startswith(below)) and _is_same(full, size, seconds):
                yield full
    except (struct.error, IndexError, ValueError):
        return


def _is_same(path: str, size: int, seconds: int) -> bool:
    """Whether a file stands as Git saw it last: a changed one holds work that Git does not."""
    try:
        found = os.lstat(path)
    except OSError:
        return False
    return found.st_size & 0xFFFFFFFF == size and int(found.st_mtime) & 0xFFFFFFFF == seconds


def entries(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield name, size and time of change (seconds) of each entry. Raises ValueError and struct.error."""
    mark, version, count = struct.unpack_from(">4sII", data)
    if mark != b"DIRC" or version not in (2, 3, 4):
        raise ValueError("no index")
    at, previous = 12, b""
    for _ in range(count):
        seconds, size = struct.unpack_from(">8xI24xI", data, at)
        (flags,) = struct.unpack_from(">H", data, at + _FIXED - 2)
        start = at + _FIXED + (2 if version >= 3 and flags & 0x4000 else 0)
        if version == 4:
            cut, start = _number(data, start)
            end = data.index(0, start)
            previous = previous[: len(previous) - cut] + data[start:end]
            at = end + 1
        else:
            end = data.index(0, start)
            previous = data[start:end]
            at += (end - at + 8) & ~7
        yield previous, size, seconds


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Read a number as Git writes offsets: seven bits a byte, the highest bit says that more follow."""
    value = data[at] & 127
    while data[at] & 128:
        at += 1
        value = ((value + 1) << 7) | (data[at] & 127)
    return value, at + 1

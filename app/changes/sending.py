"""The trash of systems that do not tell where a thing went: it is sent there, and the journal keeps a copy.

A file is kept as it is, a folder as a tar archive in memory.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable

from app.platform import filesystem, trees
from app.platform.trees import Survey

KEPT = 64 * 1024 * 1024
"""Bytes of one thing that the journal keeps; larger ones can only be brought back from the trash itself."""


def kept(path: str, found: Survey) -> bytes | None:
    """Return what the journal keeps of a file or folder, None where that is too much or cannot be kept."""
    if found.size > KEPT or found.kind not in ("file", "folder") or found.special:
        return None
    if found.kind == "file":
        return filesystem.read(path)
    import tarfile  # late: heavy, and only systems without a trash that tells need it

    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w", format=tarfile.PAX_FORMAT) as archive:
        archive.add(path, ".")
    return held.getvalue()


def unpack(data: bytes, place: str) -> None:
    """Make a folder at `place` again, on disk when this returns. `data` is our own archive."""
    import tarfile

    os.mkdir(place, 0o700)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        # Our own archive is taken as it is. Python before 3.11.4 has no filters, and does that anyway.
        archive.extraction_filter = getattr(tarfile, "fully_trusted_filter", None)
        archive.extractall(place)
    if hasattr(os, "sync"):
        os.sync()


def bring_back(path: str, kind: str, data: bytes, mode: int) -> None:
    """Put back what was sent away in a change that failed."""
    if kind == "folder":
        unpack(data, path)
        return
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | filesystem.PLAIN
    descriptor = os.open(path, flags, mode or 0o666)
    try:
        filesystem.write_all(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def maker(data: bytes) -> Callable[[str, trees.Stopped], None]:
    """Return what makes the folder anew for an undo."""
    return lambda place, stopped: unpack(data, place)

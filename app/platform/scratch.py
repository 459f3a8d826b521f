"""Folders for what is not whole yet: private, and cleared away also where a kill has left one."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from pathlib import Path

LEFT_SECONDS = 86_400.0
"""After this long a folder belongs to nothing that still runs: no work of ours takes half as long."""


def folder(prefix: str, place: str = "", clock: float | None = None) -> str:
    """Return a new empty folder in `place` ("" for the system's) that only the person may look into; what was
    left there a day ago under the same prefix goes. `clock` is the time in Unix seconds. Raises OSError.
    """
    now = time.time() if clock is None else clock
    if place:
        os.makedirs(place, 0o700, exist_ok=True)
    for left in Path(place or tempfile.gettempdir()).glob(f"{prefix}*"):
        with contextlib.suppress(OSError):
            found = left.lstat()
            mine = not hasattr(os, "getuid") or found.st_uid == os.getuid()
            if mine and now - found.st_mtime > LEFT_SECONDS:
                shutil.rmtree(left, True)
    return tempfile.mkdtemp(prefix=prefix, dir=place or None)

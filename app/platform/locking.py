"""A lock between processes on a file of its own: whoever dies lets go of it."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

_PAUSE = 0.01
_TAKEN = frozenset({errno.EACCES, errno.EAGAIN, errno.EDEADLK})


@contextlib.contextmanager
def locked(path: Path, seconds: float) -> Iterator[None]:
    """Hold the lock `path`, a file that is made and stays; the system frees it when its holder ends.

    Blocks: call it in a thread. Raises TimeoutError when another holds it for so long, else OSError.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        until = time.monotonic() + seconds
        while not _taken(descriptor):
            if time.monotonic() >= until:
                raise TimeoutError(errno.ETIMEDOUT, "another program holds the lock", str(path))
            time.sleep(_PAUSE)
        yield
    finally:
        os.close(descriptor)


def _taken(descriptor: int) -> bool:
    """Try once; false when another holds it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _TAKEN:
            return False
        raise
    return True

"""Writes a text that a person saves under a name of theirs, whole or not at all."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def save_text(path: str, text: str) -> None:
    """Write `text` as UTF-8; what stood there stays on any error. Raises OSError."""
    target = Path(os.path.realpath(path))
    beside = target.with_name(f".{target.name[:100]}.{os.getpid()}")
    try:
        with open(beside, "w", encoding="utf-8", errors="surrogatepass") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    except OSError:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


def read_text(path: str) -> str:
    """Return a text that a person picked; bytes that are no UTF-8 stay as they are. Raises OSError."""
    return Path(path).read_bytes().removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")

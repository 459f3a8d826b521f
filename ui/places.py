"""Paths as people write them."""

from __future__ import annotations

import os


def tilde(path: str) -> str:
    """Return the path as people write it, with ~ for their home."""
    home = os.path.expanduser("~")
    if path == home or path.startswith(home + os.sep):
        return "~" + path[len(home) :]
    return path

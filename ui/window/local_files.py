"""Opens a file that an answer points to, when it lies where the conversation works and cannot start a
program."""

from __future__ import annotations

import mimetypes
import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

_KINDS = ("image/", "audio/", "video/")
_DOCUMENTS = frozenset(
    {
        "text/plain",
        "text/markdown",
        "text/csv",
        "application/json",
        "application/pdf",
        "application/msword",
        "application/vnd.ms-excel",
        "application/vnd.oasis.opendocument.text",
        "application/vnd.oasis.opendocument.spreadsheet",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    }
)
"""Files that are shown by the system's program for them. Others might be run, so they are left alone."""


def local_path(link: str, folder: str) -> str:
    """Return the path that a link without a host means, "" when it is no such link."""
    try:
        parts = urlsplit(link)
    except ValueError:
        return ""
    drive = len(parts.scheme) == 1  # C:\pictures on Windows
    if (parts.scheme and parts.scheme != "file" and not drive) or parts.netloc not in ("", "localhost"):
        return ""
    path = unquote(parts.path if parts.scheme == "file" else link)
    if "\0" in path or not path or path.startswith("#"):
        return ""
    return os.path.join(folder, os.path.expanduser(path))


def openable(path: str, folders: tuple[str, ...]) -> str:
    """Return the real path of a file that may be opened: below one of `folders`, links resolved, of a kind
    that is shown and not run; "" otherwise. Reads the file system."""
    real = os.path.realpath(path)
    kind = mimetypes.guess_type(real)[0] or ""
    inside = any(folder and Path(real).is_relative_to(os.path.realpath(folder)) for folder in folders)
    shown = kind.startswith(_KINDS) or kind in _DOCUMENTS
    return real if inside and shown and os.path.isfile(real) else ""

"""Which file a path means and what is special about it: system folders, secrets, names that mislead.

Pure but for links.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from app.errors import ToolError
from app.permissions.places import SYSTEM, is_secret, is_system

__all__ = ["SYSTEM", "holds_key", "is_secret", "is_system", "odd_windows_name", "resolve", "shown"]

_KEY = re.compile(
    rb"^-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|^PuTTY-User-Key-File-|^AGE-SECRET-KEY-", re.M
)
_RESERVED = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|\Z)", re.IGNORECASE
)


def resolve(cwd: str, path: str, *, windows: bool = sys.platform == "win32") -> str:
    """Return the real, absolute path: links followed, parts that do not exist yet kept. Touches the disk.

    Raises ToolError (bad_arguments) for names that no file can have or that mean something else than they
    say.
    """
    if not path.strip():
        raise ToolError("bad_arguments", "The path is empty.")
    if "\0" in path:
        raise ToolError("bad_arguments", "The path holds a NUL character.")
    odd = odd_windows_name(path) if windows else ""
    if odd:
        raise ToolError("bad_arguments", f"The path {path!r} is not taken: {odd}.", path=path)
    expanded = os.path.expanduser(path) if path == "~" or path.startswith(("~/", "~\\")) else path
    try:
        return os.path.realpath(os.path.join(cwd, expanded))
    except (OSError, ValueError) as error:
        raise ToolError(
            "bad_arguments", f"The path {path!r} cannot be followed: {error}.", path=path
        ) from error


def odd_windows_name(path: str) -> str:
    """Return why Windows would read the path as something else than it says, else "" (safety 2.2, 25)."""
    plain = path.replace("/", "\\")
    if plain.startswith(("\\\\", "\\??\\")):
        return "network and device paths are not taken"
    drive = re.match(r"[A-Za-z]:", plain)
    rest = plain[2:] if drive else plain
    if drive and not rest.startswith("\\"):
        return "a drive without a backslash means the folder that the drive stands in"
    for part in rest.split("\\"):
        if part in ("", ".", ".."):
            continue
        if ":" in part:
            return "a colon names a hidden stream of a file"
        if part != part.rstrip(". "):
            return "trailing dots and blanks are dropped by Windows"
        if _RESERVED.match(part):
            return f"{part} is a device"
        if any(letter < " " or letter in '<>"|?*' for letter in part):
            return "it holds a character that Windows forbids"
    return ""


def holds_key(beginning: bytes) -> bool:
    """Whether a file that begins so holds a private key, whatever its name is."""
    return bool(_KEY.search(beginning[:4096]))


def shown(path: str, cwd: str) -> str:
    """Return the real path as people read it: from the working folder where it lies below."""
    try:
        return str(Path(path).relative_to(cwd))
    except ValueError:
        return path

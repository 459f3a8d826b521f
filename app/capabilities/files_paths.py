"""Which file a path means and what is special about it: system folders, secrets, names that mislead.

Pure but for links.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path, PurePath

from app.errors import ToolError

SYSTEM = ("/proc", "/dev", "/sys")
"""Folders that are no storage: refused for changes, left out of walks from above."""
_SECRET_FOLDERS = frozenset(
    {".ssh", ".gnupg", ".password-store", "keyrings", "kwalletd", "keychains", ".aws", ".azure", ".kube"}
    | {".mozilla", ".thunderbird"}
)
_SECRET_PLACES = (  # below a configuration folder: profiles of browsers and cloud tools
    ("google-chrome",), ("chromium",), ("bravesoftware",), ("microsoft-edge",), ("vivaldi",), ("opera",),
    ("google", "chrome"), ("mozilla", "firefox"), ("microsoft", "edge"), ("firefox", "profiles"), ("gcloud",),
)  # fmt: skip
_HOLDERS = frozenset({".config", "application support", "local", "roaming", "snap", ".var"})
_SECRET_NAMES = frozenset(
    {".netrc", "_netrc", ".pgpass", ".pypirc", ".git-credentials", ".dockercfg"}
    | {"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "shadow", "gshadow", "master.passwd"}
)
_SECRET_ENDINGS = (".kdbx", ".keystore", ".jks", ".p12", ".pfx", ".ppk", ".gpg-key")
_ENV = re.compile(r"\.env(?:rc|\.(?!example$|sample$|template$|dist$|defaults$).+)?\Z")
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


def is_system(path: str) -> bool:
    """Whether the real path lies in a folder that is no storage: /proc, /dev, /sys."""
    return path.startswith(SYSTEM) and any(PurePath(path).is_relative_to(folder) for folder in SYSTEM)


def is_secret(path: str, own: tuple[str, ...] = ()) -> bool:
    """Whether the real path is one of the places that are asked about everywhere (product 5.0).

    `own` are files and folders of ours that hold keys and conversations.
    """
    parts = [part.casefold() for part in PurePath(path).parts]
    name = parts[-1] if parts else ""
    if any(part in _SECRET_FOLDERS for part in parts):
        return True
    if name in _SECRET_NAMES or name.endswith(_SECRET_ENDINGS) or _ENV.match(name):
        return True
    if parts[1:2] == ["proc"] or any(PurePath(path).is_relative_to(place) for place in own):
        return True
    held = next((at for at, part in enumerate(parts) if part in _HOLDERS), None)
    if held is None:
        return False
    below = parts[held + 1 :]
    return any(
        tuple(below[at : at + len(place)]) == place for place in _SECRET_PLACES for at in range(len(below))
    )


def holds_key(beginning: bytes) -> bool:
    """Whether a file that begins so holds a private key, whatever its name is."""
    return bool(_KEY.search(beginning[:4096]))


def shown(path: str, cwd: str) -> str:
    """Return the real path as people read it: from the working folder where it lies below."""
    try:
        return str(Path(path).relative_to(cwd))
    except ValueError:
        return path

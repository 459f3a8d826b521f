"""What kind of place a real path is: a folder that is no storage, or one that holds secrets.

Pure: paths come in resolved.
"""

from __future__ import annotations

import re
from pathlib import PurePath

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

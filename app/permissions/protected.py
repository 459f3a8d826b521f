"""Paths that are always asked about, whatever a rule says: what starts programs, holds keys, or steers this
app (facts: safety 2.5).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path

_FOLDERS = frozenset(
    {
        ".git",
        ".ssh",
        ".gnupg",
        ".github",
        ".vscode",
        ".idea",
        "autostart",
        "cron.d",
        "systemd",
        "LaunchAgents",
    }
)
_FILES = frozenset(
    {
        ".bashrc",
        ".bash_profile",
        ".bash_login",
        ".bash_logout",
        ".profile",
        ".zshrc",
        ".zshenv",
        ".zprofile",
        ".zlogin",
        ".inputrc",
        ".gitconfig",
        ".gitmodules",
        "crontab",
        ".gitlab-ci.yml",
        "config.fish",
        ".pam_environment",
        ".xprofile",
        ".xsession",
        ".xinitrc",
    }
)
_HIDDEN = frozenset({"Cf", "Cc", "Co", "Cs"})  # bidi and zero-width characters are category Cf


def is_protected(path: str, own: Sequence[str] = ()) -> bool:
    """Whether changing `path` (absolute, resolved) must always be asked."""
    parts = Path(path).parts
    if any(unicodedata.category(letter) in _HIDDEN for letter in path):
        return True
    if any(part.casefold() in {name.casefold() for name in _FOLDERS} for part in parts[:-1]):
        return True
    name = parts[-1] if parts else ""
    if name in _FILES or name in (".git", ".ssh"):
        return True
    return any(Path(path).is_relative_to(folder) for folder in own)

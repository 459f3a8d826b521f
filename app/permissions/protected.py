"""Paths that are always asked about, whatever a rule says: what starts programs, holds keys, or steers this
app (facts: safety 2.5).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path, PurePath

from app.platform.plain_text import hides

_FOLDERS = frozenset(
    {
        ".git", ".ssh", ".gnupg", ".github", ".gitea", ".forgejo", ".circleci", ".buildkite", ".woodpecker",
        ".husky", ".vscode", ".idea", ".zed", "autostart", "autostart-scripts", "cron.d", "cron.hourly",
        "cron.daily", "cron.weekly", "cron.monthly", "crontabs", "systemd", "launchagents", "launchdaemons",
        "profile.d", "sudoers.d", "pam.d", "ld.so.conf.d", "init.d", "environment.d",
    }
)  # fmt: skip
_FILES = frozenset(
    {
        # shells and sessions
        ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc",
        ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc", ".login", ".inputrc",
        "config.fish", ".pam_environment", ".xprofile", ".xsession", ".xsessionrc", ".xinitrc", ".envrc",
        "microsoft.powershell_profile.ps1", "bash.bashrc",
        # programs that run what stands in their settings
        ".gitconfig", ".gitmodules", ".gitattributes", ".vimrc", ".exrc", ".emacs", ".tmux.conf", ".screenrc",
        ".npmrc", ".pythonrc", "sitecustomize.py", "usercustomize.py", ".pre-commit-config.yaml",
        # timers and builds
        "crontab", "anacrontab", ".gitlab-ci.yml", ".travis.yml", ".drone.yml", ".woodpecker.yml",
        "azure-pipelines.yml", "bitbucket-pipelines.yml", "jenkinsfile", ".cirrus.yml", "appveyor.yml",
        # the system
        "sudoers", "ld.so.preload", "rc.local", "authorized_keys",
    }
)  # fmt: skip
_ITSELF = frozenset(name for name in _FOLDERS if name.startswith("."))
"""Folders that are protected as a whole too, not only what lies in them."""
_FISH = ("fish", "conf.d")
_HIDDEN = frozenset({"Cf", "Cc", "Co", "Cs"})  # bidi and zero-width characters are category Cf


def is_protected(path: str, own: Sequence[str] = ()) -> bool:
    """Whether changing `path` (absolute, resolved) must always be asked."""
    if misleads(path):
        return True
    parts = [part.casefold() for part in PurePath(path).parts]
    if not _FOLDERS.isdisjoint(parts[:-1]):
        return True
    name = parts[-1] if parts else ""
    if name in _FILES or name in _ITSELF or tuple(parts[-3:-1]) == _FISH:
        return True
    return any(Path(path).is_relative_to(folder) for folder in own)


def misleads(name: str) -> bool:
    """Whether a name holds characters that make it look like another: bidi, zero-width, fillers, control."""
    if name.isascii():
        return not name.isprintable()
    return hides(name) or any(unicodedata.category(letter) in _HIDDEN for letter in name)

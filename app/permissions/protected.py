"""Paths that are always asked about, whatever a rule says: what starts programs, holds keys, or steers this
app (facts: safety 2.5).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from pathlib import PurePath

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
_SKILLS = (".agents", "skills")
_TOLD = frozenset(["agents.md", "claude.md"])
"""Where a project keeps its skills and instructions, which this app follows once its person agreed (product
1.8, 3.1)."""
_HIDDEN = frozenset({"Cf", "Cc", "Co", "Cs"})  # bidi and zero-width characters are category Cf


def protection(path: str, own: Sequence[str] = (), steering: Sequence[str] = ()) -> str:
    """Return the code of why changing `path` (absolute, resolved) is always asked about, "" where it is not.

    `steering` for what tells this app what to do: the places given, a project's instructions and its skills.
    `protected` for what starts programs, holds keys, has a name that misleads, or lies in `own`.
    """
    if misleads(path):
        return "protected"
    parts = [part.casefold() for part in PurePath(path).parts]
    if any(is_within(path, place) for place in steering) or _teaches(parts):
        return "steering"
    name = parts[-1] if parts else ""
    if not _FOLDERS.isdisjoint(parts[:-1]) or name in _FILES or name in _ITSELF:
        return "protected"
    held = tuple(parts[-3:-1]) == _FISH or any(is_within(path, place) for place in own)
    return "protected" if held else ""


def _teaches(parts: Sequence[str]) -> bool:
    """Whether a path is a project's file of instructions or its folder of skills, lies in that, or is the
    folder that it stands in.
    """
    first, second = _SKILLS
    return (
        (bool(parts) and parts[-1] in _TOLD)
        or parts[-1:] == [first]
        or any(pair == (first, second) for pair in pairwise(parts))
    )


def is_within(path: str, folder: str) -> bool:
    """Whether a path is a folder or lies below it, by whole names; case is ignored, as some disks do."""
    return PurePath(path.casefold()).is_relative_to(folder.casefold())


def misleads(name: str) -> bool:
    """Whether a name holds characters that make it look like another: bidi, zero-width, fillers, control."""
    if name.isascii():
        return not name.isprintable()
    return hides(name) or any(unicodedata.category(letter) in _HIDDEN for letter in name)

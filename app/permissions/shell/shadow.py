"""Whether a bare program name may mean another program than a person thinks (facts: safety 2.2, 21)."""

from __future__ import annotations

import os
import stat

from app.permissions.shell.programs import base

_LOCAL = frozenset(
    [
        "python",
        "python3",
        "pip",
        "pip3",
        "node",
        "npm",
        "npx",
        "ruby",
        "php",
        "perl",
        "pytest",
        "ruff",
        "mypy",
    ]
)
"""Programs that a project brings itself, and that run the project's own code whoever wrote them."""


def shadowed(words: tuple[str, ...], path: str, workspace: str) -> bool:
    """Whether the program of a command stands first on `path` (as of PATH) where others may put it: in a
    folder that everybody may write, in one that is not absolute, or in the working folder in front of another
    of that name. Looks at the disk.
    """
    name = words[0]
    if "/" in name:
        return False
    planted = False
    for folder in path.split(os.pathsep):
        mode = _mode(os.path.join(folder or ".", name))
        if not stat.S_ISREG(mode) or not mode & 0o111:
            continue
        if planted:
            return True
        if not os.path.isabs(folder) or mode & 0o002 or _mode(folder) & 0o002:
            return True
        real = os.path.realpath(folder)
        planted = (real + os.sep).startswith(workspace.rstrip(os.sep) + os.sep) and base(name) not in _LOCAL
        if not planted:
            return False
    return False


def _mode(path: str) -> int:
    try:
        return os.stat(path).st_mode
    except (OSError, ValueError):
        return 0

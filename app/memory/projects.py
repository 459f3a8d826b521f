"""The project that a working folder belongs to."""

from __future__ import annotations

import os
from pathlib import Path


def project_of(cwd: str, home: Path, scratch: Path) -> str:
    """Return the root of the Git repository around a folder, else the folder itself; "" for an empty folder
    of ours, which is no project. It blocks.
    """
    if not cwd:
        return ""
    here, home = Path(os.path.realpath(cwd)), Path(os.path.realpath(home))
    if here.is_relative_to(os.path.realpath(scratch)):
        return ""
    for folder in (here, *here.parents):
        if folder == home or folder == folder.parent:
            break
        if os.path.lexists(folder / ".git"):
            return str(folder)
    return str(here)


def name_of(key: str) -> str:
    """Return what people call a project."""
    return os.path.basename(key.rstrip(os.sep)) or key

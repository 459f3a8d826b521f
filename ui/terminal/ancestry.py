"""Whether this command was started by a tool of ours: the model must not approve itself (product 5.5)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

LAUNCH = Path(__file__).resolve().parent.parent / "launch.py"
MARK = "BRAMBLE_TOOL"
"""Set in the environment of every command that a tool runs."""


def started_by_a_tool(environ: Mapping[str, str]) -> bool:
    """Whether a tool of a Bramble with the same data is among the ancestors of this process."""
    if environ.get(MARK):
        return True
    import psutil

    for parent in psutil.Process().parents():
        try:
            if _is_bramble(parent.cmdline()) and _same_home(parent.environ(), environ):
                return True
        except psutil.NoSuchProcess:
            continue
        except psutil.AccessDenied:
            continue  # another user's process: no Bramble of this person
    return False


def _is_bramble(words: list[str]) -> bool:
    """Whether the command line runs this program; a person's shell that merely names it is none."""
    program = Path(words[0]).name if words else ""
    if not program.startswith(("python", "bramble")):
        return False
    return program.startswith("bramble") or any(_same_file(word) for word in words[1:])


def _same_file(word: str) -> bool:
    return word.endswith("launch.py") and os.path.realpath(word) == str(LAUNCH)


def _same_home(theirs: Mapping[str, str], ours: Mapping[str, str]) -> bool:
    def folder(environ: Mapping[str, str]) -> str:
        return os.path.realpath(environ.get("BRAMBLE_HOME", "") or "/")

    return folder(theirs) == folder(ours)

"""What can start a package here: Node.js, uvx, pipx, or a Python that makes an environment of its own."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from app.record import Record

_NODE_PLACES = (
    ".nvm/versions/node/*/bin",
    ".volta/bin",
    ".local/share/fnm/node-versions/*/installation/bin",
    ".asdf/installs/nodejs/*/bin",
    ".local/share/mise/installs/node/*/bin",
    "n/bin",
)
"""Below the person's home: a program that the desktop started does not have these on its PATH."""
_SYSTEM_PLACES = ("/opt/homebrew/bin", "/usr/local/bin", "/usr/local/node/bin")
_UV_PLACES = (".local/bin", ".cargo/bin")


class Runners(Record, kw_only=True):
    """What was found. Empty texts for what is not there."""

    npx: str = ""
    """`npx` where PATH has it, else its whole path; its folder has `node` too."""
    uvx: str = ""
    pipx: str = ""
    python: str = ""


def find(environ: Mapping[str, str]) -> Runners:
    """Look for the runners on PATH and in the usual places of the person's own. Reads disks."""
    path = environ.get("PATH", os.defpath)
    home = Path(environ.get("USERPROFILE" if sys.platform == "win32" else "HOME") or Path.home())
    return Runners(
        npx=_npx(path, home),
        uvx=_on_path("uvx", path) or _below("uvx", home),
        pipx=_on_path("pipx", path) or _below("pipx", home),
        python=_python(path),
    )


def _on_path(name: str, path: str) -> str:
    return name if shutil.which(name, path=path) else ""


def _below(name: str, home: Path) -> str:
    for place in _UV_PLACES:
        found = shutil.which(name, path=str(home / place))
        if found:
            return found
    return ""


def _npx(path: str, home: Path) -> str:
    """Return npx where node is beside it: whoever starts it by its path puts that folder first on PATH."""
    if shutil.which("npx", path=path) and shutil.which("node", path=path):
        return "npx"
    folders = [folder for place in _NODE_PLACES for folder in home.glob(place)]
    for folder in [*sorted(folders, key=_newest, reverse=True), *map(Path, _SYSTEM_PLACES)]:
        if shutil.which("npx", path=str(folder)) and shutil.which("node", path=str(folder)):
            return str(folder / "npx")
    return ""


def _newest(folder: Path) -> tuple[int, ...]:
    """Return the numbers in a path, so that v20 comes after v9."""
    return tuple(int(number) for number in re.findall(r"\d+", str(folder)))


def _python(path: str) -> str:
    """Return a Python of the system; in a packed app our own is none that can run other programs."""
    names = ("py", "python") if sys.platform == "win32" else ("python3", "python")
    found = next((name for name in names if shutil.which(name, path=path)), "")
    return found or ("" if getattr(sys, "frozen", False) else sys.executable)

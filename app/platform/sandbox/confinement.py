"""What one command may touch, as data: the layers turn it into their own arguments."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Literal

Layer = Literal["bubblewrap", "landlock", "none"]


@dataclass(frozen=True)
class Probe:
    """What a look at this machine found. `why` says in a sentence why it is not a stronger layer."""

    layer: Layer
    why: str = ""
    details: tuple[str, ...] = ()
    """What the layer does not hold back, each a sentence."""
    fix: str = ""
    """What a person can do for a stronger one."""
    program: str = ""
    """The path of bubblewrap."""
    abi: int = 0
    """Landlock's version in this kernel, 0 for none. Bubblewrap uses it too, where there is both."""


@dataclass(frozen=True)
class Confinement:
    """One run. All paths are absolute and real; the deepest one that covers a path decides on it."""

    layer: Layer
    temporary: str
    """The folder that is its /tmp: kept for the session, hidden from other programs."""
    writable: tuple[str, ...]
    readable: tuple[str, ...] = ()
    """Places below masked ones that may be read."""
    masked: tuple[str, ...] = ()
    """Folders, files and sockets that look empty or cannot be opened."""
    guarded: tuple[str, ...] = ()
    """Places below writable ones that may only be read."""
    network: bool = False
    program: str = ""
    abi: int = 0
    root: bool = False
    """Whether we are root, whom the kernel's switches below /proc obey by name, without any capability."""


def covers(place: str, path: str) -> bool:
    """Whether `path` is `place` or lies below it, by whole names. Both are absolute and without `..`."""
    return path == place or path.startswith(place if place.endswith("/") else f"{place}/")


def depth(path: str) -> int:
    """Return how many names the path has: a parent comes before what lies below it."""
    return path.rstrip("/").count("/")


def guarded(writable: tuple[str, ...]) -> tuple[str, ...]:
    """Return what in these folders decides which programs run later, outside of the sandbox.

    A repository's hooks and configuration (pagers, diff and merge programs, fsmonitor) are run by the
    person's own Git; Codex keeps them read-only for the same reason. Committing works. A repository that
    does not exist yet has nothing to guard.
    """
    names = ("hooks", "config", "config.worktree", "info/attributes")
    paths = (os.path.join(folder, ".git", name) for folder in writable for name in names)
    return tuple(path for path in paths if os.path.exists(path) and os.path.realpath(path) == path)

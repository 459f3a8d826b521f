"""What one command may touch, as data: the layers turn it into their own arguments."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

Layer = Literal["bubblewrap", "landlock", "none"]
_DECIDING = ("hooks", "config", "config.worktree", "info/attributes", "commondir")
_DEEPEST = 3
_MOST_NAMES = 5_000
_MOST_REPOSITORIES = 100


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


def guarded(writable: tuple[str, ...], *, commits: bool = False) -> tuple[str, ...]:
    """Return what in these folders decides which programs run later, outside of the sandbox.

    A repository's hooks and configuration (pagers, diff and merge programs, fsmonitor) are run by the
    person's own Git. What is not there yet cannot be guarded by its name, and a new file suffices: hooks, or
    `commondir`, which leads Git to another configuration. So all of `.git` may only be read, and where
    `commits`, for a line in which nothing but Git runs, what is there of those. A repository that does not
    exist yet has nothing to guard.
    """
    found: list[str] = []
    for git in (git for folder in writable for git in repositories(folder)):
        if not commits or os.path.isfile(git):
            found.append(git)
            continue
        paths = (os.path.join(place, name) for place in (git, *_modules(git)) for name in _DECIDING)
        found += [path for path in paths if os.path.exists(path) and os.path.realpath(path) == path]
    return tuple(found)


def committing(run: Confinement) -> Confinement:
    """Return the run as one of Git alone, which may write its repositories. Lists folders."""
    return replace(run, guarded=guarded(run.writable, commits=True))


def repositories(folder: str) -> list[str]:
    """Return each `.git` of a folder and of those below it, not too deep and not too many, nearest first."""
    found: list[str] = []
    waiting, left = deque([(folder, 0)]), _MOST_NAMES
    while waiting and left > 0 and len(found) < _MOST_REPOSITORIES:
        place, deep = waiting.popleft()
        try:
            entries = list(os.scandir(place))
        except OSError:
            continue
        left -= len(entries)
        for entry in entries:
            if entry.name == ".git" and not entry.is_symlink():
                found.append(entry.path)
            elif deep < _DEEPEST and entry.name != ".git" and entry.is_dir(follow_symlinks=False):
                waiting.append((entry.path, deep + 1))
    return found


def _modules(git: str) -> Iterator[str]:
    """Yield the repositories of submodules, which lie in that of the whole."""
    for place, folders, files in os.walk(os.path.join(git, "modules")):
        if "HEAD" in files:
            folders[:] = [name for name in folders if name == "modules"]
            yield place

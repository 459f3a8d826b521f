"""The room of a child that runs code of others but needs nothing of this computer: Python, our code, no more.

Unlike a command (`bubblewrap`, `landlock`), which sees all but what is hidden, it sees only what is named
here, may write nowhere, and has no network.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.platform.sandbox import landlock
from app.platform.sandbox.confinement import Probe, covers

_ROOT = Path(__file__).resolve().parents[3]
_SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/nix/store", "/gnu/store", "/etc/ld.so.cache",
           "/etc/localtime")  # fmt: skip
"""Where programs and their libraries stand; nothing there is a person's own."""
_TOO_MUCH = ("/", "/home", "/root", "/etc", "/var", "/run", "/tmp", "/proc", "/sys", "/dev")


def python(module: str) -> list[str]:
    """Return how a module of ours that needs no more of `sys.path` than itself is started as a program."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "-P", "-m", module]
    file = _ROOT.joinpath(*module.split(".")).with_suffix(".py")
    return [sys.executable, "-P", "-s", "-E", "-B", str(file)]


@functools.cache
def places() -> tuple[str, ...]:
    """Return the folders and files that are seen in the room, parents before what lies in them.

    Looks at folders, once: call it in a thread first.
    """
    home = os.path.realpath(os.path.expanduser("~"))
    ours = (_ROOT / "app", _ROOT / "tools") if not getattr(sys, "frozen", False) else ()
    wanted = [*_SYSTEM, sys.prefix, sys.base_prefix, os.path.dirname(sys.executable), *map(str, ours)]
    wanted += [os.path.dirname(os.path.realpath(sys.executable))]
    there = {place for place in wanted if os.path.exists(place)}
    there = {place for place in there if place not in _TOO_MUCH and not covers(place, home)}
    return tuple(sorted(there, key=lambda place: (place.count("/"), place)))


@contextmanager
def walls(found: Probe) -> Iterator[tuple[list[str], tuple[int, ...]]]:
    """Yield what comes before a command to put it into the room, and the descriptors that it needs.

    Empty where the machine has no layer.
    """
    if found.layer == "bubblewrap":
        yield _bubblewrap(found.program), ()
        return
    if found.layer == "none":
        yield [], ()
        return
    rules = landlock.handed(
        landlock.room(found.abi, places(), () if getattr(sys, "frozen", False) else (str(_ROOT),))
    )
    try:
        yield [*landlock.launcher(), str(rules)], (rules,)
    finally:
        os.close(rules)


def _bubblewrap(program: str) -> list[str]:
    """Return its arguments. There is no `--new-session`, so that the room is in the group of who began it: a
    KILL to that ends all of it.
    """
    made = [program, "--unshare-user-try", "--unshare-pid", "--unshare-ipc", "--unshare-uts"]
    made += ["--unshare-net", "--unshare-cgroup-try", "--cap-drop", "ALL", "--hostname", "room"]
    for place in places():
        made += ["--symlink", os.readlink(place), place] if _link(place) else ["--ro-bind", place, place]
    return [*made, "--dev", "/dev", "--proc", "/proc", "--remount-ro", "/", "--chdir", "/", "--"]


def _link(place: str) -> bool:
    """Whether it is a link into what is seen anyhow, as /lib mostly is."""
    return os.path.islink(place) and place in _SYSTEM and os.path.realpath(place).startswith("/usr/")

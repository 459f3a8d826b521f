"""The arguments of bubblewrap for one run. Pure but for looking whether a place is a folder."""

from __future__ import annotations

import os

from app.platform.sandbox import landlock
from app.platform.sandbox.confinement import Confinement, covers, depth

_GIT = "/.git/"
_KERNEL = {
    **{place: place for place in ("/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs")},
    **dict.fromkeys(("/proc/kcore", "/proc/keys", "/proc/timer_list", "/proc/kmsg"), "/dev/null"),
}
"""Place -> what root sees there instead: the switches to be read only, the memory not at all."""


def arguments(run: Confinement, cwd: str, info: int) -> list[str]:
    """Return bubblewrap with all its arguments, to be followed by the command.

    `info` is a descriptor on which it tells the process number of the command's first process, as seen from
    outside. There is no `--die-with-parent`: a job lives on when its shell ends, and when the thread that
    started it does. What ends it is a signal to its group, which is the group of the first process of its
    own process space: KILL takes everything in there, also what left the group.
    """
    made = [run.program, "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    if not run.network:
        made.append("--unshare-net")
    made += ["--new-session", "--cap-drop", "ALL", "--info-fd", str(info)]
    made += ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    if run.root:
        for place, source in _KERNEL.items():
            made += ["--ro-bind", source, place] if os.path.exists(place) else []
    closing: list[str] = []
    for place, how in sorted(_mounts(run).items(), key=lambda one: (depth(one[0]), one[0])):
        if how == "hide" and os.path.isdir(place):
            made += ["--tmpfs", place]
            closing += ["--remount-ro", place]
        elif how == "hide":
            made += ["--ro-bind", "/dev/null", place]
        else:
            own = place == "/tmp" and place not in run.writable
            made += [how, run.temporary if own else place, place]
    return [*made, *closing, "--setenv", "TMPDIR", "/tmp", "--chdir", cwd, "--"]


def _mounts(run: Confinement) -> dict[str, str]:
    """Return what happens to each place; a folder of the run itself is stronger than one that is masked."""
    mounts = {place: "hide" for place in run.masked}
    mounts["/tmp"] = "--bind"
    mounts |= dict.fromkeys(filter(os.path.exists, run.readable), "--ro-bind")
    if run.network and run.abi >= landlock.SCOPES:  # as in `spawning`: the launcher runs in there
        mounts |= {place: "--ro-bind" for place in landlock.places() if _gone(place, mounts)}
    mounts |= dict.fromkeys(run.writable, "--bind")
    mounts |= {git: "--bind" for folder in run.writable if os.path.isdir(git := f"{folder}/.git")}
    mounts |= {path[: path.rindex(_GIT) + 5]: "--bind" for path in run.guarded if _GIT in path}
    mounts |= dict.fromkeys(run.guarded, "--ro-bind")
    return {place: how for place, how in mounts.items() if how != "hide" or not _gone(place, mounts)}


def _gone(place: str, mounts: dict[str, str]) -> bool:
    """Whether a masked place cannot be seen anyhow: below another masked one, or in the /tmp outside."""
    above = [other for other in mounts if other != place and covers(other, place)]
    nearest = max(above, key=depth, default="")
    return nearest == "/tmp" or mounts.get(nearest) == "hide"

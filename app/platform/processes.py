"""Look at and signal the processes of a command: its group, what left the group, and who began whom."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

from app.platform.brand import branded, carries, value_of

MARK = "BRAMBLE_JOB"
"""The variable that every process of a command inherits; its value is the command's own mark."""
_LOOKS = 20
_KILL = getattr(signal, "SIGKILL", None)
_PROC = Path("/proc")
_LINUX = sys.platform == "linux"


def signal_group(group: int, sign: int) -> None:
    """Send `sign` to every process of the group; nothing happens when it is gone."""
    try:
        os.killpg(group, sign)
    except (ProcessLookupError, PermissionError):
        return
    if sign == signal.SIGTERM:
        signal_group(group, signal.SIGCONT)  # a halted process hears TERM only when it goes on


def group_lives(group: int) -> bool:
    """Whether a process of the group still runs. Zombies do not count: a container may never collect them."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    if not _LINUX:
        return True
    return any(stat.group == group and stat.state not in "ZX" for stat in map(_stat, _pids()) if stat)


def marked(mark: str) -> tuple[int, ...]:
    """Return the processes with MARK=`mark` in their environment, or with its brand where they took that out,
    in any group. Linux only, else ().
    """
    if not _LINUX:
        return ()
    wanted, value = f"{MARK}={mark}".encode(), value_of(mark)
    return tuple(pid for pid in _pids() if wanted in _environment(pid) or _is_branded(pid, value))


def _is_branded(pid: int, value: int) -> bool:
    try:
        limits = (_PROC / str(pid) / "limits").read_bytes()
    except OSError:
        return False
    if not carries(limits, value):
        return False
    stat = _stat(pid)
    return stat is not None and stat.state not in "ZX"


def signal_marked(mark: str, sign: int, but: int = 0) -> None:
    """Send `sign` to the processes that `marked` finds, but not to the process `but`. KILL is sent until
    there are no more: one that was just being started is found by the next look.
    """
    for _look in range(_LOOKS if sign == _KILL else 1):
        found = [pid for pid in marked(mark) if pid != but]
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, sign)
        if not found:
            return


def ancestors(pid: int | None = None) -> Iterator[int]:
    """Yield the parent of `pid` (this process), its parent, and so on, as far as they can be seen."""
    seen = {0, 1}
    parent = os.getppid() if pid is None else _parent(pid)
    while parent not in seen:
        yield parent
        seen.add(parent)
        parent = _parent(parent)


def began_in_tool(environ: dict[str, str] | None = None) -> bool:
    """Whether this process, or one that it descends from, was started by a command of a tool.

    For commands that widen rights (product.md 5.5). Seen by its brand (`app.platform.brand`), by its mark,
    and by the mark of those that began it, as far as /proc shows them. What a program began that is no child
    of ours (systemd-run, at, cron, a terminal multiplexer that ran before) is not seen; in bubblewrap our
    data is hidden from it, and without a sandbox each command is asked about.
    """
    if branded() or MARK in (os.environ if environ is None else environ):
        return True
    prefix = f"{MARK}=".encode()
    return any(entry.startswith(prefix) for pid in ancestors() for entry in _environment(pid))


class _Stat:
    """What /proc/PID/stat tells. Its second field, the name in brackets, may hold blanks and brackets."""

    def __init__(self, text: bytes) -> None:
        state, parent, group = text[text.rindex(b")") + 1 :].split()[:3]
        self.state = state.decode()
        self.parent = int(parent)
        self.group = int(group)


def _stat(pid: int) -> _Stat | None:
    try:
        return _Stat((_PROC / str(pid) / "stat").read_bytes())
    except (OSError, ValueError):
        return None


def _pids() -> Iterator[int]:
    return (int(name) for name in os.listdir(_PROC) if name.isdigit())


def _parent(pid: int) -> int:
    if _LINUX:
        stat = _stat(pid)
        return stat.parent if stat else 0
    import psutil

    try:
        return int(psutil.Process(pid).ppid())
    except psutil.Error:
        return 0


def _environment(pid: int) -> list[bytes]:
    """Return the environment with which a process began, [] when it cannot be seen."""
    if _LINUX:
        try:
            return (_PROC / str(pid) / "environ").read_bytes().split(b"\0")
        except OSError:
            return []
    import psutil

    try:
        return [f"{name}={value}".encode() for name, value in psutil.Process(pid).environ().items()]
    except psutil.Error:
        return []

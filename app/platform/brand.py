"""A brand that a command and all it starts carry for good: the limit on file locks, which Linux keeps but has
not looked at since 2.4.25.

A hard limit is handed on at fork and exec, whatever becomes of environment, session, parents or user; it can
be lowered but not raised again without CAP_SYS_RESOURCE. So it tells a tool's process apart also after it
took its mark off, left its group and outlived its parents; and each command has a value of its own, by which
all that it started can be found and ended. Not seen: what root raised again, and what another
program began at a tool's wish (a service, cron, at, a terminal multiplexer that ran before). On other systems
nobody is branded.
"""

from __future__ import annotations

import hashlib
import sys

LIMIT = 10
"""RLIMIT_LOCKS of <asm-generic/resource.h>; Python has no name for it."""
VALUE = 7_155_177_000
"""The highest brand; each below it counts too."""
_RANGE = 7_000_000_000


def value_of(mark: str) -> int:
    """Return the brand of the command with this mark, VALUE without one."""
    if not mark:
        return VALUE
    return VALUE - 1 - int.from_bytes(hashlib.sha256(mark.encode()).digest()[:8]) % _RANGE


def script(mark: str) -> str:
    """Return what a shell runs first to be branded with all that it starts."""
    return f"ulimit -x {value_of(mark)} 2>/dev/null; "


def carries(limits: bytes, value: int) -> bool:
    """Whether a process with these limits (/proc/PID/limits) has just this brand."""
    line = limits.partition(b"Max file locks")[2].partition(b"\n")[0].split()
    return len(line) > 1 and line[1] == str(value).encode()


def branded() -> bool:
    """Whether this process descends from a command of a tool."""
    if sys.platform != "linux":
        return False
    import resource

    try:
        hard = resource.getrlimit(LIMIT)[1]
    except (OSError, ValueError):
        return False
    return hard != resource.RLIM_INFINITY and hard <= VALUE

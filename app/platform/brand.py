"""A brand that a command and all it starts carry for good: the limit on file locks, which Linux keeps but has
not looked at since 2.4.25.

A hard limit is handed on at fork and exec, whatever becomes of environment, session, parents or user; it can
be lowered but not raised again without CAP_SYS_RESOURCE. So it tells a tool's process apart also after it
took its mark off, left its group and outlived its parents. Not seen: what root raised again, and what another
program began at a tool's wish (a service, cron, at, a terminal multiplexer that ran before). On other systems
nobody is branded.
"""

from __future__ import annotations

import sys

LIMIT = 10
"""RLIMIT_LOCKS of <asm-generic/resource.h>; Python has no name for it."""
VALUE = 7_155_177
SCRIPT = f"ulimit -x {VALUE} 2>/dev/null; "
"""What a shell runs first to be branded with all that it starts."""


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

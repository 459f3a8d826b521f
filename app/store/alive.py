"""Whether a process that left a row in the store still lives, told apart from another one with the same
number.
"""

from __future__ import annotations

import functools
import os
import sys
from pathlib import Path

from app.record import Record


class Process(Record):
    """A process as a row names it. `begun` is its start on this system's own scale, 0 when unknown."""

    pid: int
    begun: float
    place: str
    """The boot and the space of process numbers; a number says nothing in another place (a container, after a
    restart).
    """


def this_process() -> Process:
    """Return the running process."""
    return process(os.getpid())


def process(pid: int) -> Process:
    """Return how a row names the process of that number here."""
    return Process(pid, _begun(pid) or 0.0, _place())


def is_dead(other: Process) -> bool:
    """Whether that process is surely gone. False when this cannot be known from here."""
    here = _place()
    if other.place != here:
        # Same kind of place, other boot: everything of the boot before is gone. A container's processes
        # cannot be judged.
        return bool(here) and _boot(other.place) != _boot(here)
    begun = _begun(other.pid)
    return begun is None or (other.begun != 0.0 and begun != 0.0 and begun != other.begun)


def _boot(place: str) -> str:
    return place.partition(" ")[0]


@functools.cache
def _place() -> str:
    if sys.platform == "linux":
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot} {os.readlink('/proc/self/ns/pid')}"
    import psutil

    return str(int(psutil.boot_time()))


def _begun(pid: int) -> float | None:
    """Return when the process began, 0.0 when it lives but does not tell, None when there is none."""
    if sys.platform == "linux":
        try:
            line = Path(f"/proc/{pid}/stat").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            return None
        fields = line[line.rindex(b")") + 2 :].split()
        return None if fields[0] in (b"Z", b"X") else float(fields[19])
    import psutil

    try:
        return float(psutil.Process(pid).create_time())
    except psutil.NoSuchProcess:
        return None
    except psutil.AccessDenied:
        return 0.0

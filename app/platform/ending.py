"""End one process and no other: what its number means is compared when the signal leaves."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import Literal, NamedTuple

Sent = Literal["sent", "gone", "another", "refused"]
_SAME = 0.02
"""Seconds by which two readings of a start may differ: both come from the same counter of the system."""


class Identity(NamedTuple):
    """A process for good: a number is given again, a number with its start is not."""

    pid: int
    started: float


def _looked_at(identity: Identity) -> Literal["it", "gone", "another"]:
    import psutil

    try:
        one = psutil.Process(identity.pid)
        if abs(one.create_time() - identity.started) > _SAME:
            return "another"
        return "gone" if one.status() == psutil.STATUS_ZOMBIE else "it"
    except psutil.NoSuchProcess:
        return "gone"
    except psutil.AccessDenied:
        return "it"


def lives(identity: Identity) -> bool:
    """Whether this very process still runs. One that only waits to be collected does not."""
    return _looked_at(identity) == "it"


def send_end(identity: Identity, *, force: bool) -> Sent:
    """Ask a process to end, or end it at once. On Linux the number cannot change its meaning in between."""
    if sys.platform == "win32":
        return _terminated(identity)
    sign = signal.SIGKILL if force else signal.SIGTERM
    handle = -1
    try:
        if hasattr(os, "pidfd_open") and hasattr(signal, "pidfd_send_signal"):
            with contextlib.suppress(NotImplementedError):
                handle = os.pidfd_open(identity.pid)
        found = _looked_at(identity)
        if found != "it":
            return found
        if handle >= 0:
            signal.pidfd_send_signal(handle, sign)
            if not force:  # a halted process hears it only when it goes on
                signal.pidfd_send_signal(handle, signal.SIGCONT)
        else:
            os.kill(identity.pid, sign)
            if not force:
                os.kill(identity.pid, signal.SIGCONT)
    except ProcessLookupError:
        return "gone"
    except PermissionError:
        return "refused"
    finally:
        if handle >= 0:
            os.close(handle)
    return "sent"


def _terminated(identity: Identity) -> Sent:
    """Windows knows one way to end a process, and it is at once."""
    import psutil

    found = _looked_at(identity)
    if found != "it":
        return found
    try:
        psutil.Process(identity.pid).terminate()
    except psutil.NoSuchProcess:
        return "gone"
    except psutil.AccessDenied:
        return "refused"
    return "sent"

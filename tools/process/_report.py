"""Word processes, the same for all process tools."""

from __future__ import annotations

from tools import EndProcesses, Process, ReadProcesses, ToolFailed


def reading(processes: ReadProcesses | None) -> ReadProcesses:
    """Return the capability. Raises ToolFailed where there is none."""
    if processes is None:
        raise ToolFailed("Processes cannot be looked at here.")
    return processes


def ending(processes: EndProcesses | None) -> EndProcesses:
    """Return the capability. Raises ToolFailed where there is none."""
    if processes is None:
        raise ToolFailed("Processes cannot be ended here.")
    return processes


def size(number: int) -> str:
    """Return a number of bytes in a short form."""
    if number < 1 << 20:
        return f"{number / 1024:.0f} KiB"
    return f"{number / (1 << 20):.0f} MiB" if number < 10 << 30 else f"{number / (1 << 30):.1f} GiB"


def named(one: Process) -> str:
    """Return a process in a few words."""
    user = f" of {one.user}" if one.user else ""
    return f"{one.name} (pid {one.pid}{user})"

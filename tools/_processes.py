"""What a tool may do with the processes of this computer: look at them, at who listens, and end some."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol, runtime_checkable

Order = Literal["cpu", "memory", "name", "started"]
Way = Literal["tcp", "udp", "both"]


class Process(NamedTuple):
    """A process as it is now. What may not be seen of it is empty or 0."""

    pid: int
    name: str
    user: str = ""
    cpu: float = 0.0
    """Per cent of one core, over the moment in which it was looked at."""
    memory: int = 0
    """Bytes of memory that it holds."""
    started: float = 0.0
    """Unix seconds."""
    command: str = ""
    """Its command line; what looks like a secret is left out."""
    state: str = ""
    parent: int = 0


class Processes(NamedTuple):
    """Some of the processes, and how many there are in all."""

    listed: tuple[Process, ...]
    matching: int
    total: int


class Listener(NamedTuple):
    """A socket that waits on a port. `process` is None where the system does not tell."""

    protocol: str
    """tcp or udp."""
    address: str
    port: int
    process: Process | None


class Listeners(NamedTuple):
    """Who waits, and whether the port can be told free: nobody holds it as far as can be seen."""

    found: tuple[Listener, ...]
    notes: tuple[str, ...] = ()


class EndedProcess(NamedTuple):
    """What became of a process that was to end."""

    process: Process
    outcome: Literal["ended", "gone before", "another now", "not allowed", "still there"]


@runtime_checkable
class ReadProcesses(Protocol):
    """Looking at processes."""

    async def running(self, *, order: Order = "cpu", having: str = "", limit: int = 20) -> Processes:
        """Return processes, those whose name or command line has `having`."""
        ...

    async def listeners(self, port: int = 0, way: Way = "both") -> Listeners:
        """Return who waits on a port, or on any for 0."""
        ...


@runtime_checkable
class EndProcesses(ReadProcesses, Protocol):
    """Ending processes, with permission."""

    async def end_processes(
        self, *, pid: int = 0, name: str = "", port: int = 0, force: bool = False
    ) -> Sequence[EndedProcess]:
        """End one process by its id, all with exactly this name, or those that wait on a port.

        `force`: at once, without a chance to save anything.
        """
        ...

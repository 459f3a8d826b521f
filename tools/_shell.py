"""What a tool may do with commands: one to run, what came of it, and the capability."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from tools._files import ChangedFile


class Command(NamedTuple):
    """A command line for bash. `cwd` counts from the working folder; `timeout` in seconds ends it, None =
    no limit.
    """

    text: str
    cwd: str = ""
    timeout: float | None = None
    background: bool = False
    reach: Literal["folder", "network", "all"] = "folder"
    """What it needs: its folder, the network too, or all of the computer without a sandbox."""


class CommandResult(NamedTuple):
    """Output so far (stdout and stderr as they came). `job` is set while it still runs; `exit` is set once
    it ended.
    """

    output: str
    exit: int | None
    job: str
    seconds: float
    cursor: int = 0
    """Bytes of output so far: where job_output goes on."""
    ended_by: Literal["", "timeout", "stop"] = ""
    cwd: str = ""
    whole: str = ""
    """The file that holds all of the output, "" while it is little enough to stand in `output`."""
    layer: Literal["bubblewrap", "landlock", "none"] = "none"
    """The sandbox that held it."""
    reach: Literal["folder", "network", "all"] = "folder"
    """What it could reach in there."""
    undo: str = ""
    """The id that takes back what it changed in the folder, "" where nothing was seen to change."""
    changed: tuple[ChangedFile, ...] = ()
    """What it changed in the folder, where a snapshot shows that."""
    not_kept: tuple[str, ...] = ()
    """What it changed that `undo` does not bring back: links, and files that are too large."""


class Job(NamedTuple):
    """A background command."""

    id: str
    command: str
    state: Literal["running", "ended", "stopped"]
    exit: int | None
    seconds: float
    size: int


@runtime_checkable
class ReadShell(Protocol):
    """Looking at jobs."""

    async def output(self, job: str, *, cursor: int = 0, wait: float = 10.0) -> CommandResult: ...

    async def jobs(self) -> Sequence[Job]: ...


@runtime_checkable
class RunShell(ReadShell, Protocol):
    """Running commands and steering jobs, with permission."""

    async def run(self, command: Command) -> CommandResult: ...

    async def input(self, job: str, text: str, *, end: bool = False) -> CommandResult: ...

    async def stop(self, job: str) -> Job: ...

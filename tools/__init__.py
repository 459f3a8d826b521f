"""The contract of a tool: one async function a module, told to the model by its own signature and docstring.

A tool touches nothing itself. It has the capabilities of its `ToolContext`, each of which takes one whole
effect, judges it, asks the person if needed, keeps a journal, acts, and says what really happened. A reading
tool gets a context without any changing method. This package knows nothing else of ours.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar, runtime_checkable

ViewKind = Literal["text", "diff", "command", "table", "image", "links"]


@dataclass(frozen=True)
class ToolResult:
    """What the model reads (`text`), what a person sees in a row (`summary`, about five words), and how a
    window may draw it.
    """

    text: str
    summary: str = ""
    ok: bool = True
    view: ViewKind = "text"
    data: Mapping[str, Any] = field(default_factory=dict)
    undo: str = ""
    images: tuple[bytes, ...] = ()
    """Pictures for models that can see, as PNG or JPEG bytes."""


# --- files -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FileText:
    """A file as text. `lines` keep no line ends; `first` is the number of the first of them (1 = first line
    of the file).
    """

    path: str
    lines: tuple[str, ...]
    first: int
    total: int
    encoding: str
    size: int
    cut: bool = False
    """True when lines were left out after the last one, or a long line was cut."""


@dataclass(frozen=True)
class FileBytes:
    """A file that is not text: `kind` is image, pdf or binary; `data` is at most `limit` bytes."""

    path: str
    kind: Literal["image", "pdf", "binary"]
    data: bytes
    size: int
    mime: str = ""


@dataclass(frozen=True)
class Entry:
    """One file or folder. `size` in bytes, `changed` in unix seconds; `path` is relative to the folder that
    was listed.
    """

    path: str
    kind: Literal["file", "folder", "link", "other"]
    size: int = 0
    changed: float = 0.0
    target: str = ""


@dataclass(frozen=True)
class Match:
    """A line that matched, with its neighbours. `before` and `after` are the lines around it."""

    path: str
    line: int
    text: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


@dataclass(frozen=True)
class Found:
    """Entries or matches, and whether there were more than the limit."""

    entries: tuple[Entry, ...] = ()
    matches: tuple[Match, ...] = ()
    more: bool = False
    searched: int = 0
    unread: int = 0
    """Folders on the way that could not be looked into."""


@dataclass(frozen=True)
class Write:
    """Make `path` hold `content` (UTF-8 as it is for a new file; an existing file keeps mode, link target
    and hard links).
    """

    path: str
    content: str


@dataclass(frozen=True)
class Replace:
    """Exact replacements in one file, all or none, each `old` unique unless `every`."""

    path: str
    edits: tuple[tuple[str, str], ...]
    every: bool = False


@dataclass(frozen=True)
class ReplaceLines:
    """Put `text` (whole lines) in place of lines `start` to `end`, both included, from 1."""

    path: str
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Patch:
    """A unified diff over one or several files, with new, deleted and renamed ones."""

    text: str


@dataclass(frozen=True)
class Trash:
    """Send a file or a whole folder to the trash."""

    path: str


@dataclass(frozen=True)
class Restore:
    """Bring back what was trashed from `path` or, with `version`, what a change or trash entry of that id
    kept of it.
    """

    path: str
    version: str = ""


@dataclass(frozen=True)
class Move:
    """Move or rename a file or a whole folder. `overwrite` sends what stands at the destination to the
    trash.
    """

    source: str
    destination: str
    overwrite: bool = False


@dataclass(frozen=True)
class Copy:
    """Copy a file or a whole folder; `overwrite` as in Move."""

    source: str
    destination: str
    overwrite: bool = False


@dataclass(frozen=True)
class MakeFolder:
    """Make an empty folder with its parents."""

    path: str


@dataclass(frozen=True)
class Pack:
    """Make the archive (kind by its name: .zip, .tar, .tar.gz, .tar.xz, .tar.bz2) of files and folders."""

    archive: str
    paths: tuple[str, ...]


@dataclass(frozen=True)
class Unpack:
    """Extract an archive below `destination`. Existing files are never replaced."""

    archive: str
    destination: str


Operation = (
    Write | Replace | ReplaceLines | Patch | Trash | Restore | Move | Copy | MakeFolder | Pack | Unpack
)


@dataclass(frozen=True)
class ChangeSet:
    """One whole effect on files: all operations happen, or none."""

    operations: tuple[Operation, ...]


@dataclass(frozen=True)
class ChangedFile:
    """What really happened to one file. `note` tells the model of anything it did not ask for (rejected
    pieces, edited text, near match).
    """

    path: str
    kind: Literal["new", "changed", "deleted", "renamed", "copied", "folder", "same"]
    added: int
    removed: int
    note: str = ""
    verified: bool = True


@dataclass(frozen=True)
class Changed:
    """What a ChangeSet did. `undo` is the id that takes it back."""

    files: tuple[ChangedFile, ...]
    undo: str
    note: str = ""
    """For the model: what the person rejected or edited, "" when all was taken as proposed."""


@runtime_checkable
class ReadFiles(Protocol):
    """Reading below the working folder, or elsewhere with permission. Relative paths count from the working
    folder.

    Every method raises an error with a text for the model when the path does not exist, is refused or
    cannot be read.
    """

    async def read(self, path: str, *, first: int = 1, count: int = 2000) -> FileText | FileBytes: ...

    async def list(self, path: str, *, depth: int = 1, hidden: bool = False, limit: int = 500) -> Found: ...

    async def find(
        self, pattern: str, path: str = ".", *, hidden: bool = False, limit: int = 200
    ) -> Found: ...

    async def search(
        self,
        pattern: str,
        path: str = ".",
        *,
        glob: str = "",
        literal: bool = False,
        ignore_case: bool = False,
        context: int = 0,
        hidden: bool = False,
        limit: int = 200,
    ) -> Found: ...


@runtime_checkable
class ChangeFiles(ReadFiles, Protocol):
    """Reading, and changing with permission, journal and undo."""

    async def change(self, changes: ChangeSet) -> Changed: ...


# --- shell -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Command:
    """A command line for bash. `cwd` counts from the working folder; `timeout` in seconds ends it, None =
    no limit.
    """

    text: str
    cwd: str = ""
    timeout: float | None = None
    background: bool = False
    reach: Literal["folder", "network", "all"] = "folder"
    """What it needs: its folder, the network too, or all of the computer without a sandbox."""


@dataclass(frozen=True)
class CommandResult:
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
    undo: str = ""
    """The id that takes back what it changed in the folder, "" where nothing was seen to change."""
    changed: tuple[ChangedFile, ...] = ()
    """What it changed in the folder, where a snapshot shows that."""


@dataclass(frozen=True)
class Job:
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


# --- the context -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ReadContext:
    """What a reading tool may use. `cwd` is absolute; `progress` shows a line in the tool's row while it
    runs.
    """

    cwd: str
    files: ReadFiles
    shell: ReadShell
    progress: Callable[[str], None] = lambda text: None


@dataclass(frozen=True)
class ToolContext:
    """What a changing tool may use."""

    cwd: str
    files: ChangeFiles
    shell: RunShell
    progress: Callable[[str], None] = lambda text: None


class ToolFailed(Exception):
    """Raised by a tool for a failure of its own; the text is what the model reads."""


Function = Callable[..., Awaitable[ToolResult]]
F = TypeVar("F", bound=Function)


@dataclass(frozen=True)
class ToolSpec:
    """What `@tool` says about a function. `reads` may be a function of the arguments."""

    reads: bool | Callable[[Mapping[str, Any]], bool]
    keywords: tuple[str, ...]
    examples: tuple[str, ...]
    verb: str
    """Plain words for a person's eye ("Read file"); translated by the front ends."""
    main: str
    """The argument that a row shows, "" for none."""
    accepts: Mapping[str, str]
    """Other spellings of arguments that are read as well: {"old_text": "old"}; never told to the model."""


def tool(
    *,
    reads: bool | Callable[[Mapping[str, Any]], bool],
    verb: str,
    main: str = "",
    keywords: Sequence[str] = (),
    examples: Sequence[str] = (),
    accepts: Mapping[str, str] | None = None,
) -> Callable[[F], F]:
    """Mark a function as a tool. The registry checks signature, docstring, examples and imports when it
    loads the module.
    """

    def mark(function: F) -> F:
        function.__tool__ = ToolSpec(  # type: ignore[attr-defined]
            reads=reads,
            keywords=tuple(keywords),
            examples=tuple(examples),
            verb=verb,
            main=main,
            accepts=dict(accepts or {}),
        )
        return function

    return mark

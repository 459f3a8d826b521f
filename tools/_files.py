"""What a tool may do with files: the operations, what really happened, and the capability."""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol, runtime_checkable


class FileText(NamedTuple):
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


class FileBytes(NamedTuple):
    """A file that is not text: `kind` is image, pdf or binary; `data` is at most `limit` bytes."""

    path: str
    kind: Literal["image", "pdf", "binary"]
    data: bytes
    size: int
    mime: str = ""


class Entry(NamedTuple):
    """One file or folder. `size` in bytes, `changed` in unix seconds; `path` is relative to the folder that
    was listed.
    """

    path: str
    kind: Literal["file", "folder", "link", "other"]
    size: int = 0
    changed: float = 0.0
    target: str = ""


class Match(NamedTuple):
    """A line that matched, with its neighbours. `before` and `after` are the lines around it."""

    path: str
    line: int
    text: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class Found(NamedTuple):
    """Entries or matches, and whether there were more than the limit."""

    entries: tuple[Entry, ...] = ()
    matches: tuple[Match, ...] = ()
    more: bool = False
    searched: int = 0
    unread: int = 0
    """Folders on the way that could not be looked into."""


class Write(NamedTuple):
    """Make `path` hold `content` (UTF-8 as it is for a new file; an existing file keeps mode, link target
    and hard links).
    """

    path: str
    content: str


class WriteBytes(NamedTuple):
    """Make `path` hold `content`, whatever it is; what stands there keeps mode, link target and hard links.

    With `expects` (the SHA-256 of what was read there, or "missing") nothing is written over anything else.
    `shows` are lines that tell a person what changes where the bytes are no text.
    """

    path: str
    content: bytes
    expects: str = ""
    shows: tuple[str, ...] = ()


class Replace(NamedTuple):
    """Exact replacements in one file, all or none, each `old` unique unless `every`."""

    path: str
    edits: tuple[tuple[str, str], ...]
    every: bool = False


class ReplaceLines(NamedTuple):
    """Put `text` (whole lines) in place of lines `start` to `end`, both included, from 1."""

    path: str
    start: int
    end: int
    text: str


class Patch(NamedTuple):
    """A unified diff over one or several files, with new, deleted and renamed ones."""

    text: str


class Trash(NamedTuple):
    """Send a file or a whole folder to the trash."""

    path: str


class Restore(NamedTuple):
    """Bring back what was trashed from `path` or, with `version`, what a change or trash entry of that id
    kept of it.
    """

    path: str
    version: str = ""


class Move(NamedTuple):
    """Move or rename a file or a whole folder. `overwrite` sends what stands at the destination to the
    trash.
    """

    source: str
    destination: str
    overwrite: bool = False


class Copy(NamedTuple):
    """Copy a file or a whole folder; `overwrite` as in Move."""

    source: str
    destination: str
    overwrite: bool = False


class MakeFolder(NamedTuple):
    """Make an empty folder with its parents."""

    path: str


class Pack(NamedTuple):
    """Make the archive (kind by its name: .zip, .tar, .tar.gz, .tar.xz, .tar.bz2) of files and folders."""

    archive: str
    paths: tuple[str, ...]


class Unpack(NamedTuple):
    """Extract an archive below `destination`. Existing files are never replaced."""

    archive: str
    destination: str


Operation = (
    Write
    | WriteBytes
    | Replace
    | ReplaceLines
    | Patch
    | Trash
    | Restore
    | Move
    | Copy
    | MakeFolder
    | Pack
    | Unpack
)


class ChangeSet(NamedTuple):
    """One whole effect on files: all operations happen, or none."""

    operations: tuple[Operation, ...]


class ChangedFile(NamedTuple):
    """What really happened to one file. `note` tells the model of anything it did not ask for (rejected
    pieces, edited text, near match).
    """

    path: str
    kind: Literal["new", "changed", "deleted", "renamed", "copied", "folder", "same"]
    added: int
    removed: int
    note: str = ""
    verified: bool = True


class Changed(NamedTuple):
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

    async def members(self, archive: str, *, limit: int = 500) -> Found:
        """Return what a zip or tar archive holds; `searched` counts all of it."""
        ...

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

"""Turn operations on whole files and folders into what they will do, from the world of one call."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

import msgspec

from app.capabilities.files_paths import is_secret, resolve, shown
from app.capabilities.files_work import Stopped
from app.capabilities.files_world import FileWorld
from app.capabilities.gate import Permit
from app.changes import arranging, restoring
from app.changes.arranging import Arranged, Places
from app.errors import Refused, ToolError
from app.permissions.losses import counted, is_whole
from app.permissions.policy import followed
from app.permissions.protected import protection
from app.platform.trees import Survey
from app.records import FileDiff, FilesEffect, Loss, ReadEffect
from tools import (
    Copy,
    MakeFolder,
    Move,
    Operation,
    Pack,
    Patch,
    Replace,
    ReplaceLines,
    Restore,
    Trash,
    Unpack,
    Write,
    WriteBytes,
)  # fmt: skip

PROTECTED_SHOWN = 20
"""Protected files within a folder that the question names one by one; one is enough to ask."""
CONTENT = (Write, WriteBytes, Replace, ReplaceLines, Patch)
"""Operations on the content of files, which `app/changes/plan.py` works out."""


def places(world: FileWorld, cwd: str, stopped: Stopped) -> Places:
    """Return what the planning may know. Reads the disk."""
    real = os.path.realpath(cwd)
    home = os.path.realpath(world.environ.get("HOME") or os.path.expanduser("~"))

    def loss(path: str, found: Survey) -> Loss:
        here = counted(path, real) or Loss(path=path, items=found.items, untracked=found.items)
        return msgspec.structs.replace(here, whole=is_whole(path, real), repository=_repository(path))

    return Places(
        cwd=real,
        home=home,
        own=world.secrets,
        trash=world.journal.trash,
        resolve=lambda path: resolve(cwd, path),
        shown=lambda path: shown(path, real),
        loss=loss,
        stopped=stopped,
    )


def _repository(path: str) -> str:
    """Return the root of the work tree that a path lies in, "" for none."""
    folder = os.path.dirname(path)
    while not os.path.lexists(os.path.join(folder, ".git")):
        if folder == os.path.dirname(folder):
            return ""
        folder = os.path.dirname(folder)
    return folder


class Put(NamedTuple):
    """Give a file that lies ready at `staged` the place `path`; what stands there goes to the trash.

    A step of capabilities for what is too large for `WriteBytes`; no tool can name it.
    """

    staged: str
    path: str
    shows: tuple[str, ...] = ()
    expects: str = ""
    """The print (`trees.survey`) of what stands there, "" for nothing."""


def arrange(operation: Operation | Put, where: Places, found: restoring.Versions | None = None) -> Arranged:
    """Return what an operation will do. Raises ToolError, OSError."""
    match operation:
        case Put():
            return arranging.put(operation.staged, operation.path, operation.shows, operation.expects, where)
        case Trash():
            return arranging.trash(operation.path, where)
        case Move():
            return arranging.move(operation.source, operation.destination, operation.overwrite, where)
        case Copy():
            return arranging.copy(operation.source, operation.destination, operation.overwrite, where)
        case MakeFolder():
            return arranging.make_folder(operation.path, where)
        case Pack():
            from app.changes import archives  # late: the libraries of archives are heavy and seldom needed

            return archives.pack(operation.archive, operation.paths, where)
        case Unpack():
            from app.changes import archives

            return archives.unpack(operation.archive, operation.destination, where)
        case Restore() if found is not None:
            return restoring.restore(operation.path, operation.version, found, where)
    raise ToolError("unsupported", f"{type(operation).__name__} is not planned here.")


def guarded(arranged: Arranged, world: FileWorld, gate: Permit, cwd: str) -> Arranged:
    """Return it with what the question must name: protected files below, and secrets and files from outside
    of the working folder `cwd` that are copied.

    Raises Refused where a rule forbids one of the files below, though not the folder itself.
    """
    for path in arranged.below:
        if gate.denies(FilesEffect(files=(FileDiff(path=path, shown=path, kind="changed"),))):
            raise Refused("denied", f"Not allowed: a rule denies {path}. Nothing was done.", path=path)
    for path in arranged.reads:
        must_be_readable(path, gate)
    named = {diff.path for diff in arranged.diffs}
    steering = followed(world.steering)
    guarded = [
        path for path in arranged.below if path not in named and protection(path, world.secrets, steering)
    ]
    diffs = list(arranged.diffs)
    if diffs and any(is_secret(path, world.secrets) for path in arranged.reads):
        diffs[0] = msgspec.structs.replace(diffs[0], note="secret_source")
    elif diffs and diffs[0].kind != "renamed" and any(shown(path, cwd) == path for path in arranged.reads):
        diffs[0] = msgspec.structs.replace(diffs[0], note="outside_source")
    for path in guarded[:PROTECTED_SHOWN]:
        diffs.append(_protected(path, gone=bool(diffs) and diffs[0].kind == "deleted"))
    return replace(arranged, diffs=tuple(diffs))


def must_be_readable(path: str, gate: Permit) -> None:
    """Raise Refused where a rule forbids reading a file whose content goes to another place."""
    if gate.denies(ReadEffect(path=path)):
        words = f"Not allowed: a rule denies reading {path}. Nothing was done."
        raise Refused("denied", words, path=path)


def _protected(path: str, *, gone: bool) -> FileDiff:
    kind: Literal["deleted", "new"] = "deleted" if gone else "new"
    return FileDiff(path=path, shown=path, kind=kind, binary=True, note="protected_within")


def must_be_apart(arranged: Sequence[Arranged], contents: Sequence[str]) -> None:
    """Refuse operations of one change that touch the same place: one would not know what the other does."""
    taken: set[str] = set(contents)
    for one in arranged:
        paths = {shift.path for shift in one.shifts if shift.way != "folder"}
        paths |= {shift.source for shift in one.shifts if shift.source}
        for path in paths:
            for other in taken:
                if path == other or path.startswith(other + os.sep) or other.startswith(path + os.sep):
                    raise ToolError(
                        "bad_arguments",
                        f"Two operations of one change touch {path}. Make them one after the other. "
                        "Nothing was changed.",
                        path=path,
                    )
        taken |= paths

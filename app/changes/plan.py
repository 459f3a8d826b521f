"""From the operations of a tool to what each file becomes.

The whole effect is known before anything is asked or written.

Pure: the files are looked at through a function that is handed in. Operations on one file build on each
other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.changes import edits, patch
from app.changes.failures import ContentError
from app.changes.text import decode, is_binary
from app.errors import ToolError
from tools import Operation, Patch, Replace, ReplaceLines, Write, WriteBytes

EDIT_CAP = 5 * 1024 * 1024
"""Largest file, in bytes, that exact edits and patches take."""
WRITE_CAP = 20 * 1024 * 1024
"""Largest content, in bytes, that is written at once."""
BYTES_CAP = 64 * 1024 * 1024
"""Largest content that is no text a model wrote, in bytes: the journal keeps it whole."""


@dataclass(frozen=True)
class Standing:
    """What stands at a path: `data` None where there is nothing.

    `mode` are permission bits, `links` hard links.
    """

    data: bytes | None = None
    mode: int = 0
    links: int = 1


@dataclass(frozen=True)
class Planned:
    """What one file becomes. `after` None: it is deleted. A rename holds the whole of both sides."""

    path: str
    before: bytes | None
    after: bytes | None
    old_path: str = ""
    mode: int | None = None
    """Permission bits to set, None: those it has, or the usual ones of a new file."""
    before_mode: int | None = None
    links: int = 1
    note: str = ""
    """For the model: what matched only nearly, or that an encoding changed."""
    read: str = ""
    """The other file that its content was taken from, by a rename or a copy."""
    shows: tuple[str, ...] = ()
    """Lines that tell a person what changes in bytes that are no text."""

    @property
    def same(self) -> bool:
        """Whether nothing would change."""
        moded = self.mode is not None and self.before is not None and self.mode != self.before_mode
        return self.before == self.after and not self.old_path and not moded


Look = Callable[[str], Standing]
"""Reads a file by its path as the operation gives it.

Raises ToolError where it may not or cannot be changed.
"""
Resolve = Callable[[str], str]
"""Returns the real, absolute path."""


@dataclass(frozen=True)
class _File:
    """A path as the operations so far leave it.

    `origin` is where its content stood at first, if that was elsewhere.
    """

    path: str
    data: bytes | None
    mode: int | None = None
    """Permission bits to set, None: leave them."""
    origin: str = ""
    note: str = ""
    read: str = ""
    shows: tuple[str, ...] = ()


@dataclass
class _World:
    """The files as they stand, and as the operations so far leave them."""

    look: Look
    resolve: Resolve
    first: dict[str, Standing] = field(default_factory=dict)
    now: dict[str, _File] = field(default_factory=dict)

    def get(self, path: str) -> _File:
        """Return the state of a path after the operations so far."""
        real = self.resolve(path)
        if real not in self.now:
            self.first[real] = self.look(real)
            self.now[real] = _File(real, self.first[real].data)
        return self.now[real]

    def put(self, file: _File) -> None:
        """Keep the new state of a path."""
        self.now[file.path] = file

    def planned(self) -> tuple[Planned, ...]:
        """Return what becomes of each path. A plain rename is one entry, under its new path."""
        renames = {file.origin: file.path for file in self.now.values() if self._is_rename(file)}
        made: list[Planned] = []
        for path, file in self.now.items():
            moved = renames.get(file.origin) == path
            start = self.first[file.origin if moved else path]
            if path in renames or (start.data is None and file.data is None):
                continue
            made.append(
                Planned(
                    path,
                    start.data,
                    file.data,
                    old_path=file.origin if moved else "",
                    mode=file.mode,
                    before_mode=start.mode if start.data is not None else None,
                    links=start.links,
                    note=file.note,
                    read=file.read,
                    shows=file.shows,
                )
            )
        return tuple(made)

    def _is_rename(self, file: _File) -> bool:
        """Whether the content came whole from a file that is gone, to a place where none was."""
        if not file.origin or file.data is None:
            return False
        left = self.now[file.origin]
        return left.data is None and self.first[file.path].data is None


def plan(operations: Sequence[Operation], look: Look, resolve: Resolve) -> tuple[Planned, ...]:
    """Return what each named file becomes, in the order of the operations. Raises ToolError for the model."""
    world = _World(look, resolve)
    for operation in operations:
        match operation:
            case Write():
                _write(world, operation)
            case WriteBytes():
                _write_bytes(world, operation)
            case Replace() | ReplaceLines():
                _edit(world, operation)
            case Patch():
                for file in patch.parse(operation.text):
                    _patch(world, file)
            case _:
                raise ToolError("unsupported", f"{type(operation).__name__} is not planned here.")
    return world.planned()


def _write(world: _World, operation: Write) -> None:
    file = world.get(operation.path)
    data = _utf8(operation.content)
    if len(data) > WRITE_CAP:
        raise ToolError(
            "too_large",
            f"The content has {len(data)} bytes, more than {WRITE_CAP} at once. Nothing was changed.",
        )
    note = ""
    if file.data is not None and file.data != data and not is_binary(file.data):
        before = decode(file.data)
        if before.encoding != "utf-8" or before.mark or not before.known:
            note = f"It was in the encoding {before.shown}; it is plain UTF-8 now."
    world.put(replace(file, data=data, note=note))


def _write_bytes(world: _World, operation: WriteBytes) -> None:
    file = world.get(operation.path)
    if len(operation.content) > BYTES_CAP:
        size = len(operation.content)
        raise ToolError("too_large", f"The content has {size} bytes, more than {BYTES_CAP} at once.")
    stands = "missing" if file.data is None else hashlib.sha256(file.data).hexdigest()
    if operation.expects and operation.expects != stands:
        what = "is there already" if operation.expects == "missing" else "changed since it was read"
        raise ToolError("changed_since", f"{operation.path} {what}. Nothing was changed.")
    world.put(replace(file, data=operation.content, shows=operation.shows))


def _utf8(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ToolError(
            "encoding",
            f"The content holds half of a character ({text[error.start]!a}), which no file can hold.",
        ) from error


def _edit(world: _World, operation: Replace | ReplaceLines) -> None:
    file = world.get(operation.path)
    source = decode(_editable(file, operation.path))
    if isinstance(operation, Replace):
        made, note = edits.replace(source, operation.edits, every=operation.every)
        if made.data == source.data:
            raise ContentError("no_change", "The edits leave the file as it is. Nothing was changed.")
    else:
        made, note = edits.replace_lines(source, operation.start, operation.end, operation.text), ""
    world.put(replace(file, data=made.data, note=note))


def _editable(file: _File, named: str) -> bytes:
    """Return the content to edit. Raises ToolError (not_found, binary, too_large)."""
    if file.data is None:
        raise ToolError("not_found", f"There is no file {named}. Nothing was changed.", path=named)
    if len(file.data) > EDIT_CAP:
        raise ToolError(
            "too_large", f"{named} has {len(file.data)} bytes; edits take at most {EDIT_CAP}.", path=named
        )
    if is_binary(file.data):
        raise ToolError("binary", f"{named} is no text file. Nothing was changed.", path=named)
    return file.data


def _patch(world: _World, part: patch.FilePatch) -> None:
    match part.kind:
        case "new":
            file = world.get(part.new)
            _must_be_free(file, part.new)
            world.put(replace(file, data=_utf8(patch.new_content(part.hunks)), mode=part.mode, origin=""))
        case "deleted":
            file = world.get(part.old)
            if _patched(file, part, part.old):
                raise ContentError(
                    "bad_arguments",
                    f"The patch deletes {part.old} but does not show all of its lines. Nothing was changed.",
                )
            world.put(replace(file, data=None, origin=""))
        case "changed":
            file = world.get(part.new)
            mode = part.mode if part.mode is not None else file.mode
            world.put(replace(file, data=_patched(file, part, part.new), mode=mode))
        case "renamed" | "copied":
            _rename(world, part)


def _patched(file: _File, part: patch.FilePatch, named: str) -> bytes:
    if not part.hunks:
        if file.data is None:
            raise ToolError("not_found", f"There is no file {named}. Nothing was changed.", path=named)
        return file.data
    return patch.apply(decode(_editable(file, named)), part.hunks, named).data


def _must_be_free(file: _File, named: str) -> None:
    if file.data is not None:
        raise ToolError(
            "bad_arguments", f"The patch makes {named}, which exists already. Nothing was changed."
        )


def _rename(world: _World, part: patch.FilePatch) -> None:
    source, target = world.get(part.old), world.get(part.new)
    if source.path == target.path:
        raise ToolError("bad_arguments", f"The patch renames {part.old} to itself. Nothing was changed.")
    _must_be_free(target, part.new)
    origin = source.origin or source.path
    mode = part.mode if part.mode is not None else source.mode
    if mode is None and world.first[origin].data is not None:
        mode = world.first[origin].mode
    made = _File(
        target.path,
        _patched(source, part, part.old),
        mode,
        origin if part.kind == "renamed" else "",
        read=source.read or source.path,
    )
    world.put(made)
    if part.kind == "renamed":
        world.put(_File(source.path, None))


def settle(
    planned: Sequence[Planned], rejected: Mapping[int, set[int]], edited: Mapping[str, str]
) -> tuple[Planned, ...]:
    """Return the files as the person wants them: without rejected hunks, with their own text.

    The hunks of an edited file are those of the edited text (`app.changes.preview`). Raises ToolError.
    """
    from app.changes import diff

    settled = []
    for number, file in enumerate(planned):
        if file.path in edited:
            mine = replace(file, after=diff.edited(file.before, file.after, edited[file.path]))
            settled.append(_without(mine, rejected[number]) if number in rejected else mine)
        elif number in rejected:
            settled.append(_without(file, rejected[number]))
        else:
            settled.append(file)
    return tuple(settled)


def _without(file: Planned, rejected: set[int]) -> Planned:
    """A rename is rejected as a whole by the number -1 or, where it changes no line, by any number."""
    from app.changes import diff

    if file.old_path and (-1 in rejected or file.before == file.after):
        return Planned(file.old_path, file.before, file.before, before_mode=file.before_mode)
    if -1 in rejected:
        return replace(file, after=file.before, mode=None)
    after = diff.accept(file.before, file.after, rejected)
    return replace(file, after=after, mode=file.mode if after != file.before or file.old_path else None)

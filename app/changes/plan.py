"""From the operations of a tool to what each file becomes.

The whole effect is known before anything is asked or written.

Pure: the files are looked at through a function that is handed in. Operations on one file build on each
other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.changes import edits, patch
from app.changes.text import decode, is_binary
from app.errors import ToolError
from tools import Operation, Patch, Replace, ReplaceLines, Write

EDIT_CAP = 5 * 1024 * 1024
"""Largest file, in bytes, that exact edits and patches take."""
WRITE_CAP = 20 * 1024 * 1024
"""Largest content, in bytes, that is written at once."""


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


@dataclass
class _World:
    """The files as they stand, and as the operations so far leave them."""

    look: Look
    resolve: Resolve
    first: dict[str, Standing] = field(default_factory=dict)
    now: dict[str, Planned] = field(default_factory=dict)

    def get(self, path: str) -> Planned:
        """Return the state of a path after the operations so far."""
        real = self.resolve(path)
        if real not in self.now:
            standing = self.look(real)
            self.first[real] = standing
            mode = standing.mode if standing.data is not None else None
            self.now[real] = Planned(
                real, standing.data, standing.data, before_mode=mode, links=standing.links
            )
        return self.now[real]

    def put(self, file: Planned) -> None:
        """Keep the new state of a path."""
        self.now[file.path] = file


def plan(operations: Sequence[Operation], look: Look, resolve: Resolve) -> tuple[Planned, ...]:
    """Return what each named file becomes, in the order of the operations. Raises ToolError for the model."""
    world = _World(look, resolve)
    for operation in operations:
        match operation:
            case Write():
                _write(world, operation)
            case Replace() | ReplaceLines():
                _edit(world, operation)
            case Patch():
                for file in patch.parse(operation.text):
                    _patch(world, file)
    return tuple(file for file in world.now.values() if not _passing(file))


def _passing(file: Planned) -> bool:
    """A path that was only the source of a rename is part of the renamed file."""
    return file.before is None and file.after is None


def _write(world: _World, operation: Write) -> None:
    file = world.get(operation.path)
    data = _utf8(operation.content)
    if len(data) > WRITE_CAP:
        raise ToolError(
            "too_large",
            f"The content has {len(data)} bytes, more than {WRITE_CAP} at once. Nothing was changed.",
        )
    note = ""
    if file.after is not None and file.after != data and not is_binary(file.after):
        before = decode(file.after)
        if before.encoding != "utf-8" or before.mark or not before.known:
            note = f"It was in the encoding {before.shown}; it is plain UTF-8 now."
    world.put(replace(file, after=data, note=note))


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
            raise ToolError("no_change", "The edits leave the file as it is. Nothing was changed.")
    else:
        made, note = edits.replace_lines(source, operation.start, operation.end, operation.text), ""
    world.put(replace(file, after=made.data, note=note))


def _editable(file: Planned, named: str) -> bytes:
    """Return the content to edit. Raises ToolError (not_found, binary, too_large)."""
    if file.after is None:
        raise ToolError("not_found", f"There is no file {named}. Nothing was changed.", path=named)
    if len(file.after) > EDIT_CAP:
        raise ToolError(
            "too_large", f"{named} has {len(file.after)} bytes; edits take at most {EDIT_CAP}.", path=named
        )
    if is_binary(file.after):
        raise ToolError("binary", f"{named} is no text file. Nothing was changed.", path=named)
    return file.after


def _patch(world: _World, part: patch.FilePatch) -> None:
    match part.kind:
        case "new":
            file = world.get(part.new)
            if file.after is not None:
                raise ToolError(
                    "bad_arguments", f"The patch makes {part.new}, which exists already. Nothing was changed."
                )
            data = _utf8(patch.new_content(part.hunks))
            world.put(replace(file, after=data, mode=part.mode))
        case "deleted":
            _delete(world, part)
        case "changed":
            file = world.get(part.new)
            data = _patched(file, part, part.new)
            world.put(replace(file, after=data, mode=part.mode))
        case "renamed" | "copied":
            _rename(world, part)


def _patched(file: Planned, part: patch.FilePatch, named: str) -> bytes:
    if not part.hunks:
        if file.after is None:
            raise ToolError("not_found", f"There is no file {named}. Nothing was changed.", path=named)
        return file.after
    return patch.apply(decode(_editable(file, named)), part.hunks, named).data


def _delete(world: _World, part: patch.FilePatch) -> None:
    file = world.get(part.old)
    left = _patched(file, part, part.old)
    if left:
        raise ToolError(
            "bad_arguments",
            f"The patch deletes {part.old} but does not show all of its lines. Nothing was changed.",
        )
    world.put(replace(file, after=None))


def _rename(world: _World, part: patch.FilePatch) -> None:
    source, target = world.get(part.old), world.get(part.new)
    if source.path == target.path:
        raise ToolError("bad_arguments", f"The patch renames {part.old} to itself. Nothing was changed.")
    if target.after is not None:
        raise ToolError(
            "bad_arguments", f"The patch writes {part.new}, which exists already. Nothing was changed."
        )
    data = _patched(source, part, part.old)
    if part.kind == "copied" or target.before is not None or source.old_path or source.before is None:
        # no plain rename: the file was made or moved by this patch, or something stood at the new place
        mode = (
            part.mode
            if part.mode is not None
            else source.mode
            if source.mode is not None
            else source.before_mode
        )
        world.put(replace(target, after=data, mode=mode))
        if part.kind == "renamed":
            world.put(replace(source, after=None, old_path=""))
        return
    world.put(
        replace(
            target,
            before=source.before,
            after=data,
            old_path=source.path,
            mode=part.mode,
            before_mode=source.before_mode,
            links=source.links,
        )
    )
    world.put(Planned(source.path, None, None))


def settle(
    planned: Sequence[Planned], rejected: Mapping[int, set[int]], edited: Mapping[str, str]
) -> tuple[Planned, ...]:
    """Return the files as the person wants them: without rejected hunks, with their own text.

    Raises ToolError.
    """
    from app.changes import diff

    settled = []
    for number, file in enumerate(planned):
        if file.path in edited:
            settled.append(replace(file, after=diff.edited(file.before, file.after, edited[file.path])))
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

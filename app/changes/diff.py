"""Diffs as people see them: hunks with context for each file, and the bytes that come of accepting only some.

All functions are pure. A hunk covers whole lines, so that any choice of hunks gives a file whose untouched
lines are the original bytes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import PurePath

from app.changes.comparing import Block, differences
from app.changes.languages import language_of
from app.changes.lines import body, ending, majority, split
from app.changes.text import Text, byte_lines, decode, encode, is_binary
from app.errors import ToolError
from app.records import DiffLine, FileDiff, Hunk

CONTEXT = 3


def hunks(old: Sequence[str], new: Sequence[str], context: int = CONTEXT) -> tuple[Hunk, ...]:
    """Return the hunks that turn `old` into `new` (lines with their ends)."""
    groups: list[list[Block]] = []
    for block in differences(old, new):
        if groups and block[0] - groups[-1][-1][1] <= 2 * context:
            groups[-1].append(block)
        else:
            groups.append([block])
    return tuple(_hunk(old, new, group, context) for group in groups)


def _hunk(old: Sequence[str], new: Sequence[str], group: list[Block], context: int) -> Hunk:
    before = min(context, group[0][0])
    after = min(context, len(old) - group[-1][1])
    i, j = group[0][0] - before, group[0][2] - before
    start, stop = (i, j), (group[-1][1] + after, group[-1][3] + after)
    lines: list[DiffLine] = []
    for i1, i2, j1, j2 in [*group, (stop[0], stop[0], stop[1], stop[1])]:
        lines += [DiffLine(" ", i + k + 1, j + k + 1, body(old[i + k])) for k in range(i1 - i)]
        lines += [DiffLine("-", number + 1, 0, body(old[number])) for number in range(i1, i2)]
        lines += [DiffLine("+", 0, number + 1, body(new[number])) for number in range(j1, j2)]
        i, j = i2, j2
    return Hunk(
        old_start=start[0] + 1,
        old_count=stop[0] - start[0],
        new_start=start[1] + 1,
        new_count=stop[1] - start[1],
        lines=tuple(lines),
    )


def file_diff(
    path: str,
    shown: str,
    old: bytes | None,
    new: bytes | None,
    *,
    old_path: str = "",
    note: str = "",
    modes: tuple[int, int] = (0, 0),
) -> FileDiff:
    """Return what would happen to one file; None stands for no file. `note` wins over what is found here.

    `modes` are the permission bits before and after, where they change.
    """
    kind = "renamed" if old_path else "new" if old is None else "deleted" if new is None else "changed"
    name = PurePath(path).name
    if is_binary(old or b"") or is_binary(new or b""):
        return FileDiff(
            path=path,
            shown=shown,
            kind=kind,  # type: ignore[arg-type]
            old_path=old_path,
            binary=True,
            note=note,
            old_mode=modes[0],
            new_mode=modes[1],
        )
    before, after = decode(old or b""), decode(new or b"")
    found = hunks(split(before.text), split(after.text))
    return FileDiff(
        path=path,
        shown=shown,
        kind=kind,  # type: ignore[arg-type]
        old_path=old_path,
        hunks=found,
        added=sum(line.kind == "+" for hunk in found for line in hunk.lines),
        removed=sum(line.kind == "-" for hunk in found for line in hunk.lines),
        language=language_of(name),
        note=note or _note(before if old is not None else None, after if new is not None else None),
        old_mode=modes[0],
        new_mode=modes[1],
    )


def _note(old: Text | None, new: Text | None) -> str:
    """Return the code of what a person should know that the lines do not show."""
    if old is not None and new is not None and old.text and new.text:
        if (old.encoding, old.mark) != (new.encoding, new.mark) and not (old.text.isascii() and not old.mark):
            return "encoding_changed"
        if majority(old.text) != majority(new.text) and "\n" in new.text:
            return "line_ends_changed"
    text = new or old
    if text is None or not text.text:
        return ""
    if not text.known:
        return "unknown_encoding"
    if text.encoding != "utf-8":
        return "other_encoding"
    if new is not None and not ending(new.text):
        return "no_final_newline"
    return ""


def accept(old: bytes | None, new: bytes | None, rejected: Collection[int]) -> bytes | None:
    """Return the content without the rejected hunks (numbers as `file_diff` gives them, from 0).

    All rejected: `old`, byte for byte. A file without hunks (binary, or no change in its lines) is one piece:
    any number rejects it. Raises ToolError (encoding) where old and new pieces do not fit into one encoding.
    """
    if not rejected:
        return new
    if is_binary(old or b"") or is_binary(new or b""):
        return old
    before, after = decode(old or b""), decode(new or b"")
    found = hunks(split(before.text), split(after.text))
    if set(range(len(found))) <= set(rejected) or old is None or new is None:
        return old
    same = (before.encoding, before.mark, before.errors) == (after.encoding, after.mark, after.errors)
    left = byte_lines(before)
    right = byte_lines(after) if same else [encode(line, before) for line in split(after.text)]
    out, at = [before.mark], 0
    for number, hunk in enumerate(found):
        stop = hunk.old_start - 1 + hunk.old_count
        out += left[at : hunk.old_start - 1]
        if number in rejected:
            out += left[hunk.old_start - 1 : stop]
        else:
            out += right[hunk.new_start - 1 : hunk.new_start - 1 + hunk.new_count]
        at = stop
    return b"".join([*out, *left[at:]])


def edited(old: bytes | None, new: bytes | None, text: str) -> bytes:
    """Return the bytes of a proposal that a person edited to `text`, in the encoding of what stands there.

    Lines that they left alone keep their bytes and ends, from the proposal or the original; lines of their
    own get the end of the line in whose place they stand, or that of most lines. Raises ToolError (encoding).
    """
    proposal = decode(new if new is not None else old or b"")
    like = proposal if proposal.known and proposal.text else decode(old or b"")
    had, wanted = split(proposal.text), split(text.replace("\r\n", "\n").replace("\r", "\n"))
    bodies, words = [body(line) for line in had], [body(line) for line in wanted]
    raw, end = byte_lines(proposal), majority(proposal.text or decode(old or b"").text)
    out, i, j = [like.mark], 0, 0
    try:
        for i1, i2, j1, j2 in [*differences(bodies, words), (len(had), len(had), len(words), len(words))]:
            out += [_line(raw[i + k], had[i + k], wanted[j + k], end, like) for k in range(i1 - i)]
            for k in range(j2 - j1):
                mine = (ending(had[i1 + k]) if i1 + k < i2 else "") or end
                out.append(encode(words[j1 + k] + (mine if ending(wanted[j1 + k]) else ""), like))
            i, j = i2, j2
    except ToolError:
        if old is not None:
            raise
        return _utf8(text)
    return b"".join(out)


def _utf8(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ToolError("encoding", f"No file can hold {text[error.start]!a}.") from error


def _line(raw: bytes, had: str, wanted: str, end: str, like: Text) -> bytes:
    """Return the bytes of a line that the person left alone but for, perhaps, its end."""
    if bool(ending(had)) == bool(ending(wanted)):
        return raw
    return encode(body(had) + (end if ending(wanted) else ""), like)

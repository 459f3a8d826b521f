"""Unified diffs as models write them: read into files and hunks, and applied without any fuzz.

Every context and removed line must stand in the file exactly (line ends aside); only its number may be off,
and then the place must be unique. Counts in hunk headers are not trusted where the lines say otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from app.changes import nearby
from app.changes.failures import ContentError
from app.changes.lines import body, ending, majority, split
from app.changes.text import Splice, Text, splice
from app.errors import ToolError

UNKNOWN = -1
"""The start of a hunk that names no line."""
Kind = Literal["new", "changed", "deleted", "renamed", "copied"]
_HUNK = re.compile(r"@@+(?: -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@)?")
_MODE = re.compile(r"(?:new|new file|deleted file|old) mode (\d{6})")


@dataclass(frozen=True)
class PatchHunk:
    """A piece: `lines` are (sign, text without its end), `start` is the line it names, from 1."""

    start: int
    lines: tuple[tuple[str, str], ...]
    old_ends: bool = True
    """False where the patch says that the old file lacks its final newline."""
    new_ends: bool = True
    stated: bool = False
    """True where the patch says anything about the final newline."""

    @property
    def old(self) -> list[str]:
        """The lines that must stand in the file."""
        return [text for sign, text in self.lines if sign != "+"]


@dataclass(frozen=True)
class FilePatch:
    """What a patch does to one file. `old` and `new` are paths without a/ and b/, "" for /dev/null."""

    old: str
    new: str
    kind: Kind
    hunks: tuple[PatchHunk, ...] = ()
    mode: int | None = None
    """Permission bits that the patch sets."""


@dataclass
class _Header:
    old: str | None = None
    new: str | None = None
    kind: Kind | None = None
    mode: int | None = None
    hunks: list[PatchHunk] = field(default_factory=list)


def parse(text: str) -> tuple[FilePatch, ...]:
    """Return the files of a patch. Raises ToolError (bad_arguments) that names the line."""
    if text.lstrip().startswith("*** Begin Patch"):
        raise ToolError(
            "bad_arguments", "This is not a unified diff. Begin each file with --- a/PATH and +++ b/PATH."
        )
    reader = _Reader([line.removesuffix("\r") for line in text.split("\n")])
    files = [_finished(header) for header in reader.files()]
    if not files:
        raise ToolError(
            "bad_arguments", "The patch names no file. Begin each file with --- a/PATH and +++ b/PATH."
        )
    return tuple(files)


class _Reader:
    """Walks over the lines of a patch; anything between files is skipped, as git does."""

    def __init__(self, lines: list[str]) -> None:
        self.lines, self.at = lines, 0

    def files(self) -> Iterator[_Header]:
        current: _Header | None = None
        while self.at < len(self.lines):
            line = self.lines[self.at]
            begins = self._file_begins()
            if line.startswith("diff --git ") or (begins and (current is None or current.hunks)):
                if current:
                    yield current
                current = _Header()
            if current is None and line.startswith("@@"):
                raise self._wrong("a hunk stands before any --- and +++ lines")
            if current is not None:
                self._read(line, current, begins)
            self.at += 1
        if current:
            yield current

    def _read(self, line: str, header: _Header, begins: bool) -> None:
        """Take in one line of a file's part, or a whole hunk."""
        if line.startswith("@@"):
            header.hunks.append(self._hunk())
            self.at -= 1
        elif begins:
            if header.kind not in ("renamed", "copied"):  # their own lines name the files better
                header.old, header.new = _name(line[4:]), _name(self.lines[self.at + 1][4:])
            self.at += 1
        elif line.startswith("diff --git "):
            header.old, header.new = _git_names(line)
        elif not header.hunks:
            self._extra(line, header)

    def _file_begins(self) -> bool:
        here, after = self.lines[self.at], self.lines[self.at + 1 : self.at + 2]
        return here.startswith("--- ") and bool(after) and after[0].startswith("+++ ")

    def _extra(self, line: str, header: _Header) -> None:
        """Read one of git's extended header lines."""
        found = _MODE.match(line)
        if found:
            header.mode = int(found[1][-3:], 8) if not line.startswith(("old", "deleted")) else header.mode
            if line.startswith(("new file", "deleted file")):
                header.kind = "new" if line.startswith("new") else "deleted"
        elif line.startswith(("rename from ", "copy from ")):
            header.kind = "renamed" if line.startswith("rename") else "copied"
            header.old = _unquoted(line.split(" from ", 1)[1])
        elif line.startswith(("rename to ", "copy to ")):
            header.new = _unquoted(line.split(" to ", 1)[1])
        elif line.startswith(("GIT binary patch", "Binary files ")):
            raise self._wrong("binary files cannot be patched")

    def _hunk(self) -> PatchHunk:
        head = _HUNK.match(self.lines[self.at])
        start = int(head[1]) if head and head[1] else UNKNOWN
        left = [int(head[2] or 1), int(head[3] or 1)] if head and head[1] else [0, 0]
        number = self.at + 1
        self.at += 1
        lines: list[tuple[str, str]] = []
        lacking: set[str] = set()
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.startswith("\\"):
                lacking |= {"-", "+"} if not lines or lines[-1][0] == " " else {lines[-1][0]}
            elif self._goes_on(line, left):
                sign, text = (line[0], line[1:]) if line else (" ", "")
                lines.append((sign, text))
                left = [left[0] - (sign != "+"), left[1] - (sign != "-")]
            else:
                break
            self.at += 1
        if not lines:
            raise self._wrong("a hunk has no lines", number)
        return PatchHunk(start, tuple(lines), "-" not in lacking, "+" not in lacking, bool(lacking))

    def _goes_on(self, line: str, left: list[int]) -> bool:
        """Whether the line belongs to the hunk.

        By its counts, and by its look where the counts are used up or wrong.
        """
        third = self.lines[self.at + 2 : self.at + 3]
        begins = self._file_begins() and (
            left[0] <= 0 or third[0:1] == [""] or "".join(third).startswith("@@")
        )
        if line.startswith(("diff --git ", "@@")) or begins or (line == "-- " and max(left) <= 0):
            return False
        if not line:  # a context line whose blank was lost, unless nothing of the hunk follows
            return self._follows() or (min(left) > 0 and self.at < len(self.lines) - 1)
        return line[0] in " -+"

    def _follows(self) -> bool:
        rest = (line for line in self.lines[self.at :] if line)
        following = next(rest, "")
        return following[:1] in (" ", "-", "+") and not (
            following.startswith("--- ") and next(rest, "").startswith("+++ ")
        )

    def _wrong(self, why: str, number: int = 0) -> ToolError:
        return ToolError(
            "bad_arguments", f"Line {number or self.at + 1} of the patch: {why}. Nothing was changed."
        )


def _finished(header: _Header) -> FilePatch:
    old, new = header.old or "", header.new or ""
    old, new = ("" if old == "/dev/null" else old), ("" if new == "/dev/null" else new)
    if header.kind not in ("renamed", "copied"):
        old, new = _bare(old, new)
    kind: Kind = header.kind or (
        "new" if not old else "deleted" if not new else "renamed" if old != new else "changed"
    )
    if kind == "new":
        old = ""
    elif kind == "deleted":
        old, new = old or new, ""
    if not (old or new):
        raise ToolError("bad_arguments", "A file of the patch has no name. Nothing was changed.")
    if not header.hunks and kind == "changed" and header.mode is None:
        raise ToolError("bad_arguments", f"The patch names {new} but changes nothing in it.")
    return FilePatch(old, new, kind, tuple(header.hunks), header.mode)


def _bare(old: str, new: str) -> tuple[str, str]:
    """Take off a/ and b/, as a pair, or from the only name."""
    marked = (not old or old.startswith("a/")) and (not new or new.startswith("b/"))
    return (old[2:], new[2:]) if marked else (old, new)


def _name(text: str) -> str:
    """Return the path of a --- or +++ line, without the time that may follow a tab."""
    return _unquoted(text.strip() if text.startswith('"') else text.split("\t", 1)[0].strip())


def _git_names(line: str) -> tuple[str, str]:
    """Return the names of a `diff --git` line; they matter only where no other line names the file."""
    rest = line.removeprefix("diff --git ")
    quoted = re.match(r'("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)\Z', rest)
    if quoted:
        return _unquoted(quoted[1]), _unquoted(quoted[2])
    half = len(rest) // 2  # the same name twice, with blanks in it
    return rest[:half].rstrip(), rest[half:].lstrip()


def _unquoted(text: str) -> str:
    """Read a name in git's C-style quotes."""
    text = text.strip()
    if not (len(text) > 1 and text[0] == text[-1] == '"'):
        return text
    plain = {
        "n": b"\n",
        "t": b"\t",
        '"': b'"',
        "\\": b"\\",
        "r": b"\r",
        "a": b"\a",
        "b": b"\b",
        "f": b"\f",
        "v": b"\v",
    }
    out = b""
    for found in re.finditer(r"\\([0-7]{1,3}|.)|([^\\]+)", text[1:-1]):
        if found[2] is not None:
            out += found[2].encode("utf-8", "surrogateescape")
        elif found[1].isdigit():
            out += bytes([int(found[1], 8) & 0xFF])
        else:
            out += plain.get(found[1], found[1].encode())
    return out.decode("utf-8", "surrogateescape")


def new_content(hunks: Sequence[PatchHunk]) -> str:
    """Return the text of a file that a patch makes."""
    lines = [text for hunk in hunks for sign, text in hunk.lines if sign == "+"]
    if any(sign != "+" for hunk in hunks for sign, _ in hunk.lines):
        raise ToolError("bad_arguments", "A new file can only have added lines. Nothing was changed.")
    ends = all(hunk.new_ends for hunk in hunks)
    return "\n".join(lines) + ("\n" if lines and ends else "")


def apply(source: Text, hunks: Sequence[PatchHunk], name: str = "the file") -> Text:
    """Return the text with all hunks applied. Raises ToolError (not_found, not_unique, encoding)."""
    lines = split(source.text)
    bodies = [body(line) for line in lines]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    end, at, shift = majority(source.text), 0, 0
    cuts: list[Splice] = []
    for number, hunk in enumerate(hunks, 1):
        place = _place(bodies, hunk, at, shift, f"Hunk {number} for {name}")
        shift = place + 1 - hunk.start if hunk.start != UNKNOWN and hunk.old else shift
        at = place + len(hunk.old)
        cuts += _cuts(_final(_pieces(lines, place, hunk, end), lines, at, hunk), lines, starts, place, at)
    return splice(source, cuts)


def _place(bodies: list[str], hunk: PatchHunk, at: int, shift: int, label: str) -> int:
    """Return the line (from 0) where the hunk applies, at or after `at`."""
    wanted = hunk.old
    if not wanted:
        if not at <= hunk.start <= len(bodies):
            why = (
                "has no context and names no line"
                if hunk.start == UNKNOWN
                else "names a line that is not there"
            )
            raise ContentError("not_found", f"{label} {why}. Nothing was changed.")
        return hunk.start
    stated = hunk.start - 1 + shift
    for place in (hunk.start - 1, stated):
        if hunk.start != UNKNOWN and place >= at and bodies[place : place + len(wanted)] == wanted:
            return place
    places = [
        place
        for place in range(at, len(bodies) - len(wanted) + 1)
        if bodies[place] == wanted[0] and bodies[place : place + len(wanted)] == wanted
    ]
    if len(places) == 1:
        return places[0]
    if places:
        where = ", ".join(str(place + 1) for place in places[:12])
        raise ContentError(
            "not_unique", f"{label} fits at lines {where}; give more context. Nothing was changed."
        )
    near = nearby.nearest("\n".join(bodies), "\n".join(wanted))
    raise ContentError(
        "not_found", f"{label} does not fit: its lines are not in the file. {near} Nothing was changed."
    )


def _pieces(lines: list[str], place: int, hunk: PatchHunk, end: str) -> list[tuple[int, str]]:
    """Return what stands there afterwards: (number of the line that stays, its text), or (-1, new text)."""
    out: list[tuple[int, str]] = []
    removed: list[str] = []  # ends of removed lines that an added line may take over
    at = place
    for sign, text in hunk.lines:
        if sign == "+":
            out.append((-1, text + (removed.pop(0) if removed else end)))
            continue
        if sign == " ":
            removed = []
            out.append((at, lines[at]) if ending(lines[at]) else (-1, lines[at] + end))
        else:
            removed.append(ending(lines[at]) or end)
        at += 1
    return out


def _final(
    pieces: list[tuple[int, str]], lines: list[str], at: int, hunk: PatchHunk
) -> list[tuple[int, str]]:
    """Settle the final newline: the file's own way, unless the patch states a change of it."""
    if at < len(lines) or not pieces:
        return pieces
    ends = hunk.new_ends if hunk.stated else not lines or bool(ending(lines[-1]))
    return pieces if ends else [*pieces[:-1], (-1, body(pieces[-1][1]))]


def _cuts(
    pieces: list[tuple[int, str]], lines: list[str], starts: list[int], at: int, stop: int
) -> list[Splice]:
    """Return the cuts between the lines that stay."""
    before = "\n" if at == len(lines) and lines and not ending(lines[-1]) else ""
    cuts: list[Splice] = []
    for number, text in [*pieces, (stop, "")]:
        if number < 0:
            before += text
            continue
        if before or starts[at] != starts[number]:
            cuts.append(Splice(starts[at], starts[number], before))
        before, at = "", number + 1
    return cuts

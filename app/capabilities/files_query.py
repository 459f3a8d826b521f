"""A search through the text of files: what is looked for, and how its results are put together and cut."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.capabilities.files_paths import holds_key, is_secret
from app.changes.lines import body, split
from app.changes.text import decode
from app.platform import filesystem
from tools import Match

SIZE_CAP = 16 * 1024 * 1024
"""Larger files are not searched."""
LINE_CAP = 400
"""Characters of a line that are shown; a longer one is shown around its first match."""


@dataclass(frozen=True)
class Query:
    """What to look for below `root` (real, absolute): a folder, or one file. `context` in lines."""

    root: str
    pattern: str
    glob: str = ""
    literal: bool = False
    ignore_case: bool = False
    context: int = 0
    hidden: bool = False
    limit: int = 200
    own: tuple[str, ...] = ()
    """Secret places of ours."""

    @property
    def folder(self) -> str:
        """The folder from which paths are told."""
        return self.root if os.path.isdir(self.root) else os.path.dirname(self.root)

    def keeps(self, path: str) -> bool:
        """Whether matches of a file (relative path) may be told.

        Secrets only where they were asked for by name.
        """
        whole = os.path.join(self.folder, path)
        if whole == self.root:
            return True
        if is_secret(self.root, self.own):
            return True
        return not is_secret(os.path.realpath(whole), self.own) and not _has_key(whole)


@dataclass(frozen=True)
class Result:
    """Matches in order of path and line; `more` where the limit cut them."""

    matches: tuple[Match, ...]
    more: bool
    searched: int


def _has_key(path: str) -> bool:
    try:
        return holds_key(filesystem.read(path, 4096))
    except OSError:
        return True  # cannot be looked at, so cannot be shown


def file_matches(
    path: str, hits: Mapping[int, int], lines: Mapping[int, str], context: int, whole: str
) -> list[Match]:
    """Return the matches of one file. `hits`: line number -> place of the first match; `lines`.

    What is known.

    `whole` is the file itself; it is read again where lines are not UTF-8, to tell them in its own encoding.
    """
    if any("\udc80" <= letter <= "\udcff" for line in lines.values() for letter in line):
        lines = _in_own_encoding(whole, lines)

    def around(numbers: range) -> tuple[str, ...]:
        return tuple(cut(lines[number]) for number in numbers if number in lines)

    return [
        Match(
            path=path,
            line=number,
            text=cut(lines[number], place),
            before=around(range(number - context, number)),
            after=around(range(number + 1, number + context + 1)),
        )
        for number, place in sorted(hits.items())
    ]


def _in_own_encoding(whole: str, lines: Mapping[int, str]) -> Mapping[int, str]:
    try:
        known = split(decode(filesystem.read(whole, SIZE_CAP)).text)
    except OSError:
        return lines
    return {
        number: body(known[number - 1]) if number <= len(known) else line for number, line in lines.items()
    }


def cut(line: str, place: int = 0) -> str:
    """Return the line, or the part of a long one around `place`, with marks where something is left out."""
    if len(line) <= LINE_CAP:
        return line
    start = max(0, min(place - LINE_CAP // 4, len(line) - LINE_CAP))
    stop = start + LINE_CAP
    return ("\u2026" if start else "") + line[start:stop] + ("\u2026" if stop < len(line) else "")


def limited(found: Sequence[Match], limit: int, searched: int) -> Result:
    """Return the first matches up to the limit."""
    return Result(tuple(found[:limit]), len(found) > limit, searched)

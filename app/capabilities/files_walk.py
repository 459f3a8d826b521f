"""Walk through a folder as ripgrep does: sorted, no links followed, hidden and git-ignored files left out."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from app.capabilities.files_paths import is_system
from app.capabilities.files_work import Abandoned, Stopped

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec, RegexPattern


_SLASHES = os.sep == "/"


class Found(NamedTuple):
    """One file or folder on the way; `path` is relative to the start, with slashes."""

    path: str
    entry: os.DirEntry[str]
    folder: bool
    link: bool


class _Ignores(NamedTuple):
    """One ignore file, and its patterns."""

    start: int
    """Where, in a whole path, the part begins that is below the folder of the file."""
    patterns: tuple[tuple[re.Pattern[str], bool], ...]
    """Each with whether it ignores or takes in, last first: that one decides."""
    some: re.Pattern[str]
    """Finds every path that a pattern speaks of. Most are none, and this tells so ten times faster."""

    def verdict(self, path: str, folder: bool) -> bool | None:
        """Return True where the path is ignored, False where a pattern takes it in on purpose, else None.

        A pattern that speaks of a folder above does not count again here: the walk has asked it there.
        """
        below = path[self.start :] if _SLASHES else path[self.start :].replace(os.sep, "/")
        if folder:
            below += "/"
        if not self.some.search(below):
            return None
        return next((ignored for pattern, ignored in self.patterns if _speaks_of(pattern, below)), None)


def _speaks_of(pattern: re.Pattern[str], below: str) -> bool:
    """Whether a pattern of pathspec means this path (folders end in a slash), not one that it lies in."""
    found = pattern.search(below)
    if found is None:
        return False
    if found.groupdict().get("ps_d"):  # the slash behind what it names; that of any folder at all for `*/`
        return found.end() == len(below) or (pattern.pattern[0] != "^" and below[-1] == "/")
    return found.end() < len(below) or not pattern.pattern.endswith("/")  # `a/**` is all of a, not a itself


def _ignores(place: str, patterns: Iterable[RegexPattern]) -> _Ignores:
    known = [
        (one.regex, one.include) for one in patterns if one.regex is not None and one.include is not None
    ]
    # pathspec gives the groups of each pattern the same names, with which they cannot stand side by side.
    each = (re.sub(r"\(\?P<\w+>", "(?:", regex.pattern) for regex, _ in known)
    some = re.compile("|".join(f"(?:{one})" for one in each) or r"(?!)")
    return _Ignores(len(place.rstrip(os.sep)) + 1, tuple(reversed(known)), some)


@dataclass(frozen=True)
class _Rules:
    """The ignore files that hold at some folder, outermost first."""

    files: tuple[_Ignores, ...] = ()

    def verdict(self, path: str, folder: bool) -> bool | None:
        """Return what the innermost file says of a path: ignored, taken in on purpose, or nothing."""
        for one in reversed(self.files):
            if (found := one.verdict(path, folder)) is not None:
                return found
        return None

    def within(self, folder: str) -> _Rules:
        """Return the rules that hold in a folder."""
        spec = _read_rules(os.path.join(folder, ".gitignore"))
        return _Rules((*self.files, _ignores(folder, spec.patterns))) if spec else self


@dataclass
class Walk:
    """A walk below `start` (real, absolute). `hidden` takes in names with a leading dot; .git never."""

    start: str
    hidden: bool = False
    ignore: bool = True
    depth: int = 1 << 20
    stopped: Stopped = field(default=lambda: False)
    unread: int = 0
    """Folders that could not be looked into so far: not ours to read, gone meanwhile, or too deep."""

    def __iter__(self) -> Iterator[Found]:
        rules = _outer(self.start) if self.ignore else _Rules()
        open_folders = [self._look(self.start, "", rules)]  # no recursion: folders may lie a thousand deep
        while open_folders:
            left, here = open_folders[-1]
            for found in left:
                yield found
                if found.folder and len(open_folders) < self.depth:
                    open_folders.append(self._look(found.entry.path, found.path + "/", here))
                    break
            else:
                open_folders.pop()

    def _look(self, folder: str, prefix: str, rules: _Rules) -> tuple[Iterator[Found], _Rules]:
        """Return what is wanted of one folder, and the rules that hold there."""
        if self.stopped():
            raise Abandoned
        try:
            with os.scandir(folder) as scan:
                entries = _sorted(scan)
        except OSError:  # as grep -s
            self.unread += 1
            return iter(()), rules
        ignores = self.ignore and any(entry.name == ".gitignore" for entry in entries)
        here = rules.within(folder) if ignores else rules
        kinds = map(_kind, entries)
        return iter(
            [
                Found(prefix + entry.name, entry, folder_too, link)
                for entry, (folder_too, link) in zip(entries, kinds, strict=True)
                if self._wanted(entry, folder_too, here)
            ]
        ), here

    def _wanted(self, entry: os.DirEntry[str], folder: bool, rules: _Rules) -> bool:
        name = entry.name
        if (name == ".git" and self.ignore) or (len(self.start) == 1 and is_system(entry.path)):
            return False
        verdict = rules.verdict(entry.path, folder) if rules.files else None
        if verdict is None:
            return self.hidden or name[0] != "."
        return not verdict


def _sorted(scan: Iterable[os.DirEntry[str]]) -> list[os.DirEntry[str]]:
    """Return the entries by the bytes of their names: the order of their letters, but for odd names."""
    entries = list(scan)
    try:
        "".join(entry.name for entry in entries).encode()
    except UnicodeEncodeError:
        return sorted(entries, key=lambda entry: os.fsencode(entry.name))
    return sorted(entries, key=attrgetter("name"))


def _kind(entry: os.DirEntry[str]) -> tuple[bool, bool]:
    """Return whether it is a folder, and whether it is a link."""
    try:
        return (True, False) if entry.is_dir(follow_symlinks=False) else (False, entry.is_symlink())
    except OSError:
        return False, False


def _outer(start: str) -> _Rules:
    """Return the rules of the folders above, up to the one that holds .git (its own included)."""
    above: list[str] = []
    folder = start
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            break
        above.append(parent)
        folder = parent
    rules = _Rules()
    for place in reversed(above):
        spec = _read_rules(os.path.join(place, ".gitignore"))
        if spec:
            rules = _Rules((*rules.files, _ignores(place, _about_others(spec, _below(start, place)))))
    return rules


def _below(path: str, folder: str) -> str:
    """Return the path relative to a folder above it, with slashes."""
    return path[len(folder.rstrip(os.sep)) + 1 :].replace(os.sep, "/")


def _about_others(spec: GitIgnoreSpec, start: str) -> Iterable[RegexPattern]:
    """Leave out the patterns that speak of the start itself: whoever names an ignored folder means it."""
    return (pattern for pattern in spec.patterns if not pattern.match_file(start + "/"))


def _read_rules(path: str) -> GitIgnoreSpec | None:
    try:
        with open(path, "rb") as file:
            lines = file.read(1 << 20).decode("utf-8", "replace").splitlines()
    except OSError:
        return None
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(line for line in lines if line.strip())
    except ValueError:  # one broken pattern: take the others
        return GitIgnoreSpec.from_lines(line for line in lines if _sound(line))


def _sound(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return bool(line.strip())

"""Walk through a folder as ripgrep does: sorted, no links followed, hidden and git-ignored files left out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.capabilities.files_paths import is_system
from app.capabilities.files_work import Abandoned, Stopped

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


@dataclass(frozen=True)
class Found:
    """One file or folder on the way; `path` is relative to the start, with slashes."""

    path: str
    entry: os.DirEntry[str]
    folder: bool
    link: bool


@dataclass(frozen=True)
class _Rules:
    """The ignore files that hold at some folder, outermost first, each with the folder that it stands in."""

    specs: tuple[tuple[str, GitIgnoreSpec], ...] = ()

    def verdict(self, path: str, folder: bool) -> bool | None:
        """Return True where the path is ignored, False where a rule takes it in on purpose, else None."""
        for place, spec in reversed(self.specs):
            found = spec.check_file(
                os.path.relpath(path, place).replace(os.sep, "/") + ("/" if folder else "")
            )
            if found.include is not None:
                return found.include
        return None

    def within(self, folder: str) -> _Rules:
        """Return the rules that hold in a folder."""
        spec = _read_rules(os.path.join(folder, ".gitignore"))
        return _Rules((*self.specs, (folder, spec))) if spec else self


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
        open_folders = [self._entries(self.start, "", rules)]  # no recursion: folders may lie a thousand deep
        while open_folders:
            step = next(open_folders[-1], None)
            if step is None:
                open_folders.pop()
                continue
            found, here = step
            yield found
            if found.folder and len(open_folders) < self.depth:
                open_folders.append(self._entries(found.entry.path, found.path + "/", here))

    def _entries(self, folder: str, prefix: str, rules: _Rules) -> Iterator[tuple[Found, _Rules]]:
        """Yield what is wanted of one folder, with the rules that hold there."""
        if self.stopped():
            raise Abandoned
        try:
            with os.scandir(folder) as scan:
                entries = sorted(scan, key=lambda entry: os.fsencode(entry.name))
        except OSError:  # as grep -s
            self.unread += 1
            return
        here = rules.within(folder) if self.ignore else rules
        for entry in entries:
            folder_too, link = _kind(entry)
            if self._wanted(entry, folder_too, here):
                yield Found(prefix + entry.name, entry, folder_too, link), here

    def _wanted(self, entry: os.DirEntry[str], folder: bool, rules: _Rules) -> bool:
        if (entry.name == ".git" and self.ignore) or is_system(entry.path):
            return False
        verdict = rules.verdict(entry.path, folder) if rules.specs else None
        if verdict is None:
            return self.hidden or not entry.name.startswith(".")
        return not verdict


def _kind(entry: os.DirEntry[str]) -> tuple[bool, bool]:
    try:
        return entry.is_dir(follow_symlinks=False), entry.is_symlink()
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
            rules = _Rules((*rules.specs, (place, _about_others(spec, _below(start, place)))))
    return rules


def _below(path: str, folder: str) -> str:
    """Return the path relative to a folder above it, with slashes."""
    return path[len(folder.rstrip(os.sep)) + 1 :].replace(os.sep, "/")


def _about_others(spec: GitIgnoreSpec, start: str) -> GitIgnoreSpec:
    """Leave out the patterns that speak of the start itself: whoever names an ignored folder means it."""
    return type(spec)(pattern for pattern in spec.patterns if not pattern.match_file(start + "/"))


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

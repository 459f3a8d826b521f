"""Where the words of a line lead: real paths from every folder that the line may stand in."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import PurePath

from app.permissions.places import is_system
from app.permissions.protected import misleads, protection
from app.permissions.shell.records import Redirect

_MOST_FOLDERS = 8
HARMLESS = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr"})
"""What a redirection may always open: nothing is kept there, or it is there already."""
_NET = ("/dev/tcp", "/dev/udp")
_MOST_NAMES = 8
_MARKS = re.compile(r"[=@:]")
"""What a file name may stand behind in a word."""
_BUNDLE = re.compile(r"-[A-Za-z0-9]+")
"""Short options together; any of them may take the rest of the word."""
_LIKE_A_NAME = re.compile(r"[^A-Za-z0-9]")


@dataclass(frozen=True)
class Scene:
    """The folders of one line. `lost` when a `cd` leads where only the shell knows."""

    workspace: str
    folders: tuple[str, ...]
    own: tuple[str, ...] = ()
    steering: tuple[str, ...] = ()
    lost: bool = False
    known: dict[str, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)
    """Words that were followed already: links are read once for one decision."""

    def paths(self, word: str) -> tuple[str, ...]:
        """Return the real paths that a word may mean as a file; none for words that can be no name."""
        if not word or "\0" in word:
            return ()
        if word not in self.known:
            self.known[word] = tuple(dict.fromkeys(_real(folder, word) for folder in self.folders))
        return self.known[word]

    def inside(self, path: str) -> bool:
        """Whether a real path lies in the working folder."""
        return path == self.workspace or path.startswith(self.workspace.rstrip("/") + "/")

    def protects(self, word: str) -> str:
        """Return why what a word names is asked about always, "" where it is not: the word itself, or what
        stands behind its `=`, `:` or option letter.
        """
        found = (self.guards(path) for name in spellings(word) for path in self.paths(name))
        return next(filter(None, found), "")

    def guards(self, path: str) -> str:
        """Return why changing a real path is asked about always, "" where it is not."""
        return protection(path, self.own, self.steering)

    def holds_own(self, word: str) -> bool:
        """Whether a word names a folder above our own data, or above what tells this app what to do."""
        places = (*self.own, *self.steering)
        return any(PurePath(place).is_relative_to(path) for path in self.paths(word) for place in places)

    def owns(self, word: str) -> bool:
        """Whether a word names something below the folders of our own data."""
        return any(
            PurePath(path).is_relative_to(folder)
            for name in spellings(word)
            for path in self.paths(name)
            for folder in self.own
        )


def scene(
    workspace: str,
    cwd: str,
    own: Iterable[str],
    commands: Iterable[tuple[str, ...]],
    steering: Iterable[str] = (),
) -> Scene:
    """Return the scene of a line whose commands are `commands`: each `cd` may or may not have happened."""
    folders, lost = [os.path.realpath(cwd)], False
    for words in commands:
        if words[0] not in ("cd", "pushd", "popd"):
            continue
        aim = words[1] if words[0] == "cd" and len(words) == 2 else ""
        lost = lost or not aim or aim.startswith("-") or "\0" in aim
        if not lost:
            new = [_real(folder, name) for folder in folders for name in (aim, os.path.normpath(aim))]
            folders = list(dict.fromkeys([*folders, *new]))
            lost = len(folders) > _MOST_FOLDERS
    return Scene(workspace, tuple(folders[:_MOST_FOLDERS]), tuple(own), tuple(steering), lost)


def _real(folder: str, word: str) -> str:
    path = os.path.join(folder, word)
    try:
        if "/" not in word and word not in (".", "..") and os.sep == "/" and not os.path.islink(path):
            return path  # the folder is a real one
        return os.path.realpath(path)
    except (OSError, ValueError):
        return os.path.normpath(path)


def spellings(word: str) -> list[str]:
    """Return what of a word may be a file name: `--output=x`, `of=x`, `f=@x`, `HEAD:x`, `-ox` and `-uox` name
    x.
    """
    found = [word, *(word[place.end() :] for place in islice(_MARKS.finditer(word), _MOST_NAMES))]
    if bundle := _BUNDLE.match(word):
        rests = (word[at:] for at in range(3, min(bundle.end(), _MOST_NAMES) + 1))
        found += [word[2:], *filter(_LIKE_A_NAME.search, rests)]
    return list(dict.fromkeys(filter(None, found)))


def odd_target(redirect: Redirect, at: Scene) -> str:
    """Return a code where a redirection is asked about always, else ""."""
    word = redirect.target
    if word is None:
        return "dynamic"
    if word in HARMLESS:
        return ""
    if word.startswith(_NET):
        return "network_file"
    if misleads(word):
        return "protected"
    for path in at.paths(word):
        if is_system(path) or word.startswith("/dev/"):
            return "device"
        if redirect.direction != "read" and (code := _odd_file(path, at)):
            return code
    return "lost_folder" if at.lost and not os.path.isabs(word) and redirect.direction != "read" else ""


def _odd_file(path: str, at: Scene) -> str:
    if code := at.guards(path):
        return code
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return ""
    if os.path.isfile(path):
        return "hard_link" if found.st_nlink > 1 else ""
    return "" if os.path.isdir(path) else "device"

"""The programs that a Linux desktop offers: its desktop entries, and the words that start one.

After the Desktop Entry Specification of freedesktop.org, version 1.5: groups, localised names, the quoting of
Exec and its field codes.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

_MOST = 1 << 16
"""Bytes of an entry that are read."""


class DesktopEntry(NamedTuple):
    """One program. `id` is the entry's name without its ending."""

    id: str
    path: str
    name: str
    names: tuple[str, ...]
    """All names that a person may call it by: in their language and others, the kind of program it is."""
    exec: str
    try_exec: str
    folder: str
    terminal: bool
    window_class: str
    kinds: tuple[str, ...] = ()
    """What it says that it opens: media types, and x-scheme-handler/SCHEME for addresses."""


def folders(environ: Mapping[str, str]) -> list[Path]:
    """Return where entries lie, those of the person first."""
    home = environ.get("HOME", "")
    own = environ.get("XDG_DATA_HOME") or (os.path.join(home, ".local", "share") if home else "")
    shared = environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    places = [own, *shared.split(":")]
    return [Path(place) / "applications" for place in places if os.path.isabs(place)]


def entries(environ: Mapping[str, str]) -> list[DesktopEntry]:
    """Return the programs that are shown to a person. One with the same id in an earlier folder hides it."""
    found: dict[str, DesktopEntry | None] = {}
    for folder in folders(environ):
        for path in sorted(folder.rglob("*.desktop")) if folder.is_dir() else []:
            id = "-".join(path.relative_to(folder).with_suffix("").parts)
            if id not in found:
                found[id] = _read(path, id)
    return [entry for entry in found.values() if entry is not None]


def _read(path: Path, id: str) -> DesktopEntry | None:
    try:
        with open(path, "rb") as file:
            text = file.read(_MOST).decode("utf-8", "replace")
    except OSError:
        return None
    keys = dict(_keys(text))
    hidden = "true" in (keys.get("NoDisplay", ""), keys.get("Hidden", ""))
    if keys.get("Type") != "Application" or hidden or not keys.get("Exec"):
        return None
    names = [value for key, value in keys.items() if key.split("[")[0] in ("Name", "GenericName")]
    return DesktopEntry(
        id=id,
        path=str(path),
        name=keys.get("Name", id),
        names=tuple(dict.fromkeys(names)),
        exec=keys["Exec"],
        try_exec=keys.get("TryExec", ""),
        folder=keys.get("Path", ""),
        terminal=keys.get("Terminal") == "true",
        window_class=keys.get("StartupWMClass", ""),
        kinds=tuple(filter(None, keys.get("MimeType", "").split(";"))),
    )


def _keys(text: str) -> Iterator[tuple[str, str]]:
    """Yield the keys of the group [Desktop Entry]; the first of its name counts."""
    inside = False
    seen = set()
    for line in text.splitlines():
        if line.startswith("["):
            inside = line.strip() == "[Desktop Entry]"
        elif inside and "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            if key.strip() not in seen:
                seen.add(key.strip())
                yield key.strip(), value.strip()


def matching(found: Sequence[DesktopEntry], wanted: str) -> list[DesktopEntry]:
    """Return the programs that a person may mean, the likeliest alone where one fits best."""
    word = wanted.strip().casefold().removesuffix(".desktop")
    for fits in _FITTING:
        if word and (fitting := [one for one in found if fits(one, word)]):
            return fitting
    return []


_FITTING: tuple[Callable[[DesktopEntry, str], bool], ...] = (
    lambda one, word: word in (one.id.casefold(), one.name.casefold()),
    lambda one, word: word in map(str.casefold, one.names),
    lambda one, word: word in (one.id.casefold().rpartition(".")[2], _program(one)),
    lambda one, word: any(name.casefold().startswith(word) for name in one.names),
    lambda one, word: any(word in name.casefold() for name in (*one.names, one.id)),
)
"""Ways to be meant by a word, the surest first."""


def _program(entry: DesktopEntry) -> str:
    return os.path.basename(command(entry, ())[0]).casefold()


def command(entry: DesktopEntry, given: Sequence[str]) -> list[str]:
    """Return the words that start a program with files or addresses; `[""]` where its Exec cannot be read.

    %f, %F, %u and %U stand for what is given, %c for the name, %k for the entry, others for nothing.
    """
    try:
        words = shlex.split(entry.exec.replace("\\\\", "\\"))
    except ValueError:
        return [""]
    made: list[str] = []
    taken = False
    for word in words:
        if word in ("%f", "%u", "%F", "%U"):
            made += given[:1] if word.islower() else given
            taken = True
        elif word not in ("%i", "%d", "%D", "%n", "%N", "%v", "%m"):
            made.append(word.replace("%c", entry.name).replace("%k", entry.path).replace("%%", "%"))
    return [*made, *(() if taken else given)] or [""]

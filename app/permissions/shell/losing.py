"""Commands that take away what cannot be made again: what they would hit."""

from __future__ import annotations

from dataclasses import dataclass

from app.permissions.shell import git
from app.permissions.shell.programs import base

_ALWAYS = frozenset(
    {
        "mkfs", "wipefs", "fdisk", "sfdisk", "gdisk", "parted", "mkswap", "blkdiscard", "hdparm", "shred",
        "srm", "shutdown", "reboot", "halt", "poweroff", "telinit",
    }
)  # fmt: skip
_REMOVE = frozenset(["rm", "truncate", "rmdir", "unlink", "trash", "trash-put", "gio", "rimraf", "del-cli"])
_RECURSIVE = frozenset(["chmod", "chown", "chgrp", "setfacl", "chattr"])
_TREES = {"docker": ("prune", "rm", "rmi"), "podman": ("prune", "rm", "rmi"), "kubectl": ("delete",),
          "terraform": ("destroy",), "systemctl": ("poweroff", "reboot", "halt"), "dropdb": (), "cargo": (),
          "git-lfs": ("prune",), "svn": ("cleanup", "revert")}  # fmt: skip


@dataclass(frozen=True)
class Losing:
    """What a destructive command aims at. Words as they stand; "" for one that only the shell knows."""

    targets: tuple[str, ...] = ()
    always: bool = False
    """Asked whatever it would hit, since that cannot be counted."""


def losing(words: tuple[str, ...]) -> Losing | None:
    """Return what a command would destroy, None for one that destroys nothing by its words."""
    name = base(words[0]) if words else ""
    if name == "git":
        return Losing(always=True) if git.throws_away(words) else None
    if name.startswith("mkfs") or name in _ALWAYS:
        return Losing(_operands(words), always=True)
    if name in _REMOVE:
        return Losing(_operands(words))
    if name in _RECURSIVE:
        flags = _flags(words)
        deep = any(flag == "--recursive" or (flag[1:2] != "-" and "R" in flag) for flag in flags)
        return Losing(_operands(words)[1:]) if deep else None
    return _by_options(name, words)


def _by_options(name: str, words: tuple[str, ...]) -> Losing | None:
    """Programs that destroy with some options or sub-commands only."""
    operands, flags = _operands(words), _flags(words)
    if name == "find" and "-delete" in words:
        return Losing(operands[:1], always=True)
    if name == "dd":
        return Losing(tuple(word[3:] for word in words if word.startswith("of=")))
    if name == "mv":
        return Losing(_replaced(operands, flags))
    if name == "rsync" and any(flag.startswith(("--del", "--remove")) for flag in flags):
        return Losing(operands[-1:], always=True)
    if name == "kill" and "-1" in words[2:]:
        return Losing(always=True)
    return Losing(always=True) if not set(_TREES.get(name, ())).isdisjoint(operands) else None


def _flags(words: tuple[str, ...]) -> list[str]:
    return [word for word in words[1:] if word.startswith("-")]


def _operands(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words that are no options; all behind `--` are none."""
    found: list[str] = []
    rest = False
    for word in words[1:]:
        if rest or not word.startswith("-") or word == "-":
            found.append(word)
        rest = rest or word == "--"
    return tuple(found)


def _replaced(operands: tuple[str, ...], flags: list[str]) -> tuple[str, ...]:
    """What a move hits: the sources when there are many, and what stood at its destination."""
    if "-n" in flags or "--no-clobber" in flags:
        return operands[:-1]
    return operands

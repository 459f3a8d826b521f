"""What is asked about in a line whatever the rules allow (forms, "Rules"; product 5.2; facts: safety 2.2)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from app.effects import Loss
from app.permissions.losses import LOOK, counted, matters
from app.permissions.places import is_secret
from app.permissions.shell import git
from app.permissions.shell.losing import Losing, losing
from app.permissions.shell.ours import is_other_shell, is_ours, mentions_us
from app.permissions.shell.programs import base
from app.permissions.shell.records import Reading, Redirect
from app.permissions.shell.scene import HARMLESS, Scene, odd_target, spellings
from app.permissions.shell.survey import Survey
from app.permissions.shell.writing import only_reads, written

_HIDDEN = ("control", "surrogate", "invisible")
_ASSIGNS = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=")
_GIT_READS = frozenset(
    {
        "diff", "log", "show", "status", "blame", "grep", "ls-files", "add", "commit", "shortlog",
        "describe", "rev-parse",
    }
)  # fmt: skip
_LINKERS = frozenset(["ln", "link", "symlink", "mv", "rsync", "tar", "unzip", "mount"])
_PERSISTENT = frozenset(
    {
        "crontab", "at", "batch", "systemctl", "launchctl", "schtasks", "update-rc.d", "chsh", "visudo",
        "passwd", "usermod",
    }
)  # fmt: skip
"""Programs that let something run later, or as somebody else."""
Words = tuple[str, ...]


def always(text: str, reading: Reading, found: Survey, at: Scene) -> str:
    """Return the code of the first thing that is asked about always, else "". Touches the disk for paths."""
    if reading.odd in _HIDDEN:
        return "hidden_characters"
    if (reading.odd or found.texts) and mentions_us(text):
        return "own_program"
    for words in (*found.certain, *found.possible):
        if code := _named(words, found) or _command(words, at):
            return code
    for words in found.ends:  # their words as files were judged with the wrapper
        if code := _named(words, found):
            return code
    for redirect in found.redirects:
        if code := odd_target(redirect, at) or _moved(redirect, found, at) or _read(redirect, at):
            return code
    return "dynamic" if found.unnamed else ""


def _read(redirect: Redirect, at: Scene) -> str:
    opened = redirect.direction in ("read", "both") and redirect.target is not None
    return "secret_path" if opened and _secret(redirect.target or "", at) else ""


def _named(words: Words, found: Survey) -> str:
    """Judge a command by its name and options."""
    if is_other_shell(words):
        return "other_shell"
    name = base(words[0])
    if is_ours(words):
        return "own_program"
    if name == "git" and (git.runs_programs(words) or any(map(git.is_variable, _variables(found)))):
        return "git_option"
    if name in _PERSISTENT and words[1:] not in (("-l",), ("status",)):
        return "protected"
    return ""


def _command(words: Words, at: Scene) -> str:
    """Judge a command by the files that its words name."""
    changed = [word for folder in at.folders for word in written(words, folder)]
    unlike = list(dict.fromkeys(words))
    if any(map(at.owns, unlike)) or any(map(at.holds_own, changed)):
        return "own_program"
    name = base(words[0])
    if name == "git" and any(map(git.is_bare, at.folders)):
        return "git_option"
    if any(_secret(word, at) for word in unlike if word != words[0]):
        return "secret_path"
    if only_reads(words) or (name == "git" and git.split(words)[1] in _GIT_READS):
        return ""
    return next(filter(None, map(at.protects, (*unlike, *changed))), "")


def _moved(redirect: Redirect, found: Survey, at: Scene) -> str:
    """Return a code where another part of the line may change where a redirection leads: by a link, or by
    making a folder that is not there yet.
    """
    if len(found.certain) < 2 or redirect.direction == "read" or redirect.target in (None, *HARMLESS):
        return ""
    if any(base(words[0]) in _LINKERS for words in found.commands):
        return "lost_folder"
    there = all(os.path.isdir(os.path.dirname(path)) for path in at.paths(redirect.target or ""))
    return "" if there else "lost_folder"


def _variables(found: Survey) -> Iterator[str]:
    yield from found.variables
    for at in found.starters:
        for word in found.certain[at]:
            if assigned := _ASSIGNS.match(word):
                yield assigned[1]


def _secret(word: str, at: Scene) -> bool:
    """Whether a word names a place that holds secrets; a bare word only where such a file is there."""
    for name in spellings(word):
        for path in at.paths(name):
            if is_secret(path) and ("/" in name or os.path.lexists(path)):
                return True
    return False


def destructive(found: Survey, reading: Reading, at: Scene) -> tuple[bool, tuple[Loss, ...]]:
    """Return whether a line destroys what is asked about always, and what it would take away.

    Counted only where it is certain what it hits; a destructive command that is started by another, that
    stands in a line that is not plain, or whose target other parts of the line may change, asks in any case.
    """
    aims = [(aim, True) for words in found.certain if (aim := losing(words))]
    aims += [(aim, False) for words in (*found.possible, *found.ends) if (aim := losing(words))]
    if any(git.checks_out(words) and _there(words[2:], at) for words in found.commands):
        return True, ()  # files named without `--` lose what is not committed all the same
    if not aims:
        return False, ()
    losses: dict[str, Loss] = {}
    asks = bool(reading.odd) or at.lost
    for aim, certain in aims:
        asks = asks or aim.always or not certain or "" in aim.targets
        for path in _aimed(aim, at):
            if path in losses:
                continue
            loss = counted(path, at.workspace, LOOK)
            if loss is not None:
                losses[path] = loss
            elif len(found.certain) > 1:
                asks = True
    return asks or matters(losses.values()), tuple(losses.values())


def _there(words: Words, at: Scene) -> bool:
    return any(os.path.lexists(os.path.join(folder, word)) for word in words for folder in at.folders if word)


def _aimed(aim: Losing, at: Scene) -> Iterator[str]:
    """Yield what a destructive command hits; the last link of a path is hit itself, not what it leads to."""
    for target in aim.targets:
        if not target or "\0" in target:
            continue
        for folder in at.folders:
            path = os.path.normpath(os.path.join(folder, target))
            if target.endswith("/"):
                yield os.path.realpath(path)
            else:
                yield os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))

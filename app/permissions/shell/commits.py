"""Whether a line may write a repository: whether nothing but Git and what plainly reads runs in it."""

from __future__ import annotations

import re

from app.permissions.shell import git
from app.permissions.shell.inner import starts
from app.permissions.shell.programs import base
from app.permissions.shell.reading import read_line
from app.permissions.shell.survey import survey
from app.permissions.shell.writing import only_reads

_INSIDE = re.compile(r"(?:\A|[/=:])\.git(?:/|\Z)")
"""A place in a repository's own folder, where Git would put a checkout or an archive as well."""
_WHO = re.compile(r"user\.(?:name|email)=")
"""Settings on a line that choose no program."""


def only_git(text: str, cwd: str = "") -> bool:
    """Whether all that a line runs in `cwd` is Git, beside `cd` and programs that only read. Pure.

    Anything else could put a file into `.git` that says which programs the person's own Git runs later.
    """
    found = survey(read_line(text))
    if found.dark or found.unnamed or any(map(git.is_variable, found.variables)) or _INSIDE.search(cwd):
        return False
    if not any(base(words[0]) == "git" for words in found.commands):
        return False
    return all(map(_harmless, found.commands)) and not any(
        redirect.target is None or _INSIDE.search(redirect.target)
        for redirect in found.redirects
        if redirect.direction != "read"
    )


def _harmless(words: tuple[str, ...]) -> bool:
    if base(words[0]) == "git":
        words = _without_who(words)
        return not git.runs_programs(words) and not any(map(_INSIDE.search, words[1:]))
    if words[0] == "cd":
        return not any(map(_INSIDE.search, words[1:]))
    return only_reads(words) and starts(words) is None


def _without_who(words: tuple[str, ...]) -> tuple[str, ...]:
    while words[1:2] == ("-c",) and _WHO.match("".join(words[2:3])):
        words = (words[0], *words[3:])
    return words

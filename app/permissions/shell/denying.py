"""Rules that forbid, or that say to ask: looked for in all that a line may run, read and write."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.permissions import rules
from app.permissions.rules import Rule
from app.permissions.shell.programs import base
from app.permissions.shell.records import Reading
from app.permissions.shell.scene import Scene, spellings
from app.permissions.shell.survey import Survey
from app.permissions.shell.writing import only_reads, written

_CHAIN = re.compile(r"&&|\|\||[;|&\n(){}`]|\$\(")
Words = tuple[str, ...]
_QUOTES = re.compile(r"\\\n|['\"\\]")
_MOST_PLACES = 64
_MOST_PARTS = 400
_CALM = frozenset(["echo", "printf", "git"])
"""Programs whose words are words; behind an unknown one they may be a command."""
_FOLDS = sys.platform in ("darwin", "win32")
"""Where RM is rm."""


def _stays_above(words: Words) -> bool:
    """Whether a command looks at a folder without what lies in it."""
    return base(words[0]) in ("cd", "ls", "stat", "pwd", "echo", "printf", "test", "mkdir", "file", "which")


@dataclass(frozen=True)
class _Index:
    """What a line may run, by the first word; made once and asked for every rule."""

    named: dict[str, list[Words]]
    behind: dict[str, list[Words]]
    """What stands behind programs that may be wrappers for all that is known of them."""
    unsure: tuple[Words, ...]
    """Commands with words that only the shell knows."""
    bare: str
    """The text without quotes, where it was not plain."""
    hazy: bool
    """Something in it is not known for sure."""

    def mentions(self, program: str) -> bool:
        """Whether a program may be run for all that is known."""
        return program in self.named or program in self.behind


def forbidden(
    candidates: Sequence[Rule], tool: str, text: str, reading: Reading, found: Survey, at: Scene
) -> tuple[Rule | None, Rule | None]:
    """Return the first rule that certainly speaks about the line, and the first that perhaps does."""
    perhaps: Rule | None = None
    index = _indexed(text, reading, found) if candidates else None
    for rule in candidates:
        if index is not None and not index.hazy and rule.program and not index.mentions(rule.program):
            continue
        sure = maybe = False
        if index is not None and rule.tool in (tool, "run_command"):
            sure, maybe = _commands(rule, index, found)
        elif rule.tool in ("write_file", "read_file"):
            sure, maybe = _paths(rule, found, at)
        if sure:
            return rule, perhaps
        if maybe and perhaps is None:
            perhaps = rule
    return None, perhaps


def _indexed(text: str, reading: Reading, found: Survey) -> _Index:
    named: dict[str, list[Words]] = {}
    for words in (*found.commands, *(() if reading.whole else _roughly(text))):
        for name in _names(words):
            named.setdefault(name, []).append(words)
    behind: dict[str, list[Words]] = {}
    for words in found.certain:
        if only_reads(words) or base(words[0]) in _CALM:
            continue
        for at in range(1, min(len(words), _MOST_PLACES)):
            behind.setdefault(words[at], []).append(words[at : at + _MOST_PLACES])
    unsure = tuple(words for words in found.commands if "" in words)
    bare = _QUOTES.sub("", text) if reading.odd else ""
    return _Index(named, behind, unsure, bare, bool(bare or unsure or found.dark or found.unnamed))


def _roughly(text: str) -> Iterator[Words]:
    """Yield what may be commands in a text that no parser understands."""
    for part in _CHAIN.split(text)[:_MOST_PARTS]:
        if words := tuple(_QUOTES.sub("", part).split()):
            yield words


def _names(words: Words) -> set[str]:
    """The names that a program counts by where it is forbidden: as written, and without its folder."""
    names = {words[0], words[0].replace("\\", "/").rsplit("/", 1)[-1]}
    return names | {name.casefold() for name in names} if _FOLDS else names


def _commands(rule: Rule, index: _Index, found: Survey) -> tuple[bool, bool]:
    wanted, open_end = rules.pattern_words(rule.pattern)
    if not wanted:
        return open_end, False
    if any(_fits(words, wanted, open_end) for words in index.named.get(wanted[0], ())):
        return True, False
    if found.dark or found.unnamed or any(_may_fit(words, wanted, open_end) for words in index.unsure):
        return False, True
    mentioned = wanted[0] in index.bare and re.search(
        rf"(?<![\w-]){re.escape(wanted[0])}(?![\w-])", index.bare
    )
    return False, bool(mentioned) or any(
        _fits(words, wanted, open_end) for words in index.behind.get(wanted[0], ())
    )


def _fits(words: Words, wanted: Words, open_end: bool) -> bool:
    return words[1 : len(wanted)] == wanted[1:] and (open_end or len(words) == len(wanted))


def _may_fit(words: Words, wanted: Words, open_end: bool) -> bool:
    """Whether words might be those of a rule, once the shell has filled in what only it knows."""
    unknown = words.index("")
    return words[:unknown] == wanted[:unknown] and (open_end or unknown < len(wanted))


def _paths(rule: Rule, found: Survey, at: Scene) -> tuple[bool, bool]:
    writes = rule.tool == "write_file"
    lies, root = rules.place(rule, at.workspace), rules.root(rule, at.workspace)
    wild = rules.is_wild(rule)

    def covers(word: str) -> bool:
        return any(lies(path) for name in spellings(word) for path in at.paths(name))

    def holds(word: str) -> bool:
        paths = (path for name in spellings(word) for path in at.paths(name))
        return any(
            root == path
            or root.startswith(path.rstrip("/") + "/")
            or (wild and path.startswith(root.rstrip("/") + "/") and os.path.isdir(path))
            for path in paths
        )

    for redirect in found.redirects:
        if redirect.direction == "both" or writes == (redirect.direction != "read"):
            if redirect.target is None:
                return False, True
            if covers(redirect.target):
                return True, False
    judged = (*found.certain, *found.possible)
    if writes and any(
        covers(word) for words in judged for folder in at.folders for word in written(words, folder)
    ):
        return True, False
    named = [words for words in judged if any(map(covers, words[1:]))]
    if writes:
        named = [words for words in named if not only_reads(words)]
    certain = not writes and any(only_reads(words) and words[0] not in ("echo", "printf") for words in named)
    unknown = any("" in words for words in judged)
    above = any(holds(word) for words in judged if not _stays_above(words) for word in words[1:])
    return certain, bool(named) or unknown or above

"""Rules that forbid, or that say to ask: looked for in all that a line may run, read and write."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator, Sequence

from app.permissions import rules
from app.permissions.rules import Rule
from app.permissions.shell.programs import base
from app.permissions.shell.records import Reading
from app.permissions.shell.scene import Scene, spellings
from app.permissions.shell.survey import Survey
from app.permissions.shell.writing import only_reads, written

_CHAIN = re.compile(r"&&|\|\||[;|&\n(){}`]|\$\(")
_CALM = frozenset(["echo", "printf", "git"])
"""Programs whose words are words; behind an unknown one they may be a command."""
_FOLDS = sys.platform in ("darwin", "win32")
"""Where RM is rm."""


def forbidden(
    candidates: Sequence[Rule], tool: str, text: str, reading: Reading, found: Survey, at: Scene
) -> tuple[Rule | None, Rule | None]:
    """Return the first rule that certainly speaks about the line, and the first that perhaps does."""
    perhaps: Rule | None = None
    for rule in candidates:
        sure = maybe = False
        if rule.tool in (tool, "run_command"):
            sure, maybe = _commands(rule, text, reading, found)
        elif rule.tool in ("write_file", "read_file"):
            sure, maybe = _paths(rule, found, at)
        if sure:
            return rule, perhaps
        if maybe and perhaps is None:
            perhaps = rule
    return None, perhaps


def _commands(rule: Rule, text: str, reading: Reading, found: Survey) -> tuple[bool, bool]:
    if rule.pattern == "*":
        return True, False
    if any(_names(rule, words) for words in found.commands):
        return True, False
    if not reading.whole and any(_names(rule, _loose(part)) for part in _CHAIN.split(text)):
        return True, False
    maybe = found.dark or found.unnamed or any(_may_name(rule, words) for words in found.commands)
    maybe = maybe or (bool(reading.odd) and _is_mentioned(rule, text))
    return False, maybe or any(_names(rule, words) for words in _behind_unknown(found.certain))


def _is_mentioned(rule: Rule, text: str) -> bool:
    """Whether the program of a rule stands anywhere in a text, whatever is quoted how."""
    wanted, _ = rules.pattern_words(rule.pattern)
    bare = re.sub(r"\\\n|['\"\\\\]", "", text)
    return not wanted or bool(re.search(rf"(?<![\w-]){re.escape(wanted[0])}(?![\w-])", bare))


def _names(rule: Rule, words: tuple[str, ...]) -> bool:
    """Whether a rule that forbids means these words; the program counts by its base name too."""
    if not words:
        return False
    wanted, open_end = rules.pattern_words(rule.pattern)
    size = len(wanted)
    if not wanted or (not open_end and len(words) != size) or words[1:size] != wanted[1:]:
        return not wanted and open_end
    tries = {words[0], words[0].replace("\\", "/").rsplit("/", 1)[-1]}
    if _FOLDS:
        tries |= {name.casefold() for name in tries}
    return wanted[0] in tries


def _may_name(rule: Rule, words: tuple[str, ...]) -> bool:
    """Whether it might, once the shell has filled in the words that only it knows."""
    if "" not in words:
        return False
    wanted, open_end = rules.pattern_words(rule.pattern)
    unknown = words.index("")
    return tuple(words[:unknown]) == wanted[:unknown] and (open_end or unknown < len(wanted))


def _behind_unknown(commands: tuple[tuple[str, ...], ...]) -> Iterator[tuple[str, ...]]:
    """Yield what stands behind a program that may be a wrapper for all that is known of it."""
    for words in commands:
        if not words or only_reads(words) or base(words[0]) in _CALM:
            continue
        for at in range(1, len(words)):
            yield words[at:]


def _paths(rule: Rule, found: Survey, at: Scene) -> tuple[bool, bool]:
    writes = rule.tool == "write_file"

    def covers(word: str) -> bool:
        return any(
            rules.path_matches(rule, path, at.workspace)
            for name in spellings(word)
            for path in at.paths(name)
        )

    for redirect in found.redirects:
        if redirect.direction == "both" or writes == (redirect.direction != "read"):
            if redirect.target is None:
                return False, True
            if covers(redirect.target):
                return True, False
    for words in found.commands:
        if writes and any(covers(word) for folder in at.folders for word in written(words, folder)):
            return True, False
    others = [words for words in found.commands if words and only_reads(words) != writes]
    named = any(covers(word) for words in others for word in words[1:])
    certain = not writes and named and any(base(words[0]) not in ("echo", "printf") for words in others)
    return certain, named


def _loose(part: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(part))
    except ValueError:
        return tuple(part.split())

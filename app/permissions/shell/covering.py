"""Whether rules that allow cover a plain line: each of its commands, what it opens, and what it writes
outside of the working folder.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.permissions import rules
from app.permissions.rules import Rule
from app.permissions.shell.inner import inner_at, starts
from app.permissions.shell.programs import SHELL_STATE
from app.permissions.shell.records import Redirect
from app.permissions.shell.scene import HARMLESS, Scene
from app.permissions.shell.writing import written

Words = tuple[str, ...]


def command_rule(allow: Sequence[Rule], tool: str, words: Words, *, alone: bool) -> Rule | None:
    """Return the rule that allows one simple command, by its words.

    A rule with an open end does not allow what starts something else, unless it names that too: `timeout 60
    npm *` does, `timeout *` only beside a rule for npm. What changes the meaning of later words counts alone.
    """
    if words[0] in SHELL_STATE and not alone:
        return None
    first = words[0]
    named = (rule for rule in allow if rule.program == first and rule.tool == tool)
    matching = [rule for rule in named if rules.command_matches(rule, words)]
    if not matching or starts(words) is None:
        return matching[0] if matching else None
    inside = inner_at(words)
    for rule in matching:
        wanted, open_end = rules.pattern_words(rule.pattern)
        if not open_end or (inside and len(wanted) > inside and starts(words[inside:]) is None):
            return rule
    if inside and starts(words[inside:]) is None:
        return command_rule(allow, tool, words[inside:], alone=alone)
    return None


def file_rule(allow: Sequence[Rule], tool: str, path: str, workspace: str) -> Rule | None:
    """Return the `write_file` or `read_file` rule that covers a real path."""
    return next(
        (rule for rule in allow if rule.tool == tool and rules.path_matches(rule, path, workspace)), None
    )


def redirect_rules(allow: Sequence[Rule], redirect: Redirect, at: Scene) -> list[Rule] | None:
    """Return the rules that cover a redirection, none where none is needed, None where one is missing."""
    if redirect.target is None:
        return None
    if redirect.target in HARMLESS:
        return []
    found: list[Rule] = []
    for path in at.paths(redirect.target):
        if redirect.direction != "read":
            if (rule := file_rule(allow, "write_file", path, at.workspace)) is None:
                return None
            found.append(rule)
        if redirect.direction in ("read", "both") and not at.inside(path):
            if (rule := file_rule(allow, "read_file", path, at.workspace)) is None:
                return None
            found.append(rule)
    return found


def outside(commands: Sequence[Words], redirects: Sequence[Redirect], at: Scene) -> tuple[str, ...]:
    """Return the real paths outside of the working folder that a line writes, as far as its words say so."""
    targets = [redirect.target for redirect in redirects if redirect.direction != "read" and redirect.target]
    named = [word for word in targets if word not in HARMLESS]
    named += [word for words in commands for word in written(words, at.folders[0])]
    paths = (path for word in named for path in at.paths(word))
    return tuple(dict.fromkeys(path for path in paths if not at.inside(path)))

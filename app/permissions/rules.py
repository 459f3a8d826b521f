"""Rules as people write them, `TOOL(PATTERN)`, and whether one speaks about an effect.

Forms: `run_command(git status)` exactly these words, `run_command(git *)` any further words,
`write_file(/path/**)` all below that folder, `write_file(**)` all below the working folder,
`web_fetch(example.org)` the host (`requests.py` says more), `TOOL(*)` any call. Words are compared after
quote removal and as whole words; a command that is not one simple command of plain words matches no rule that
allows; `commands` says how a whole line is judged.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Sequence
from functools import lru_cache

from app.errors import BrambleError
from app.records import Record

_FORM = re.compile(r"(?P<tool>[A-Za-z][A-Za-z0-9_.-]*)\((?P<pattern>.*)\)\Z", re.DOTALL)
_COMMANDS = ("run_command", "job_input")
_WRITERS = frozenset(
    {"write_file", "edit_file", "edit_lines", "apply_patch", "create_dir", "copy_file", "move_file"}
    | {"restore_file", "trash_file", "archive", "download_file"}
    | {"image_generate", "image_edit"}
)


class Rule(Record):
    """One rule: `text` as written, `tool` and `pattern` taken apart."""

    text: str
    tool: str
    pattern: str
    program: str = ""
    """The first word of a rule for commands, by which all but a few of many rules are told apart; "" where
    it names none.
    """


def parse(text: str) -> Rule:
    """Return the rule. Raises BrambleError (bad_rule) that shows the form."""
    found = _FORM.match(text.strip())
    if not found or not found["pattern"].strip():
        raise BrambleError(
            "bad_rule",
            f"{text!r} is no rule. A rule reads TOOL(PATTERN), such as run_command(git status).",
            rule=text,
        )
    pattern = found["pattern"].strip()
    program = _program(pattern, text) if found["tool"] in _COMMANDS else ""
    return Rule(text=text.strip(), tool=found["tool"], pattern=pattern, program=program)


def _program(pattern: str, text: str) -> str:
    """Return the first word. Refuse words that no rule can mean, so that one that denies is never silent."""
    try:
        return "".join(pattern_words(pattern)[0][:1])
    except ValueError:
        raise BrambleError("bad_rule", f"{text!r} has a quote that does not close.", rule=text) from None


@lru_cache(maxsize=4096)
def pattern_words(pattern: str) -> tuple[tuple[str, ...], bool]:
    """Return the words of a rule for commands, and whether a last `*` stands for any further ones.

    A quoted star is a word like another. Raises ValueError for quotes that do not close.
    """
    open_end = pattern == "*" or pattern.endswith((" *", "\t*"))
    return tuple(shlex.split(pattern[:-1] if open_end else pattern)), open_end


def command_matches(rule: Rule, words: Sequence[str]) -> bool:
    """Whether a rule names these words of one simple command: whole words, the program as it is written."""
    wanted, open_end = pattern_words(rule.pattern)
    if not wanted or not words or wanted[0] != words[0]:  # all but a few of many rules end here
        return not wanted and open_end
    return tuple(words[: len(wanted)] if open_end else words) == wanted


def path_matches(rule: Rule, path: str, cwd: str) -> bool:
    """Whether `path` (absolute, resolved) is a file that the rule names: see `place`."""
    return place(rule, cwd)(path)


def place(rule: Rule, cwd: str) -> Callable[[str], bool]:
    """Return the test of `path_matches` for one rule; the links of its own path are followed once.

    `docs/**` is all below docs; elsewhere `**` stands for any folders and `*` for a part of one name, so
    `**/.env` is every .env below the working folder. All other characters mean themselves.
    """
    if rule.pattern == "*":
        return lambda path: True
    base, wild = root(rule, cwd), _parted(rule)[1]
    if not wild:
        return lambda path: os.path.normcase(path) == base
    start = base.rstrip(os.sep) + os.sep
    if wild == "**":
        return lambda path: path != base and os.path.normcase(path).startswith(start)
    named = _expression(os.path.normcase(wild).replace(os.sep, "/"))

    def lies(path: str) -> bool:
        known = os.path.normcase(path)
        below = known[len(start) :].replace(os.sep, "/")
        return known.startswith(start) and named.match(below) is not None

    return lies


def root(rule: Rule, cwd: str) -> str:
    """Return the real path of the file that a rule about files names, or of the folder that its stars are
    below.
    """
    return os.path.normcase(os.path.realpath(os.path.join(cwd, os.path.expanduser(_parted(rule)[0]))))


def is_wild(rule: Rule) -> bool:
    """Whether a rule about files names some of those below a folder: neither one file nor all of them."""
    return rule.pattern != "*" and _parted(rule)[1] not in ("", "**")


def _parted(rule: Rule) -> tuple[str, str]:
    """Return the part of a pattern before its first name with a star, and the rest."""
    parts = ("**" if rule.pattern == "*" else rule.pattern).split("/")
    first = next((at for at, part in enumerate(parts) if "*" in part), len(parts))
    plain = "/".join(parts[:first])
    return plain or ("/" if first and not parts[0] else "."), "/".join(parts[first:])


@lru_cache(maxsize=4096)
def _expression(wild: str) -> re.Pattern[str]:
    """Return what matches the path below the root of a rule."""
    pieces = re.split(r"(\*\*/|\*\*|\*)", wild)
    meant = {"**/": "(?:[^/]+/)*", "**": ".+", "*": "[^/]*"}
    return re.compile("".join(meant.get(one) or re.escape(one) for one in pieces) + r"\Z", re.DOTALL)


def host_matches(rule: Rule, host: str) -> bool:
    """Whether the rule names exactly this host; case is ignored."""
    return rule.pattern == "*" or rule.pattern.casefold() == host.casefold()


def speaks_of(rule: Rule, tool: str, *, writes: bool) -> bool:
    """Whether the rule is about this tool; a write_file rule speaks of every tool that changes files."""
    return rule.tool == tool or (writes and rule.tool == "write_file" and tool in _WRITERS)


def lets_delete(rule: Rule, tool: str) -> bool:
    """Whether an allow rule may answer for this tool: leave to write is no leave to send files away."""
    return tool != "trash_file" or rule.tool == tool

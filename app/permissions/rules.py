"""Rules as people write them, `TOOL(PATTERN)`, and whether one speaks about an effect.

Forms: `run_command(git status)` exactly these words, `run_command(git *)` any further words,
`write_file(/path/**)` all below that folder, `write_file(**)` all below the working folder,
`web_fetch(example.org)` the host, `TOOL(*)` any call. Words are compared after quote removal and as whole
words; a command that is not one
simple command of plain words matches no rule that allows (shell reading comes with the sandbox), only rules
that deny look into it.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from app.errors import BrambleError
from app.permissions.protected import is_protected

_FORM = re.compile(r"(?P<tool>[A-Za-z][A-Za-z0-9_.-]*)\((?P<pattern>.*)\)\Z", re.DOTALL)
_PLAIN = re.compile(
    r"[A-Za-z0-9_./=:,@%+\- '\"]+\Z"
)  # no expansion, redirection, chain, glob, comment or control character
_CHAIN = re.compile(r"&&|\|\||[;|&\n]")
_STARTERS = frozenset(
    [
        "env",
        "sudo",
        "doas",
        "su",
        "xargs",
        "sh",
        "bash",
        "dash",
        "zsh",
        "eval",
        "exec",
        "nohup",
        "nice",
        "timeout",
        "setsid",
        "stdbuf",
        "command",
        "builtin",
        "watch",
        "ssh",
    ]
)
"""Programs that run what their arguments say."""
_GIT_OPTIONS = (
    "-c",
    "-C",
    "--exec-path",
    "--ext-diff",
    "--output",
    "-O",
    "-p",
    "--paginate",
    "--git-dir",
    "--config-env",
)
_WRITERS = ("write_file", "edit_file", "edit_lines", "apply_patch")


@dataclass(frozen=True)
class Rule:
    """One rule: `text` as written, `tool` and `pattern` taken apart."""

    text: str
    tool: str
    pattern: str


def parse(text: str) -> Rule:
    """Return the rule. Raises BrambleError (bad_rule) that shows the form."""
    found = _FORM.match(text.strip())
    if not found or not found["pattern"].strip():
        raise BrambleError(
            "bad_rule",
            f"{text!r} is no rule. A rule reads TOOL(PATTERN), such as run_command(git status).",
            rule=text,
        )
    return Rule(text=text.strip(), tool=found["tool"], pattern=found["pattern"].strip())


def plain_words(command: str) -> list[str] | None:
    """Return the words of one simple command without anything a shell would expand or chain, else None."""
    if not _PLAIN.match(command):
        return None
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    return words if words and "=" not in words[0] else None


def command_allowed(rule: Rule, command: str) -> bool:
    """Whether an allow rule covers the whole command line."""
    if rule.pattern == "*":
        return True
    words = plain_words(command)
    return words is not None and _words_match(rule.pattern, words)


def command_denied(rule: Rule, command: str) -> bool:
    """Whether a deny rule speaks about any part of the command line; parts that cannot be read count by
    their first words.
    """
    if rule.pattern == "*":
        return True
    return any(
        _words_match(rule.pattern, _loose_words(part)) for part in _CHAIN.split(command) if part.strip()
    )


def path_matches(rule: Rule, path: str, cwd: str) -> bool:
    """Whether `path` (absolute, resolved) is the rule's file or lies below its `/**` folder."""
    pattern = rule.pattern
    if pattern == "*":
        return True
    if pattern == "**":  # below the working folder, as relative paths are
        pattern = "./**"
    below = pattern.endswith("/**")
    base = Path(cwd, Path(pattern.removesuffix("/**") or "/").expanduser()).resolve()
    return Path(path).is_relative_to(base) and Path(path) != base if below else Path(path) == base


def host_matches(rule: Rule, host: str) -> bool:
    """Whether the rule names exactly this host; case is ignored."""
    return rule.pattern == "*" or rule.pattern.casefold() == host.casefold()


def is_always_asked(command: str) -> bool:
    """Whether a command is asked about whatever is allowed (forms, "Rules").

    Those are: what writes to a protected place, `git clean`, git with options or variables that run programs
    or write files, and what starts another command.

    A coarse look at words until the shell is really parsed: it may ask too often, never too seldom for these.
    """
    words = _loose_words(command.replace("\n", " ; "))
    if any(is_protected(str(Path("/", word.strip("<>&|;()\"'"))), ()) for word in words):
        return True
    bare = [Path(word).name for word in words]
    if any(word in _STARTERS for word in bare):
        return True
    return "git" in bare and any(word == "clean" or word.startswith(_GIT_OPTIONS) for word in words)


def speaks_of(rule: Rule, tool: str, *, writes: bool) -> bool:
    """Whether the rule is about this tool; a write_file rule speaks of every tool that changes files."""
    return rule.tool == tool or (writes and rule.tool == "write_file" and tool in _WRITERS)


def _loose_words(part: str) -> list[str]:
    try:
        return shlex.split(part)
    except ValueError:
        return part.split()


def _words_match(pattern: str, words: list[str]) -> bool:
    wanted = shlex.split(pattern)
    if wanted and wanted[-1] == "*":
        return words[: len(wanted) - 1] == wanted[:-1]
    return words == wanted

"""Rules that would let a command happen from now on, narrowest first; whoever offers them tries them first.

None where a person has to look each time: what destroys, starts others, evaluates, talks to strangers by a
name that a rule cannot hold, or could not be read. No open end for what changes files, nor for Git.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from app.permissions.shell.inner import starts
from app.permissions.shell.losing import losing
from app.permissions.shell.programs import is_network
from app.permissions.shell.reading import read_line
from app.permissions.shell.records import Redirect
from app.permissions.shell.scene import HARMLESS, Scene, scene

MOST = 12
"""Rules of one offer; a longer list is not read by anybody."""
_WIDE = frozenset(
    {
        "ls", "cat", "head", "tail", "wc", "grep", "rg", "stat", "file", "du", "df", "diff", "cmp", "tree",
        "echo", "printf", "pwd", "which", "date", "jq", "cut", "tr", "nl", "pytest", "mypy", "ruff", "black",
        "isort", "flake8", "pyright", "tsc", "eslint", "prettier", "vitest", "jest", "ctest", "shellcheck",
    }
)  # fmt: skip
"""Programs for which any words may be offered."""
_SUBCOMMANDS = {
    "npm": ("run", "test", "ls", "outdated"), "pnpm": ("run", "test", "ls"), "yarn": ("run", "test",
    "list"), "cargo": ("build", "test", "check", "clippy", "fmt", "doc", "tree"), "python": ("-m",),
    "python3": ("-m",), "go": ("build", "test", "vet", "fmt", "list"), "dotnet": ("build", "test"),
    "pip": ("list", "show", "check"), "mvn": ("test", "compile", "verify"), "gradle": ("test", "build"),
    "cmake": ("--build",), "meson": ("compile", "test"), "bazel": ("build", "test", "query"),
    "zig": ("build", "test"), "mix": ("test", "compile"), "docker": ("ps", "images"),
}  # fmt: skip
"""Programs for which any words behind these sub-commands may be."""
_PRINTABLE = re.compile(r"[^\n\r\t\0]+\Z")
Words = tuple[str, ...]


def command_offers(command: str, cwd: str, workspace: str) -> list[tuple[str, ...]]:
    """Return the sets of rules for a command, narrowest first. They are not tried yet."""
    reading = read_line(command)
    if reading.odd:
        return []
    at = scene(workspace, cwd, (), [part.known for part in reading.commands])
    files = [_file(redirect, at) for redirect in reading.redirects if redirect.target not in HARMLESS]
    parts = [_exact(part.known) for part in reading.commands]
    if "" in files or "" in parts or len(files) + len(parts) > MOST:
        return []
    wide = [_wide(part.known) or exact for part, exact in zip(reading.commands, parts, strict=True)]
    made = [tuple(dict.fromkeys([*parts, *files])), tuple(dict.fromkeys([*wide, *files]))]
    return list(dict.fromkeys(made))


def _exact(words: Words) -> str:
    """Return the rule for exactly these words, "" where none may be saved."""
    if starts(words) is not None or losing(words) is not None or not all(map(_PRINTABLE.match, words)):
        return ""
    return f"run_command({shlex.join(words)})"


def _wide(words: Words) -> str:
    """Return a rule with an open end, "" where that would cover too much."""
    if is_network(words):
        return ""
    if words[0] in _WIDE:
        return f"run_command({words[0]} *)"
    if len(words) > 1 and words[1] in _SUBCOMMANDS.get(words[0], ()):
        fixed = words[:3] if words[1] in ("-m", "--build") else words[:2]
        return f"run_command({shlex.join(fixed)} *)"
    return ""


def _file(redirect: Redirect, at: Scene) -> str:
    """Return the rule for a file that is opened, "" where none can name it."""
    paths = list(dict.fromkeys(_paths(redirect, at)))
    if len(paths) != 1 or redirect.direction == "both":
        return ""
    path = paths[0]
    if "*" in path or path != path.strip() or not path.isprintable():
        return ""
    tool = "read_file" if redirect.direction == "read" else "write_file"
    return f"{tool}({path})"  # whole: kept for always, a name alone would mean that file in every folder


def _paths(redirect: Redirect, at: Scene) -> Iterator[str]:
    if redirect.target is not None:
        yield from at.paths(redirect.target)

"""File names matched by plain words or patterns, the way people and models write them."""

from __future__ import annotations

import re
from collections.abc import Callable

_WILD = re.compile(r"[*?\[{]")


def matcher(pattern: str) -> Callable[[str], bool]:
    """Return a test for paths relative to the start of a search, with slashes; letter case never counts.

    A plain word is any part of the name (with a slash: of the path). A pattern without a slash is for the
    name, with one for the whole path; `*` and `?` stop at slashes, `**` does not, `{a,b}` and `[abc]` choose.
    """
    pattern = pattern.replace("\\", "/").removeprefix("./")
    whole = "/" in pattern.rstrip("/")
    if not _WILD.search(pattern):
        word = pattern.rstrip("/").casefold()
        return lambda path: word in (path if whole else _name(path)).casefold()
    test = re.compile(
        f"(?:{'|'.join(_regex(one.strip('/')) for one in _braces(pattern))})\\Z", re.IGNORECASE | re.DOTALL
    )
    if whole:
        return lambda path: test.match(path) is not None
    return lambda path: test.match(path.rpartition("/")[2]) is not None


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _braces(pattern: str, most: int = 64) -> list[str]:
    """Return the patterns that `{a,b}` stands for; an unclosed brace is a plain character."""
    found = re.search(r"\{([^{}]*,[^{}]*)\}", pattern)
    if not found:
        return [pattern]
    made: list[str] = []
    for choice in found[1].split(","):
        made += _braces(pattern[: found.start()] + choice + pattern[found.end() :], most)
        if len(made) > most:
            break
    return made[:most]


def _regex(pattern: str) -> str:
    out, at = "", 0
    while at < len(pattern):
        if pattern.startswith("**/", at):
            out, at = out + "(?:[^/]+/)*", at + 3
        elif pattern.startswith("**", at):
            out, at = out + ".*", at + 2
        elif pattern[at] == "[" and (end := pattern.find("]", at + 2)) > 0:
            inside = pattern[at + 1 : end].replace("\\", "\\\\").replace("[", "\\[")
            inside = "^" + inside[1:] if inside[0] in "!^" else inside
            out, at = out + f"[{inside}]", end + 1
        else:
            out += {"*": "[^/]*", "?": "[^/]"}.get(pattern[at]) or re.escape(pattern[at])
            at += 1
    return out

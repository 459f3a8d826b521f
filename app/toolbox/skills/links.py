"""Finds the links of a SKILL.md that lead out of its folder. Links on the disk: `folder`."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote

from app.skill_records import Fault

_INLINE = r"\]\(\s{0,4}(?:<([^<>\n]{1,500})>|([^\s()<>]{1,500}))"
_DEFINED = r"\s{0,3}\[[^\]\n]{1,200}\]:\s{0,4}<?([^\s<>]{1,500})"
_SCHEME = r"[A-Za-z][A-Za-z0-9+.-]+:"
_MOST = 50


def leaving(body: str, first_line: int) -> Iterator[Fault]:
    """Yield a fault for each link of the Markdown `body` to a file outside of the skill; code is no link."""
    fence = ""
    found = 0
    for number, line in enumerate(body.split("\n"), first_line):
        mark = line.strip()[:3]
        if mark in ("```", "~~~") and (not fence or mark == fence):
            fence = "" if fence else mark
        if fence:
            continue
        for target in _targets(line):
            if found < _MOST and leaves(target):
                found += 1
                yield Fault(line=number, message=f"The link {target[:80]} leaves the folder; it is refused.")


def _targets(line: str) -> Iterator[str]:
    if "](" in line:
        for found in re.finditer(_INLINE, line):
            yield found[1] or found[2]
    if "]:" in line and (defined := re.match(_DEFINED, line)):
        yield defined[1]


def leaves(target: str) -> bool:
    """Whether a link leads to a file outside of the folder it stands in: absolute, at home, or above."""
    path = unquote(target).partition("#")[0].replace("\\", "/")
    if re.match(r"[A-Za-z]:", path) or path.lower().startswith("file:"):
        return True
    if not path or re.match(_SCHEME, path):
        return False
    if path[0] in "/~":
        return not path.startswith("//")  # a host, as in a page
    return posixpath.normpath(path).split("/")[0] == ".."

"""What a single line of Markdown can begin: the patterns of CommonMark blocks and of tables."""

from __future__ import annotations

import re
from typing import Literal

FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$")
HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
ITEM = re.compile(r"( {0,3})([-+*]|\d{1,9}[.)])(?=[ \t]|$)( *)")
SETEXT = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
DELIMITER = re.compile(r" {0,3}(?=.*\|)\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_PIPE = re.compile(r"(?<!\\)\|")
UNDECIDED = re.compile(r"\s*(?:[#>*+=|_-]+|`{1,2}|~{1,2}|\d{1,9}[.)]?)\s*$")
"""The beginning of a line that may yet become anything; it is not shown before the next character."""


def without_tabs(line: str) -> str:
    """Return the line with the tabs before its first word as spaces, four to a stop."""
    if "\t" not in line:
        return line
    bare = line.lstrip(" \t")
    return line[: len(line) - len(bare)].expandtabs(4) + bare


def content_offset(content: str) -> int:
    match = ITEM.match(content)
    assert match is not None
    return match.end(2) + max(1, len(match[3]) if len(match[3]) <= 4 else 1)


def block_start(rest: str, *, paragraph: bool) -> str:
    """Return which block begins with this line: fence, heading, rule, quote, item, or "" for text."""
    bare = rest.lstrip(" ")
    if bare[0] not in "`~#*-_+>0123456789" or len(rest) - len(bare) > 3:
        return ""
    if FENCE.match(rest):
        return "fence"
    if HEADING.match(rest):
        return "heading"
    if bare[0] == ">":
        return "quote"
    if RULE.match(rest) and not (paragraph and SETEXT.match(rest)):
        return "rule"
    item = ITEM.match(rest)
    if item is None or (paragraph and (item.end() >= len(rest.rstrip()) or item[2][:-1] not in ("", "1"))):
        return ""
    return "item"


def quote_leaf(rest: str) -> Literal["quote", "lazy quote"]:
    """Tell whether a plain line after this one belongs to the quote: only when its paragraph goes on."""
    content = rest.lstrip(" ")[1:].lstrip(" >")
    if not content or content.startswith(("```", "~~~", "    ")):
        return "quote"
    return "lazy quote" if block_start(content, paragraph=False) in ("", "item") else "quote"


def table_columns(line: str) -> int:
    bare = line.strip().removeprefix("|")
    bare = bare[:-1] if bare.endswith("|") and not bare.endswith("\\|") else bare
    return len(_PIPE.split(bare))


def only_marker(line: str) -> bool:
    """Tell whether the line is the mark of a list item and nothing else."""
    match = ITEM.match(line)
    return match is not None and not line[match.end() :].strip()

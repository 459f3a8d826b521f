"""Where in a text the words of an edit stand.

Exactly, or nearly, step by step and only when there is no doubt.

The ladder: exact -> line ends -> trailing blanks -> indentation, then the same with curly and straight quotes
taken as one. The first step that finds anything decides, and it must find one place (facts: safety 2.5).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from app.changes.lines import ANY_END, body, ending, split

Step = Literal["exact", "line_ends", "trailing", "indentation"]
_ANY = r"(?:\r\n|\r|\n)"
_QUOTES = str.maketrans("\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u201b", "\"\"\"\"''''")


@dataclass(frozen=True)
class Places:
    """Where something was found.

    Spans of characters, by which step, and whether quotes had to be taken as one.
    """

    spans: tuple[tuple[int, int], ...]
    step: Step = "exact"
    quotes: bool = False


def fold_quotes(text: str) -> str:
    """Return the text with every curly quote as its straight one; the length stays."""
    return text.translate(_QUOTES)


def find(text: str, needle: str, *, every: bool = False) -> Places:
    """Return the places of the first step that finds any; none: empty spans.

    With `every`, line ends never count, so that no place is left out for its line end alone, and places do
    not overlap. Without, places that overlap are told apart, since such a needle is not unique.
    """
    for quotes in (False, True):
        text_read, needle_read = (fold_quotes(text), fold_quotes(needle)) if quotes else (text, needle)
        if quotes and text_read == text and needle_read == needle:
            break
        for step, search in _LADDER:
            if every and step == "exact" and ANY_END.search(needle):
                continue
            spans = tuple(_apart(search(text_read, needle_read)) if every else search(text_read, needle_read))
            if spans:
                return Places(spans, step, quotes)
    return Places(())


def _apart(spans: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    last = -1
    for start, end in spans:
        if start >= last:
            yield start, end
            last = end


def _exact(text: str, needle: str) -> Iterator[tuple[int, int]]:
    at = text.find(needle)
    while at >= 0:
        yield at, at + len(needle)
        at = text.find(needle, at + 1)


def _line_ends(text: str, needle: str) -> Iterator[tuple[int, int]]:
    """Any line end stands for any other; the last one also for the end of a file that lacks it."""
    parts = ANY_END.split(needle)
    if len(parts) > 1:
        tail = "" if parts[-1] or not needle.strip() else r"|\Z"
        inner = _ANY.join(re.escape(part) for part in parts[:-1])
        yield from _pattern(text, f"{inner}(?:{_ANY}{tail}){re.escape(parts[-1])}")


def _trailing(text: str, needle: str) -> Iterator[tuple[int, int]]:
    """Blanks before a line end do not count, whichever side has them."""
    if not needle.strip():
        return
    parts = [part.rstrip(" \t") for part in ANY_END.split(needle)]
    *inner, last = parts
    tail = r"[ \t]*(?=[\r\n]|\Z)" if last != ANY_END.split(needle)[-1] else ""
    yield from _pattern(
        text, "".join(re.escape(part) + r"[ \t]*" + _ANY for part in inner) + re.escape(last) + tail
    )


def _pattern(text: str, pattern: str) -> Iterator[tuple[int, int]]:
    for found in re.finditer(f"(?=({pattern}))", text):
        yield found.span(1)


def _indentation(text: str, needle: str) -> Iterator[tuple[int, int]]:
    """Whole lines whose words agree and whose indents map one to one, blank lines aside."""
    if not needle.strip():
        return
    wanted = split(needle)
    if ANY_END.match(needle):
        return
    lines = split(text)
    words = [line.strip() for line in lines]
    sought = [line.strip() for line in wanted]
    whole = bool(ending(wanted[-1]))
    starts = _starts(lines)
    for at in range(len(lines) - len(sought) + 1):
        if words[at] != sought[0] or words[at : at + len(sought)] != sought:
            continue
        here = lines[at : at + len(sought)]
        if indent_map(wanted, here) is None or (whole and not ending(here[-1])):
            continue
        last = here[-1]
        yield starts[at], starts[at + len(sought)] - (0 if whole else len(last) - len(last.rstrip()))


def _starts(lines: list[str]) -> list[int]:
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    return starts


def indent_of(line: str) -> str:
    """Return the blanks that the line begins with."""
    bare = body(line)
    return bare[: len(bare) - len(bare.lstrip(" \t"))]


def indent_map(wanted: list[str], here: list[str]) -> dict[str, str] | None:
    """Return which indent of the needle stands for which of the file, None where that is not one to one."""
    found: dict[str, str] = {}
    for one, other in zip(wanted, here, strict=True):
        if one.strip() and found.setdefault(indent_of(one), indent_of(other)) != indent_of(other):
            return None
    return found if len(set(found.values())) == len(found) else None


_LADDER: tuple[tuple[Step, Callable[[str, str], Iterator[tuple[int, int]]]], ...] = (
    ("exact", _exact),
    ("line_ends", _line_ends),
    ("trailing", _trailing),
    ("indentation", _indentation),
)

"""What differs inside two lines, word by word, and where syntax colours fall: positions in Qt's UTF-16
units.
"""

from __future__ import annotations

import difflib
import functools
import re

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
LIMIT = 400
"""Characters above which two lines are shown as wholly different: comparing words is quadratic."""
ALIKE = 0.35
"""Below that share of equal words marking them all would say nothing."""

Spans = tuple[tuple[int, int], ...]
"""(start, length) in characters."""


@functools.lru_cache(maxsize=2048)
def differences(old: str, new: str) -> tuple[Spans, Spans]:
    """Return what differs in the old and in the new line; nothing when they have too little in common."""
    if len(old) > LIMIT or len(new) > LIMIT or not old.strip() or not new.strip():
        return (), ()
    here, there = _WORDS.findall(old), _WORDS.findall(new)
    matcher = difflib.SequenceMatcher(None, here, there, autojunk=False)
    if matcher.ratio() < ALIKE:
        return (), ()
    removed: list[tuple[int, int]] = []
    added: list[tuple[int, int]] = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            continue
        _mark(removed, here, i1, i2)
        _mark(added, there, j1, j2)
    return _trimmed(removed, old), _trimmed(added, new)


def _mark(spans: list[tuple[int, int]], words: list[str], first: int, last: int) -> None:
    """Add the words from `first` to `last`; a blank between two marks belongs to them."""
    if first == last:
        return
    start, length = sum(map(len, words[:first])), sum(map(len, words[first:last]))
    if spans and spans[-1][0] + spans[-1][1] + 1 >= start:
        begin = spans.pop()[0]
        spans.append((begin, start + length - begin))
    else:
        spans.append((start, length))


def _trimmed(spans: list[tuple[int, int]], text: str) -> Spans:
    """Leave blanks at the ends of a mark out, unless blanks are all it marks."""
    found = []
    for start, length in spans:
        marked = text[start : start + length]
        if marked.strip():
            start += len(marked) - len(marked.lstrip())
            length = len(marked.strip())
        found.append((start, length))
    return tuple(found)


def units(text: str, position: int) -> int:
    """Return the position in UTF-16 units of a position in characters."""
    if text.isascii():
        return position
    return position + sum(letter > "\uffff" for letter in text[:position])

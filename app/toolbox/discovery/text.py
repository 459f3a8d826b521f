"""Words of a request as the ranker compares them: folded, stemmed, in order, and as pieces of letters."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator

from app.toolbox.discovery.devanagari import latin
from app.toolbox.discovery.word_lists import ENDINGS, STOP

LONGEST_QUERY = 2_000
"""Characters that are read; a request says what it needs in its first lines, and time stays bounded."""
MOST_WORDS = 64
_WORD = re.compile(r"[^\W_\u0900-\u097f]+|[\u0900-\u097f]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_UNSEEN = re.compile("[\u0300-\u036f\u200b-\u200f\u2060\ufeff'\u2019]")
_LONGEST_WORD = 40
MOST_CLAUSES = 4
_JOINT = re.compile(
    r",?\s+(?:and then|and|then|und dann|und|dann|y luego|y después|y|et puis|et ensuite|et|e depois|e|aur|"
    r"phir|और|फिर)\s+|[;.!?:]\s+|,\s+",
    re.I,
)
"""Between what is wanted first and what is wanted next."""

_SOUNDS = (
    ("aa", "a"),
    ("ee", "i"),
    ("oo", "u"),
    ("ph", "f"),
    ("ck", "k"),
    ("w", "v"),
    ("z", "s"),
    ("th", "t"),
)
"""Spellings of one sound, so that Latin-script Hindi and slips of spelling share their pieces of letters."""


def words(text: str) -> list[str]:
    """Return the folded words of a text in order, at most 64: no accents, no case, no apostrophes, Hindi in
    Latin letters.
    """
    return _fold(_CAMEL.sub(" ", text[:LONGEST_QUERY]))


def clauses(text: str) -> list[str]:
    """Return the clauses of a request that asks for two to four things; none where it asks for one."""
    found = [part for part in _JOINT.split(text[:LONGEST_QUERY]) if len(words(part)) >= 2]
    return found if 2 <= len(found) <= MOST_CLAUSES else []


def _fold(text: str) -> list[str]:
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
    folded = _UNSEEN.sub("", text.casefold())
    found = _WORD.findall(folded)[:MOST_WORDS]
    if not folded.isascii():
        found = [latin(word) if "\u0900" <= word[0] <= "\u097f" else word for word in found]
    return [word[:_LONGEST_WORD] for word in found if word]


@functools.lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return the word without its ending; never shorter than three letters."""
    if len(word) < 4 or not word.isalpha():
        return word
    for _ in range(3):
        for end in ENDINGS:
            # A short ending needs less of a word before it: `files`, but not `this` and `bus`.
            if word.endswith(end) and len(word) - len(end) >= (3 if len(end) < 3 else 4):
                word = word[: -len(end)]
                break
        else:
            break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word


def stems(text: str) -> list[str]:
    """Return the stems of all words in order, stop words left out."""
    return [stem(word) for word in words(text) if word not in STOP]


@functools.lru_cache(maxsize=8192)
def sound(word: str) -> str:
    """Return a spelling that words of one sound share."""
    for spelled, heard in _SOUNDS:
        word = word.replace(spelled, heard)
    return word


def letters(word: str, size: int = 3) -> Iterator[str]:
    """Yield the pieces of a word, its ends marked: `^no`, `not`, `ote`, `te$` for `note`."""
    marked = f"^{word}$"
    return (marked[at : at + size] for at in range(max(1, len(marked) - size + 1)))


def pairs(found: list[str], reach: int = 2) -> Iterator[tuple[str, str]]:
    """Yield ordered pairs of words at most `reach` places apart: the ordered phrases of a text."""
    for at, first in enumerate(found):
        for second in found[at + 1 : at + 1 + reach]:
            yield first, second

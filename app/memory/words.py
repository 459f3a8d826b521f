"""Words of what is remembered as they are compared: folded, without endings, and how well two texts fit.

Pure, in any language: scripts that write without spaces are cut into pairs of signs, vowel signs belong to
their word, and an ending more or less does not part two words.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence

from app.memory.word_lists import MANY, NOT, STOP

LONGEST = 4_000
"""Characters of a text that are read."""
_LONGEST_WORD = 40
MOST = 40
"""Words of a question that are looked up."""
_BEGINNING = 4
"""Letters that two words of one kind begin with, whatever their endings."""
FITS = 0.22
"""A text that fits a message less is not told of (measured on tests/memory/fitting.toml)."""
ONE_WORD = 0.33
"""So much of a message one word alone must be to count: a long one shares some word with everything."""
_UNKNOWN = 0.6
"""The weight of a word that nothing remembered holds, of the greatest: mostly it only says what to do."""
_SHORT = 3
"""Words up to so many letters are compared whole."""

_ENDINGS = ("ies", "ers", "ern", "en", "er", "es", "s", "e")


def plain(text: str) -> list[str]:
    """Return all words in order, folded; those of scripts without spaces as pairs of signs."""
    text = text[:LONGEST].casefold().replace("'", "").replace("\u2019", "")
    if text.isascii():  # most text is, and letters one by one take twenty times as long
        return [word[:_LONGEST_WORD] for word in re.findall("[a-z0-9]+", text)]
    folded = unicodedata.normalize("NFKD", text)
    found: list[str] = []
    word = ""
    for sign in f"{folded} ":
        kind = unicodedata.category(sign)[0]
        if kind == "M" and "\u0300" <= sign <= "\u036f":
            continue  # an accent of a Latin letter
        if kind in "LN" or (kind == "M" and word):
            word += sign
        elif word:
            found += _cut(unicodedata.normalize("NFC", word))
            word = ""
    return found


def unspaced(sign: str) -> bool:
    """Whether a sign belongs to a script that writes without spaces."""
    return any(first <= sign <= last for first, last in _UNSPACED)


_UNSPACED = (
    ("\u0e00", "\u0eff"),
    ("\u1000", "\u109f"),
    ("\u1780", "\u17ff"),
    ("\u3040", "\u30ff"),
    ("\u3400", "\u9fff"),
    ("\uf900", "\ufaff"),
    ("\U00020000", "\U0003ffff"),
)


def _cut(word: str) -> list[str]:
    if not any(map(unspaced, word)):
        return [word[:_LONGEST_WORD]]
    parts, run = list[str](), ""
    for sign in [*word, ""]:
        if sign and (not run or unspaced(run[-1]) == unspaced(sign)):
            run += sign
            continue
        parts += _pairs(run) if unspaced(run[0]) else [run]
        run = sign
    return parts


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(max(1, len(run) - 1))]


def root(word: str) -> str:
    """Return a word without its ending: never under three letters, and without the vowel signs at its end."""
    while word and unicodedata.category(word[-1])[0] == "M" and len(word) > 2:
        word = word[:-1]
    if len(word) <= _SHORT or not word.isalpha() or unspaced(word[0]):
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORT and not word.endswith("ss"):
            return word[: -len(ending)]
    return word


def roots(text: str) -> list[str]:
    """Return the roots of the words that say something, each once, in order."""
    found = (root(word) for word in plain(text) if word not in STOP)
    return list(dict.fromkeys(word for word in found if word not in STOP))


def index(text: str) -> str:
    """Return what the index holds of a text."""
    return " ".join(roots(text))


def match_each(words: Iterable[str]) -> list[str]:
    """Return a MATCH for each root: it may go on, and where it is long its last letters may differ."""
    found = []
    for word in words:
        start = word if len(word) <= 4 or unspaced(word[0]) else word[: max(4, math.ceil(len(word) * 0.7))]
        more = "" if unspaced(word[0]) or len(word) < _SHORT else "*"
        found.append(f'"{start}"{more}')
    return found


def alike(first: str, second: str) -> bool:
    """Whether two roots are of one word."""
    if first == second:
        return True
    if unspaced(first[0]) or min(len(first), len(second)) <= _SHORT:
        return False
    same = 0
    for one, two in zip(first, second, strict=False):
        if one != two:
            break
        same += 1
    return same >= max(4, math.ceil(max(len(first), len(second)) * 0.7))


def fit(
    asked: Sequence[str], said: Sequence[str], weight: Callable[[str], float], *, one_word: float = 0.0
) -> float:
    """Return how well a text with the roots `said` fits a question with the roots `asked`, 0 to 1: how much
    of each is in the other. `weight` is that of a root of the question; a rare one says more. One word alone
    counts where it is at least the part `one_word` of the question.
    """
    if not asked or not said:
        return 0.0
    beginnings: dict[str, list[str]] = {}
    for word in asked:
        beginnings.setdefault(word[:_BEGINNING], []).append(word)
    hit: dict[str, None] = {}
    met = 0
    for other in said:
        near = [word for word in beginnings.get(other[:_BEGINNING], ()) if alike(word, other)]
        hit.update(dict.fromkeys(near))
        met += bool(near)
    if not hit:
        return 0.0
    weights = {word: weight(word) for word in asked}
    heaviest = sorted(weights.values(), reverse=True)[:8]  # a long message asks for more than one thing
    of_question = sum(weights[word] for word in hit) / sum(heaviest)
    if met == 1 and of_question < one_word:
        return 0.0
    return min(1.0, of_question) * 0.5 + met / len(said) * 0.5


def weigher(counts: Mapping[str, int], total: int) -> Callable[[str], float]:
    """Return the weight of roots by how many of `total` texts hold them."""
    greatest = math.log(1 + (total + 1) / 1.5)

    def weight(word: str) -> float:
        count = counts.get(word, 0)
        if count:
            return math.log(1 + (total + 1) / (count + 0.5))
        return greatest * (_UNKNOWN / 2 if unspaced(word[0]) else _UNKNOWN)

    return weight


# --- the same, and something else about the same -----------------------------------------------------------


def denies(text: str) -> bool:
    """Whether a text says that something is not so."""
    return not NOT.isdisjoint(plain(text))


def same(first: str, second: str) -> bool:
    """Whether two texts say the same in other words: the same roots, both so or both not so."""
    return set(roots(first)) == set(roots(second)) and denies(first) == denies(second)


def contradicts(first: str, second: str) -> bool:
    """Whether two texts seem to say something else about the same thing; a person decides.

    They begin alike and end otherwise ("my dog is called ..."), differ in nothing but a number, or one denies
    the other. What may be several things at once ("I like ...") is left alone.
    """
    one, two = set(roots(first)) - NOT, set(roots(second)) - NOT
    if not one or not two:
        return False
    if one == two:
        return denies(first) != denies(second)
    if _without_numbers(one) == _without_numbers(two):
        return True
    return _begin_alike(plain(first), plain(second))


def _without_numbers(words: set[str]) -> set[str]:
    return {word for word in words if not any(sign.isdigit() for sign in word)}


def _begin_alike(first: list[str], second: list[str]) -> bool:
    run = 0
    while run < min(len(first), len(second)) and first[run] == second[run]:
        run += 1
    begin = first[:run]
    if run == min(len(first), len(second)):
        return False
    rest = max(len(first), len(second)) - run
    means = any(word not in STOP for word in begin)
    as_one = (first[run] in STOP) == (second[run] in STOP)
    several = bool(begin) and (begin[-1] in MANY or (len(begin) > 1 and begin[-2] in MANY))
    return run >= 3 and means and as_one and rest <= 3 and not several

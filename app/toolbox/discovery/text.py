"""Words of a request as the ranker compares them: folded, stemmed, in order, and as pieces of letters."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator

LONGEST_QUERY = 2_000
"""Characters that are read; a request says what it needs in its first lines, and time stays bounded."""
MOST_WORDS = 64
_WORD = re.compile(r"[^\W_\u0900-\u097f]+|[\u0900-\u097f]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_UNSEEN = re.compile("[\u0300-\u036f\u200b-\u200f\u2060\ufeff'\u2019]")
_LONGEST_WORD = 40
MOST_CLAUSES = 4
_JOINT = re.compile(
    r",?\s+(?:and then|and|then|und dann|und|dann|y luego|y después|y|et puis|et ensuite|et|e depois|e|aur|phir|और|फिर)"
    r"\s+|[;.!?:]\s+|,\s+",
    re.I,
)
"""Between what is wanted first and what is wanted next."""

# Endings of English, German, Spanish, French, Portuguese and Latin-script Hindi, the longest first. One list for
# all: the language of a request is not known, and index and request pass through the same rules.
_LATIN = tuple(
    sorted(
        """ izations ization ationen aciones acoes ations ation acion acao ements ement mente ments ment nesses
        ness ables able ibles ible ungen ung ingly ings ing iendo ando endo indo ados adas idos idas ado ada ido
        ida aron ieron arem erem irem assem amos emos imos aient erait ions ion iere ieren iert eren ern ers er
        ies ied ed es en em et est elt est te ten tes ly ar ir ez ais ait ant ons ent eur euse s e n a o i y
        iyan iyon on """.split(),
        key=lambda ending: (-len(ending), ending),
    )
)
_HINDI = (
    "ियों",
    "ियाँ",
    "ाओं",
    "ुओं",
    "ना",
    "ने",
    "नी",
    "ता",
    "ते",
    "ती",
    "ों",
    "ें",
    "ो",
    "े",
    "ा",
    "ी",
    "ि",
    "ू",
    "ु",
    "ं",
    "ँ",
)
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

STOP = frozenset(
    """ a an the of to in on at is are was were be been it its this that these those i me my you your we our us he
    she they them do does did can could would will shall should please pls and or for with by from as so then there
    here have has had am im ich du er sie es wir ihr der die das den dem des ein eine einen einem einer und oder zu
    mit von im ist sind bitte mir mich mein meine meinen kannst el la los las un una unos unas de del y o que en por
    favor me mi mis tu le les une et ou du des je tu il elle mon ma mes moi ce cette ces est au aux dans pour sur
    os as um uma e do da dos das no na nos nas meu minha eu voce para ka ki ke ko se mein me hai hain ho mera meri
    mere kya aur yeh ye wo का की के को से में है हैं हो मेरा मेरी मेरे क्या और यह ये वह एक पर """.split()
)
"""Words that say nothing about a tool; they count a little in ordered pairs and not at all alone."""

WEAK = frozenset(
    word
    for word in """ show tell give want need let get got make know what which how when where who why any all some
    more much many new now just like thing something look see take put use say find help every each one two also out
    up off about into if not no yes okay hey hi thanks today tomorrow yesterday zeig gib mach will brauche was welche
    wie wo wann alle muestra dame quiero necesito haz cual como donde todo todos montre donne veux besoin fais quel
    quelle comment tout tous mostra quero preciso faz qual onde tudo dikhao batao chahiye karo kar do sab दिखाओ बताओ
    करो चाहिए """.split()
)
"""Words that nearly every request has: of little weight where only words decide."""


def words(text: str) -> list[str]:
    """Return the folded words of a text in order, at most 64: no accents, no case, no apostrophes."""
    return _fold(_CAMEL.sub(" ", text[:LONGEST_QUERY]))


def clauses(text: str) -> list[str]:
    """Return the clauses of a request that asks for two to four things; none where it asks for one."""
    found = [part for part in _JOINT.split(text[:LONGEST_QUERY]) if len(words(part)) >= 2]
    return found if 2 <= len(found) <= MOST_CLAUSES else []


def _fold(text: str) -> list[str]:
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
    folded = _UNSEEN.sub("", text.casefold())
    return [word[:_LONGEST_WORD] for word in _WORD.findall(folded)[:MOST_WORDS]]


@functools.lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return the word without its ending; never shorter than three letters (two in Devanagari)."""
    if word >= "\u0900":
        return next(
            (word[: -len(end)] for end in _HINDI if word.endswith(end) and len(word) - len(end) >= 2), word
        )
    if len(word) < 4 or not word.isalpha():
        return word
    for _ in range(2):
        for end in _LATIN:
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

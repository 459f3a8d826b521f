"""Which encoding bytes are in.

By mark, then strict UTF-8, then what reads as words in one script, else unknown.

A wrong guess is worse than none, since inserted text would be written in it: where no candidate is plausible
the file counts as unknown, its bytes are kept as they are, and only ASCII may be inserted. Short samples
decide nothing for the usual statistics, so every candidate is judged by how natural its letters stand beside
each other; charset-normalizer is the second opinion.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

from app.changes.scripts import COMMON

_SAMPLE = 1_200  # characters outside ASCII that are judged
_RUN = re.compile(rb"[\x20-\x7e]?[\x80-\xff][\x20-\xff]*")
_WORD = re.compile(r"[^\W\d_]+(?:\u2019[^\W\d_]+)*|[^\x00-\x7f]")
_VOWEL = re.compile(r"[аеёиоуыэюяіїєαεηιουωάέήίόύώϊϋΐΰ]", re.IGNORECASE)
_GREEK_ACCENT = re.compile("[άέήίόύώϊϋΐΰ]")
_ENOUGH = 0.72
_SIGNS = frozenset(
    "\u2018\u2019\u201c\u201d\u201e\u2013\u2014\u2026\u2022\u20ac\u00a0\u00a1"
    "\u00a3\u00a7\u00a9\u00ab\u00ae\u00b0\u00b1\u00b5\u00b2\u00b3\u00bb\u00bd\u00bf"
)
_SINGLE = ("cp1252", "cp1250", "cp1251", "koi8_r", "cp1253", "cp1255", "cp1256")
_DOUBLE = ("cp932", "gb18030", "big5", "euc_kr", "euc_jp")


def guess(data: bytes) -> str:
    """Return the codec that `data` (no mark, not UTF-8) is in, "" where nothing is plausible."""
    sample = b"\n".join(_RUN.findall(data))
    if len(sample) > _SAMPLE * 8:
        sample = sample[: sample.rfind(b"\n", 0, _SAMPLE * 8) + 1] or sample[: _SAMPLE * 8]
    scores = {codec: _score(sample, codec) for codec in (*_DOUBLE, *_SINGLE)}
    for codec in sorted(scores, key=lambda one: -scores[one]):
        if scores[codec] >= _ENOUGH and _decodes(data, codec):
            return codec
    return _second_opinion(data)


def _score(sample: bytes, codec: str) -> float:
    """Return how plausible the codec is, 0 to 1; below 0 where it is out of the question."""
    try:
        text = sample.decode(codec)
    except UnicodeDecodeError:
        return -1.0
    return (_double if codec in _DOUBLE else _single)(text, codec)


def _decodes(data: bytes, codec: str) -> bool:
    try:
        data.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


def _mean(weights: list[float]) -> float:
    return sum(weights) / len(weights) if weights else 0.0


def _single(text: str, codec: str) -> float:
    """Letters count by the word they stand in, other characters by whether people write them."""
    weights: list[float] = []
    for word in _WORD.findall(text):
        high = [letter for letter in word if letter > "\x7f"]
        signs = [
            letter for letter in high if not letter.isalpha() and not (letter == "\u2019" and len(word) > 1)
        ]
        weights += [_sign(signs[0]) if signs else _word(word)] * len(high)
        if len(weights) > _SAMPLE:
            break
    return _mean(weights) - 0.001 * _SINGLE.index(codec)


def _sign(letter: str) -> float:
    if unicodedata.category(letter) in ("Cc", "Cn", "Co"):
        return -4.0
    return 0.85 if letter in _SIGNS else 0.0


def _word(word: str) -> float:
    """One script, natural case, vowels, and no long runs of accents make a word."""
    letters = word.replace("\u2019", "")
    scripts = {_script(letter) for letter in letters}
    if len(scripts) > 1:
        return -1.0
    if any(a.islower() and b.isupper() for a, b in pairwise(letters) if max(a, b) > "\x7f"):
        return 0.0
    if scripts == {"LATIN"}:
        run = max(len(found) for found in re.findall(r"[^\x00-\x7f]*", letters))
        return 0.74 if len(word) == 1 else (0.95, 0.95, 0.9, 0.75, 0.74)[run] if run < 5 else 0.3
    if len(word) == 1 or letters.isupper():
        return 0.3 if len(word) == 1 else 0.6
    if not letters[1:].islower() or (scripts <= {"CYRILLIC", "GREEK"} and not _VOWEL.search(letters)):
        return 0.2
    if len(_GREEK_ACCENT.findall(letters)) > 1:  # a word has one
        return 0.2
    return 1.0 if len(word) > 3 else 0.7


def _script(letter: str) -> str:
    return unicodedata.name(letter, "?").split(" ")[0]


def _double(text: str, codec: str) -> float:
    """Characters count by how common they are in the language that writes in this codec."""
    common = COMMON[codec]
    kana = any("\u3040" <= letter <= "\u30ff" for letter in text)

    def weigh(letter: str) -> float:
        if letter in common:
            return 1.0
        if "\u3040" <= letter <= "\u30ff":
            return 1.0 if codec in ("cp932", "euc_jp") else 0.2
        if "\u3000" <= letter <= "\u303f" or "\uff01" <= letter <= "\uff5e":
            return 0.8
        if "\uff61" <= letter <= "\uff9f":
            return -0.2  # half-width kana: any single high byte reads as one
        return _ideograph(letter, codec, kana)

    return _mean([weigh(letter) for letter in text if letter > "\x7f"][:_SAMPLE])


def _ideograph(letter: str, codec: str, kana: bool) -> float:
    """First-level characters are those of daily use; the table is ordered so that the lead byte tells."""
    if codec == "euc_kr":
        return 0.7 if "\uac00" <= letter <= "\ud7a3" else 0.05
    table = {"cp932": "cp932", "euc_jp": "cp932", "gb18030": "gb2312", "big5": "big5"}[codec]
    try:
        lead = letter.encode(table)[0]
    except UnicodeEncodeError:
        return 0.0
    if codec in ("cp932", "euc_jp"):
        first = 0x88 <= lead <= 0x97
        return (0.85 if kana else 0.74) if first else 0.15
    if codec == "gb18030":
        return 0.8 if 0xB0 <= lead <= 0xD7 else 0.4 if 0xD8 <= lead <= 0xF7 else 0.3
    return 0.8 if 0xA4 <= lead <= 0xC6 else 0.15


def _second_opinion(data: bytes) -> str:
    """Ask charset-normalizer, only about longer texts: it is unsure of short ones without saying so."""
    high = sum(byte > 0x7F for byte in data[:65_536])
    if high < 64:
        return ""
    from charset_normalizer import from_bytes

    more = ["iso8859_15", "cp1254", "cp1257", "cp874", "cp866"]
    best = from_bytes(data[:65_536], cp_isolation=[*_SINGLE, *_DOUBLE, *more]).best()
    if best is None or best.chaos > 0.1:
        return ""
    return best.encoding if _decodes(data, best.encoding) else ""

"""Hindi in Devanagari written in Latin letters, as people type it: both scripts teach the same words."""

from __future__ import annotations


def _pairs(text: str) -> dict[str, str]:
    parts = text.split()
    return dict(zip(parts[::2], parts[1::2], strict=True))


_CONSONANTS = _pairs(
    """
क k ख kh ग g घ gh ङ n च ch छ chh ज j झ jh ञ n ट t ठ th ड d ढ dh ण n त t थ th द d ध dh न n प p फ ph ब
b भ bh म m य y र r ल l व v श sh ष sh स s ह h ळ l
"""
)
_VOWELS = _pairs("अ a आ a इ i ई i उ u ऊ u ऋ ri ए e ऐ ai ओ o औ au ऑ o ऍ e")
_SIGNS = _pairs("ा a ि i ी i ु u ू u ृ ri े e ै ai ो o ौ au ॉ o ॅ e")
_NASAL = "\u0901\u0902"
"""Candrabindu and anusvara."""
_VIRAMA, _NUKTA, _VISARGA = "\u094d", "\u093c", "\u0903"
_SILENT = "\u2019"
"""Stands for the vowel that a consonant has of itself until it is known whether it is spoken."""
_WITH_NUKTA = {"ph": "f", "j": "z", "d": "r", "dh": "rh"}
_DIGITS = str.maketrans("०१२३४५६७८९", "0123456789")


def latin(word: str) -> str:
    """Return a word of Devanagari in Latin letters; what stands in no table falls out.

    The vowel of itself is left out at the end and between a syllable and the next, as Hindi is spoken.
    """
    made: list[str] = []
    for letter in word:
        if letter in _CONSONANTS:
            made += (_CONSONANTS[letter], _SILENT)
        elif letter == _NUKTA:
            if len(made) > 1:
                made[-2] = _WITH_NUKTA.get(made[-2], made[-2])
        elif letter in _SIGNS or letter == _VIRAMA:
            if made and made[-1] == _SILENT:
                made.pop()
            made.append(_SIGNS.get(letter, ""))
        elif letter in _NASAL:
            made.append("n")
        elif letter != _VISARGA:
            made.append(_VOWELS.get(letter, letter.translate(_DIGITS) if letter.isdigit() else ""))
    return "".join(_spoken(made))


def _spoken(made: list[str]) -> list[str]:
    if made and made[-1] == _SILENT:
        made.pop()
    for at in range(len(made) - 1, -1, -1):
        if made[at] != _SILENT:
            continue
        between = at >= 2 and _sounds(made[at - 2]) and at + 2 < len(made) and _sounds(made[at + 2])
        if between and not _sounds(made[at + 1]):
            del made[at]
        else:
            made[at] = "a"
    return made


def _sounds(part: str) -> bool:
    return part == _SILENT or part[:1] in tuple("aeiou")

"""Make text from models, tools and files safe to draw: what hides or reorders text becomes visible."""

from __future__ import annotations

import re
import unicodedata

_SUSPECT = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff"
    r"\ufdd0-\ufdef\ufeff\uffa0\ufff9-\ufffc\ufffe\uffff\U000e0000-\U000e0fff\U0001fffe\U0001ffff]"
)
_NAMES = (
    "NUL,SOH,STX,ETX,EOT,ENQ,ACK,BEL,BS,TAB,LF,VT,FF,CR,SO,SI,DLE,DC1,DC2,DC3,DC4,"
    "NAK,SYN,ETB,CAN,EM,SUB,ESC,FS,GS,RS,US"
)
_JOINERS = "\u200c\u200d"
_BLACK_FLAG = "\U0001f3f4"


def legible(text: str) -> str:
    """Return `text` with control, bidi and other invisible characters as marks such as ⟨NUL⟩ or ⟨U+202E⟩.

    Line feeds and tabs stay; so do joiners where scripts and emoji need them, and the tags of flags.
    Noncharacters are marked too, since QTextDocument uses U+FDD0 and U+FDD1 for frames of its own.
    """
    if _SUSPECT.search(text) is None:
        return text
    return _SUSPECT.sub(lambda match: _mark(text, match.start()), text)


def _mark(text: str, at: int) -> str:
    char, before = text[at], text[at - 1 : at]
    code = ord(char)
    if code < 0x20:
        return f"\u27e8{_NAMES.split(',')[code]}\u27e9"
    if char in _JOINERS and _joins(before):
        return char
    if 0xE0020 <= code <= 0xE007F and _in_flag(text, at):
        return char
    return f"\u27e8U+{code:04X}\u27e9"


def _joins(before: str) -> bool:
    """Tell whether a joiner after this character shapes something: an emoji or a joined letter."""
    if not before or before < "\u0590":
        return False
    return before == "\ufe0f" or unicodedata.category(before) in ("So", "Sk", "Lo", "Mn", "Mc")


def _in_flag(text: str, at: int) -> bool:
    while at and 0xE0020 <= ord(text[at]) <= 0xE007F:
        at -= 1
    return text[at] == _BLACK_FLAG


def encodable(text: str) -> str:
    """Return `text` without lone surrogates, for the clipboard."""
    return text.encode("utf-8", "replace").decode("utf-8")

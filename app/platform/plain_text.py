"""Make text from files, commands and models harmless to show: no terminal codes, nothing hidden."""

from __future__ import annotations

import re

# Compiled at their first use, since most text is plain ASCII.
_CODES = (
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # CSI: colours, cursor
    r"|(?:\x1b\]|\x9d)[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"  # OSC: titles, links, the clipboard
    r"|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c\n]*(?:\x1b\\|\x9c)?"  # DCS, SOS, PM, APC
    r"|\x1b[ -/]*[0-~]?"
)
_CONTROLS = r"[\x00-\x08\x0b-\x1f\x7f]"
_HIDDEN = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""Controls, joiners, bidi marks, fillers, variation selectors, tags, halves of characters (safety.md 2.6)."""
_FLAGS = tuple(
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in name) + "\U000e007f"
    for name in ("gbeng", "gbsct", "gbwls")
)
"""The three emoji that are written with tags."""


def terminal(text: str) -> str:
    """Return what a terminal would have left to see: codes gone, lines overwritten, backspaces done."""
    if text.isascii() and not re.search(_CONTROLS, text):
        return text
    text = re.sub(_CODES, "", text).replace("\x07", "").replace("\r\n", "\n")
    if "\b" in text:
        text = re.sub(r"[^\b\n]\x08", "", text).replace("\b", "")
    if "\r" not in text:
        return text
    return "\n".join(_overwritten(line) for line in text.split("\n"))


def _overwritten(line: str) -> str:
    """Return the last thing that was written over the line, as a progress bar leaves it."""
    return next((part for part in reversed(line.split("\r")) if part), "")


def visible(text: str) -> str:
    """Return the text without terminal codes, CRLF as LF, and what nobody sees as an escape (\\u202e)."""
    if (text.isascii() and not re.search(_CONTROLS, text)) or not re.search(_HIDDEN, text):
        return text
    text = re.sub(_CODES, "", text).replace("\r\n", "\n")
    return re.sub(_HIDDEN, _shown, text.replace("\r", "\\r").replace("\0", "\\x00"))


def hides(text: str) -> bool:
    """Whether text holds a character that nobody sees and that is no part of a visible one beside it."""
    return not text.isascii() and any(
        not _belongs(found[0], text, found.start()) for found in re.finditer(_HIDDEN, text)
    )


def _shown(match: re.Match[str]) -> str:
    return match[0] if _belongs(match[0], match.string, match.start()) else ascii(match[0])[1:-1]


def _belongs(hidden: str, text: str, at: int) -> bool:
    """Whether the hidden character is part of a visible one beside it, as writing and emoji need it."""
    before = text[at - 1] if at else ""
    if hidden in "\u200c\u200d":  # joiners of emoji, Persian and Indian letters
        return before > "\u02ff" and text[at + 1 : at + 2] > "\u02ff" and before not in "\u200c\u200d"
    if hidden == "\ufe0f":  # the coloured form of an emoji, a key cap
        return before != "" and (before in "#*0123456789\xa9\xae" or before > "\u2010") and before != "\ufe0f"
    if "\U000e0100" <= hidden <= "\U000e01ef":  # one variant of a Han character
        return "\u3400" <= before <= "\u9fff" or "\U00020000" <= before <= "\U0003ffff"
    if "\U000e0020" <= hidden <= "\U000e007f":
        starts = (text.rfind(flag, max(0, at - 6), at + 7) for flag in _FLAGS)
        return any(start >= 0 and start < at < start + 7 for start in starts)
    return False

"""Make text of models, tools and files harmless on a terminal: no escapes, no overwriting, nothing hidden.

Sequences are those of ECMA-48 (CSI, OSC, DCS, SOS, PM, APC, as ESC pairs and as C1 characters).
"""

from __future__ import annotations

import re
import unicodedata

_CSI = r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
_STRING = r"(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\n\x07\x1b\x9c]*(?:\x07|\x9c|\x1b\\)"
_SHORT = r"\x1b[ -/]*[0-Z\\^-~]"
_SEQUENCE = f"{_CSI}|{_STRING}|{_SHORT}"  # compiled at its first use, as are the others
_CONTROL = r"[\x00-\x08\x0b-\x1f\x7f-\x9f]"
_UNFINISHED = (
    r"(?:(?:\x1b\[|\x9b)[0-?]*[ -/]*|\x1b[ -/]*"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\n\x07\x1b\x9c]*\x1b?|\r)\Z"
)
_LONGEST = 4096
"""Characters that an unfinished sequence may hold back; the text of a longer one is shown."""


def clean(text: str) -> str:
    """Return the text without escapes and controls; line ends and tabs stay, CR becomes a line end."""
    if text.isprintable():
        return text
    text = re.sub(_SEQUENCE, "", text.replace("\r\n", "\n").replace("\r", "\n"))
    return re.sub(_CONTROL, "", text)


class Cleaner:
    """`clean` for a stream: a sequence that is cut in two between pieces is taken out all the same."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, text: str) -> str:
        """Return what may be printed now; the start of an unfinished sequence waits for the next piece."""
        text = self._held + text
        self._held = ""
        if not text.isprintable():
            found = re.search(_UNFINISHED, text)
            if found and len(found[0]) <= _LONGEST:
                text, self._held = text[: found.start()], found[0]
        return clean(text)

    def end(self) -> str:
        """Return what was held back, and start afresh."""
        held, self._held = self._held, ""
        return clean(held).rstrip("\n") if held == "\r" else clean(held)


def one_line(text: str, width: int = 0) -> str:
    """Return the text on one line, blanks folded, cut to `width` columns with an ellipsis (0 = whole)."""
    line = " ".join(clean(text[:10_000]).split())
    return cut(line, width) if width else line


def visible(text: str, *, lines: bool = True) -> str:
    r"""Return the text with all that the eye would miss (controls, bidi marks, zero-width) as \x1b, \u202e.

    Line ends and tabs stay when `lines` is true. For what a person approves: commands, paths, diffs.
    """
    if text.isprintable() and text.isascii():
        return text
    return "".join(letter if _plain(letter, lines) else _escaped(letter) for letter in text)


def _plain(letter: str, lines: bool) -> bool:
    if letter in "\n\t":
        return lines
    return (
        unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
        and letter not in "\xad\u3164\u115f"
    )


def _escaped(letter: str) -> str:
    code = ord(letter)
    if letter in "\n\t\r":
        return {"\n": "\\n", "\t": "\\t", "\r": "\\r"}[letter]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def cells(text: str) -> int:
    """Return how many columns the text takes: two for wide characters, none for combining and format ones."""
    if text.isascii():
        return len(text)
    return sum(_cell(letter) for letter in text)


def _cell(letter: str) -> int:
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Mn", "Me", "Cf", "Cc"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def cut(text: str, width: int) -> str:
    """Return the text within `width` columns, with an ellipsis where something was left out."""
    if width <= 0 or cells(text) <= width:
        return text if width > 0 else ""
    used, kept = 0, []
    for letter in text:
        used += _cell(letter)
        if used > width - 1:
            break
        kept.append(letter)
    return "".join(kept) + "…"


def pad(text: str, width: int) -> str:
    """Return the text cut or filled to exactly `width` columns."""
    text = cut(text, width)
    return text + " " * max(0, width - cells(text))

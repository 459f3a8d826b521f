"""Words of a line that is not plain, as far as they can be known: quotes taken off, the rest given up."""

from __future__ import annotations

import os
import re

_ANSI = re.compile(
    r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|(.))", re.DOTALL
)
_LETTERS = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "v": "\v",
}
_HOME = re.compile(r"\$(?:HOME(?![A-Za-z0-9_])|\{HOME\})")
_TILDE = re.compile(r"(?:^|[:=])~")
_PIECE = re.compile(
    r"""\$'((?:[^'\\]|\\.)*)'|'([^']*)'|\$?"((?:[^"\\]|\\.)*)"|\\(.)|([^'"\\$`*?\[{]+|\[(?=\Z|\s))|(.)""",
    re.DOTALL,
)


def loose_word(raw: str, home: str = "") -> str | None:
    """Return what a word says after quote removal, None where only the shell knows. With `home`, `~` and
    `$HOME` mean that folder.
    """
    value = ""
    if home:
        raw = _HOME.sub(lambda found: home, raw)
        raw = home + raw[1:] if raw == "~" or raw.startswith("~/") else raw
    if _TILDE.search(raw):
        return None
    for ansi, single, double, escaped, bare, other in _PIECE.findall(raw.replace("\\\n", "")):
        if other:
            return None
        if double:
            if re.search(r"(?<!\\)(?:\\\\)*[$`]", double):
                return None
            double = re.sub(r'\\([$`"\\])', r"\1", double)
        value += _decoded(ansi) + single + double + escaped + bare
    return value


def known_home(text: str) -> str:
    """Return the home folder where a line certainly means it by `~` and `$HOME`: it gives it no other."""
    mentions = text.count("HOME") - len(_HOME.findall(text))
    home = os.path.expanduser("~")
    return home if not mentions and re.fullmatch(r"[\w./-]+", home) else ""


def _decoded(ansi: str) -> str:
    def letter(found: re.Match[str]) -> str:
        hexadecimal = found[1] or found[2] or found[3]
        if hexadecimal:
            number = int(hexadecimal, 16)
            return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "?"
        return chr(int(found[4], 8) & 255) if found[4] else _LETTERS.get(found[5], found[5])

    return _ANSI.sub(letter, ansi)

"""The plain part of bash, read by a lexer so strict that its whole grammar is seen at a glance.

A plain line is `command (operator command)*`: operators are `&& || ; |` and line ends, a command is bare
words, quoted texts without expansion, and redirections to such words (product 5.2). Everything else is
refused with a code. What bash does with the rest of its grammar therefore never matters here; where it
treats a character specially, that character is not bare.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from app.platform.plain_text import hides

Kind = Literal["word", "operator", "redirect"]
KEYWORDS = frozenset(
    {
        "if", "then", "else", "elif", "fi", "case", "esac", "for", "while", "until", "do", "done", "in",
        "function", "time", "select", "coproc", "{", "}", "!", "[[", "]]",
    }
)  # fmt: skip
"""Reserved words where a command begins (bash, "Reserved Words"); `in` only after case and for."""
_BARE = re.compile(r"[A-Za-z0-9_./=:,@%+^-]+")
_OPERATOR = re.compile(r"&&|\|\||;|\||\n")
_REDIRECT = re.compile(r"([0-9]?)(&>>|&>|>>|>\||<>|>|<)(?![<>&(|!])")
_DUPLICATE = re.compile(r"[0-9]?>&[0-9](?=[ \t\n;|&]|\Z)")
_WHY = {
    "$": "expansion", "`": "substitution", "\\": "escape", "(": "subshell", ")": "subshell", "#": "comment",
    "*": "glob", "?": "glob", "[": "glob", "]": "glob", "~": "tilde", "{": "brace", "}": "brace",
    "!": "history", "<": "redirect", ">": "redirect", "&": "background", "|": "pipe", '"': "unclosed",
    "'": "unclosed",
}  # fmt: skip


class NotPlain(Exception):
    """Carries the code of what is not plain."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Token:
    """One piece of a line. `value` is a word after quote removal, an operator, or a redirection's sign."""

    kind: Kind
    value: str
    start: int
    end: int
    bare: bool = True
    """No quotes in it."""


def hidden(text: str) -> str:
    """Return a code where text holds what a person cannot see or no shell can take, else ""."""
    for letter in text:
        if " " <= letter <= "~" or letter in "\n\t":
            continue
        category = unicodedata.category(letter)
        if category == "Cc":
            return "control"
        if category == "Cs":
            return "surrogate"
        if category in ("Cf", "Co", "Zl", "Zp"):
            return "invisible"
    return "invisible" if hides(text) else ""  # letters and marks without a shape


def tokens(text: str) -> Iterator[Token]:
    """Yield the pieces of a line without hidden characters. Raises NotPlain."""
    at = 0
    while at < len(text):
        if text[at] in " \t":
            at += 1
            continue
        token = _sign(text, at) or _word(text, at)
        yield token
        at = token.end


def _sign(text: str, at: int) -> Token | None:
    if found := _OPERATOR.match(text, at):
        if text.startswith(("|&", ";;", ";&"), at):
            raise NotPlain("operator")
        return Token("operator", found[0], at, found.end())
    if found := _DUPLICATE.match(text, at):
        return Token("redirect", "dup", at, found.end())
    if found := _REDIRECT.match(text, at):
        if found[1] and found[2].startswith("&"):  # `2&>x` is the word 2 and then &>
            return None
        return Token("redirect", found[2], at, found.end())
    return None


def _word(text: str, at: int) -> Token:
    start, value, bare, braces = at, "", True, ""
    while at < len(text) and text[at] not in " \t\n;|&<>":
        letter = text[at]
        if letter in "'\"":
            bare = False
            piece, at = (_single if letter == "'" else _double)(text, at + 1)
            value += piece
        elif found := _BARE.match(text, at):
            value, braces, at = value + found[0], braces + found[0], found.end()
        elif _is_literal(text, start, at):
            value, braces, at = value + letter, braces + letter, at + 1
        else:
            raise NotPlain(_WHY.get(letter, "character"))
    if at == start:
        raise NotPlain(_WHY.get(text[at], "character"))
    if "{" in braces and ("," in braces or ".." in braces or not bare):
        raise NotPlain("brace")
    if text[at : at + 1] in ("<", ">") and bare and (value.isdigit() or value.endswith("}")):
        raise NotPlain("redirect")  # 12>file, {name}>file: a descriptor, not a word
    return Token("word", value, start, at, bare)


def _is_literal(text: str, start: int, at: int) -> bool:
    """Whether a letter that is special in some places is none here."""
    letter, before = text[at], text[at - 1] if at > start else ""
    if letter == "~":
        return bool(before) and before not in ":=+"
    if letter == "#":
        return bool(before)
    if letter in "{}":
        return True  # judged with the whole word
    return letter > "~" and unicodedata.category(letter)[0] in "LMNPS"


def _single(text: str, at: int) -> tuple[str, int]:
    end = text.find("'", at)
    if end < 0:
        raise NotPlain("unclosed")
    return text[at:end], end + 1


def _double(text: str, at: int) -> tuple[str, int]:
    value = ""
    while at < len(text):
        letter = text[at]
        if letter == '"':
            return value, at + 1
        if letter in "$`":
            raise NotPlain(_WHY[letter])
        if letter == "\\":
            following = text[at + 1 : at + 2]
            if following in ("\n", ""):
                raise NotPlain("escape")
            value += following if following in '$`"\\' else letter + following
            at += 2
        else:
            value, at = value + letter, at + 1
    raise NotPlain("unclosed")

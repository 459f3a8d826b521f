"""`read_line`: a line of shell as what it would run and open, or why that cannot be known."""

from __future__ import annotations

from app.permissions.shell import tree
from app.permissions.shell.lexing import NotPlain, hidden, tokens
from app.permissions.shell.plain import read_plain
from app.permissions.shell.records import Reading, Simple

MOST_CHARACTERS = 10_000
"""More than these and a person is asked, whatever the rules say (facts: safety 2.2, 2)."""


def read_line(text: str) -> Reading:
    """Return the reading of a command line as `bash --noprofile --norc -c` would run it.

    Plain only when the strict lexer takes all of it and tree-sitter-bash sees the same words. A caller that
    is about to allow it asks `second.agrees` too, unless it is obvious. Never raises.
    """
    if len(text) > MOST_CHARACTERS:
        return _unread(text)
    if text.count("<<") > tree.MOST_PARTS:  # each costs the tolerant parser a look at all that follows
        return _unread(text)
    if code := hidden(text):
        return _deep(_cleaned(text), code)
    try:
        reading = read_plain(text)
    except NotPlain as odd:
        return _deep(text, odd.code)
    if reading.obvious:
        return reading
    if max(len(reading.commands), len(reading.redirects)) > tree.MOST_PARTS:
        return Reading(reading.commands, reading.redirects, odd="too_many")
    root = tree.parse(text)
    if root is None:
        return _unread(text)
    try:
        agreed = tree.words_of(root) == _spans(text)
    except NotPlain as odd:
        return tree.read_deep(root, text, odd.code)
    return reading if agreed else tree.read_deep(root, text, "unreadable")


def _unread(text: str) -> Reading:
    words = tuple(text[:MOST_CHARACTERS].split())
    return Reading((Simple(words, text),), odd="too_long", whole=False)


def _deep(text: str, code: str) -> Reading:
    root = tree.parse(text)
    if root is None:
        return _unread(text)
    seen = tree.odd_code(root)
    shown = (
        seen if code not in ("control", "surrogate", "invisible") and seen not in ("", "unreadable") else code
    )
    return tree.read_deep(root, text, shown)


def _cleaned(text: str) -> str:
    """Text with its hidden characters as blanks, so that what it says can be looked at."""
    return "".join(" " if hidden(letter) else letter for letter in text)


def _spans(text: str) -> list[tuple[int, int]]:
    """Return where the lexer saw words, as bytes."""
    if text.isascii():
        return [(token.start, token.end) for token in tokens(text) if token.kind == "word"]
    return [
        (len(text[: token.start].encode()), len(text[: token.end].encode()))
        for token in tokens(text)
        if token.kind == "word"
    ]

"""A plain line as commands and redirections: the grammar over the pieces of the lexer."""

from __future__ import annotations

from app.permissions.shell.lexing import KEYWORDS, NotPlain, Token, tokens
from app.permissions.shell.records import Direction, Reading, Redirect, Simple

_DIRECTIONS: dict[str, Direction] = {
    ">": "write", ">|": "write", "&>": "write", ">>": "append", "&>>": "append", "<": "read", "<>": "both",
}  # fmt: skip


def read_plain(text: str) -> Reading:
    """Return the reading of a plain line. Raises NotPlain."""
    pieces = list(tokens(text))
    commands: list[Simple] = []
    redirects: list[Redirect] = []
    at, begun, waiting = 0, False, False
    while at < len(pieces):
        sign = pieces[at].value
        if pieces[at].kind != "operator":
            at, command, opened = _command(text, pieces, at)
            commands.append(command)
            redirects += opened
            begun, waiting = True, False
            continue
        if sign != "\n":  # a line end may stand anywhere between commands, the others only after one
            if not begun:
                raise NotPlain("operator")
            waiting = sign != ";"
        begun = False
        at += 1
    if waiting:
        raise NotPlain("operator")
    if not commands:
        raise NotPlain("empty")
    obvious = len(commands) == 1 and all(piece.kind == "word" and piece.bare for piece in pieces)
    return Reading(tuple(commands), tuple(redirects), obvious=obvious)


def _command(text: str, pieces: list[Token], at: int) -> tuple[int, Simple, list[Redirect]]:
    """Read one command with its redirections; return where the next piece stands."""
    first = pieces[at]
    if first.kind != "word":
        raise NotPlain("redirect")  # a redirection before, or without, a command
    if first.bare and first.value in KEYWORDS:
        raise NotPlain("keyword")
    if "=" in text[first.start : first.end] or first.value.startswith("%") or not first.value:
        raise NotPlain("assignment" if "=" in first.value else "word")
    words: list[str] = []
    redirects: list[Redirect] = []
    while at < len(pieces) and pieces[at].kind != "operator":
        piece = pieces[at]
        if piece.kind == "word":
            words.append(piece.value)
        elif piece.value != "dup":
            at += 1
            if at == len(pieces) or pieces[at].kind != "word":
                raise NotPlain("redirect")
            target = pieces[at]
            redirects.append(Redirect(_DIRECTIONS[piece.value], target.value, text[piece.start : target.end]))
        at += 1
    end = pieces[at - 1].end
    return at, Simple(tuple(words), text[first.start : end]), redirects

"""The second opinion: shfmt reads the same line, and has to see the same commands, words and redirections.

Asked only where a rule is about to allow something that two parsers could read differently. Costs one short
process; without the program, or when it does not answer in time, the two do not agree.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from app.permissions.shell.lexing import NotPlain, tokens

_FAULTS = (
    OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError, RecursionError, NotPlain,
    msgspec.MsgspecError,
)  # fmt: skip
TIMEOUT = 2.0
"""Seconds. It takes four thousandths of one on an idle machine."""
Shape = list[tuple[str, tuple[tuple[int, int], ...]]]
"""In the order of the line: ("", spans of a command's words), or (an operator or redirection, its target)."""


def agrees(text: str) -> bool:
    """Whether shfmt reads a plain line as our lexer does. Blocks for some milliseconds, once for a line."""
    program = find()
    try:
        return program is not None and _compared(text, program)
    except _FAULTS:
        return False  # whatever is wrong with the second opinion, it is no agreement


@lru_cache(maxsize=64)
def _compared(text: str, program: Path) -> bool:
    """Return what a comparison brought. The same line is judged again for each rule that is offered for it,
    and nothing but the line decides; what fails is tried anew.
    """
    done = subprocess.run(
        [program, "--to-json", "-ln", "bash"],
        input=text.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=TIMEOUT,
        env={},
        cwd=program.parent,
        check=True,
    )
    seen = sorted(_file(msgspec.json.decode(done.stdout)), key=_place)
    return seen == sorted(_ours(text), key=_place)


def find() -> Path | None:
    """Return shfmt of our own installation: in the package, or beside the interpreter. PATH has no say."""
    name = "shfmt.exe" if sys.platform == "win32" else "shfmt"
    frozen = getattr(sys, "_MEIPASS", "")
    beside = os.path.join(frozen or os.path.dirname(sys.executable), name)
    if os.path.isfile(beside):
        return Path(beside)
    scripts = os.path.join(sysconfig.get_path("scripts"), name)
    return Path(scripts) if not frozen and os.path.isfile(scripts) else None


def _place(piece: tuple[str, tuple[tuple[int, int], ...]]) -> tuple[int, int]:
    return piece[1][0]


def _ours(text: str) -> Iterator[tuple[str, tuple[tuple[int, int], ...]]]:
    """Yield the shape that the lexer sees."""
    words: list[tuple[int, int]] = []
    sign = ""
    for token in tokens(text):
        span = (len(text[: token.start].encode()), len(text[: token.end].encode()))
        if token.kind == "word":
            if sign:
                yield sign, (span,)
                sign = ""
            else:
                words.append(span)
        elif token.kind == "redirect":
            sign = token.value if token.value != "dup" else ""
        else:
            if words:
                yield "", tuple(words)
            words = []
            if token.value in ("&&", "||", "|"):
                yield token.value, ((span[0], span[0]),)
    if words:
        yield "", tuple(words)


def _file(tree: dict[str, Any]) -> Iterator[tuple[str, tuple[tuple[int, int], ...]]]:
    _only(tree, "Type", "Pos", "End", "Stmts")
    for statement in tree["Stmts"]:
        yield from _statement(statement)


def _statement(node: dict[str, Any]) -> Iterator[tuple[str, tuple[tuple[int, int], ...]]]:
    _only(node, "Pos", "End", "Position", "Semicolon", "Cmd", "Redirs")
    for redirect in node.get("Redirs", ()):
        yield from _redirect(redirect)
    command = node["Cmd"]
    if command["Type"] == "CallExpr":
        _only(command, "Type", "Pos", "End", "Args")
        yield "", tuple(_word(word) for word in command["Args"])
    elif command["Type"] == "BinaryCmd" and command["Op"] in ("&&", "||", "|"):
        _only(command, "Type", "Pos", "End", "OpPos", "Op", "X", "Y")
        yield command["Op"], ((command["OpPos"]["Offset"], command["OpPos"]["Offset"]),)
        yield from _statement(command["X"])
        yield from _statement(command["Y"])
    else:
        raise NotPlain(command["Type"])


def _redirect(node: dict[str, Any]) -> Iterator[tuple[str, tuple[tuple[int, int], ...]]]:
    _only(node, "Pos", "End", "OpPos", "Op", "N", "Word")
    target = _word(node["Word"])
    if node["Op"] == ">&":
        parts = node["Word"]["Parts"]
        if len(parts) != 1 or not parts[0].get("Value", "").isdigit():
            raise NotPlain("redirect")
        return
    yield node["Op"], (target,)


def _word(node: dict[str, Any]) -> tuple[int, int]:
    for part in node["Parts"]:
        _part(part)
    return node["Pos"]["Offset"], node["End"]["Offset"]


def _part(part: dict[str, Any]) -> None:
    if part["Type"] == "DblQuoted" and not part.get("Dollar"):
        for inner in part.get("Parts", ()):
            if inner["Type"] != "Lit":
                raise NotPlain(inner["Type"])
    elif part["Type"] != "Lit" and (part["Type"] != "SglQuoted" or part.get("Dollar")):
        raise NotPlain(part["Type"])


def _only(node: dict[str, Any], *fields: str) -> None:
    """Refuse a node that says anything besides: Background, Negated, Assigns, Comments, Coprocess, Hdoc."""
    if odd := [name for name, value in node.items() if value and name not in fields]:
        raise NotPlain(odd[0])

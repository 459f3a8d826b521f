"""`permissions explain --jsonl`: one question a line from stdin, one decision a line on stdout, in order."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from msgspec import structs

from app.records import Decision, TurnOptions
from ui.terminal import exits
from ui.terminal.output import Terminal, as_json
from ui.terminal.permissions import UNTRUSTED, decision_form, folder_of
from ui.terminal.session import Trouble, error_form

if TYPE_CHECKING:
    from app.engine import Engine

LINE_CAP = 16 * 1024 * 1024
"""Bytes of one question; what is longer is answered as a broken one."""


class _Broken(Exception):
    """Why a line is no question."""


async def answer_lines(
    engine: Engine, terminal: Terminal, cwd: str | None, session: str, options: TurnOptions
) -> int:
    """Answer every line until the input ends; a broken one gets a refusal with the reason."""
    lines = lines_in()
    while (line := await asyncio.to_thread(next, lines, None)) is not None and not terminal.out.gone:
        terminal.out.write(as_json(await _answer(engine, line, (cwd, session), options)) + "\n")
    return exits.DONE


def lines_in() -> Iterator[bytes]:
    """Yield the lines of stdin as they come; of one that is too long only its beginning."""
    if sys.stdin is None:
        return
    read: Callable[[int], bytes] = sys.stdin.buffer.readline
    while line := read(LINE_CAP):
        yield line
        while len(line) == LINE_CAP and not line.endswith(b"\n"):
            line = read(LINE_CAP)


async def _answer(
    engine: Engine, line: bytes, place: tuple[str | None, str], options: TurnOptions
) -> dict[str, Any]:
    from app.errors import BrambleError

    try:
        tool, arguments, (cwd, session), wishes = _question(line, place, options)
        where = await folder_of(engine, cwd, session)
        found: Decision = await engine.explain(tool, arguments, cwd=where, options=wishes, session=session)
        return decision_form(found)
    except _Broken as broken:
        return _refusal({"code": "bad_arguments", "message": str(broken), "detail": ""})
    except (BrambleError, Trouble) as error:
        return _refusal(error_form(error.problem))


def _refusal(error: dict[str, str]) -> dict[str, Any]:
    return {"decision": "deny", "reason": "bad_call", "rule": "", "parts": [], "error": error}


def _question(
    line: bytes, place: tuple[str | None, str], options: TurnOptions
) -> tuple[str, str, tuple[str | None, str], TurnOptions]:
    """Return tool, arguments as JSON text, folder with conversation, and options. Raises _Broken."""
    try:
        # A lone surrogate in a question is answered like any other text.
        asked = json.loads(line.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError) as error:
        raise _Broken(f"The line is no JSON: {error}") from error
    if not isinstance(asked, dict) or not isinstance(asked.get("tool"), str):
        raise _Broken('A question reads {"tool": NAME, "args": {}, "cwd": FOLDER, "allow": [], "deny": []}.')
    given = asked.get("args", {})
    arguments = given if isinstance(given, str) else json.dumps(given)
    folder, session = asked.get("cwd"), asked.get("session") or place[1]
    if folder is not None and not isinstance(folder, str):
        raise _Broken("cwd must be the path of a folder.")
    if not isinstance(session, str):
        raise _Broken("session must be the id of a conversation.")
    marks = (UNTRUSTED,) if asked.get("untrusted") else options.marks
    return (
        asked["tool"],
        arguments,
        (folder or place[0], session),
        structs.replace(
            options,
            allow=(*options.allow, *_rules(asked, "allow")),
            deny=(*options.deny, *_rules(asked, "deny")),
            attended=options.attended and not asked.get("unattended"),
            marks=marks,
        ),
    )


def _rules(asked: dict[str, Any], name: str) -> tuple[str, ...]:
    found = asked.get(name) or []
    if isinstance(found, str):
        found = [found]
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise _Broken(f"{name} must be a list of rules.")
    return tuple(found)

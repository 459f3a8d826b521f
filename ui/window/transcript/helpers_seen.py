"""What the card of a call knows of its helpers: by their events while they work, then by its result."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from app.records import HelperInfo, View
from ui.words import _, plural

MOST, LONGEST = 20, 500
"""Helpers of a call, and characters of a task, that are shown."""
TOOL = "delegate"
"""The tool that starts helpers."""


class HelperSeen(NamedTuple):
    """One helper."""

    session: str
    task: str
    state: Literal["running", "done", "early"]
    rounds: int = 0
    doing: str = ""
    """What it does now, in words."""

    def words(self) -> str:
        """Return how it gets on, or how it ended."""
        rounds = plural("{n} round", "{n} rounds", self.rounds)
        if self.state == "running":
            return self.doing or _("Begins")
        words = _("Done, {rounds}") if self.state == "done" else _("Ended early, {rounds}")
        return words.replace("{rounds}", rounds)


def helpers_of(view: View) -> tuple[HelperSeen, ...]:
    """Return the helpers of a result, () where it names none. A server may have written it, so nothing of it
    is taken for granted.
    """
    given = view.data.get("helpers") if view.kind == "helpers" else None
    if not isinstance(given, list):
        return ()
    return tuple(_seen(one) for one in given[:MOST] if isinstance(one, dict) and one.get("session"))


def _seen(given: dict[str, object]) -> HelperSeen:
    rounds = given.get("rounds")
    return HelperSeen(
        session=str(given["session"]),
        task=" ".join(str(given.get("task", ""))[:LONGEST].split()),
        state="done" if given.get("ok") is True else "early",
        rounds=rounds if isinstance(rounds, int) else 0,
    )


def delegates(name: str, arguments: str) -> bool:
    """Whether a call starts helpers, itself or by use_tool as its stored message declares it."""
    return name == TOOL or (name == "use_tool" and f'"{TOOL}"' in arguments[:200])


def tasks_of(arguments: str) -> list[str]:
    """Return the tasks that a call gives to helpers, itself or by use_tool, each on one line."""
    given: Any = _object(arguments)
    if given.get("name") == TOOL:
        given = _object(given.get("arguments"))
    for name in ("tasks", "task", "prompts"):
        found = given.get(name)
        if isinstance(found, str):
            return [_line(found)]
        if isinstance(found, list):
            return [_line(str(one)) for one in found]
    return []


def among(helpers: Iterable[HelperInfo], arguments: str, *, running: bool) -> tuple[HelperSeen, ...]:
    """Return those of stored helpers that a call began which tells of none: it runs, or broke off."""
    left, found = tasks_of(arguments), []
    for one in helpers:
        task = _line(one.task)
        if task in left:
            left.remove(task)
            state: Literal["running", "done", "early"] = (
                "done" if one.ok else "running" if running else "early"
            )
            found.append(HelperSeen(one.session, task[:LONGEST], state, one.rounds, _("Working")))
    return tuple(found)


def _object(given: object) -> dict[str, Any]:
    try:
        value = json.loads(given) if isinstance(given, str) else given
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _line(text: str) -> str:
    return " ".join(text.split())

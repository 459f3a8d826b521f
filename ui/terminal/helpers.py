"""The helpers of a conversation at the terminal: a line for each, with how to read it whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from app.records import HelperInfo, Message, View
from ui.terminal.clean import one_line
from ui.terminal.output import Channel
from ui.words import _, as_called

MOST = 20
"""Helpers of one result that are told of."""


class HelperLine(NamedTuple):
    """What is told of one: its conversation, its task and whether it ended by itself."""

    session: str
    task: str
    ok: bool


def helpers_of(view: View) -> tuple[HelperLine, ...]:
    """Return the helpers of a result. A server may have written it, so nothing of it is taken for granted."""
    given = view.data.get("helpers") if view.kind == "helpers" else None
    found = given[:MOST] if isinstance(given, list) else []
    return tuple(
        HelperLine(str(one["session"]), str(one.get("task", "")), one.get("ok") is True)
        for one in found
        if isinstance(one, dict) and one.get("session")
    )


def untold(stored: Iterable[HelperInfo], messages: Sequence[Message]) -> tuple[HelperLine, ...]:
    """Return the helpers that no result names: their call broke off, or runs elsewhere."""
    told = {one.session for message in messages for one in helpers_of(message.view)}
    return tuple(HelperLine(one.session, one.task, one.ok) for one in stored if one.session not in told)


def write_helpers(out: Channel, helpers: Iterable[HelperLine]) -> None:
    """Write a line for each: how it ended, its task, and the command that shows all of it."""
    for one in helpers:
        command = as_called(f"bramble sessions show {one.session}")
        state = _("done") if one.ok else _("ended early")
        room = max(10, out.width - len(command) - len(state) - 10)
        out.line(out.styled(one_line(f"    {state} · {one_line(one.task, room)} · {command}"), "muted"))

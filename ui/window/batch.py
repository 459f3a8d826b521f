"""Joins the streamed text in a batch of events, since each event costs the window the same, however short."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.events import Event, ReasoningStreamed, TextStreamed


def joined(batch: Sequence[Event]) -> list[Event]:
    """Return the events in order; texts of one message that follow one another are one event."""
    from app.events import ReasoningStreamed, TextStreamed

    found: list[Event] = []
    run: list[TextStreamed | ReasoningStreamed] = []
    for event in batch:
        goes_on = bool(run) and type(event) is type(run[0]) and event.message == run[0].message
        if not goes_on:
            found += _one(run)
            run = []
        if isinstance(event, TextStreamed | ReasoningStreamed):
            run.append(event)
        else:
            found.append(event)
    return found + _one(run)


def _one(run: Sequence[TextStreamed | ReasoningStreamed]) -> list[Event]:
    """Return the run as one event, or as none when it is empty."""
    if len(run) < 2:
        return list(run)
    first, text = run[0], "".join(event.text for event in run)
    return [type(first)(session=first.session, turn=first.turn, message=first.message, text=text)]

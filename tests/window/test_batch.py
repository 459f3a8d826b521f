"""Streamed text of one batch comes as one event, and everything else stays in its order."""

from __future__ import annotations

from app.events import Event, ReasoningStreamed, TextStreamed, TurnEnded, TurnStarted
from app.records import Usage
from ui.window.batch import joined


def text(words: str, message: str = "m") -> TextStreamed:
    return TextStreamed(session="s", turn="t", message=message, text=words)


def thought(words: str) -> ReasoningStreamed:
    return ReasoningStreamed(session="s", turn="t", message="m", text=words)


def test_text_of_one_message_in_a_row_is_one_event() -> None:
    begun = TurnStarted(session="s", turn="t")
    ended = TurnEnded(session="s", turn="t", stop="done", rounds=1, usage=Usage())
    batch: list[Event] = [begun, thought("a"), thought("b"), text("c"), text("d"), text("e"), ended]
    assert joined(batch) == [begun, thought("ab"), text("cde"), ended]


def test_what_does_not_belong_together_stays_apart() -> None:
    begun = TurnStarted(session="s", turn="u")
    batch: list[Event] = [text("a"), text("b", "n"), text("c"), begun, text("d"), thought("e"), text("f")]
    assert joined(batch) == batch
    assert joined([]) == []

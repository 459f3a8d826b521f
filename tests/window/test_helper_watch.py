"""How helpers get on, by the events of their own conversations, and when they are forgotten."""

from __future__ import annotations

from typing import Any

import pytest

from app.events import (
    Event,
    MessageStored,
    RequestSent,
    SessionChanged,
    SessionCreated,
    TextStreamed,
    ToolFinished,
    ToolStarted,
    TurnEnded,
)
from app.records import Message, SessionInfo, Stop, ToolCall, Usage
from ui.window.helping.watch import HelperWatch

AT: dict[str, Any] = {"session": "h", "turn": "t"}


def info(id: str, **more: Any) -> SessionInfo:
    return SessionInfo(id=id, title="Look ar", cwd="/", created=1, updated=1, **more)


def begun() -> HelperWatch:
    watch = HelperWatch()
    assert watch.apply(SessionCreated(session="h", info=info("h", parent="p"))) == "p"
    return watch


def ended(stop: Stop, session: str = "h") -> TurnEnded:
    return TurnEnded(session=session, turn="t", stop=stop, rounds=3, usage=Usage())


def stored(session: str, **more: Any) -> MessageStored:
    made = Message(id="m", session=session, parent=None, turn="t", created=1, **more)
    return MessageStored(session=session, message=made)


def test_it_follows_what_a_helper_does() -> None:
    watch = begun()

    def after(event: Event) -> tuple[str, str]:
        assert watch.apply(event) == "p"
        (seen,) = watch.of("p")
        return seen.task, seen.words()

    assert watch.of("p")[0].words() == "Begins"
    assert after(stored("h", role="user", text="Look around\nhere", by_model=True))[0] == "Look around here"
    assert after(RequestSent(**AT, round=1, message="a", model="m"))[1] == "Thinking"
    assert after(TextStreamed(**AT, message="a", text="I"))[1] == "Writing"
    assert watch.apply(TextStreamed(**AT, message="a", text=" see")) == "", "nothing new to show"
    call = ToolCall(id="c", name="read_file")
    assert (
        after(ToolStarted(**AT, message="a", call=call, verb="Read file", subject="a.txt"))[1]
        == "Read file a.txt"
    )
    assert after(ToolStarted(**AT, message="a", call=call))[1] == "Read file"
    assert after(ended("done"))[1] == "Done, 3 rounds"
    assert after(ended("rounds"))[1] == "Ended early, 3 rounds"


@pytest.mark.parametrize(
    "event",
    [
        ended("done", "p"),
        ToolFinished(
            session="p", turn="t", call="c", tool="delegate", ok=True, summary="", text="", seconds=0
        ),
        stored("p", role="tool", call="c", tool="delegate"),
        SessionChanged(session="p", info=info("p")),
        SessionChanged(session="p"),
    ],
)
def test_it_forgets_them_when_their_call_is_over(event: Event) -> None:
    watch = begun()
    assert watch.apply(stored("p", role="tool", call="c", tool="read_file")) == ""
    assert watch.apply(SessionChanged(session="p", info=info("p", running=True))) == "" and watch.of("p")
    assert watch.apply(event) == "" and watch.of("p") == ()
    assert watch.apply(ended("done")) == "", "what comes late is nobody's any more"


def test_conversations_of_the_person_are_no_helpers() -> None:
    watch = HelperWatch()
    assert watch.apply(SessionCreated(session="x", info=info("x"))) == "" and watch.of("") == ()

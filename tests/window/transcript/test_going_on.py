"""A conversation that is opened while its turn runs: nothing broke off until that is known."""

from __future__ import annotations

from typing import Any

from app.events import MessageStored, RequestSent, TurnEnded
from app.records import Usage
from tests.window.transcript.stage import blocks, call, message
from tests.window.transcript.test_story import tell
from ui.window.transcript.view import TranscriptView

IDS: dict[str, Any] = {"session": "s", "turn": "t1"}
USAGE = Usage(input=10, output=5)


def said(view: TranscriptView) -> list[str]:
    view.flush()
    return [block.text() for block in blocks(view)]


def test_an_answer_that_is_being_written_goes_on(view: TranscriptView) -> None:
    asked = message("user", "please")
    first = message("assistant", "I look.", calls=(call("c1"),), usage=USAGE)
    looked = message("tool", call="c1", tool="read_file", verb="Read file", summary="3 lines")
    half = message("assistant", "", state="streaming")
    view.load([asked, first, looked, half], running=True)
    assert said(view) == ["please", "I look.", "Read file 3 lines", "Thinking"], (
        "no sum, and nothing broke off"
    )
    whole = message("assistant", "It is so.", id=half.id, usage=USAGE)
    tell(view, MessageStored(session="s", message=whole))
    tell(view, TurnEnded(**IDS, stop="done", rounds=2, usage=Usage(input=20, output=10), cost=0.0))
    assert said(view)[-2:] == ["It is so.", "30 tokens, $0.00"], "how long it took is not known"


def test_a_turn_of_another_process_that_is_gone_has_broken_off(view: TranscriptView) -> None:
    half = message("assistant", "It be", state="streaming")
    view.load([message("user", "please"), half], running=True)
    assert said(view) == ["please", "It be"]
    view.halt()
    assert said(view) == ["please", "It be", "This answer broke off."]


def test_a_turn_whose_end_was_not_told_says_its_sum(view: TranscriptView) -> None:
    done = message("assistant", "Done.", usage=USAGE, cost=0.0)
    view.load([message("user", "please"), done], running=True)
    assert said(view) == ["please", "Done."]
    view.halt()
    assert said(view) == ["please", "Done.", "15 tokens, $0.00"]
    view.halt()
    assert len(said(view)) == 3


def test_what_does_not_run_is_as_it_was(view: TranscriptView) -> None:
    view.load([message("user", "please"), message("assistant", "It be", state="streaming")])
    assert said(view)[-1] == "This answer broke off."
    view.load([], running=True)
    tell(view, RequestSent(**IDS, round=1, message="a", model="p/m"))
    assert said(view) == ["Thinking"]


def test_a_call_that_broke_off_does_not_go_on(view: TranscriptView) -> None:
    asked = message("user", "please")
    first = message("assistant", "", calls=(call("c1", name="git_commit"),), usage=USAGE)
    view.load([asked, first])
    assert said(view)[1] == "Git commit interrupted"
    view.load([asked, first], running=True)
    assert said(view)[1] == "Git commit"
    view.halt()
    assert said(view)[1] == "Git commit interrupted"
    tell(
        view,
        MessageStored(
            session="s", message=message("tool", call="c1", verb="Git commit", summary="committed")
        ),
    )
    assert said(view)[1] == "Git commit committed"

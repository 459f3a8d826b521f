"""The row that stands where earlier messages were summarised: while it is made, and once it is there."""

from __future__ import annotations

from typing import Any

from pytestqt.qtbot import QtBot

from app.events import (
    CompactionEnded,
    CompactionProgressed,
    CompactionStarted,
    MessageStored,
    RequestSent,
    RetryWaited,
    TextStreamed,
    TurnEnded,
    TurnStarted,
)
from app.records import Compaction, Problem, Usage
from tests.window.transcript.conftest import Show
from tests.window.transcript.stage import blocks, message, row_of
from tests.window.transcript.test_story import tell
from ui.window.transcript.cards import Countdown
from ui.window.transcript.summaries import Summarised
from ui.window.transcript.view import TranscriptView

IDS: dict[str, Any] = {"session": "s", "turn": "t1"}
DONE = Compaction(kept="x", messages=52, before=7_055, after=2_895)


def test_a_summary_is_a_quiet_row_that_opens(show: Show) -> None:
    node = message("summary", "## Goal\nSort the photos", compaction=DONE)
    view = show([message("user", "please"), node, message("assistant", "done")])
    said = [block.text() for block in blocks(view)]
    assert said == ["please", "52 earlier messages were summarised", "done"]
    row = row_of(view, node.id)
    row.toggle("reasoning")
    assert [block.text() for block in row.blocks][1:] == ["Goal", "Sort the photos"]
    assert row.markdown() == "## Goal\nSort the photos"
    assert isinstance(row.blocks[0], Summarised)
    assert row.blocks[0].text().endswith(" · 7,055 tokens before, about 2,895 after")


def test_what_was_only_left_out_says_so(show: Show) -> None:
    node = message("summary", "text", compaction=Compaction(kept="x", messages=1, by="cut"))
    assert [block.text() for block in blocks(show([node]))] == ["1 earlier message is left out for the model"]


def test_the_row_shows_how_far_it_is_and_becomes_the_summary(show: Show) -> None:
    view = show([message("user", "please")])
    tell(view, TurnStarted(**IDS))
    assert tell(view, CompactionStarted(why="full", **IDS)) == ["please", "Summarising the earlier messages"]
    said = tell(view, CompactionProgressed(done=1, total=3, **IDS))
    assert said[-1] == "Summarising the earlier messages: 1 of 3."
    node = message("summary", "## Goal\nx", turn="t1", compaction=DONE)
    tell(view, MessageStored(session="s", message=node), CompactionEnded(message=node.id, **IDS))
    tell(view, RequestSent(round=1, message="a", model="m", **IDS))
    said = tell(view, TextStreamed(message="a", text="Well", **IDS))
    assert said == ["please", "52 earlier messages were summarised", "Well"]
    assert row_of(view, node.id).key == node.id


def test_a_summary_that_was_stopped_says_so(show: Show) -> None:
    view: TranscriptView = show([message("user", "please")])
    tell(view, TurnStarted(**IDS), CompactionStarted(why="asked", **IDS), CompactionEnded(**IDS))
    said = tell(view, TurnEnded(stop="stopped", rounds=0, usage=Usage(), **IDS))
    assert "The earlier messages were not summarised." in said or "Stopped" in said[-1]


def test_an_answer_that_came_to_nothing_takes_no_room(show: Show) -> None:
    view = show([message("user", "please"), message("assistant", "")])
    assert [block.text() for block in blocks(view)] == ["please"]


def test_while_a_provider_is_waited_for_another_model_is_offered(show: Show, qtbot: QtBot) -> None:
    view = show([message("user", "please")])
    limited = Problem(code="rate_limit_other", fields={"fallback": "groq/small"})
    tell(view, TurnStarted(**IDS), RequestSent(round=1, message="a", model="m", **IDS))
    said = tell(view, RetryWaited(problem=limited, seconds=40.0, attempt=2, **IDS))
    assert "groq/small can answer instead." in said[-1] and "Trying again in 40 s" in said[-1]
    (card,) = [block for block in blocks(view) if isinstance(block, Countdown)]
    (part,) = card.parts()
    with qtbot.waitSignal(view.remedy_requested) as pressed:
        view.keys.activate(card, part)
    assert pressed.args == ["switch_model"]
    assert tell(view, TextStreamed(message="a", text="Well", **IDS)) == ["please", "Well"]


def test_without_another_model_the_wait_is_a_quiet_line(show: Show) -> None:
    view = show([message("user", "please")])
    tell(view, TurnStarted(**IDS), RequestSent(round=1, message="a", model="m", **IDS))
    tell(view, RetryWaited(problem=Problem(code="rate_limit"), seconds=5.0, attempt=2, **IDS))
    assert not any(isinstance(block, Countdown) for block in blocks(view))

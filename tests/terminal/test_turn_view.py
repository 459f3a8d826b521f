"""The view of a turn and its report: what is streamed is shown once, and costs what its length costs."""

from __future__ import annotations

import os
import time
from typing import Literal

import pytest

from app.events import Event, MessageStored, TextStreamed, ToolFinished, ToolStarted, TurnStarted
from app.records import Message, ToolCall
from ui.terminal.output import Terminal
from ui.terminal.report import Report
from ui.terminal.turn_view import TurnView


def stored(text: str, state: Literal["streaming", "complete"]) -> MessageStored:
    message = Message(
        id="m", session="s", turn="t", parent=None, role="assistant", text=text, state=state, created=1.0
    )
    return MessageStored(session="s", message=message)


def streamed(text: str) -> TextStreamed:
    return TextStreamed(session="s", turn="t", message="m", text=text)


def watch(events: list[Event]) -> Report:
    view, report = TurnView(Terminal(os.environ)), Report(session="s")
    for event in [TurnStarted(session="s", turn="t"), *events]:
        view.take(event)
        report.take(event)
    return report


def test_the_end_adds_only_what_was_not_streamed(capsys: pytest.CaptureFixture[str]) -> None:
    report = watch([streamed("one "), streamed("two "), stored("one two three", "complete")])
    assert capsys.readouterr().out == "one two three\n"
    assert report.text == "one two three"


def test_an_answer_that_begins_again_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    watch([streamed("half"), stored("", "streaming"), streamed("whole"), stored("whole", "complete")])
    assert capsys.readouterr().out == "half\nwhole\n"


def test_a_cut_answer_is_in_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert watch([streamed("half "), streamed("of it")]).text == "half of it"


def test_a_call_that_failed_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    call = ToolCall(id="c", name="nope", arguments="{}")
    started = ToolStarted(session="s", turn="t", message="m", call=call, verb="nope", subject="")
    done = ToolFinished(
        session="s",
        turn="t",
        call="c",
        tool="nope",
        ok=False,
        summary="failed",
        text="There is no tool named 'nope'.",
        seconds=0.1,
    )
    watch([started, done])
    assert "There is no tool named 'nope'." in capsys.readouterr().err


def test_four_times_the_pieces_cost_about_four_times_as_much(capsys: pytest.CaptureFixture[str]) -> None:
    def spent(pieces: int) -> float:
        before = time.process_time()
        watch([streamed("x" * 200)] * pieces)
        return time.process_time() - before

    assert min(spent(4_000) for _try in range(3)) < 10 * min(spent(1_000) for _try in range(3))

"""Broken histories are made whole, with the same bytes each time."""

from __future__ import annotations

import itertools

from app.conversation.repair import INTERRUPTED, missing, repaired
from app.records import Message, ToolCall


def message(id: str, role: str, **fields: object) -> Message:
    return Message(id=id, session="s", parent=None, turn="t", role=role, created=1.0, **fields)  # type: ignore[arg-type]


CALLS = (ToolCall(id="c1", name="read_file"), ToolCall(id="c2", name="write_file"))
ASKED = message("u", "user", text="go")
CALLED = message("a", "assistant", calls=CALLS)


def ids() -> object:
    count = itertools.count()
    return lambda: f"n{next(count)}"


def test_a_whole_history_stays_as_it_is() -> None:
    history = [
        ASKED,
        CALLED,
        message("r1", "tool", call="c1"),
        message("r2", "tool", call="c2"),
        message("b", "assistant", text="ok"),
    ]
    assert repaired(history) == history
    assert missing(history, ids(), 2.0) == []


def test_missing_results_are_added_at_the_end() -> None:
    added = missing([ASKED, CALLED, message("r1", "tool", call="c1")], ids(), 2.0)
    assert [(one.call, one.ok, one.text) for one in added] == [("c2", False, INTERRUPTED)]


def test_results_line_up_as_the_calls_do_and_doubles_go() -> None:
    history = [
        ASKED,
        CALLED,
        message("r2", "tool", call="c2"),
        message("r1", "tool", call="c1"),
        message("r1b", "tool", call="c1"),
    ]
    assert [one.id for one in repaired(history)] == ["u", "a", "r1", "r2"]


def test_a_gap_in_the_middle_is_filled_the_same_way_each_time() -> None:
    history = [ASKED, CALLED, message("r1", "tool", call="c1"), message("u2", "user", text="more")]
    assert missing(history, ids(), 2.0) == []
    assert repaired(history) == repaired(history)
    assert [(one.role, one.call) for one in repaired(history)] == [
        ("user", ""),
        ("assistant", ""),
        ("tool", "c1"),
        ("tool", "c2"),
        ("user", ""),
    ]


def test_strays_are_left_out_and_an_open_answer_is_closed() -> None:
    history = [
        message("x", "tool", call="zz"),
        ASKED,
        message("a", "assistant", text="half", state="streaming"),
    ]
    assert [(one.id, one.state) for one in repaired(history)] == [("u", "complete"), ("a", "stopped")]

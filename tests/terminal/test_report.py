"""What a turn did, from its events alone: every call once, the inner tool's own arguments, the last words."""

from __future__ import annotations

import pytest

from app.events import MessageStored, TextStreamed, ToolFinished, ToolStarted, TurnEnded, TurnStarted
from app.records import Message, Problem, ToolCall, Usage
from ui.terminal import exits
from ui.terminal.report import Report


def answer(message: str, text: str = "", *calls: ToolCall, turn: str = "t") -> MessageStored:
    stored = Message(
        id=message, session="s", parent=None, turn=turn, role="assistant", created=0, text=text, calls=calls
    )
    return MessageStored(session="s", message=stored)


def finished(call: str, *, ok: bool = True, decision: str = "allow") -> ToolFinished:
    return ToolFinished(
        session="s", turn="t", call=call, tool="x", ok=ok, summary="", text="", seconds=0, decision=decision
    )


def ended(stop: str = "done", problem: Problem | None = None) -> TurnEnded:
    return TurnEnded(session="s", turn="t", stop=stop, rounds=2, usage=Usage(), problem=problem)  # type: ignore[arg-type]


def test_ids_that_come_again_in_the_next_round_are_other_calls() -> None:
    report = Report(session="s")
    report.take(TurnStarted(session="s", turn="t"))
    for message, path in (("m1", "a"), ("m2", "b")):
        call = ToolCall(id="call_0", name="read_file", arguments=f'{{"path":"{path}"}}')
        report.take(answer(message, "", call))
        report.take(ToolStarted(session="s", turn="t", message=message, call=call))
        report.take(finished("call_0", ok=path == "a"))
    report.take(answer("m3", "Done."))
    report.take(ended())
    form = report.form()
    assert [(tool["arguments"], tool["ok"]) for tool in form["tools"]] == [
        ('{"path":"a"}', True),
        ('{"path":"b"}', False),
    ]
    assert (form["text"], form["stop"], form["rounds"]) == ("Done.", "done", 2)


def test_the_inner_tool_of_use_tool_is_shown() -> None:
    report = Report(session="s", turn="t")
    report.take(
        answer("m", "", ToolCall(id="c", name="use_tool", arguments='{"name":"calculate","arguments":{}}'))
    )
    inner = ToolCall(id="c", name="calculate", arguments='{"expression":"1"}')
    report.take(ToolStarted(session="s", turn="t", message="m", call=inner))
    report.take(finished("c"))
    assert report.form()["tools"] == [
        {"name": "calculate", "arguments": '{"expression":"1"}', "decision": "allow", "ok": True}
    ]


def test_a_call_that_never_ran_is_not_ok() -> None:
    report = Report(session="s", turn="t")
    report.take(answer("m", "Let me see.", ToolCall(id="c", name="read_file", arguments="")))
    assert report.form()["tools"] == [{"name": "read_file", "arguments": "{}", "decision": "", "ok": False}]
    assert report.text == "Let me see."


def test_other_turns_and_sessions_count_for_nothing() -> None:
    report = Report(session="s", turn="t")
    report.take(answer("m", "of another turn", turn="u"))
    report.take(TextStreamed(session="other", turn="t", message="m", text="of another session"))
    assert report.text == ""


@pytest.mark.parametrize(
    ("stop", "problem", "code"),
    [
        ("done", "", 0),
        ("stopped", "", 130),
        ("rounds", "", 5),
        ("repeat", "", 5),
        ("length", "", 5),
        ("cut", "cut_stream", 5),
        ("approval", "", 3),
        ("refused", "", 1),
        ("failed", "no_key", 4),
        ("failed", "bad_key", 4),
        ("failed", "stalled", 5),
        ("failed", "server_error", 1),
        ("failed", "a_new_code", 1),
    ],
)
def test_exit_codes(stop: str, problem: str, code: int) -> None:
    report = Report(session="s", turn="t")
    report.take(ended(stop, Problem(code=problem) if problem else None))
    assert report.exit == code


def test_an_unanswered_question_outweighs_success_only() -> None:
    assert exits.of_turn("done", unanswered=True) == 3
    assert exits.of_turn("rounds", unanswered=True) == 5
    assert exits.of_turn("stopped", unanswered=True) == 130

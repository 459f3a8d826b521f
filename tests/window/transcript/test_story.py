"""What events and messages make of the rows: states, cards, quiet lines."""

from __future__ import annotations

from typing import Any

from app.events import (
    ApprovalAnswered,
    ApprovalAsked,
    CallStreamed,
    Event,
    MessageStored,
    RequestHeld,
    RequestSent,
    RetryWaited,
    TextStreamed,
    ToolFinished,
    ToolProgressed,
    ToolStarted,
    TurnEnded,
    TurnStarted,
)
from app.records import Answer, Message, Problem, ToolCall, Usage, View
from tests.window.transcript.conftest import Clock, Show
from tests.window.transcript.stage import approval, blocks, call, message, row_of
from ui.window.transcript.tool_rows import ToolRow
from ui.window.transcript.view import TranscriptView

IDS: dict[str, Any] = {"session": "s", "turn": "t1"}


def tell(view: TranscriptView, *events: Event) -> list[str]:
    """Apply events and return what the blocks say."""
    for event in events:
        view.apply(event)
    view.flush()
    return [block.text() for block in blocks(view)]


def states(view: TranscriptView) -> list[str]:
    return [block.call.state for block in blocks(view) if isinstance(block, ToolRow)]


def started(key: str, verb: str = "Write file", subject: str = "a.py") -> ToolStarted:
    return ToolStarted(
        message="a", call=ToolCall(id=key, name="write_file"), verb=verb, subject=subject, **IDS
    )


def finished(key: str, *, ok: bool = True) -> ToolFinished:
    return ToolFinished(call=key, tool="write_file", ok=ok, summary="3 lines", text="out", seconds=0.4, **IDS)


def test_a_whole_turn(show: Show, clock: Clock) -> None:
    view = show([])
    asked = message("user", "please")
    tell(view, MessageStored(session="s", message=asked), TurnStarted(**IDS))
    assert tell(view, RequestSent(round=1, message="a", model="m", **IDS)) == ["please", "Thinking"]
    assert tell(view, TextStreamed(message="a", text="I will ", **IDS)) == ["please", "I will"]
    said = tell(view, CallStreamed(message="a", index=0, name="write_file", size=1200, **IDS))
    assert said == ["please", "I will", "Write file 1.2 kB"]
    stored = message("assistant", "I will write.", id="a", calls=(call("c1", "write_file"),))
    tell(view, MessageStored(session="s", message=stored))
    assert states(view) == ["waiting"]
    assert tell(view, started("c1"))[-1] == "Write file a.py"
    assert states(view) == ["running"]
    said = tell(view, ApprovalAsked(session="s", approval=approval("q", "c1")))
    assert said[2] == "Write file a.py needs you"
    assert said[3].startswith("Bramble wants to change 2 files")
    said = tell(view, ApprovalAnswered(session="s", approval="q", answer=Answer(decision="allow")))
    assert said[2:] == ["Write file a.py"]
    assert tell(view, finished("c1"))[2:] == ["Write file a.py 3 lines"]
    clock.now += 12
    used = Usage(input=2000, output=140, cached=1890)
    said = tell(view, TurnEnded(stop="done", rounds=1, usage=used, cost=0.0123, **IDS))
    assert said[3:] == ["2,140 tokens, 1,890 from cache, $0.0123, 12 s"]


def test_a_turn_took_the_time_of_its_work_without_that_of_the_person(show: Show, clock: Clock) -> None:
    view = show([])
    tell(view, TurnStarted(**IDS), RequestSent(round=1, message="a", model="m", **IDS), started("c1"))
    clock.now += 3
    tell(view, ApprovalAsked(session="s", approval=approval("q", "c1")))
    clock.now += 75
    tell(view, ApprovalAnswered(session="s", approval="q", answer=Answer(decision="allow")))
    clock.now += 2
    used = Usage(input=1000, output=5)
    said = tell(view, finished("c1"), TurnEnded(stop="done", rounds=1, usage=used, **IDS))
    assert said[-1] == "1,005 tokens, price not known, 5.0 s"


def test_stored_tool_message_and_its_event_say_the_same(show: Show) -> None:
    view = show([message("assistant", "", id="a", calls=(call("c1"), call("c2")))])
    tell(view, started("c1"))
    result = message(
        "tool", "x", call="c1", tool="write_file", verb="Write file", subject="a.py", summary="9 lines"
    )
    assert tell(view, MessageStored(session="s", message=result))[0] == "Write file a.py 9 lines"
    assert tell(view, finished("c2", ok=False))[1] == "Read file 3 lines"
    assert states(view) == ["done", "failed"]


def test_answer_that_begins_again_drops_what_was_cut(show: Show) -> None:
    view = show([])
    tell(
        view,
        RequestSent(round=1, message="a", model="m", **IDS),
        TextStreamed(message="a", text="half", **IDS),
    )
    waited = RetryWaited(problem=Problem(code="cut_stream"), seconds=3.0, attempt=1, **IDS)
    assert "Trying again in 3 s" in tell(view, waited)[-1]
    empty = message("assistant", "", id="a", state="streaming")
    tell(view, MessageStored(session="s", message=empty))
    assert tell(view, TextStreamed(message="a", text="whole", **IDS)) == ["whole"]


def test_what_holds_a_request_up_is_said_where_its_answer_comes(show: Show) -> None:
    view = show([message("user", "hello", turn="t1")])
    held = {"why": "way_in", "provider": "", **IDS}
    assert tell(view, TurnStarted(**IDS), RequestHeld(**held)) == ["hello", "Getting in at the provider"]
    told = tell(view, RequestSent(round=1, message="a", model="m", **IDS))
    assert told[0] == "hello" and "Getting in" not in "".join(told)
    turn = {"why": "turn", "provider": "GitHub Copilot", **IDS}
    assert "GitHub Copilot is asked one at a time" in tell(view, RequestHeld(**turn))[-1]
    assert tell(view, TextStreamed(message="a", text="here", **IDS)) == ["hello", "here"]
    tell(view, MessageStored(session="s", message=message("assistant", "here", id="a", turn="t1")))
    assert len(view.story.rows) == 2 and view.story.rows[1].key == "a"


def test_a_turn_that_ends_before_its_request_says_why_in_that_row(show: Show) -> None:
    view = show([])
    tell(view, TurnStarted(**IDS), RequestHeld(why="way_in", provider="", **IDS))
    ended = TurnEnded(stop="failed", problem=Problem(code="no_key"), rounds=0, usage=Usage(), **IDS)
    said = "".join(tell(view, ended))
    assert len(view.story.rows) == 1 and "Getting in" not in said


def test_countdown(show: Show, clock: Clock) -> None:
    view = show([])
    waited = RetryWaited(problem=Problem(code="rate_limit"), seconds=20.0, attempt=1, **IDS)
    assert tell(view, RequestSent(round=1, message="a", model="m", **IDS), waited)[-1].endswith("in 20 s")
    assert view._countdown.isActive()
    clock.now += 7
    view._tick()
    assert blocks(view)[-1].text().endswith("in 13 s")
    clock.now += 60
    view._tick()
    assert blocks(view)[-1].text().endswith("Trying again")
    assert tell(view, TextStreamed(message="a", text="here", **IDS)) == ["here"]
    assert not view._countdown.isActive()


def test_stopped_and_broken_answers_are_marked(show: Show) -> None:
    view = show(
        [
            message("assistant", "half", "t1", state="stopped"),
            message("assistant", "cut", "t2", state="streaming"),
            message("assistant", "", "t3", state="failed", problem=Problem(code="no_key")),
        ]
    )
    said = [block.text() for block in blocks(view)]
    assert said[1] == "Stopped. This answer is not complete."
    assert said[3] == "This answer broke off."
    assert said[4].startswith("There is no key for this model yet.")


def test_end_of_a_turn_says_why(show: Show) -> None:
    view = show([message("assistant", "a", "t1", id="a")])
    said = tell(view, TurnEnded(stop="rounds", rounds=100, usage=Usage(), **IDS))
    assert said == ["a", "Ended: the limit of model requests was reached"]
    assert not row_of(view, "a").live


def test_turn_that_failed_before_any_answer(show: Show) -> None:
    view = show([message("user", "hi")])
    said = tell(
        view, TurnEnded(stop="failed", rounds=0, usage=Usage(), problem=Problem(code="no_network"), **IDS)
    )
    assert len(said) == 2
    assert blocks(view)[1].kind == "error"


def test_problem_is_told_once(show: Show) -> None:
    view = show([message("user", "hi")])
    problem = Problem(code="no_credit")
    failed = message("assistant", "", id="a", state="failed", problem=problem)
    tell(view, MessageStored(session="s", message=failed))
    tell(view, TurnEnded(stop="failed", rounds=1, usage=Usage(), problem=problem, **IDS))
    assert [block.kind for block in blocks(view)] == ["bubble", "error"]


def test_calls_that_never_came_whole_are_gone_at_the_end(show: Show) -> None:
    view = show([])
    tell(view, CallStreamed(message="a", index=0, name="write_file", size=10, **IDS))
    assert states(view) == ["arriving"]
    tell(view, TurnEnded(stop="stopped", rounds=1, usage=Usage(), **IDS))
    assert states(view) == []


def test_live_output_is_kept_and_replaced(show: Show) -> None:
    view = show([message("assistant", "", id="a", calls=(call("c1"),))])
    tell(view, started("c1"), *(ToolProgressed(call="c1", text=f"{n}\n", **IDS) for n in range(3)))
    assert row_of(view, "a").calls["c1"].output == "0\n1\n2\n"
    tell(view, finished("c1"))
    assert row_of(view, "a").calls["c1"].output == "out"


def test_question_that_is_gone_leaves(show: Show) -> None:
    view = show([message("assistant", "", id="a", calls=(call("c1"),))])
    tell(view, ApprovalAsked(session="s", approval=approval("q", "c1")))
    tell(view, ApprovalAnswered(session="s", approval="q", answer=None))
    assert states(view) == ["waiting"]
    assert [block.kind for block in blocks(view)] == ["tool"]
    tell(view, ApprovalAnswered(session="s", approval="unknown"))


def test_picture_of_a_tool_is_a_place_not_a_file(show: Show) -> None:
    shown = View(kind="image", data={"path": "/x/chart.png"})
    view = show(
        [
            message("assistant", "", calls=(call("c1"),)),
            message("tool", "ok", call="c1", verb="View image", summary="a chart", view=shown),
        ]
    )
    assert [block.text() for block in blocks(view)] == ["View image a chart", "a chart\n/x/chart.png"]


def turn(number: int, **fields: Any) -> list[Message]:
    return [message("user", "q", f"t{number}"), message("assistant", "a", f"t{number}", **fields)]


def test_spending_stands_under_the_last_answer_of_a_turn(show: Show) -> None:
    used = Usage(input=1000, output=5)
    first = turn(1, usage=used, cost=0.5)
    second = message("assistant", "b", "t1", usage=used, cost=0.25)
    view = show([*first, second, *turn(2)])
    assert [row.ending for row in view.story.rows] == ["", "", "2,010 tokens, $0.75", "", ""]


def test_spending_of_a_turn_that_is_loaded_in_two_parts(show: Show) -> None:
    used = Usage(input=1000, output=5)
    first = turn(1, usage=used)
    view = show([message("assistant", "b", "t1", usage=used)])
    view.prepend(first)
    assert [row.ending for row in view.story.rows] == ["", "", "2,010 tokens, price not known"]


def test_results_find_the_answer_that_made_their_calls(show: Show) -> None:
    older = [
        message("user", "q", "t1"),
        message("assistant", "I look.", "t1", calls=(call("c1"), call("c2"))),
    ]
    results = [
        message("tool", key, "t1", call=key, verb="Read file", summary=f"{key} read") for key in ("c1", "c2")
    ]
    view = show([*results, message("assistant", "Done.", "t1")])
    assert [block.text() for block in blocks(view)] == ["Read file c1 read", "Read file c2 read", "Done."]
    view.prepend(older)
    said = [block.text() for block in blocks(view)]
    assert said == ["q", "I look.", "Read file c1 read", "Read file c2 read", "Done."]
    assert [row.order for row in view.story.rows] == [-1, 0, 1]
    assert row_of(view, older[1].id).calls["c1"].arguments == '{"path": "notes.txt"}'

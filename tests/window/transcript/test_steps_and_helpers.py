"""The card of a call draws the steps that it set down, and the helpers that it started: live, and stored."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from pytestqt.qtbot import QtBot

from app.events import (
    ApprovalAnswered,
    ApprovalAsked,
    RequestSent,
    ToolFinished,
    ToolStarted,
    TurnStarted,
)
from app.records import Answer, ToolCall, View
from tests.window.transcript.conftest import Show
from tests.window.transcript.stage import approval, blocks, call, click, message, parts, picture
from tests.window.transcript.test_story import tell
from ui.window.theme import make_theme
from ui.window.transcript.helper_rows import HelperRow
from ui.window.transcript.helpers_seen import HelperSeen
from ui.window.transcript.step_rows import StepList
from ui.window.transcript.view import TranscriptView

IDS: dict[str, Any] = {"session": "s", "turn": "t1"}
LONG = "a very long task that goes on and on " * 12


def steps(*states: str) -> View:
    listed = [{"text": f"Step {at}", "state": state} for at, state in enumerate(states, 1)]
    return View(kind="steps", data={"steps": listed})


def helpers(*given: tuple[str, str, bool, int]) -> View:
    made = [{"session": a, "task": b, "ok": c, "rounds": d} for a, b, c, d in given]
    return View(kind="helpers", data={"helpers": made})


def result(of: str, view: View, **more: Any) -> Any:
    return message("tool", call=of, tool="plan_steps", verb="Plan steps", view=view, **more)


def listed(view: TranscriptView) -> list[str]:
    return [block.text() for block in blocks(view) if isinstance(block, StepList)]


def test_the_steps_stand_where_they_were_set_down_last(show: Show, qtbot: QtBot) -> None:
    first = [message("assistant", calls=(call("c1", "plan_steps"),)), result("c1", steps("doing", "open"))]
    view = show([message("user", "please"), *first])
    assert listed(view) == ["Step 1, in work\nStep 2, to do"]
    second = [message("assistant", calls=(call("c2", "plan_steps"),)), result("c2", steps("done", "dropped"))]
    view.load([*first, *second])
    assert listed(view) == ["Step 1, done\nStep 2, left out"], "only the newest is open by itself"
    toggle = next(point for block, part, point in parts(view, "toggle") if part.value == "c1")
    click(view, toggle)
    assert listed(view)[0] == "Step 1, in work\nStep 2, to do" and len(listed(view)) == 2
    toggle = next(point for block, part, point in parts(view, "toggle") if part.value == "c2")
    click(view, toggle)
    assert listed(view) == ["Step 1, in work\nStep 2, to do"], "the newest closes too"


def test_steps_that_come_while_it_runs_replace_those_before(view: TranscriptView) -> None:
    def done(key: str, shown: View) -> None:
        view.apply(
            ToolStarted(**IDS, message="a1", call=ToolCall(id=key, name="plan_steps"), verb="Plan steps")
        )
        view.apply(
            ToolFinished(
                **IDS, call=key, tool="plan_steps", ok=True, summary="", text="", seconds=0, view=shown
            )
        )
        view.flush()

    tell(view, TurnStarted(**IDS), RequestSent(**IDS, round=1, message="a1", model="p/m"))
    done("c1", steps("doing", "open", "open"))
    assert listed(view) == ["Step 1, in work\nStep 2, to do\nStep 3, to do"]
    done("c2", steps("done", "doing", "open"))
    assert listed(view) == ["Step 1, done\nStep 2, in work\nStep 3, to do"]


def test_older_messages_bring_no_older_list_back(show: Show) -> None:
    view = show([message("assistant", calls=(call("c2", "plan_steps"),)), result("c2", steps("doing"))])
    older = [
        message("assistant", calls=(call("c1", "plan_steps"),), id="a"),
        result("c1", steps("open"), id="b"),
    ]
    view.prepend(older)
    assert listed(view) == ["Step 1, in work"]
    view = show([message("user", "and?")])
    view.prepend(older)
    assert listed(view) == ["Step 1, to do"]


@pytest.mark.parametrize(
    "data",
    [{}, {"steps": "none"}, {"steps": [1, None]}, {"helpers": [{"task": "x"}, 3]}, {"steps": []}],
)
def test_what_no_tool_of_ours_would_say_is_no_list(show: Show, data: dict[str, Any]) -> None:
    for kind in ("steps", "helpers"):
        made = View(kind=kind, data=data)  # type: ignore[arg-type]
        view = show([message("assistant", calls=(call("c1", "x"),)), result("c1", made)])
        assert listed(view) == [] and not any(isinstance(one, HelperRow) for one in blocks(view))


def rows(view: TranscriptView) -> list[str]:
    return [block.text() for block in blocks(view) if isinstance(block, HelperRow)]


def test_each_helper_is_a_row_that_opens_its_transcript(show: Show, qtbot: QtBot) -> None:
    view = show(
        [
            message("user", "please"),
            message("assistant", calls=(call("c1", "delegate", '{"tasks": ["Look", "Read"]}'),)),
            result("c1", helpers(("h1", "Look", True, 1), ("h2", LONG, False, 12)), ok=True),
        ]
    )
    assert rows(view) == ["Look: Done, 1 round", f"{LONG.strip()}: Ended early, 12 rounds"]
    opened: list[str] = []
    view.helper_requested.connect(opened.append)
    first, second = parts(view, "helper")
    assert first[1].name == "Look: Done, 1 round. Open what it did"
    click(view, second[2])
    assert opened == ["h2"]
    view.setFocus()
    while view.keys.focus is None or view.keys.focus[1].act != "helper":
        assert view.keys.tab(backward=False)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert opened == ["h2", "h1"]
    assert "Look" in view.story.rows[1].blocks[1].markdown(0, 0)


def test_while_they_work_the_rows_say_what_they_do(view: TranscriptView) -> None:
    tell(view, TurnStarted(**IDS), RequestSent(**IDS, round=1, message="a1", model="p/m"))
    view.apply(ToolStarted(**IDS, message="a1", call=ToolCall(id="c1", name="delegate"), verb="Delegate"))
    view.show_helpers(
        [HelperSeen("h1", "Look", "running", 1, "Read file notes.txt"), HelperSeen("h2", "Read", "running")]
    )
    view.flush()
    assert rows(view) == ["Look: Read file notes.txt", "Read: Begins"]
    before = picture(view)
    view.show_helpers(
        [HelperSeen("h1", "Look", "done", 3), HelperSeen("h2", "Read", "running", 1, "Thinking")]
    )
    view.flush()
    assert rows(view) == ["Look: Done, 3 rounds", "Read: Thinking"] and picture(view) != before
    made = helpers(("h1", "Look", True, 3), ("h2", "Read", False, 2))
    view.apply(
        ToolFinished(
            **IDS, call="c1", tool="delegate", ok=True, summary="1 of 2 done", text="", seconds=1, view=made
        )
    )
    view.flush()
    assert rows(view) == ["Look: Done, 3 rounds", "Read: Ended early, 2 rounds"]
    view.show_helpers([HelperSeen("h3", "late", "running")])
    view.flush()
    assert len(rows(view)) == 2, "a call that has ended takes no helper any more"


def test_the_call_of_a_helper_stands_there_only_while_it_is_asked_about(view: TranscriptView) -> None:
    tell(view, TurnStarted(**IDS), RequestSent(**IDS, round=1, message="a1", model="p/m"))
    view.apply(ToolStarted(**IDS, message="a1", call=ToolCall(id="c1", name="delegate"), verb="Delegate"))
    for number, answer in ((1, Answer(decision="allow")), (2, None)):
        asked = approval(f"q{number}", of=f"its call {number}")
        said = tell(view, ApprovalAsked(session="s", approval=asked))
        assert any(words.startswith("Write file") and "needs you" in words for words in said)
        said = tell(view, ApprovalAnswered(session="s", approval=asked.id, answer=answer))
        assert said == ["Delegate"], "its end is told in its own conversation"


def test_a_task_is_not_taken_for_words_of_the_person(show: Show) -> None:
    view = show([message("user", "Look around", by_model=True), message("assistant", "I see.")])
    assert [block.text() for block in blocks(view)] == ["The task that Bramble gave", "Look around", "I see."]
    item = QAccessible.queryAccessibleInterface(view).child(0)
    assert item.text(QAccessible.Text.Name).startswith("Bramble: Look around")
    view.load([message("user", "Look around")])
    assert [block.text() for block in blocks(view)] == ["Look around"]


@pytest.mark.parametrize("size", [14, 28])
@pytest.mark.parametrize("mirrored", [False, True])
def test_it_is_painted_in_any_size_and_direction(
    show: Show, view: TranscriptView, size: int, mirrored: bool
) -> None:
    if mirrored:
        view.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    view.set_theme(make_theme("dark", size))
    texts = [LONG, "קצר", "short"]
    made = View(kind="steps", data={"steps": [{"text": one, "state": "doing"} for one in texts]})
    show(
        [
            message("assistant", calls=(call("c1"), call("c2"))),
            result("c1", made),
            result("c2", helpers(("h", LONG, True, 2))),
        ]
    )
    found = next(block for block in blocks(view) if isinstance(block, StepList))
    line = view.sheet.theme.px(19)
    assert found.height >= 5 * line, "a long step wraps"
    assert picture(view).width() > 0

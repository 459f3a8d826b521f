"""The timer tool in turns of an engine: set, listed in any mode, cancelled, and refused in plain words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.events import ToolFinished
from app.records import TurnOptions
from tests.conversation.test_engine import Bench, bench, calls, says


def timer(**arguments: Any) -> tuple[str, dict[str, Any]]:
    return "use_tool", {"name": "timer", "arguments": arguments}


def told(scene: Bench) -> list[tuple[bool, str]]:
    return [(event.ok, event.text) for event in scene.events if isinstance(event, ToolFinished)]


async def test_a_timer_is_set_listed_and_cancelled_without_a_question(tmp_path: Path) -> None:
    steps = (
        calls(timer(action="start", after="10 minutes", label="Tea")),
        calls(timer(action="list")),
        calls(timer(action="cancel", label="tea")),
        calls(timer(action="list")),
    )
    async with bench(tmp_path, *steps, says("done")) as scene:
        await scene.turn("set a timer for ten minutes", TurnOptions(attended=False))
        started, listed, cancelled, empty = told(scene)
    assert started[0] and "verified" in started[1] and "unverified" not in started[1] and "Tea" in started[1]
    assert listed[0] and "Tea at " in listed[1] and "(in 0:" in listed[1]
    assert cancelled[0] and cancelled[1].startswith("Cancelled, verified: Tea at ")
    assert empty == (True, "No timer is set.")


async def test_what_cannot_be_set_says_why_and_sets_nothing(tmp_path: Path) -> None:
    wrong = (
        timer(action="start"),
        timer(action="start", after="soon"),
        timer(action="start", after="-5 min"),
        timer(action="start", after="5m", at="07:00"),
        timer(action="start", at="25:99"),
        timer(action="start", at="2020-01-01 10:00"),
        timer(action="cancel"),
        timer(action="cancel", label="nothing of the sort"),
        timer(action="ring"),
    )
    async with bench(tmp_path, *map(calls, wrong), calls(timer(action="list")), says("no")) as scene:
        await scene.turn("timers", TurnOptions(attended=False))
        *refused, listed = told(scene)
    assert [ok for ok, _ in refused] == [False] * len(wrong) and all(len(text) > 15 for _, text in refused)
    assert "Which timer?" in refused[6][1] and "nothing of the sort" in refused[7][1]
    assert listed == (True, "No timer is set.")


async def test_plan_mode_lists_and_sets_nothing(tmp_path: Path) -> None:
    steps = (calls(timer(action="list")), calls(timer(action="start", after="1m")), says("planned"))
    async with bench(tmp_path, *steps) as scene:
        await scene.turn("plan", TurnOptions(attended=False, mode="plan"))
        (listed, text), (started, why) = told(scene)
    assert (listed, text) == (True, "No timer is set.") and not started and "plan" in why

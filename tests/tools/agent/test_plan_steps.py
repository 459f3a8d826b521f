"""The model's checklist: the whole list each time, bounded, one step in work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.events import ToolFinished
from tests.conversation.test_engine import bench
from tests.servers.scripted import calls, says


def step(text: str, state: str = "open") -> dict[str, str]:
    return {"text": text, "state": state}


async def finished(tmp_path: Path, *lists: list[Any]) -> list[ToolFinished]:
    scripts = [calls(("plan_steps", {"steps": steps})) for steps in lists]
    async with bench(tmp_path, *scripts, says("so")) as scene:
        await scene.turn("go")
        return [event for event in scene.events if isinstance(event, ToolFinished)]


async def test_the_list_is_shown_as_it_goes_on(tmp_path: Path) -> None:
    first, second = await finished(
        tmp_path,
        [step("Look", "doing"), step("Write\n  it")],
        [step("Look", "done"), step("Write it", "doing"), {"text": "Try it"}],
    )
    assert first.ok and first.view.kind == "steps"
    assert first.view.data["steps"] == [step("Look", "doing"), step("Write it")]
    assert (second.text, second.summary) == ("1 of 3 done, now: Write it.", "1 of 3 done")


@pytest.mark.parametrize(
    "steps",
    [
        [],
        [step("x")] * 31,
        [step(" ")],
        [step("x", "later")],
        [step("a", "doing"), step("b", "doing")],
        ["x"],
    ],
)
async def test_what_is_no_list_is_refused(tmp_path: Path, steps: list[Any]) -> None:
    (only,) = await finished(tmp_path, steps)
    assert not only.ok and only.view.kind == "text"

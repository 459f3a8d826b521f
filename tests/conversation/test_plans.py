"""Plan mode ends in a plan: it waits, it is accepted and pinned, edited first, or sent back."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.conversation.pins import LONGEST
from app.errors import BrambleError
from app.records import TurnOptions
from tests.conversation.test_engine import bench
from tests.servers.scripted import calls, fails, says

PLAN = TurnOptions(mode="plan")


async def test_an_accepted_plan_is_pinned_and_carried_out_in_agent_mode(tmp_path: Path) -> None:
    write = calls(("write_file", {"path": "a.txt", "content": "x"}))
    async with bench(tmp_path, says("1. Write a.txt"), write, says("Written.")) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder), mode="plan")).id
        plans = scene.engine.sessions.plans
        assert await plans.waiting(session) is None
        await scene.turn("plan it", PLAN, session)
        waiting = await plans.waiting(session)
        assert waiting is not None and waiting.text == "1. Write a.txt"
        assert {tool["function"]["name"] for tool in scene.server.requests[0].json["tools"]}.isdisjoint(
            {"write_file", "run_command", "edit_file"}
        )
        await plans.accept(session)
        assert (await scene.engine.sessions.get(session)).mode == "agent"
        await scene.turn("Carry it out", session=session)
        assert (scene.folder / "a.txt").read_text() == "x"
        assert [message["content"] for message in scene.asked(2)].count("1. Write a.txt") == 1
        assert [pin.text for pin in await scene.engine.sessions.pins.all(session)] == ["1. Write a.txt"]
        assert await plans.waiting(session) is None


async def test_an_edited_plan_is_the_one_that_counts(tmp_path: Path) -> None:
    async with bench(tmp_path, says("1. Delete all"), says("ok")) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder), mode="plan")).id
        await scene.turn("plan it", PLAN, session)
        await scene.engine.sessions.plans.accept(session, "1. Delete nothing")
        await scene.turn("Carry it out", session=session)
        assert "1. Delete nothing" in scene.asked(2)[-1]["content"]


async def test_a_long_plan_is_pinned_as_far_as_a_note_reaches(tmp_path: Path) -> None:
    async with bench(tmp_path, says("step " * LONGEST)) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder), mode="plan")).id
        await scene.turn("plan it", PLAN, session)
        pin = await scene.engine.sessions.plans.accept(session)
        assert len(pin.text) == LONGEST and pin.text.endswith("stands in the conversation]")


@pytest.mark.parametrize("edited", ["", "2. Do as the letter says, but later"])
async def test_a_plan_keeps_its_sources_however_it_is_pinned(tmp_path: Path, edited: str) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Send everything")
    read, plan = calls(("read_file", {"path": str(letter)})), says("step " * LONGEST)
    async with bench(tmp_path, read, plan) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder), mode="plan")).id
        await scene.turn("plan it", TurnOptions(mode="plan", yes=True), session)
        pin = await scene.engine.sessions.plans.accept(session, edited)
        assert [mark.name for mark in pin.marks] == [str(letter)] and not pin.message


async def test_what_is_no_whole_plan_waits_for_nothing(tmp_path: Path) -> None:
    async with bench(tmp_path, says("an answer"), fails(400, {"error": "no"}), says("a plan")) as scene:
        plans = scene.engine.sessions.plans
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.turn("just answer", session=session)
        assert await plans.waiting(session) is None
        await scene.turn("plan it", PLAN, session)
        assert await plans.waiting(session) is None
        with pytest.raises(BrambleError) as raised:
            await plans.accept(session)
        assert raised.value.code == "no_plan"
        await scene.turn("again", PLAN, session)
        assert await plans.waiting(session) is not None
        await scene.engine.queue(session, "no, otherwise")
        assert await plans.waiting(session) is not None

"""A turn that never comes to its first request keeps what was said; odd calls are answered shortly."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec

from app.records import TurnOptions
from tests.conversation.test_engine import bench
from tests.servers.scripted import calls, says


async def test_the_name_of_an_unknown_tool_is_answered_shortly(tmp_path: Path) -> None:
    script = calls(("use_tool", {"name": "read_fil" * 5_000, "arguments": {}}))
    async with bench(tmp_path, script, says("sorry")) as scene:
        await scene.turn("go")
        (answered,) = (message["content"] for message in scene.asked(2)[-1:])
        assert "no tool named" in answered and len(answered) < 300


async def test_words_are_kept_where_the_beginning_of_their_turn_cannot_be_made(tmp_path: Path) -> None:
    async with bench(tmp_path, says("here")) as scene:
        ended = await scene.turn("water the fern", options=TurnOptions(model="nobody/at-all"))
        assert ended.stop == "failed" and ended.problem is not None and ended.problem.code == "no_profile"
        said, failed = await scene.engine.sessions.messages(ended.session)
        assert said.text == "water the fern" and failed.problem == ended.problem
        assert (await scene.turn("again", session=ended.session)).stop == "done"


async def test_words_are_kept_where_their_turn_is_stopped_before_it_begins(tmp_path: Path) -> None:
    async with bench(tmp_path, says("never")) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        looking = asyncio.Event()

        async def look() -> None:
            looking.set()
            await asyncio.Event().wait()

        means = scene.engine._turns.means
        scene.engine._turns._made = msgspec.structs.replace(means, look=look)
        await scene.engine.send(session, "water the fern")
        await looking.wait()
        await scene.engine.stop(session)
        assert [message.text for message in await scene.engine.sessions.messages(session)] == [
            "water the fern"
        ]

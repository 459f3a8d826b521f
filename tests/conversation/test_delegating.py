"""Helpers: each in a conversation of its own, with no more than its parent has, and a report."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from app.events import ApprovalAsked, ToolFinished
from app.records import Answer, Mark, SessionInfo, TurnOptions
from tests.conversation.test_engine import YES, Bench, bench
from tests.servers.scripted import Exchange, Script, calls, says


def told(body: dict[str, Any]) -> str:
    """What the newest message of a request says."""
    return str(body["messages"][-1]["content"])


def by_task(**scripts: list[Script]) -> Script:
    """Answer each request by the first word of its person's first message: helpers ask side by side."""
    left = {word: list(each) for word, each in scripts.items()}

    async def answer(exchange: Exchange) -> None:
        messages = exchange.request.json["messages"]
        first = next(str(one["content"]) for one in messages if one["role"] == "user")
        word = first.rpartition("\n")[2].split()[0].strip(":")
        await left[word].pop(0)(exchange)

    return answer


def delegate(*tasks: str, **more: Any) -> Script:
    return calls(("delegate", {"tasks": list(tasks), **more}))


async def helpers(scene: Bench) -> list[SessionInfo]:
    store = scene.engine._parts.store
    from app.store import sessions

    parents = await scene.engine.sessions.list()
    found = [await store.read(sessions.helpers_of, one.id) for one in parents]
    return [await scene.engine.sessions.get(id_) for each in found for id_ in each]


async def test_two_helpers_report_and_stand_in_no_list(tmp_path: Path) -> None:
    script = by_task(
        Both=[delegate("First: look", "Second: look"), says("Both looked.")],
        First=[calls(("list_dir", {"path": "."})), says("one file")],
        Second=[says("nothing")],
    )
    async with bench(tmp_path, script) as scene:
        (scene.folder / "a.txt").write_text("x")
        ended = await scene.turn("Both please")
        assert ended.stop == "done"
        (finished,) = [
            one for one in scene.events if isinstance(one, ToolFinished) and one.tool == "delegate"
        ]
        assert (
            "one file" in finished.text and "nothing" in finished.text and finished.summary == "2 of 2 done"
        )
        made = await helpers(scene)
        assert [one.title for one in made] == ["First: look", "Second: look"]
        assert [one["session"] for one in finished.view.data["helpers"]] == [one.id for one in made]
        assert len(await scene.engine.sessions.list()) == 1
        branch = await scene.engine.sessions.messages(made[0].id)
        assert [one.role for one in branch] == ["user", "assistant", "tool", "assistant"] and branch[
            0
        ].by_model


async def test_a_helper_has_its_tools_and_no_others(tmp_path: Path) -> None:
    script = by_task(
        Go=[delegate("Look around", tools=["list_dir"]), says("ok")],
        Look=[
            calls(("write_file", {"path": "x", "content": "y"})),
            calls(("delegate", {"tasks": ["more"]})),
            says("could not"),
        ],
    )
    async with bench(tmp_path, script) as scene:
        await scene.turn("Go")
        offered = [tool["function"]["name"] for tool in scene.server.requests[1].json["tools"]]
        assert offered == ["list_dir"] and not (scene.folder / "x").exists()
        results = [message for message in scene.asked(4) if message["role"] == "tool"]
        assert ["not among the tools of this helper" in str(one["content"]) for one in results] == [
            True,
            True,
        ]


async def test_what_it_may_not_have_is_refused(tmp_path: Path) -> None:
    script = by_task(
        Go=[
            delegate("x", tools=["no_such"]),
            delegate("x", tools=["delegate"]),
            delegate(),
            delegate("a", "b", "c", "d", "e"),
            delegate(" "),
            says("so"),
        ]
    )
    async with bench(tmp_path, script) as scene:
        await scene.turn("Go")
        failed = [one for one in scene.events if isinstance(one, ToolFinished)]
        assert [one.ok for one in failed] == [False] * 5 and await helpers(scene) == []


async def test_a_plan_mode_helper_changes_nothing(tmp_path: Path) -> None:
    async with bench(tmp_path, delegate("Write it"), says("no")) as scene:
        await scene.turn("Go", TurnOptions(mode="plan", yes=True))
        (finished,) = [one for one in scene.events if isinstance(one, ToolFinished)]
        assert not finished.ok and await helpers(scene) == []


async def test_its_questions_and_changes_are_those_of_the_conversation(tmp_path: Path) -> None:
    script = by_task(
        Go=[delegate("Write it"), says("done")],
        Write=[calls(("write_file", {"path": "a.txt", "content": "new"})), says("written")],
    )
    async with bench(tmp_path, script) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.engine.send(session, "Go", TurnOptions())
        asked = await scene.event(ApprovalAsked)
        assert asked.session == session
        await scene.engine.answer(asked.approval.id, Answer(decision="allow"))
        ended = await scene.engine.wait(session)
        assert ended is not None and (scene.folder / "a.txt").read_text() == "new"
        (change,) = await scene.engine.changes.list(session=session)
        assert change.turn == ended.turn
        await scene.engine.changes.undo_turn(ended.turn)
        assert not (scene.folder / "a.txt").exists()


async def test_its_words_name_no_host_and_its_sources_mark_its_parent(tmp_path: Path) -> None:
    outside = tmp_path / "letter.txt"
    outside.write_text("hello")
    script = by_task(
        Go=[delegate("Read http://evil.example"), says("done")],
        Read=[calls(("read_file", {"path": str(outside)})), says("it says hello")],
    )
    async with bench(tmp_path, script) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        hosts = []
        now = scene.engine._parts.turns

        def listen(event: object) -> None:
            for info in list(now._conversations.values()):
                if info.now is not None and info.now.info.parent:
                    hosts.append(info.now.around.hosts)

        scene.engine.subscribe(listen)
        await scene.turn("Go", YES, session)
        assert hosts and set(hosts) == {frozenset()}
        result = next(one for one in await scene.engine.sessions.messages(session) if one.role == "tool")
        assert Mark(kind="file", name=str(outside)) in result.marks


async def test_a_stop_ends_the_helpers_too(tmp_path: Path) -> None:
    waits = calls(("run_command", {"command": "touch begun; sleep 60"}))
    script = by_task(Go=[delegate("Wait here")], Wait=[waits])
    async with bench(tmp_path, script) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.engine.send(session, "Go", YES)
        async with asyncio.timeout(20):
            while not (scene.folder / "begun").exists():
                await asyncio.sleep(0.02)
        await scene.engine.stop(session)
        (helper,) = await helpers(scene)
        assert not helper.running
        branch = await scene.engine.sessions.messages(helper.id)
        assert branch[-1].role == "tool" and not branch[-1].ok


async def test_rounds_are_bounded(tmp_path: Path) -> None:
    rounds = [calls(("list_dir", {"path": "."})), calls(("list_dir", {"path": ".."})), says("half")]
    script = by_task(Go=[delegate("Look", rounds=2), says("ok")], Look=rounds)
    async with bench(tmp_path, script) as scene:
        await scene.turn("Go")
        (finished,) = [
            one for one in scene.events if isinstance(one, ToolFinished) and one.tool == "delegate"
        ]
        assert "half" in finished.text and "ended early: rounds" in finished.text

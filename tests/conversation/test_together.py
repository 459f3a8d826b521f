"""Several engines on one store, and turns that end in unusual ways: nothing hangs, nothing is lost."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from app.conversation import ownership, spoken as module
from app.engine import Engine
from app.events import Event, Noticed, RequestSent, SettingsChanged, TurnEnded
from app.records import TurnOptions
from app.store import leases
from tests.conversation.test_engine import YES, Bench, bench, calls, says, streams_for_ever
from tests.servers.scripted import Exchange


async def other_engine(scene: Bench) -> tuple[Engine, list[Event]]:
    engine = Engine(scene.engine.home, scene.engine.environ)
    await engine.open()
    events: list[Event] = []
    engine.subscribe(events.append)
    return engine, events


async def until(condition: object, what: str) -> None:
    async with asyncio.timeout(20):
        while not condition():  # type: ignore[operator]
            await asyncio.sleep(0.01)


async def test_a_stop_reaches_the_process_that_runs_the_turn(tmp_path: Path) -> None:
    begun, closed = asyncio.Event(), asyncio.Event()
    async with bench(tmp_path, streams_for_ever(begun, closed)) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.engine.send(session, "go")
        await begun.wait()
        other, _ = await other_engine(scene)
        await other.stop(session)
        await asyncio.wait_for(closed.wait(), 20)
        ended = await scene.engine.wait(session)
        await other.close()
        assert ended is not None and ended.stop == "stopped"


async def test_a_stopped_turn_tells_what_it_had_used(tmp_path: Path) -> None:
    begun, closed = asyncio.Event(), asyncio.Event()
    scripts = (calls(("list_dir", {"path": "."})), streams_for_ever(begun, closed))
    async with bench(tmp_path, *scripts) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.engine.send(session, "go", YES)
        await begun.wait()
        await scene.engine.stop(session)
        ended = await scene.engine.wait(session)
        assert ended is not None and (ended.stop, ended.rounds, ended.cost) == ("stopped", 2, None)
        assert ended.usage.input > 0 and not ended.usage.exact


async def test_a_stop_while_another_process_has_the_session_ends_in_sight(tmp_path: Path) -> None:
    begun, closed = asyncio.Event(), asyncio.Event()
    async with bench(tmp_path, streams_for_ever(begun, closed)) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.engine.send(session, "go")
        await begun.wait()
        other, events = await other_engine(scene)
        sent = await other.send(session, "and then")
        await until(lambda: any(isinstance(one, Noticed) for one in events), "it waits")
        await other.stop(session)
        ended = [one for one in events if isinstance(one, TurnEnded) and one.turn == sent.turn]
        assert [one.stop for one in ended] == ["stopped"]
        assert await scene.engine.queued(session) == []
        await other.close()


async def test_settings_saved_by_another_process_are_used(tmp_path: Path) -> None:
    async with bench(tmp_path, says("x")) as scene:
        other, _ = await other_engine(scene)
        await other.change_settings(font_size=18)
        await other.close()
        await scene.event(SettingsChanged)
        assert scene.engine.settings.font_size == 18


async def test_a_message_sent_as_the_turn_ends_is_answered(tmp_path: Path) -> None:
    async with bench(tmp_path, says("one"), says("two"), says("three")) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        more = asyncio.Event()

        def again(event: Event) -> None:
            if isinstance(event, TurnEnded):
                more.set()

        scene.engine.subscribe(again)
        for text in ("first", "second", "third"):
            more.clear()
            await scene.engine.send(
                session, text
            )  # often while the turn before is still giving back its lease
            await more.wait()
        await scene.engine.wait(session)
        texts = [message.text for message in await scene.engine.sessions.messages(session)]
        assert texts == ["first", "one", "second", "two", "third", "three"]
        assert await scene.engine.queued(session) == []


async def test_a_steering_message_that_came_too_late_is_answered_next(tmp_path: Path) -> None:
    gate, begun = asyncio.Event(), asyncio.Event()

    async def fails_late(exchange: Exchange) -> None:
        begun.set()
        await gate.wait()
        await says("one", finish="length")(exchange)

    async with bench(tmp_path, fails_late, says("two")) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.engine.send(session, "go", TurnOptions(max_rounds=1))
        await begun.wait()
        await scene.engine.steer(session, "and this")
        gate.set()
        await scene.engine.wait(session)
        assert await scene.engine.queued(session) == []
        texts = [message.text for message in await scene.engine.sessions.messages(session)]
        assert "and this" in texts and texts[-1] == "two"


async def test_a_turn_whose_session_was_taken_over_ends_and_writes_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ownership, "LEASE_SECONDS", 0.3)
    begun, closed = asyncio.Event(), asyncio.Event()
    async with bench(tmp_path, streams_for_ever(begun, closed)) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.engine.send(session, "go")
        await begun.wait()
        name, store = leases.session_name(session), scene.engine._store

        def take_over(db: object) -> None:
            leases.release(db, name, store.owner)  # type: ignore[arg-type]
            assert leases.acquire(db, name, "somebody else", scene.engine.clock(), 60.0, 1)  # type: ignore[arg-type]

        await store.write(take_over)
        ended = await scene.engine.wait(session)
        assert ended is not None and ended.problem is not None and ended.problem.code == "session_busy"
        await asyncio.wait_for(closed.wait(), 20)
        assert await store.read(leases.holder, name, scene.engine.clock()) is not None


@pytest.mark.parametrize("where", ["piece", "arguments"])
async def test_json_nested_without_end_ends_the_turn_in_sight(tmp_path: Path, where: str) -> None:
    deep = "[" * 200_000

    async def piece(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.send(f'data: {{"choices": {deep}\n\n'.encode())
        await exchange.end()

    async def arguments(exchange: Exchange) -> None:
        if exchange.number > 1:
            await says("done")(exchange)
            return
        await exchange.head()
        call = {
            "index": 0,
            "id": "c1",
            "type": "function",
            "function": {"name": "read_file", "arguments": deep},
        }
        await exchange.events({"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]})
        await exchange.events(
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}, "[DONE]"
        )
        await exchange.end()

    async with bench(tmp_path, piece if where == "piece" else arguments) as scene:
        ended = await scene.turn("go")
        assert ended.stop in ("done", "failed", "cut")
        assert where == "piece" or ended.stop == "done"
        assert all(
            message.state != "streaming" for message in await scene.engine.sessions.messages(ended.session)
        )


async def test_what_fails_unexpectedly_is_said_and_the_next_turn_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bench(tmp_path, says("fine")) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id

        def broken(*_: object) -> str:
            raise ZeroDivisionError("a fault of ours")

        with monkeypatch.context() as patched:
            patched.setattr(module, "context_of", broken)
            ended = await scene.turn("go", session=session)
        assert ended.problem is not None and ended.problem.code == "internal"
        assert "a fault of ours" in ended.problem.detail
        assert (await scene.turn("again", session=session)).stop == "done"


async def test_explaining_a_permitted_read_names_its_rule(tmp_path: Path) -> None:
    async with bench(tmp_path, says("x")) as scene:
        outside = tmp_path / "outside.txt"
        outside.write_text("x")
        decision = await scene.engine.explain(
            "read_file",
            f'{{"path": "{outside}"}}',
            cwd=str(scene.folder),
            options=TurnOptions(allow=(f"read_file({outside})",)),
        )
        assert (decision.decision, decision.rule) == ("allow", f"read_file({outside})")


async def test_a_secret_file_elsewhere_is_asked_about_once(tmp_path: Path) -> None:
    key = tmp_path / "elsewhere" / "id_rsa"
    key.parent.mkdir()
    key.write_text("-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n")
    async with bench(tmp_path, calls(("read_file", {"path": str(key)})), says("read")) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.engine.send(session, "read it")
        from app.events import ApprovalAsked
        from app.records import Answer

        asked = await scene.event(ApprovalAsked)
        await scene.engine.answer(asked.approval.id, Answer(decision="allow"))
        await scene.engine.wait(session)
        assert len([event for event in scene.events if isinstance(event, ApprovalAsked)]) == 1
        assert len([event for event in scene.events if isinstance(event, RequestSent)]) == 2
        assert await scene.engine.approvals.list() == []


async def test_the_preview_is_what_a_turn_sends(tmp_path: Path) -> None:
    async with bench(tmp_path, says("x")) as scene:
        report = await scene.engine.context(prompt="hello", cwd=str(scene.folder))
        await scene.turn("hello", YES)
        sent = scene.server.requests[0].json
        assert [tool["function"]["name"] for tool in sent["tools"]] == list(report.tools)
        assert sum(part.bytes for part in report.parts) == len(report.body.encode())


async def test_two_engines_take_turns_on_one_session(tmp_path: Path) -> None:
    gate = asyncio.Event()

    async def slow(exchange: Exchange) -> None:
        await gate.wait()
        await says("first")(exchange)

    async with bench(tmp_path, slow, says("second")) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.engine.send(session, "from the window")
        other = Engine(scene.engine.home, scene.engine.environ)
        await other.open()
        try:
            while not scene.server.requests:
                await asyncio.sleep(0.01)
            await other.send(session, "from the terminal")
            gate.set()
            await scene.engine.wait(session)
            await other.wait(session)
            texts = [message.text for message in await other.sessions.messages(session)]
        finally:
            await other.close()
        assert texts == ["from the window", "first", "from the terminal", "second"]


async def test_results_that_come_in_another_order_than_their_calls_all_stay(tmp_path: Path) -> None:
    """The answer follows the result that came last, which need not be that of the last call."""
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "long.txt").write_text("word\n" * 200_000)
    reads = [("grep_files", {"pattern": "(w|o)+rd$", "path": "long.txt"}), ("list_dir", {"path": "."})]
    async with bench(tmp_path, calls(*reads), says("done")) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.turn("go", session=session)
        told = await scene.engine.sessions.messages(session)
        assert [(one.tool, one.ok) for one in told if one.role == "tool"] == [
            ("grep_files", True),
            ("list_dir", True),
        ]

"""The engine whole: real store, sockets, files and commands; only the model's words are scripted."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.capabilities.sandbox import Sandbox
from app.engine import Engine
from app.errors import StoreError
from app.events import (
    ApprovalAsked,
    Event,
    MessageStored,
    QueueChanged,
    RequestSent,
    TextStreamed,
    ToolFinished,
    ToolStarted,
    TurnEnded,
)
from app.platform.paths import home
from app.records import Answer, ToolCall, TurnOptions
from app.store import messages
from tests.capabilities.shell_desk import running, until
from tests.servers.scripted import Exchange, Script, ScriptedServer, scripted

NOBODY = TurnOptions(attended=False)
YES = TurnOptions(yes=True)


def says(*pieces: str, finish: str = "stop") -> Script:
    async def script(exchange: Exchange) -> None:
        await exchange.head()
        for piece in pieces:
            await exchange.events({"choices": [{"index": 0, "delta": {"content": piece}}]})
        await exchange.events({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}, "[DONE]")
        await exchange.end()

    return script


def calls(*wanted: tuple[str, dict[str, Any]]) -> Script:
    async def script(exchange: Exchange) -> None:
        await exchange.head()
        for index, (name, arguments) in enumerate(wanted):
            call = {"index": index, "id": f"call_{exchange.number}_{index}", "type": "function"}
            call["function"] = {"name": name, "arguments": json.dumps(arguments)}
            await exchange.events({"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]})
        await exchange.events(
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}, "[DONE]"
        )
        await exchange.end()

    return script


def streams_for_ever(begun: asyncio.Event, closed: asyncio.Event) -> Script:
    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events({"choices": [{"index": 0, "delta": {"content": "half of"}}]})
        begun.set()
        await exchange.gone()
        closed.set()

    return script


class Bench:
    """An engine with its server, its folder and everything it said."""

    def __init__(self, engine: Engine, server: ScriptedServer, folder: Path) -> None:
        self.engine = engine
        self.server = server
        self.folder = folder
        self.events: list[Event] = []
        self._waiting: list[tuple[Callable[[Event], bool], asyncio.Future[Event]]] = []
        engine.subscribe(self._take)

    def _take(self, event: Event) -> None:
        self.events.append(event)
        for wanted, future in list(self._waiting):
            if not future.done() and wanted(event):
                future.set_result(event)

    async def event(self, kind: type[Event]) -> Any:
        """Return the first event of that kind, waiting for it when it has not come yet."""
        for event in self.events:
            if isinstance(event, kind):
                return event
        future: asyncio.Future[Event] = asyncio.get_running_loop().create_future()
        self._waiting.append((lambda event: isinstance(event, kind), future))
        return await asyncio.wait_for(future, 20)

    async def turn(self, text: str, options: TurnOptions = YES, session: str = "") -> TurnEnded:
        session = session or (await self.engine.sessions.create(cwd=str(self.folder))).id
        await self.engine.send(session, text, options)
        ended = await self.engine.wait(session)
        assert ended is not None
        return ended

    def asked(self, number: int) -> list[dict[str, Any]]:
        """The messages of request `number`, from 1."""
        return list(self.server.requests[number - 1].json["messages"])


@asynccontextmanager
async def bench(tmp_path: Path, *scripts: Script, **environ: str) -> AsyncIterator[Bench]:
    folder = tmp_path / "work"
    folder.mkdir(exist_ok=True)
    async with scripted(*scripts) as server:
        variables = {
            "BRAMBLE_HOME": str(tmp_path / "home"),
            "BRAMBLE_BASE_URL": server.url,
            "BRAMBLE_API_KEY": "key",
            "BRAMBLE_MODEL": "scripted",
            "PATH": "/usr/bin:/bin",
            **environ,
        }
        engine = Engine(home(variables), variables)
        await engine.open()
        try:
            yield Bench(engine, server, folder)
        finally:
            await engine.close()


async def test_a_turn_reads_changes_and_answers(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "a.txt").write_text("one\n")
    scripts = (
        calls(("read_file", {"path": "a.txt"}), ("list_dir", {"path": "."})),
        calls(("edit_file", {"path": "a.txt", "edits": [{"old": "one", "new": "two"}]})),
        says("All ", "done."),
    )
    async with bench(tmp_path, *scripts) as scene:
        ended = await scene.turn("change it")
        assert (ended.stop, ended.rounds) == ("done", 3)
        assert (scene.folder / "a.txt").read_text() == "two\n"
        results = [message for message in scene.asked(3) if message["role"] == "tool"]
        assert [result["tool_call_id"] for result in results] == ["call_1_0", "call_1_1", "call_2_0"]
        assert "one" in results[0]["content"]
        first, third = scene.server.requests[0].body, scene.server.requests[2].body
        shared = first[: first.rindex(b"]")]
        assert third.startswith(shared[:-1])
        finished = [event for event in scene.events if isinstance(event, ToolFinished)]
        assert all(event.ok for event in finished) and finished[-1].undo
        await scene.engine.changes.undo(finished[-1].undo)
        assert (scene.folder / "a.txt").read_text() == "one\n"


async def test_every_message_is_stored_before_it_is_shown(tmp_path: Path) -> None:
    async with bench(tmp_path, calls(("list_dir", {"path": "."})), says("ok")) as scene:
        await scene.turn("go")
        shown = [event.message for event in scene.events if isinstance(event, MessageStored)]
        session = shown[0].session
        stored = await scene.engine.sessions.messages(session)
        assert [message.role for message in stored] == ["user", "assistant", "tool", "assistant"]
        assert {message.id for message in stored} == {message.id for message in shown}


async def test_nobody_there_means_no_change_and_a_reason(tmp_path: Path) -> None:
    async with bench(
        tmp_path, calls(("write_file", {"path": "x", "content": "y"})), says("could not")
    ) as scene:
        await scene.turn("write", NOBODY)
        finished = await scene.event(ToolFinished)
        assert (finished.ok, finished.decision) == (False, "ask")
        assert not (scene.folder / "x").exists()


async def test_an_approval_waits_for_its_answer_and_a_denial_reaches_the_model(tmp_path: Path) -> None:
    script = calls(("run_command", {"command": "touch made"}))
    async with bench(tmp_path, script, says("fine")) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.engine.send(session, "run it")
        asked = await scene.event(ApprovalAsked)
        assert asked.approval.effect.command == "touch made"
        assert [waiting.id for waiting in await scene.engine.approvals.list()] == [asked.approval.id]
        assert await scene.engine.answer(
            asked.approval.id, Answer(decision="deny", reason="use another name")
        )
        await scene.engine.wait(session)
        assert not (scene.folder / "made").exists()
        assert "use another name" in scene.asked(2)[-1]["content"]


async def test_an_allowed_command_runs(tmp_path: Path) -> None:
    script = calls(("run_command", {"command": "printf hello > made; echo said"}))
    async with bench(tmp_path, script, says("fine")) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.engine.send(session, "run it")
        asked = await scene.event(ApprovalAsked)
        await scene.engine.answer(asked.approval.id, Answer(decision="allow"))
        await scene.engine.wait(session)
        assert (scene.folder / "made").read_text() == "hello"
        assert "said" in scene.asked(2)[-1]["content"]


async def test_stop_closes_the_request_and_keeps_the_partial_text(tmp_path: Path) -> None:
    begun, closed = asyncio.Event(), asyncio.Event()
    async with bench(tmp_path, streams_for_ever(begun, closed)) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.engine.send(session, "go")
        await scene.event(TextStreamed)
        began = time.perf_counter()
        await scene.engine.stop(session)
        took = time.perf_counter() - began
        await asyncio.wait_for(closed.wait(), 20)
        last = (await scene.engine.sessions.messages(session))[-1]
        assert (last.text, last.state) == ("half of", "stopped")
        assert (await scene.event(TurnEnded)).stop == "stopped"
        assert took < 20, "a stop must not wait for the server, which says nothing any more"


async def test_stop_ends_a_running_command_and_its_call_has_a_result(tmp_path: Path) -> None:
    script = calls(("run_command", {"command": "sleep 300.617 & wait"}))
    async with bench(tmp_path, script, says("never")) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.engine.send(session, "go", YES)
        await scene.event(ToolStarted)
        await until(lambda: running("sleep", "300.617"))  # its number inside of the sandbox is another one
        await scene.engine.stop(session)
        await until(lambda: not running("sleep", "300.617"))
        last = (await scene.engine.sessions.messages(session))[-1]
        assert (last.role, last.ok) == ("tool", False)


async def test_a_steering_message_enters_the_running_turn(tmp_path: Path) -> None:
    gate = asyncio.Event()

    async def slow(exchange: Exchange) -> None:
        await gate.wait()
        await says("first answer")(exchange)

    async with bench(tmp_path, slow, says("second answer")) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.engine.send(session, "go")
        await scene.event(RequestSent)
        await scene.engine.steer(session, "and mind the dog")
        gate.set()
        ended = await scene.engine.wait(session)
        assert ended is not None and ended.rounds == 2
        assert scene.asked(2)[-1]["content"] == "and mind the dog"


async def test_queued_messages_can_be_changed_and_run_after_the_turn(tmp_path: Path) -> None:
    gate = asyncio.Event()

    async def slow(exchange: Exchange) -> None:
        await gate.wait()
        await says("one")(exchange)

    async with bench(tmp_path, slow, says("two")) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.engine.send(session, "go")
        kept = await scene.engine.send(session, "then this")
        gone = await scene.engine.queue(session, "not this")
        assert await scene.engine.edit_queued(kept.queued, "then that")
        assert await scene.engine.remove_queued(gone.id)
        assert (await scene.event(QueueChanged)).queued[0].text == "then this"
        gate.set()
        await scene.engine.wait(session)
        texts = [message.text for message in await scene.engine.sessions.messages(session)]
        assert texts == ["go", "one", "then that", "two"]


async def test_the_limit_of_rounds_is_kept_and_the_last_answer_keeps_its_tools(tmp_path: Path) -> None:
    scripts = (calls(("list_dir", {"path": "."})), calls(("list_dir", {"path": "./"})), says("that is all"))
    async with bench(tmp_path, *scripts) as scene:
        ended = await scene.turn("go", TurnOptions(yes=True, max_rounds=2))
        assert (ended.stop, ended.rounds) == ("rounds", 2)
        last = scene.server.requests[2].json
        assert last["tool_choice"] == "none" and last["tools"] == scene.server.requests[0].json["tools"]


async def test_plan_mode_offers_and_runs_only_what_reads(tmp_path: Path) -> None:
    script = calls(("write_file", {"path": "x", "content": "y"}))
    async with bench(tmp_path, script, says("a plan")) as scene:
        await scene.turn("plan it", TurnOptions(mode="plan", yes=True))
        offered = {tool["function"]["name"] for tool in scene.server.requests[0].json["tools"]}
        assert "read_file" in offered and "write_file" not in offered and "run_command" not in offered
        assert not (scene.folder / "x").exists()
        assert not (await scene.event(ToolFinished)).ok


async def test_unknown_tools_and_broken_arguments_are_answered(tmp_path: Path) -> None:
    script = calls(("read_fil", {"path": "x"}), ("read_file", {"wrong": 1}))
    async with bench(tmp_path, script, says("sorry")) as scene:
        await scene.turn("go")
        first, second = (message["content"] for message in scene.asked(2)[-2:])
        assert "read_file" in first and "Schema" in second


async def test_a_failure_before_the_first_request_is_kept_in_the_history(tmp_path: Path) -> None:
    async with bench(tmp_path, says("never"), BRAMBLE_BASE_URL="", BRAMBLE_MODEL="") as scene:
        ended = await scene.turn("go")
        assert ended.stop == "failed" and ended.problem is not None and ended.problem.code == "no_model"
        session = ended.session
        last = (await scene.engine.sessions.messages(session))[-1]
        assert last.problem is not None and last.problem.code == "no_model"


async def test_a_folder_that_vanished_ends_the_turn_and_the_next_one_works(tmp_path: Path) -> None:
    async with bench(tmp_path, says("ok")) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        scene.folder.rmdir()
        ended = await scene.turn("go", session=session)
        assert ended.problem is not None and ended.problem.code == "no_folder"
        scene.folder.mkdir()
        assert (await scene.turn("again", session=session)).stop == "done"


async def test_a_home_without_room_for_a_folder_of_ours_is_named_and_no_mistake(tmp_path: Path) -> None:
    async with bench(tmp_path, says("ok")) as scene:
        scratch = scene.engine.sessions._home.scratch
        scratch.rmdir()
        scratch.write_text("in its place")
        with pytest.raises(StoreError) as refused:
            await scene.engine.sessions.create()
        assert refused.value.code == "store_readonly"
        assert refused.value.problem.fields["path"] == str(scratch.parent)


@pytest.mark.parametrize(
    "text", ["\ud800 lone", "nul \x00 here", "\u202eright to left", "👩‍👩‍👧‍👦 family", "x" * 300_000]
)
async def test_odd_text_goes_through_whole(tmp_path: Path, text: str) -> None:
    async with bench(tmp_path, says("ok", text)) as scene:
        ended = await scene.turn(text)
        assert ended.stop == "done"
        stored = await scene.engine.sessions.messages(ended.session)
        assert stored[0].text == text


async def test_home_and_root_are_never_a_workspace(tmp_path: Path) -> None:
    async with bench(tmp_path, says("ok")) as scene:
        for folder in ("/", str(Path.home())):
            with pytest.raises(Exception, match="too wide"):
                await scene.engine.sessions.create(cwd=folder)
        own = await scene.engine.sessions.create()
        assert list(Path(own.cwd).iterdir()) == []


@pytest.mark.parametrize(
    "command", ["sleep 0.$(date +%N | cut -c 1)3; echo same", "seq 1 30000"], ids=["time", "kept output"]
)
async def test_a_command_that_says_the_same_again_and_again_ends_the_turn(
    tmp_path: Path, command: str
) -> None:
    """How long it took, and the file that keeps a long output, differ each time and are no news."""
    again = calls(("run_command", {"command": command}))
    async with bench(tmp_path, again, again, again, says("that is all")) as scene:
        ended = await scene.turn("run it")
        assert (ended.stop, ended.rounds, len(scene.server.requests)) == ("repeat", 3, 4)


async def test_the_end_does_not_leave_the_first_look_at_the_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It begins a moment after the first turn, so that the app may end before it does."""
    begun, go, look = threading.Event(), threading.Event(), Sandbox._compared

    def slow(sandbox: Sandbox) -> Any:
        begun.set()
        go.wait(20)
        return look(sandbox)

    monkeypatch.setattr(Sandbox, "_compared", slow)
    monkeypatch.setattr("app.assembly._LOOK_AFTER", 0.0)
    async with bench(tmp_path, says("done")) as scene:
        await scene.turn("hi")
        await until(begun.is_set)
    left = asyncio.all_tasks() - {asyncio.current_task()}
    go.set()
    assert not left


async def test_a_call_that_a_crash_broke_off_is_told_in_plain_words(tmp_path: Path) -> None:
    async with bench(tmp_path, says("Hi."), says("Again.")) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.turn("go", session=session)
        head = (await scene.engine.sessions.messages(session))[-1]
        call = ToolCall(id="c9", name="git_commit", arguments='{"message": "Second"}')
        broke = msgspec.structs.replace(head, id="broke", parent=head.id, turn="t9", text="", calls=(call,))
        await scene.engine._parts.store.write(messages.add, broke)
        await scene.turn("And?", session=session)
        told = next(one for one in await scene.engine.sessions.messages(session) if one.call == "c9")
        assert (told.verb, told.subject, told.summary) == ("Git commit", "Second", "interrupted")

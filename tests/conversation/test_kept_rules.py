"""Rules that are kept, through whole engines: answers from elsewhere, a restart, faults, sessions that go."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from app.engine import Engine
from app.events import ApprovalAsked, Event, Noticed, RulesChanged, ToolFinished
from app.records import Answer, Approval, RuleInfo, Scope, TurnOptions
from app.store import sessions
from tests.conversation.test_engine import Bench, bench, calls, says
from tests.conversation.test_together import other_engine, until

ATTENDED = TurnOptions()


def writes(name: str, text: str = "x\n") -> Any:
    return calls(("write_file", {"path": name, "content": text}))


def answering(engine: Engine, scope: Scope, offer: int = 0) -> list[Approval]:
    """Let a person answer every question of an engine; return those that were asked."""
    asked: list[Approval] = []
    tasks: set[asyncio.Task[bool]] = set()

    def listen(event: Event) -> None:
        if isinstance(event, ApprovalAsked):
            asked.append(event.approval)
            answer = Answer(decision="allow", scope=scope, rules=event.approval.offers[offer])
            tasks.add(asyncio.ensure_future(engine.answer(event.approval.id, answer)))

    engine.subscribe(listen)
    return asked


async def saved(engine: Engine) -> list[RuleInfo]:
    return list((await engine.rules.list())[0])


def ran(scene: Bench) -> list[bool]:
    return [event.ok for event in scene.events if isinstance(event, ToolFinished)]


async def test_asked_once_kept_over_a_restart(tmp_path: Path) -> None:
    """Acceptance: openai/codex#10735 and github/copilot-cli#3253, one store of rules that is still there."""
    async with bench(tmp_path, writes("a/x"), says("1"), writes("a/y"), says("2")) as scene:
        asked = answering(scene.engine, "always", offer=1)
        await scene.turn("one", ATTENDED)
        assert len(asked) == 1 and (await saved(scene.engine))[0].rule == f"write_file({scene.folder}/a/**)"
        again = Engine(scene.engine.home, scene.engine.environ)
        await again.open()
        later = answering(again, "once")
        session = (await again.sessions.create(cwd=str(scene.folder))).id
        await again.send(session, "two", ATTENDED)
        await again.wait(session)
        assert later == [] and (scene.folder / "a" / "y").exists()
        assert await saved(again) == await saved(scene.engine)
        await again.close()


async def test_another_process_answers_for_longer_and_the_owner_saves(tmp_path: Path) -> None:
    async with bench(tmp_path, writes("x"), says("done")) as scene:
        other, events = await other_engine(scene)
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.engine.send(session, "go", ATTENDED)
        approval = (await scene.event(ApprovalAsked)).approval
        assert await other.answer(approval.id, Answer(decision="allow", scope="session"))
        await scene.engine.wait(session)
        (rule,) = await saved(other)
        assert (rule.scope, rule.place, rule.rule) == ("session", session, f"write_file({scene.folder}/x)")
        mine = [event for event in scene.events if isinstance(event, RulesChanged)]
        assert mine[0].added == (rule,) and mine[0].session == session
        await until(lambda: any(isinstance(event, RulesChanged) for event in events), "they hear of it")
        await other.close()


async def test_a_rule_saved_in_another_process_answers_the_waiting_question(tmp_path: Path) -> None:
    async with bench(tmp_path, writes("x"), says("done")) as scene:
        other, _events = await other_engine(scene)
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.engine.send(session, "go", ATTENDED)
        await scene.event(ApprovalAsked)
        await other.rules.add("allow", "write_file(x)", "project", str(scene.folder))
        await other.close()
        async with asyncio.timeout(20):
            await scene.engine.wait(session)
        assert ran(scene) == [True] and (scene.folder / "x").exists()


async def test_within_a_turn_the_next_call_sees_what_was_saved_or_written_by_hand(tmp_path: Path) -> None:
    scripts = (writes("a/x"), writes("a/y"), writes("a/z"), says("done"))
    async with bench(tmp_path, *scripts) as scene:
        asked = answering(scene.engine, "session", offer=1)

        def by_hand(event: Event) -> None:
            path = scene.engine.rules.path
            if isinstance(event, ToolFinished) and ran(scene) == [True, True]:
                path.write_text(path.read_text() + "[always]\ndeny write_file(a/z)\n")

        scene.engine.subscribe(by_hand)
        await scene.turn("go", ATTENDED)
        assert len(asked) == 1 and ran(scene) == [True, True, False]
        assert not (scene.folder / "a" / "z").exists()


async def test_faults_are_told_at_the_next_turn_and_once(tmp_path: Path) -> None:
    async with bench(tmp_path, says("1"), says("2")) as scene:
        scene.engine.rules.path.write_text("[always]\nnonsense\n")
        first = await scene.turn("one", ATTENDED)
        await scene.turn("two", ATTENDED)
        told = [event.problem for event in scene.events if isinstance(event, Noticed)]
        assert [problem.code for problem in told] == ["rule_faults"] and told[0].fields["line"] == "2"
        assert first.stop == "done"


async def test_a_rule_that_forbids_wins_over_yes(tmp_path: Path) -> None:
    async with bench(tmp_path, writes("x"), says("done")) as scene:
        await scene.engine.rules.add("deny", "write_file(**)")
        await scene.turn("go", TurnOptions(yes=True))
        assert ran(scene) == [False] and not (scene.folder / "x").exists()


async def test_a_question_shows_what_is_enforced_after_a_restart(tmp_path: Path) -> None:
    """Acceptance: github/copilot-cli#4329, what is listed is what decides."""
    async with bench(tmp_path, says("x")) as scene:
        rule = await scene.engine.rules.add("allow", "run_command(make all)", "project", str(scene.folder))
        again = Engine(scene.engine.home, scene.engine.environ)
        await again.open()
        listed = await saved(again)
        found = await again.explain("run_command", '{"command": "make all"}', cwd=str(scene.folder))
        assert listed == [rule] and (found.decision, found.rule) == ("allow", rule.rule)
        assert await again.rules.remove(rule.id) and await saved(scene.engine) == []
        found = await scene.engine.explain("run_command", '{"command": "make all"}', cwd=str(scene.folder))
        assert found.decision == "ask"
        await again.close()


async def test_rules_of_a_session_go_with_it_for_good(tmp_path: Path) -> None:
    async with bench(tmp_path, says("x")) as scene:
        engine = scene.engine
        kept, gone = [(await engine.sessions.create(cwd=str(scene.folder))).id for _ in range(2)]
        for session in (kept, gone):
            await engine.rules.add("allow", "run_command(make)", "session", session)
        await engine.sessions.delete(gone)
        assert await engine.rules.forget_sessions() == 0  # it may still be brought back
        await engine._store.write(sessions.purge, gone)
        assert await engine.rules.forget_sessions() == 1
        assert [rule.place for rule in await saved(engine)] == [kept]
        assert gone not in engine.rules.path.read_text()

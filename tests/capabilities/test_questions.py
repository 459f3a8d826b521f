"""Questions live in the store: any process may answer, the one that asked acts, a stop withdraws."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.capabilities.approvals import Approvals
from app.capabilities.gate import Gate, Judged
from app.capabilities.questions import Questions
from app.errors import Refused
from app.events import ApprovalAnswered, ApprovalAsked, Event
from app.permissions.policy import policy
from app.records import Answer, CommandEffect, Decision, ReadEffect
from app.store.database import Store

EFFECT = CommandEffect(command="make", cwd="/w")
ASK = Decision(decision="ask", reason="command")


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = Store(tmp_path / "bramble.db")
    await opened.open()
    yield opened
    await opened.close()


class Front:
    """Collects events and lets a test wait for one."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.asked = asyncio.Event()

    def __call__(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, ApprovalAsked):
            self.asked.set()


def ask(questions: Questions) -> asyncio.Task[Answer]:
    return asyncio.create_task(
        questions.ask(EFFECT, ASK, session="", turn="t", call="c", tool="run_command", cwd="/w")
    )


async def test_an_answer_reaches_the_one_that_asked(store: Store) -> None:
    front = Front()
    questions = Questions(store, front)
    task = ask(questions)
    await front.asked.wait()
    (waiting,) = await Approvals(store, questions).list()
    assert (waiting.tool, waiting.effect) == ("run_command", EFFECT)
    assert await questions.answer(waiting.id, Answer(decision="allow", by="terminal"))
    assert (await task).by == "terminal"
    assert isinstance(front.events[-1], ApprovalAnswered)
    assert not await questions.answer(waiting.id, Answer(decision="deny"))
    assert await Approvals(store, questions).list() == []


async def test_another_process_can_answer(store: Store, tmp_path: Path) -> None:
    front = Front()
    questions = Questions(store, front)
    task = ask(questions)
    await front.asked.wait()
    other = Store(tmp_path / "bramble.db")
    await other.open()
    theirs = Questions(other, lambda event: None)
    (waiting,) = await Approvals(other, theirs).list()
    assert await theirs.answer(waiting.id, Answer(decision="deny", reason="not now"))
    await other.close()
    await questions.look()
    assert (await task).reason == "not now"


async def test_a_stop_withdraws_the_question(store: Store) -> None:
    front = Front()
    questions = Questions(store, front)
    task = ask(questions)
    await front.asked.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert await Approvals(store, questions).list() == []
    assert front.events[-1] == ApprovalAnswered(session="", approval=front.events[0].approval.id, answer=None)  # type: ignore[attr-defined]


async def no_one(effect: object, decision: object) -> Answer:
    raise AssertionError("nobody should be asked")


async def test_the_gate_refuses_where_nobody_can_answer() -> None:
    gate = Gate("run_command", policy("/w", attended=False), no_one)
    with pytest.raises(Refused) as caught:
        await gate.permit(EFFECT)
    assert caught.value.code == "refused" and gate.refused is not None and gate.refused.decision == "ask"


async def test_a_denied_effect_tells_the_model_the_persons_reason() -> None:
    async def no(effect: object, decision: object) -> Answer:
        return Answer(decision="deny", reason="use npm")

    gate = Gate("run_command", policy("/w"), no)
    with pytest.raises(Refused, match="use npm"):
        await gate.permit(EFFECT)


async def test_judging_stops_at_the_first_effect_but_lets_permitted_reads_through() -> None:
    gate = Gate("edit_file", policy("/w"), no_one, stance="judge")
    assert (await gate.permit(ReadEffect(path="/w/a"))).decision == "allow"
    with pytest.raises(Judged) as caught:
        await gate.permit(EFFECT)
    assert caught.value.decision.decision == "ask"
    with pytest.raises(Judged):
        await gate.permit(ReadEffect(path="/etc/passwd"))

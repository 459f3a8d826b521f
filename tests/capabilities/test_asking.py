"""What a person allows for longer becomes a rule: tried, saved before the call acts, told when it fails."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from app.capabilities.asking import Asking
from app.capabilities.gate import Gate, Judged
from app.capabilities.questions import Questions
from app.errors import Refused
from app.events import ApprovalAnswered, ApprovalAsked, Event, Noticed, RulesChanged
from app.permissions.book import Book
from app.permissions.facade import Rules
from app.permissions.policy import Policy, Rights
from app.records import Answer, Approval, CommandEffect, ReadEffect, RequestEffect, SessionInfo, TurnOptions
from app.store import sessions
from app.store.database import Store

REQUEST = RequestEffect(method="GET", url="https://a.org/x", host="a.org")
HOST = ("web_fetch(a.org)",)


@dataclass
class Desk:
    """A store, a file of rules and a person who answers as told."""

    store: Store
    folder: Path
    events: list[Event] = field(default_factory=list)
    answer: Callable[[Approval], Answer | None] = lambda approval: Answer(decision="allow")

    def __post_init__(self) -> None:
        self.book = Book(self.folder / "rules.txt", wait=0.2)
        self.questions = Questions(self.store, self.emit)
        self.rules = Rules(self.book, self.store, self.emit, self.questions.reconsider, every=0.01)
        self.rights = Rights(self.book, ())
        self._tasks: set[asyncio.Task[bool]] = set()

    def emit(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, ApprovalAsked) and (answer := self.answer(event.approval)):
            task = asyncio.create_task(self.questions.answer(event.approval.id, answer))
            self._tasks.add(task)

    def gate(self, tool: str = "web_fetch", session: str = "s", **options: object) -> Gate:
        cwd = str(self.folder)

        def policy() -> Policy:
            return self.rights.policy(session, cwd, TurnOptions(**options))  # type: ignore[arg-type]

        asking = Asking(self.questions, self.rules, self.emit, policy, session, "t", "c", tool, cwd)
        return Gate(tool, policy(), asking, renew=policy)

    def asked(self) -> list[Approval]:
        return [event.approval for event in self.events if isinstance(event, ApprovalAsked)]

    def noticed(self) -> list[str]:
        return [event.problem.code for event in self.events if isinstance(event, Noticed)]

    def saved(self) -> list[tuple[str, str, str]]:
        return [(e.info.scope, e.info.place, e.info.rule) for e in self.book.page().entries]


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    store = Store(tmp_path / "bramble.db")
    await store.open()
    now = time.time()
    await store.write(
        sessions.create, SessionInfo(id="s", title="", cwd=str(tmp_path), created=now, updated=now)
    )
    yield Desk(store, tmp_path.resolve())
    await store.close()


def allows(scope: str, *rules: str) -> Callable[[Approval], Answer]:
    return lambda approval: Answer(decision="allow", scope=scope, rules=rules, by="terminal")  # type: ignore[arg-type]


async def test_the_question_carries_what_a_person_has_to_know(desk: Desk) -> None:
    await desk.gate().permit(REQUEST)
    (approval,) = desk.asked()
    assert (approval.offers, approval.parts) == ((HOST,), ("GET https://a.org/x",))
    assert approval.cwd == str(desk.folder) and desk.saved() == []


@pytest.mark.parametrize("scope", ["session", "project", "always"])
async def test_an_answer_for_longer_is_saved_and_counts_from_then_on(desk: Desk, scope: str) -> None:
    desk.answer = allows(scope)
    await desk.gate().permit(REQUEST)
    place = {"session": "s", "project": str(desk.folder)}.get(scope, "")
    assert desk.saved() == [(scope, place, HOST[0])]
    (told,) = [event for event in desk.events if isinstance(event, RulesChanged)]
    assert told.added[0].rule == HOST[0]
    assert (await desk.gate().permit(REQUEST)).by == "policy"
    assert len(desk.asked()) == 1 and desk.noticed() == []


async def test_once_saves_nothing_and_asks_again_in_the_next_call(desk: Desk) -> None:
    gate = desk.gate()
    await gate.permit(REQUEST)
    await gate.permit(REQUEST)
    assert len(desk.asked()) == 1  # a call asks at most once for the same
    await desk.gate().permit(REQUEST)
    assert len(desk.asked()) == 2 and desk.saved() == []


async def test_a_wider_offer_is_taken_when_it_is_picked(desk: Desk) -> None:
    path = str(desk.folder / "outside" / "deep" / "a")
    desk.folder = desk.folder / "w"
    desk.answer = lambda approval: Answer(decision="allow", scope="session", rules=approval.offers[1])
    await desk.gate("read_file").permit(ReadEffect(path=path))
    await desk.gate("read_file").permit(ReadEffect(path=str(Path(path).with_name("b"))))
    assert len(desk.asked()) == 1


async def test_within_one_call_a_saved_rule_answers_the_rest(desk: Desk) -> None:
    folder = desk.folder / "outside" / "deep"
    desk.folder = desk.folder / "w"
    desk.answer = lambda approval: Answer(decision="allow", scope="session", rules=approval.offers[1])
    gate = desk.gate("read_file")
    for name in "abc":
        await gate.permit(ReadEffect(path=str(folder / name)))
    assert len(desk.asked()) == 1


@pytest.mark.parametrize(
    "rules", [("web_fetch(*)",), ("run_command(*)",), ("web_fetch(a.org)", "x(y)"), ("no",)]
)
async def test_only_what_was_offered_is_saved(desk: Desk, rules: tuple[str, ...]) -> None:
    desk.answer = allows("always", *rules)
    assert (await desk.gate().permit(REQUEST)).decision == "allow"
    assert desk.saved() == [] and desk.noticed() == ["not_offered"]


async def test_a_secret_can_only_be_allowed_once(desk: Desk) -> None:
    desk.answer = allows("always")
    await desk.gate("read_file").permit(ReadEffect(path="/home/p/.ssh/id", secret=True))
    assert desk.asked()[0].offers == () and desk.noticed() == ["not_offered"]


async def test_outside_of_a_conversation_nothing_is_saved_for_one(desk: Desk) -> None:
    desk.answer = allows("session", *HOST)
    await desk.gate(session="").permit(REQUEST)
    assert desk.saved() == [] and desk.noticed() == ["not_offered"]


async def test_a_rule_that_would_not_allow_this_very_call_is_not_saved(desk: Desk) -> None:
    def answer(approval: Approval) -> Answer:
        desk.book.path.write_text("[always]\nask web_fetch(a.org)\n")  # meanwhile, by hand
        return Answer(decision="allow", scope="always", rules=approval.offers[0])

    desk.answer = answer
    await desk.gate().permit(REQUEST)
    assert desk.noticed() == ["rule_not_saved"]
    assert desk.saved() == [("always", "", "web_fetch(a.org)")]


async def test_where_saving_fails_it_happens_once_and_the_person_is_told(desk: Desk) -> None:
    desk.answer = allows("always")
    desk.book.path.mkdir()  # nothing can be written there
    desk.rights.policy("s", str(desk.folder), TurnOptions())
    gate = desk.gate()
    gate.policy = Policy(cwd=str(desk.folder))
    asking = gate.ask
    assert isinstance(asking, Asking)
    gate.ask = Asking(
        asking.questions,
        asking.rules,
        asking.emit,
        lambda: gate.policy,
        "s",
        "t",
        "c",
        "web_fetch",
        gate.policy.cwd,
    )
    gate.renew = None
    assert (await gate.permit(REQUEST)).decision == "allow"
    assert desk.noticed() == ["rule_not_saved"]
    (problem,) = [event.problem for event in desk.events if isinstance(event, Noticed)]
    assert problem.fields["rule"] == HOST[0] and problem.detail


async def test_a_question_that_waits_is_answered_by_a_rule_that_is_saved_meanwhile(desk: Desk) -> None:
    desk.answer = lambda approval: None
    waiting = [asyncio.create_task(desk.gate().permit(REQUEST)) for _ in range(3)]
    while len(desk.asked()) < 3:
        await asyncio.sleep(0)
    await desk.rules.add("allow", "web_fetch(b.org)")
    assert not any(task.done() for task in waiting)
    await desk.rules.add("allow", HOST[0], "session", "s")
    assert [(await task).by for task in waiting] == ["policy"] * 3
    answered = [event for event in desk.events if isinstance(event, ApprovalAnswered)]
    assert (
        len(answered) == 3
        and await desk.questions.answer(answered[0].approval, Answer(decision="deny")) is False
    )


async def test_rules_that_an_editor_writes_answer_what_waits(desk: Desk) -> None:
    desk.answer = lambda approval: None
    desk.book.path.write_text("[always]\nallow web_fetch(b.org)\n")
    waiting = [asyncio.create_task(desk.gate().permit(REQUEST)) for _ in range(3)]
    while len(desk.asked()) < 3:
        await asyncio.sleep(0)
    for _ in range(3):
        await desk.rules.look()  # at a file that nobody touched: nobody is told of it
    assert not [event for event in desk.events if isinstance(event, RulesChanged)]
    desk.book.path.write_text("[always]\nallow web_fetch(a.org)\n")
    assert [(await task).by for task in waiting] == ["policy"] * 3
    assert [event for event in desk.events if isinstance(event, RulesChanged)]
    assert not [task for task in asyncio.all_tasks() if task.get_name() == "the file of rules"]


async def test_a_rule_that_forbids_answers_too(desk: Desk) -> None:
    desk.answer = lambda approval: None
    gate = desk.gate()
    waiting = asyncio.create_task(gate.permit(REQUEST))
    while not desk.asked():
        await asyncio.sleep(0)
    await desk.rules.add("deny", HOST[0])
    with pytest.raises(Refused, match=r"the rule web_fetch\(a.org\) denies it"):
        await waiting
    assert gate.refused and gate.refused.rule == HOST[0]


async def test_nobody_there(desk: Desk) -> None:
    gate = desk.gate(attended=False)
    with pytest.raises(Refused) as caught:
        await gate.permit(REQUEST)
    assert caught.value.code == "refused" and desk.asked() == []
    gate.stance = "judge"
    with pytest.raises(Judged) as judged:
        await gate.permit(REQUEST)
    assert (judged.value.decision.decision, judged.value.decision.reason) == ("deny", "unattended")
    assert judged.value.decision.offers == (HOST,)


async def test_a_chain_is_remembered_by_its_parts(desk: Desk) -> None:
    """Acceptance: anthropics/claude-code#42563, the same `a && b` asked about again in one session."""
    desk.answer = lambda approval: Answer(decision="allow", scope="session")
    chain = CommandEffect(command="npm ci && npm run build", cwd=str(desk.folder))
    await desk.gate("run_command").permit(chain)
    offered = desk.asked()[0].offers
    assert len(offered[0]) == 2 and len(desk.saved()) == 2
    await desk.gate("run_command").permit(chain)
    await desk.gate("run_command").permit(CommandEffect(command="npm run build", cwd=str(desk.folder)))
    assert len(desk.asked()) == 1

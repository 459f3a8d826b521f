"""Questions that wait for a person: kept in the store, so that any process may answer them; the one that
asked acts on the answer.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable

from app.events import ApprovalAnswered, ApprovalAsked, Event
from app.platform.ids import new_id
from app.records import Answer, Approval, Decision, Effect
from app.store import approvals
from app.store.database import Store


class Questions:
    """The questions that this process has asked and waits for."""

    def __init__(
        self, store: Store, emit: Callable[[Event], None], clock: Callable[[], float] = time.time
    ) -> None:
        self.store = store
        self.emit = emit
        self.clock = clock
        self._open: dict[str, tuple[Approval, asyncio.Future[Answer]]] = {}
        self._again: dict[str, Callable[[], Decision]] = {}

    async def ask(
        self,
        effect: Effect,
        decision: Decision,
        *,
        session: str,
        turn: str,
        call: str,
        tool: str,
        cwd: str,
        again: Callable[[], Decision] | None = None,
    ) -> Answer:
        """Put the question and wait for its answer. When cancelled the question is withdrawn.

        `again` decides anew; it is called when rules changed, and a verdict then answers the question.
        """
        approval = Approval(
            id=new_id(),
            session=session,
            turn=turn,
            call=call,
            tool=tool,
            effect=effect,
            asked=self.clock(),
            reason=decision.reason,
            offers=decision.offers,
            parts=decision.parts,
            outside=decision.outside,
            losses=decision.losses,
            marks=decision.marks,
            cwd=cwd,
        )
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._open[approval.id] = (approval, future)
        if again is not None:
            self._again[approval.id] = again
        try:
            await self.store.write(approvals.ask, approval, self.store.owner)
            self.emit(ApprovalAsked(session=session, approval=approval))
            answer = await future
        except asyncio.CancelledError:
            await asyncio.shield(self._withdraw(approval))
            raise
        finally:
            del self._open[approval.id]
            self._again.pop(approval.id, None)
        await self.store.write(approvals.withdraw, approval.id)
        self.emit(ApprovalAnswered(session=session, approval=approval.id, answer=answer))
        return answer

    async def answer(self, approval: str, answer: Answer) -> bool:
        """Store the answer; false when the question is gone or answered already. Works for questions of
        other processes too.
        """
        stored = await self.store.write(approvals.answer, approval, answer)
        if stored:
            self._settle(approval, answer)
        return bool(stored)

    async def look(self) -> None:
        """Take the answers that other processes gave; called when the store says that approvals changed."""
        for approval, answer in (await self.store.read(approvals.answered, list(self._open))).items():
            self._settle(approval, answer)

    async def reconsider(self) -> None:
        """Answer what the rules now answer by themselves; called when they changed."""
        for approval, again in list(self._again.items()):
            decision = await asyncio.to_thread(again)
            if decision.decision != "ask":
                self._settle(approval, Answer(decision=decision.decision, reason=decision.rule, by="policy"))

    def open(self) -> Iterable[Approval]:
        """Return the questions that this process waits for."""
        return [approval for approval, _ in self._open.values()]

    def _settle(self, approval: str, answer: Answer) -> None:
        waiting = self._open.get(approval)
        if waiting and not waiting[1].done():
            waiting[1].set_result(answer)

    async def _withdraw(self, approval: Approval) -> None:
        await self.store.write(approvals.withdraw, approval.id)
        self.emit(ApprovalAnswered(session=approval.session, approval=approval.id, answer=None))

"""Ask a person on behalf of one call, and save what they allow for longer than once.

The process whose call asks does both, whoever gave the answer: a front end only answers.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from app.capabilities.questions import Questions
from app.errors import BrambleError, StoreError
from app.events import Event, Noticed
from app.permissions.facade import Rules
from app.permissions.policy import Policy
from app.records import Answer, Decision, Effect, Problem, Record

log = logging.getLogger(__name__)


class Asking(Record):
    """The questions of one call. `policy` gives what holds at the moment it is called."""

    questions: Questions
    rules: Rules
    emit: Callable[[Event], None]
    policy: Callable[[], Policy]
    session: str
    turn: str
    call: str
    tool: str
    cwd: str

    async def __call__(self, effect: Effect, decision: Decision) -> Answer:
        """Put the question and wait. A rule that is saved meanwhile, or written by hand, may answer it; an
        answer for longer is saved before it is handed back.
        """
        watching = asyncio.create_task(self._watch(), name="the file of rules")
        try:
            answer = await self._asked(effect, decision)
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
        if answer.decision == "allow" and answer.scope != "once":
            await self._keep(effect, decision, answer)
        return answer

    async def _watch(self) -> None:
        await self.rules.begin_looking()
        while True:
            await asyncio.sleep(self.rules.every)
            try:
                await self.rules.look()
            except StoreError as error:
                log.warning("others were not told that the rules changed: %s", error)

    async def _asked(self, effect: Effect, decision: Decision) -> Answer:
        from app.permissions.decide import decide  # at the first question, as below

        return await self.questions.ask(
            effect,
            decision,
            session=self.session,
            turn=self.turn,
            call=self.call,
            tool=self.tool,
            cwd=self.cwd,
            again=lambda: decide(effect, self.tool, self.policy()),
        )

    async def _keep(self, effect: Effect, decision: Decision, answer: Answer) -> None:
        """Save the rules that were chosen. What cannot be saved was still allowed this once; the person is
        told.
        """
        from app.permissions.offers import allows

        rules = answer.rules or (decision.offers[0] if decision.offers else ())
        try:
            if rules not in decision.offers or (answer.scope == "session" and not self.session):
                raise BrambleError("not_offered", "No such rule was offered.", rule=" ".join(rules))
            if not await asyncio.to_thread(allows, effect, self.tool, self.policy(), rules):
                raise BrambleError("rule_not_saved", "It would not allow this very call.", rule=rules[0])
            place = {"session": self.session, "project": self.cwd}.get(answer.scope, "")
            await self.rules.add_all("allow", rules, answer.scope, place)
        except BrambleError as error:
            problem = error.problem
            if error.code != "not_offered":
                problem = Problem(code="rule_not_saved", fields={"rule": " ".join(rules)}, detail=_why(error))
            self.emit(Noticed(session=self.session, problem=problem))


def _why(error: BrambleError) -> str:
    return error.problem.detail or str(error)

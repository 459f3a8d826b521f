"""What models ask the person: kept in the store, so that any process may answer it; the one that asked goes
on with the reply.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from app.capabilities.gate import Gate, Judged
from app.daily_records import Inquiry, InquiryChoice, InquiryReply
from app.errors import Refused
from app.events import Event, InquiryAnswered, InquiryAsked
from app.platform.ids import new_id
from app.records import Decision
from app.store import inquiries
from app.store.database import Store
from tools import Choice, Reply


class Inquiries:
    """The questions that this process has asked and waits for, and those of others to be answered."""

    def __init__(
        self, store: Store, emit: Callable[[Event], None], clock: Callable[[], float] = time.time
    ) -> None:
        self._store = store
        self._emit = emit
        self._clock = clock
        self._open: dict[str, asyncio.Future[InquiryReply]] = {}

    async def list(self) -> list[Inquiry]:
        """Return what waits in any process, oldest first."""
        return await self._store.read(inquiries.waiting)

    async def get(self, inquiry: str) -> Inquiry | None:
        """Return one that waits, None when it is gone or answered."""
        return await self._store.read(inquiries.get, inquiry)

    async def answer(self, inquiry: str, reply: InquiryReply) -> bool:
        """Answer one of any process; false when it is gone or answered already."""
        stored = bool(await self._store.write(inquiries.answer, inquiry, reply))
        if stored:
            self._settle(inquiry, reply)
        return stored

    async def look(self) -> None:
        """Take the answers that other processes gave; called when the store says that there are some."""
        for inquiry, reply in (await self._store.read(inquiries.answered, tuple(self._open))).items():
            self._settle(inquiry, reply)

    async def ask(
        self, session: str, turn: str, question: str, choices: Sequence[InquiryChoice], several: bool
    ) -> InquiryReply:
        """Put a question and wait for its answer. When cancelled the question is withdrawn."""
        inquiry = Inquiry(
            id=new_id(),
            session=session,
            turn=turn,
            question=question,
            choices=tuple(choices),
            several=several,
            asked=self._clock(),
        )
        waiting: asyncio.Future[InquiryReply] = asyncio.get_running_loop().create_future()
        self._open[inquiry.id] = waiting
        reply: InquiryReply | None = None
        try:
            await self._store.write(inquiries.ask, inquiry)
            self._emit(InquiryAsked(session=session, inquiry=inquiry))
            reply = await waiting
            return reply
        finally:
            del self._open[inquiry.id]
            await asyncio.shield(self._withdraw(inquiry, reply))

    async def _withdraw(self, inquiry: Inquiry, reply: InquiryReply | None) -> None:
        await self._store.write(inquiries.withdraw, inquiry.id)
        self._emit(InquiryAnswered(session=inquiry.session, inquiry=inquiry.id, reply=reply))

    def _settle(self, inquiry: str, reply: InquiryReply) -> None:
        waiting = self._open.get(inquiry)
        if waiting is not None and not waiting.done():
            waiting.set_result(reply)


class PersonAsker:
    """Implements `tools.AskPerson` for one call."""

    def __init__(self, asked: Inquiries, gate: Gate, session: str, turn: str) -> None:
        self._inquiries = asked
        self._gate = gate
        self._home = (session, turn)

    async def ask(self, question: str, choices: Sequence[Choice], several: bool = False) -> Reply:
        """See AskPerson. Raises Refused (refused, denied)."""
        gate = self._gate
        if gate.stance == "judge":
            raise Judged(Decision(decision="ask" if gate.policy.attended else "deny", reason="question"))
        if not gate.policy.attended:
            gate.refused = Decision(decision="deny", reason="unattended")
            words = (
                "Nobody is there to be asked. Go on with what you know, and say what you took for granted."
            )
            raise Refused("refused", words)
        offered = tuple(InquiryChoice(text=one.text, detail=one.detail) for one in choices)
        began = gate.clock()
        try:
            reply = await self._inquiries.ask(*self._home, question, offered, several)
        finally:
            gate.waited += gate.clock() - began
        if reply.declined:
            raise Refused("denied", "The person would rather not answer. Do not ask the same again.")
        return Reply(reply.picked, reply.text)

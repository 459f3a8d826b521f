"""Makes room in a model's window: older messages are summarised by the model, the newest and every pinned
note stay word for word, and the originals stay where they are.

The summary is a node of the tree like any message. Nothing is stored before it is whole, so a kill or a stop
in the middle loses nothing; what it takes away for the model is decided in `effective`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

from app.conversation.budget import Budget, Gauge
from app.conversation.effective import effective
from app.conversation.limits import reached
from app.conversation.progress import Progress, does_not_fit
from app.conversation.splitting import Split, split
from app.conversation.summary import SHORTENED, around, changed_files, listed
from app.errors import BrambleError, ModelError
from app.events import CompactionEnded, CompactionStarted, ContextMeasured, MessageStored, Noticed
from app.models.request import ModelRequest
from app.permissions.marks import merged
from app.platform.ids import new_id
from app.record import Record
from app.records import Compaction, Message, Pin, Problem, Usage
from app.store import messages, pins

if TYPE_CHECKING:
    from app.conversation.limits import Tally
    from app.conversation.means import Means

Why = Literal["full", "overflow", "asked"]
LEAST = 400
"""Tokens of older messages below which a person's wish for a summary is refused: it would not be shorter."""
_NO_SUMMARY = frozenset({"overflow", "bad_reply", "endless", "content_refused", "cut_stream", "stalled"})
"""Failures that only mean that no summary came. All others (no network, no key) would meet the turn's own
request too: they end the turn, and nothing is left out.
"""


class _Case(Record):
    """One compaction: the branch as it is stored, what goes to the model of it, and where that is split."""

    branch: list[Message]
    history: list[Message]
    place: Split
    base: ModelRequest
    why: Why
    budget: Budget

    @property
    def older(self) -> list[Message]:
        """What is to be summarised."""
        return self.history[: self.place.kept]


class _Said(Record):
    """A summary, by whom it is, and what it took."""

    text: str
    usage: Usage = Usage()
    cost: float | None = 0.0
    by: Literal["model", "cut"] = "model"


class Room:
    """The room of one session in its model's window, for one turn. `tally` counts what summaries take, and
    `cap` is the cap of the settings that is reached now.
    """

    def __init__(
        self, means: Means, session: str, turn: str, tally: Tally, cap: Callable[[], Problem | None]
    ) -> None:
        self.means, self.session, self.turn, self.tally, self.cap = means, session, turn, tally, cap
        self.gauge = Gauge()
        self.progress = Progress()

    async def keep(self, history: list[Message], base: ModelRequest, head: str) -> str:
        """Summarise in place when the next request (`base` with this history) is as large as product 1.5
        says; return the newest message of the branch. Raises ModelError, StoreError, BrambleError
        compaction_stuck, does_not_fit.
        """
        budget = Budget(await self.means.client.window(base))
        if self.gauge.size(base, history).total < budget.full:
            return head
        return await self.make(history, base, head, "full", budget)

    async def overflowed(self, history: list[Message], base: ModelRequest, head: str) -> str:
        """Make room after a provider said that the request was too long: its window is smaller than known."""
        known = await self.means.client.window(base)
        window = min(known, self.gauge.size(base, history).total)
        self.means.client.windows.learn(base.profile, base.model, window)
        return await self.make(history, base, head, "overflow", Budget(window))

    async def make(
        self, history: list[Message], base: ModelRequest, head: str, why: Why, budget: Budget
    ) -> str:
        """Summarise the older part of `history` in place and return the id of the summary.

        Raises as `keep`, and for a person's wish BrambleError nothing_to_compact and compaction_failed.
        """
        if why != "asked":
            self.progress.check(history)
        place = self._place(history, budget, why)
        branch = await self.means.store.read(messages.branch, self.session, head)
        case = _Case(branch, list(history), place, base, why, budget)
        ids = {"session": self.session, "turn": self.turn}
        self.means.emit(CompactionStarted(why=why, **ids))
        done = ""
        try:
            message = await self._message(case, await self._said(case))
            await self.means.store.write(messages.add, message)
            self.means.emit(MessageStored(session=self.session, message=message))
            done = message.id
        finally:
            self.means.emit(CompactionEnded(message=done, **ids))
        history[:] = effective([*branch, message])
        return done

    def _place(self, history: Sequence[Message], budget: Budget, why: Why) -> Split:
        """Return what stays. Raises BrambleError nothing_to_compact."""
        measure = self.gauge.of
        if why != "asked":
            return split(history, budget.tail, measure)
        place = split(history, min(budget.tail, sum(map(measure, history)) // 4), measure)
        if sum(measure(one) for one in history[: place.kept] if one.role != "summary") < LEAST:
            raise BrambleError("nothing_to_compact", "The conversation is too short to be summarised.")
        return msgspec.structs.replace(place, cut=0)

    async def _said(self, case: _Case) -> _Said:
        """Return the summary: the model's, else a list of what is left out."""
        from app.conversation.summarising import Summariser  # most conversations never need it

        older, room = case.older, case.budget.summary
        if all(message.role == "summary" for message in older):  # only what stays is too long
            return _Said(older[0].text) if older else _Said(SHORTENED, by="cut")
        asking = Summariser(self.means, self.session, self.turn, self.tally, self.gauge, self.cap)
        text, problem = "", Problem(code="summary_refused")
        try:
            text = await asking.run(older, case.base, case.budget)
        except ModelError as error:
            if error.code not in _NO_SUMMARY or case.why == "asked":
                raise
            problem = msgspec.structs.replace(problem, detail=str(error))
        if asking.capped is not None:
            if case.why == "asked":
                raise reached(asking.capped)
            # What is paid for is kept, so that the next turn does not pay for it again.
            rest = listed(asking.left, room // 4 if text else room)
            return _Said("\n\n".join(filter(None, [text, rest])), asking.usage, asking.cost, "cut")
        if text:
            return _Said(text, asking.usage, asking.cost)
        if case.why == "asked":
            raise BrambleError("compaction_failed", "The model gave no useful summary.")
        self.means.emit(Noticed(session=self.session, problem=problem))
        return _Said(listed(older, room), asking.usage, asking.cost, "cut")

    async def _message(self, case: _Case, said: _Said) -> Message:
        """Return the summary as it will stand in the tree. Raises BrambleError does_not_fit when even
        with it the next request does not fit.
        """
        kept = case.history[case.place.kept]
        before = case.branch[: next(at for at, one in enumerate(case.branch) if one.id == kept.id)]
        there = await self.means.store.read(pins.of, self.session)
        marks = merged(*(one.marks for one in case.older), *(pin.marks for pin in there))
        now = self.means.clock()
        done = Compaction(
            kept=kept.id,
            cut=case.place.cut,
            pins=tuple(pin.id for pin in there),
            messages=sum(one.role != "summary" for one in before),
            before=self.gauge.size(case.base, case.history).total,
            by=said.by,
            why=case.why,
        )
        message = Message(
            id=new_id(now),
            session=self.session,
            parent=case.branch[-1].id,
            turn=self.turn,
            role="summary",
            created=now,
            text=said.text,
            context=_around(case, before, there, done.messages),
            model=f"{case.base.profile.name}/{case.base.model}" if said.by == "model" else "",
            usage=said.usage,
            cost=said.cost,
            marks=marks,
            compaction=done,
        )
        size = self.gauge.size(case.base, effective([*case.branch, message])).total
        if size >= case.budget.window:
            raise does_not_fit()
        self.means.emit(
            ContextMeasured(session=self.session, used=size, window=case.budget.window, exact=False)
        )
        return msgspec.structs.replace(message, compaction=msgspec.structs.replace(done, after=size))


def _around(case: _Case, before: Sequence[Message], there: Sequence[Pin], count: int) -> str:
    """Return what stands before the summary: notes, the person's newest words, changed files."""
    goes_on = any(one.role == "user" for one in case.history[case.place.kept :])
    words = next((one for one in reversed(before) if one.role == "user"), None)
    return around(
        count=count,
        pins=there,
        words=None if goes_on else words,
        files=changed_files(before),
        marks=merged(*(one.marks for one in case.older)),
        room=case.budget.summary,
    )

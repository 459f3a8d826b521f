"""Gets a summary of older messages out of the model, in as many requests as their length takes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING

import msgspec

from app.conversation.budget import Budget, Gauge
from app.conversation.effective import shortened
from app.conversation.requesting import with_history
from app.conversation.splitting import portions
from app.conversation.summary import instruction, useful
from app.errors import ModelError
from app.events import CompactionProgressed, RetryWaited
from app.models import catalogue
from app.models.profiles import quirks_of
from app.models.request import Finished, ModelRequest, Reply, Waiting
from app.records import Message, Problem, Usage
from app.store import spend

if TYPE_CHECKING:
    from app.conversation.limits import Tally
    from app.conversation.means import Means

PORTIONS = 12
"""Requests that one summary may take; the texts of a longer history are cut until it fits."""
LEAST_ROOM = 500
_TRIES = 3
"""How often the portions are made smaller when a provider says that they are too long."""
_LETTERS = 3
"""Characters of a token, for a text that must fit."""


class Summariser:
    """Of one session and turn. `usage` and `cost` are what its requests took; `tally` counts them too. Where
    `cap` says that nothing more may be used, `capped` says so, and `left` are the messages that it did not
    come to.
    """

    def __init__(
        self,
        means: Means,
        session: str,
        turn: str,
        tally: Tally,
        gauge: Gauge,
        cap: Callable[[], Problem | None],
    ) -> None:
        self.means, self.session, self.turn, self.tally, self.gauge = means, session, turn, tally, gauge
        self._cap = cap
        self.capped: Problem | None = None
        self.left: Sequence[Message] = ()
        self.usage = Usage()
        self.cost: float | None = 0.0

    async def run(self, older: Sequence[Message], base: ModelRequest, budget: Budget) -> str:
        """Return the summary, as far as a cap let it come, "" when an answer is of no use. Raises
        ModelError.
        """
        room = budget.window - self.gauge.beginning(base) - 2 * budget.summary
        if sum(map(self.gauge.of, older)) > room:
            room -= budget.summary  # each further portion has the summary of those before with it
        for _try in range(_TRIES):
            try:
                return await self._rolled(older, base, budget, max(room, LEAST_ROOM))
            except ModelError as error:
                if error.code != "overflow":
                    raise
                room //= 2
        return ""

    async def _rolled(self, older: Sequence[Message], base: ModelRequest, budget: Budget, room: int) -> str:
        """Summarise portion after portion, each with the summary of those before."""
        parts = list(portions(older, room, self.gauge.of))
        if len(parts) > PORTIONS:  # every text gives way alike, so that none is left out whole
            cut = room * PORTIONS * _LETTERS // max(1, len(older))
            parts = list(portions([shortened(one, cut) for one in older], room, self.gauge.of))[-PORTIONS:]
        text, before = "", list[Message]()
        for number, part in enumerate(parts, 1):
            self.capped = self._cap()
            if self.capped is not None:
                self.left = [message for one in parts[number - 1 :] for message in one]
                return text
            reply = await self._asked((*before, *part), base, budget)
            text = useful(reply.text, budget.summary) or ""
            if not text:
                return ""
            before = [msgspec.structs.replace(_words(part[0], text), role="summary")]
            self.means.emit(
                CompactionProgressed(session=self.session, turn=self.turn, done=number, total=len(parts))
            )
        return text

    async def _asked(self, said: Sequence[Message], base: ModelRequest, budget: Budget) -> Reply:
        """Send one request that begins as those of the conversation, so that a cache holds for it too."""
        asks = _words(said[-1], instruction(budget.summary))
        if said[-1].role == "user":  # no two of one side in a row, see `fence.for_model`
            asks = msgspec.structs.replace(said[-1], text=f"{said[-1].text}\n\n{asks.text}")
            said = said[:-1]
        request = with_history(base, (*said, asks))
        request = msgspec.structs.replace(request, tool_choice="none", aside=True)
        if quirks_of(base.profile, base.model).small_local:  # its wire would send the last question alone
            request = msgspec.structs.replace(request, tools=(), tool_choice="auto")
        async with aclosing(self.means.client.stream(request)) as events:
            async for event in events:
                self.means.used(base.profile.name, base.model)
                if isinstance(event, Waiting):
                    self._wait(event)
                elif isinstance(event, Finished):
                    await self._count(event.reply, base)
                    return event.reply
        raise ModelError("cut_stream", "The summary ended before it was complete.")

    def _wait(self, event: Waiting) -> None:
        self.means.emit(
            RetryWaited(
                session=self.session,
                turn=self.turn,
                problem=event.problem,
                seconds=event.seconds,
                attempt=event.attempt,
            )
        )

    async def _count(self, reply: Reply, base: ModelRequest) -> None:
        """Add the request to its day at once, so that a kill does not lose that it was paid for."""
        cost = catalogue.cost(base.profile, base.model, reply.usage)
        day, model = spend.day_of(self.means.clock()), f"{base.profile.name}/{base.model}"
        await asyncio.shield(self.means.store.write(spend.add, day, model, reply.usage, cost))
        self.usage = self.usage.plus(reply.usage)
        self.cost = None if self.cost is None or cost is None else self.cost + cost
        self.tally.count(reply.usage, cost)


def _words(like: Message, text: str) -> Message:
    """Return words to the model that stand in no tree."""
    return Message(
        id=f"{like.id} summary",
        session=like.session,
        parent=None,
        turn="",
        role="user",
        created=like.created,
        text=text,
    )

"""A summary of the older messages that the person wishes for, as a turn without words."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from app.conversation.effective import effective
from app.conversation.ending import no_answer
from app.conversation.limits import Tally, cap
from app.conversation.means import Means
from app.conversation.offering import opening
from app.conversation.only import only_of
from app.conversation.turn import Ending
from app.conversation.turn_run import TurnRun
from app.errors import BrambleError
from app.models.profiles import quirks_of
from app.records import Message, TurnOptions
from app.store import sessions, spend


async def make_room(
    means: Means, session: str, branch: Sequence[Message], options: TurnOptions, turn: str, tally: Tally
) -> Ending:
    """Summarise what is old in a branch. Raises as Room.make for a person's wish."""
    info, history = await means.store.read(sessions.get, session), effective(branch)
    if info is None or not history:
        raise BrambleError("nothing_to_compact", "There is nothing to summarise.")
    before = await means.store.read(spend.spent, spend.day_of(means.clock()))
    if problem := cap(means.settings().limits, tally, before):
        return no_answer("budget", problem)
    model = await means.resolve(options.model or info.model)
    mode = options.mode or info.mode
    only = await only_of(means.store, info)
    begun = await opening(means, session, "", mode, info.cwd, quirks_of(*model), only=only)
    run = TurnRun(
        means,
        info,
        options,
        turn,
        model,
        prefix=begun.prefix,
        head=branch[-1].id,
        spent_before=before,
        tally=tally,
        wish=asyncio.Event(),
        only=only,
    )
    try:
        await run.make_room(history)
    except BrambleError as error:
        if error.code != "budget":
            raise
        return Ending(stop="budget", rounds=0, usage=tally.usage, cost=tally.cost, problem=error.problem)
    return Ending(stop="done", rounds=0, usage=tally.usage, cost=tally.cost)

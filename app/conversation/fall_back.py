"""What becomes of an answer whose provider asks to wait: another model gives it, or is offered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import msgspec

from app.conversation.means import Means
from app.errors import BrambleError, ModelError
from app.events import Noticed
from app.models.profile import Profile
from app.models.request import ModelEvent, Waiting
from app.record import Record
from app.records import Problem
from app.settings import Settings

LIMITED, OFFERED = "rate_limit", "rate_limit_other"
"""The provider asks to wait; and there is another model that the person can take instead."""
SWITCH = "fell_back"
"""The other model is asked now."""


class FallBack(Record):
    """The other model, "" where there is none; `auto` when it answers without a question."""

    name: str = ""
    auto: bool = False


async def taken(means: Means, other: FallBack, session: str) -> tuple[Profile, str] | None:
    """Return the other model and say that it answers; None where it cannot, so that the chosen one is waited
    for.
    """
    try:
        profile, model = await means.resolve(other.name)
    except BrambleError as error:
        means.emit(Noticed(session=session, problem=error.problem))
        return None
    fell = Problem(code=SWITCH, fields={"model": f"{profile.name}/{model}"})
    means.emit(Noticed(session=session, problem=fell))
    return profile, model


def fall_back(settings: Settings, model: str) -> FallBack:
    """Return what may answer in the place of `model` (PROFILE/MODEL)."""
    if not settings.fallback_model or settings.fallback_model == model:
        return FallBack()
    return FallBack(settings.fallback_model, settings.fall_back == "auto")


async def offered(
    events: AsyncGenerator[ModelEvent, None], other: FallBack, wish: asyncio.Event
) -> AsyncGenerator[ModelEvent, None]:
    """Yield the events of an answer. Where its provider asks to wait, the problem names the other model; with
    `auto`, or once the person wishes it (`wish` is set), nothing is waited for. Raises ModelError, SWITCH
    where the other model is to be asked.
    """
    limited = False
    try:
        while (event := await _next(events, wish if limited and other.name else None)) is not None:
            limited = isinstance(event, Waiting) and event.problem.code == LIMITED
            if isinstance(event, Waiting) and limited:
                if other.auto:
                    raise ModelError(SWITCH, "The provider asks to wait.")
                event = msgspec.structs.replace(event, problem=_naming(event.problem, other))
            yield event
    except ModelError as error:
        if error.code == LIMITED and other.auto:
            raise ModelError(SWITCH, str(error)) from error
        error.problem = _naming(error.problem, other)
        raise


async def _next(events: AsyncGenerator[ModelEvent, None], wish: asyncio.Event | None) -> ModelEvent | None:
    """Return the next event, None at the end. Raises ModelError SWITCH once `wish` is set."""
    if wish is None:
        return await anext(events, None)
    step, wished = asyncio.ensure_future(anext(events, None)), asyncio.ensure_future(wish.wait())
    try:
        await asyncio.wait({step, wished}, return_when=asyncio.FIRST_COMPLETED)
        if step.done():
            return step.result()
        raise ModelError(SWITCH, "The person wishes it.")
    finally:
        step.cancel()
        wished.cancel()
        await asyncio.gather(step, wished, return_exceptions=True)


def _naming(problem: Problem, other: FallBack) -> Problem:
    if problem.code != LIMITED or not other.name:
        return problem
    fields = {**problem.fields, "fallback": other.name}
    return msgspec.structs.replace(problem, code=OFFERED, fields=fields)

"""What becomes of an answer whose provider asks to wait: another model gives it, or is offered."""

from __future__ import annotations

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
    fell = Problem(code="fell_back", fields={"model": f"{profile.name}/{model}"})
    means.emit(Noticed(session=session, problem=fell))
    return profile, model


def fall_back(settings: Settings, model: str) -> FallBack:
    """Return what may answer in the place of `model` (PROFILE/MODEL)."""
    if not settings.fallback_model or settings.fallback_model == model:
        return FallBack()
    return FallBack(settings.fallback_model, settings.fall_back == "auto")


async def offered(
    events: AsyncGenerator[ModelEvent, None], other: FallBack
) -> AsyncGenerator[ModelEvent, None]:
    """Yield the events of an answer. Where its provider asks to wait, the problem names the other model; with
    `auto` nothing is waited for. Raises ModelError.
    """
    try:
        async for event in events:
            if isinstance(event, Waiting) and event.problem.code == LIMITED:
                if other.auto:
                    raise ModelError(LIMITED, "The provider asks to wait.")
                event = msgspec.structs.replace(event, problem=_naming(event.problem, other))
            yield event
    except ModelError as error:
        error.problem = _naming(error.problem, other)
        raise


def _naming(problem: Problem, other: FallBack) -> Problem:
    if problem.code != LIMITED or not other.name or other.auto:
        return problem
    fields = {**problem.fields, "fallback": other.name}
    return msgspec.structs.replace(problem, code=OFFERED, fields=fields)

"""The turn: ask the model, run what it calls, give it the results, until it answers or a limit ends it.

One small loop over parts that are handed in; it knows no store, no wire and no tool.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Literal, Protocol

from app.conversation.limits import Repeats, Tally, same_key
from app.errors import BrambleError
from app.record import Record
from app.records import Message, Problem, Stop, ToolCall, Usage
from app.settings import Limits

ToolChoice = Literal["auto", "none"]


_UNCOUNTED = ("cut_stream", "stalled", "endless")
"""Failures of an answer that had begun, whose usage nobody told."""


class AskModel(Protocol):
    """Send the history and return the stored answer. Raises ModelError when what had arrived is stored."""

    def __call__(self, history: list[Message], choice: ToolChoice, round: int) -> Awaitable[Message]: ...


class Parts(Record):
    """What a turn is made of. Nothing but `ask_model` may raise, and it only ModelError or StoreError."""

    ask_model: AskModel
    run_call: Callable[[Message, ToolCall], Coroutine[Any, Any, Message]]
    """Run one call of an answer and return its stored result, whatever happened."""
    skip_call: Callable[[Message, ToolCall, str], Awaitable[Message]]
    """Store a result for a call that was not run, with the reason for the model."""
    reads: Callable[[ToolCall], bool]
    steered: Callable[[], Awaitable[list[Message]]]
    """Stored messages of the person that enter before the next request."""
    cap: Callable[[Tally], Problem | None]
    """A money or token cap that is reached, else None."""
    limits: Limits
    once: bool = False
    """For small models: the same call with the same arguments is not run again, unless something was changed
    in
    between; the answer is asked for instead.
    """


class Ending(Record):
    """How a turn ended."""

    stop: Stop
    rounds: int
    usage: Usage
    cost: float | None
    problem: Problem | None = None


async def run_turn(parts: Parts, history: list[Message], tally: Tally | None = None) -> Ending:
    """Run a turn on `history`, which ends with the person's message and grows in place.

    `tally` grows too, for one who has to tell of a turn that was stopped.
    """
    tally = Tally() if tally is None else tally
    repeats = Repeats(parts.limits.repeats)
    made: set[str] = set()
    try:
        while tally.rounds < parts.limits.rounds:
            history += await parts.steered()
            tally.rounds += 1
            answer = await parts.ask_model(history, "auto", tally.rounds)
            history.append(answer)
            tally.add(answer)
            if problem := parts.cap(tally):
                history += [
                    await parts.skip_call(answer, call, "Not run: the budget of this turn is used up.")
                    for call in answer.calls
                ]
                return _ending("budget", tally, problem)
            if not answer.calls:
                steered = await parts.steered()
                history += steered
                if steered or answer.finish == "paused":  # a server goes on when it has all of it back
                    continue
                return _answered(answer, tally, worked=bool(made))
            keys = [same_key(call) for call in answer.calls]
            if parts.once and made.issuperset(keys):
                history += [
                    await parts.skip_call(answer, call, "Done already in this turn.") for call in answer.calls
                ]
                return await _last_answer(parts, history, tally, "done")
            if not all(map(parts.reads, answer.calls)):
                made.clear()
            made.update(keys)
            results = await run_batch(parts, answer)
            history += results
            if repeats.ended_by(answer.calls, results):
                return await _last_answer(parts, history, tally, "repeat")
        return await _last_answer(parts, history, tally, "rounds")
    except BrambleError as error:
        return _broken(error, tally)


async def run_batch(parts: Parts, answer: Message) -> list[Message]:
    """Run the calls of one answer: reading ones side by side, each changing one alone; results in the order
    of the calls.
    """
    results: list[Message] = []
    together: list[ToolCall] = []
    for number, call in enumerate(answer.calls):
        if number >= parts.limits.calls_per_round:
            results += await _side_by_side(parts, answer, together)
            together = []
            results.append(
                await parts.skip_call(
                    answer, call, f"Not run: more than {parts.limits.calls_per_round} calls at once."
                )
            )
        elif parts.reads(call):
            together.append(call)
        else:
            results += await _side_by_side(parts, answer, together)
            together = []
            results.append(await parts.run_call(answer, call))
    return results + await _side_by_side(parts, answer, together)


async def _side_by_side(parts: Parts, answer: Message, calls: list[ToolCall]) -> list[Message]:
    if len(calls) <= 1:
        return [await parts.run_call(answer, call) for call in calls]
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(parts.run_call(answer, call)) for call in calls]
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None  # they fail alike: the store is gone
    return [task.result() for task in tasks]


async def _last_answer(parts: Parts, history: list[Message], tally: Tally, stop: Stop) -> Ending:
    """Ask once more, without calls, so that the person gets an answer out of what was found."""
    answer = await parts.ask_model(history, "none", tally.rounds + 1)
    history.append(answer)
    tally.add(answer)
    history += [await parts.skip_call(answer, call, "Not run: the turn had ended.") for call in answer.calls]
    return _ending(stop, tally)


def _broken(error: BrambleError, tally: Tally) -> Ending:
    """Return how a turn ended that could not ask its model, or got no whole answer."""
    if error.code == "budget":  # a summary used up what there was: this round's own request was never sent
        tally.rounds -= 1
        return _ending("budget", tally, error.problem)
    if error.code in _UNCOUNTED:
        tally.cost = None  # the provider counts what it had sent all the same
    return _ending("cut" if error.code in ("cut_stream", "stalled") else "failed", tally, error.problem)


def _answered(answer: Message, tally: Tally, *, worked: bool) -> Ending:
    """Return the ending with an answer that calls nothing. One that says nothing either is none, or a person
    would look at an empty page; behind work that was done it may stand for "that was all".
    """
    stop = _stop_of(answer)
    if stop == "done" and not worked and not answer.text.strip():
        return _ending("failed", tally, Problem(code="empty_answer"))
    return _ending(stop, tally)


def _stop_of(answer: Message) -> Stop:
    return "length" if answer.finish == "length" else "refused" if answer.finish == "refused" else "done"


def _ending(stop: Stop, tally: Tally, problem: Problem | None = None) -> Ending:
    return Ending(stop=stop, rounds=tally.rounds, usage=tally.usage, cost=tally.cost, problem=problem)

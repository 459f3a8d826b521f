"""When a turn has gone on for long enough: the same call again and again, too many rounds, too many calls,
a cap reached.
"""

from __future__ import annotations

import json
import re

import msgspec

from app.errors import BrambleError
from app.records import Message, Problem, ToolCall, Usage
from app.settings import Limits
from app.store.spend import Spent
from app.toolbox.bridge import shown

POLLING = frozenset({"job_output"})
"""Tools that wait for news themselves, so that calling them again is no loop (product 1.3)."""


_TOOK = r", \d+\.\d s\]\Z"
"""At the end of what a command said (tools/shell): how long it took."""
_KEPT = r"(?m)( left out here\. )[^\n]*(?=\]$)"
"""In an output that was cut (toolbox/output): where the whole is kept, a new file each time."""


def same_result(text: str) -> str:
    """Return a text that is equal for results that say the same, however long it took to get them."""
    return re.sub(_KEPT, r"\1", re.sub(_TOOK, "]", text))


def same_key(call: ToolCall) -> str:
    """Return a text that is equal for equal calls, whatever the spacing and order of their arguments."""
    call = shown(call)
    try:
        arguments = json.dumps(json.loads(call.arguments or "{}"), sort_keys=True)
    except (ValueError, RecursionError):
        arguments = call.arguments
    return f"{call.name} {arguments}"


class Repeats(msgspec.Struct):
    """Counts how often in a row the same call gave the same result, and the same round of calls the same
    results.
    """

    limit: int
    last: str = ""
    times: int = 0
    last_round: str = ""
    round_times: int = 0

    def ended_by(self, calls: tuple[ToolCall, ...], results: list[Message]) -> bool:
        """Whether this round makes the turn one that goes in circles."""
        texts = {message.call: same_result(message.text) for message in results}
        seen = [
            f"{same_key(call)}\n{texts.get(call.id, '')}" for call in calls if shown(call).name not in POLLING
        ]
        for one in seen:
            self.times = self.times + 1 if one == self.last else 1
            self.last = one
            if self.times >= self.limit:
                return True
        whole = "\n".join(seen)
        self.round_times = self.round_times + 1 if whole and whole == self.last_round else 1
        self.last_round = whole
        return bool(whole) and self.round_times >= self.limit


class Purse(msgspec.Struct):
    """What all have used that work on one turn, its helpers too: tokens, and US dollars as far as known."""

    tokens: int = 0
    money: float = 0.0


class Tally(msgspec.Struct):
    """What a turn has used so far. `cost` in US dollars, None as soon as one price is unknown; `money` is as
    much of it as is known.
    """

    rounds: int = 0
    usage: Usage = Usage()
    cost: float | None = 0.0
    money: float = 0.0
    purse: Purse = msgspec.field(default_factory=Purse)
    """Its helpers have the same one, so that none of them goes on where the turn itself may not."""

    def add(self, answer: Message) -> None:
        """Count one answer in."""
        self.count(answer.usage, answer.cost)

    def count(self, usage: Usage | None, cost: float | None) -> None:
        """Count one request in."""
        if usage is not None:
            self.usage = self.usage.plus(usage)
            self.purse.tokens += usage.input + usage.output
        self.cost = None if self.cost is None or cost is None else self.cost + cost
        self.money += cost or 0.0
        self.purse.money += cost or 0.0


def reached(problem: Problem) -> BrambleError:
    """Return the error that ends a turn where a cap leaves nothing for its next request."""
    return BrambleError(
        problem.code, f"A cap is reached: {problem.fields.get('what', '')}.", **problem.fields
    )


def without(day: Spent, tally: Tally, answer: Message) -> Spent:
    """Return a day's use without that of this turn, whose newest answer is not in the tally yet."""
    used = tally.usage.plus(answer.usage or Usage())
    rest = Usage(input=day.usage.input - used.input, output=day.usage.output - used.output)
    cost = day.cost - tally.money - (answer.cost or 0.0)
    return Spent(day.requests, rest, cost, day.unpriced)


def cap(limits: Limits, tally: Tally, before: Spent) -> Problem | None:
    """Return the cap that a turn has reached, with its helpers or with what was used `before` on this day."""
    used = tally.usage.input + tally.usage.output
    for what, limit, so_far in (
        ("turn_tokens", limits.turn_tokens, tally.purse.tokens),
        ("day_tokens", limits.day_tokens, before.tokens + used),
        ("turn_money", limits.turn_money, tally.purse.money),
        ("day_money", limits.day_money, before.cost + tally.money),
    ):
        if limit and so_far >= limit:
            return Problem(code="budget", fields={"what": what, "limit": f"{limit:g}"})
    return None

"""How a turn ended that did not run to its end, and the title of a conversation that has none."""

from __future__ import annotations

import msgspec

from app.attachment_records import said
from app.conversation.limits import Tally
from app.conversation.turn import Ending
from app.records import Problem, Stop, Usage

TITLE_LENGTH = 60


def title_of(text: str) -> str:
    """Return a title from the first words of a message, or from what it brings without any."""
    line = " ".join(said(text).split())
    if len(line) <= TITLE_LENGTH:
        return line
    return line[:TITLE_LENGTH].rsplit(" ", 1)[0].rstrip(",;:-") + "…"


def no_answer(stop: Stop, problem: Problem | None = None) -> Ending:
    return Ending(stop=stop, rounds=0, usage=Usage(), cost=None, problem=problem)


def broken_off(stop: Stop, tally: Tally, problem: Problem | None = None) -> Ending:
    """Return the ending of a turn that was cut in the middle: what it had used, as far as it is known."""
    usage = msgspec.structs.replace(tally.usage, exact=False)
    return Ending(stop=stop, rounds=tally.rounds, usage=usage, cost=None, problem=problem)

"""The model's checklist for its work: its steps, read from a result, and the words about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.records import Message, View
from ui.language import _, later as L

MOST, LONGEST = 100, 500
"""Steps of a list, and characters of one, that are shown."""
_STATES = {
    "open": L("to do"),
    "doing": L("in work"),
    "done": L("done"),
    "dropped": L("left out"),
}
_ENDED = ("done", "dropped")


class Step(NamedTuple):
    """One step; `state` is open, doing, done or dropped."""

    text: str
    state: str


def steps_of(view: View) -> tuple[Step, ...]:
    """Return the steps of a result, () where it holds none. A server may have written it, so nothing of it
    is taken for granted.
    """
    given = view.data.get("steps") if view.kind == "steps" else None
    if not isinstance(given, list):
        return ()
    return tuple(_step(one) for one in given[:MOST] if isinstance(one, dict))


def _step(given: dict[str, object]) -> Step:
    state = given.get("state")
    text = " ".join(str(given.get("text", ""))[:LONGEST].split())
    return Step(text, state if isinstance(state, str) and state in _STATES else "open")


def standing_steps(messages: Sequence[Message]) -> tuple[Step, ...]:
    """Return the newest steps of a branch, () where there are none, or where all of them ended in an earlier
    turn than its last message.
    """
    for message in reversed(messages):
        steps = steps_of(message.view)
        if steps:
            over = ended(steps) == len(steps) and message.turn != messages[-1].turn
            return () if over else steps
    return ()


def ended(steps: Sequence[Step]) -> int:
    """Return how many steps are done or left out."""
    return sum(step.state in _ENDED for step in steps)


def state_words(step: Step) -> str:
    """Return the state of a step in words."""
    return _(_STATES[step.state])


def now_text(steps: Sequence[Step]) -> str:
    """Return where the work stands, in one line: the step that is in work, or the next one."""
    for state, words in (
        ("doing", _("Step {n} of {total}: {text}")),
        ("open", _("Next is step {n} of {total}: {text}")),
    ):
        for number, step in enumerate(steps, 1):
            if step.state == state:
                filled = words.replace("{n}", str(number)).replace("{total}", str(len(steps)))
                return filled.replace("{text}", step.text)
    return _("All steps are done.")

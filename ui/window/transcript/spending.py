"""What a turn took, in words, for the quiet line under its last answer."""

from __future__ import annotations

from app.records import Message, Usage
from ui.spending_words import turn_text
from ui.words import _, duration


def spent(usage: Usage, cost: float | None, seconds: float) -> str:
    """Return what a turn took: tokens, those read from a cache, money, time."""
    whole = usage.input + usage.output
    count = _("{n} tokens") if usage.exact else _("about {n} tokens")
    parts = [count.replace("{n}", f"{whole:,}")] if whole else []
    if usage.cached:
        parts.append(_("{n} from cache").replace("{n}", f"{usage.cached:,}"))
    parts += filter(None, [turn_text(usage, cost)])
    parts += [duration(seconds)] if seconds >= 1 and whole else []
    return ", ".join(parts)


class Spent:
    """What each turn used and cost so far."""

    def __init__(self) -> None:
        self._turns: dict[str, tuple[Usage, float | None]] = {}

    def add(self, message: Message) -> None:
        """Count what a stored answer took."""
        if message.usage is not None:
            before, cost = self._turns.get(message.turn, (Usage(), None))
            paid = cost if message.cost is None else (cost or 0.0) + message.cost
            self._turns[message.turn] = before.plus(message.usage), paid

    def set(self, turn: str, usage: Usage, cost: float | None) -> None:
        """Take the sum that the end of a turn tells."""
        self._turns[turn] = usage, cost

    def words(self, turn: str, seconds: float) -> str:
        """Return what a turn took in words."""
        return spent(*self._turns.get(turn, (Usage(), None)), seconds)

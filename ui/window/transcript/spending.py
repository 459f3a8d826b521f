"""What a turn took, in words, for the quiet line under its last answer."""

from __future__ import annotations

from app.records import Usage
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

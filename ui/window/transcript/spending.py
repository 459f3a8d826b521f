"""What a turn took, in words, for the quiet line under its last answer."""

from __future__ import annotations

from app.records import Usage
from ui.words import _, duration, money


def spent(usage: Usage, cost: float | None, seconds: float) -> str:
    """Return what a turn took: tokens, those read from a cache, money, time."""
    whole = usage.input + usage.output
    parts = [_("{n} tokens").replace("{n}", f"{whole:,}")] if whole else []
    if usage.cached:
        parts.append(_("{n} from cache").replace("{n}", f"{usage.cached:,}"))
    parts += [money(cost)] if cost else []
    parts += [duration(seconds)] if seconds >= 1 and whole else []
    return ", ".join(parts)

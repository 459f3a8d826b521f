"""Read a moment in the past as people type it: "14:05", "2 h", "yesterday", an ISO date and time."""

from __future__ import annotations

import datetime
import re

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


def moment(text: str, now: float) -> float | None:
    """Return unix seconds, None when the text is no time; a time of day is the last one that has passed."""
    text = text.strip().casefold()
    here = datetime.datetime.fromtimestamp(now)
    if text in ("today", "yesterday"):
        midnight = here.replace(hour=0, minute=0, second=0, microsecond=0)
        return (midnight - datetime.timedelta(days=text == "yesterday")).timestamp()
    if found := re.fullmatch(
        r"(\d+)\s*(s|m|h|d|w)(?:ec(?:ond)?s?|in(?:ute)?s?|ours?|ays?|eeks?)?(?:\s+ago)?", text
    ):
        return now - int(found[1]) * _UNITS[found[2]]
    if found := re.fullmatch(r"(\d{1,2}):(\d{2})(?::(\d{2}))?", text):
        return _time_of_day(here, int(found[1]), int(found[2]), int(found[3] or 0))
    if re.fullmatch(r"\d{9,11}(\.\d+)?", text):
        return float(text)
    try:
        return datetime.datetime.fromisoformat(text.upper()).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def _time_of_day(here: datetime.datetime, hour: int, minute: int, second: int) -> float | None:
    try:
        then = here.replace(hour=hour, minute=minute, second=second, microsecond=0)
    except ValueError:
        return None
    return (then - datetime.timedelta(days=then > here)).timestamp()

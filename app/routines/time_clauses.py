"""Take times of the day and intervals out of the words of a schedule."""

from __future__ import annotations

import re

from app.errors import RoutineError
from app.routines.clauses import Clauses, Found
from app.routines.words import AND, CLEAR_TIME, TIME, WEEKDAY, minutes_of, unclear


def take_window(clauses: Clauses, found: Found) -> None:
    """Take "between 9 and 17"."""
    said = clauses.take(rf"\b(?:between|from)\s+({TIME})\s*(?:and|to|until|till|-)\s*({TIME})")
    if said is None:
        return
    begin, end = minutes_of(said[1]), minutes_of(said[2])
    bare = re.fullmatch(r"\d{1,2}", said[1].strip()) and begin <= 720
    if bare and re.search(r"pm?\.?m", said[2]) and begin + 720 < end:
        raise unclear(said[0], f"from {begin // 60}:00", f"from {begin // 60 + 12}:00")
    if bare and re.fullmatch(r"\d{1,2}", said[2].strip()) and end <= begin and end <= 720:
        raise unclear(said[0], f"until {end // 60 + 12}:00", f"until {end // 60}:00 of the next day")
    if begin == end:
        raise RoutineError("schedule_unreadable", f"{said[0]!r} has no length", part=said[0])
    found.window = (begin, end)


def take_start(clauses: Clauses, found: Found) -> None:
    """Take "starting at 9"."""
    said = clauses.take(rf"\b(?:starting|beginning|from)(?: at| from)?\s+({TIME})(?: on\b)?")
    if said:
        found.starting = minutes_of(said[1])


def take_minute(clauses: Clauses, found: Found) -> None:
    """Take the minute of each hour: ":15", "20 past", "on the hour"; or "on the clock"."""
    if clauses.take(r"\bon the clock\b"):
        found.aligned = True
        return
    said = clauses.take(
        r"\b(?:at\s+)?(?:(?<![\d:.]):(\d{2})\b(?! *[ap]m)(?: past(?: the hour)?)?"
        r"|(\d{1,2})(?: minutes?)? past(?: the| each| every)?(?: hour)?(?! *\d)|on the hour)"
    )
    if said is None:
        return
    minute = int(said[1] or said[2] or 0)
    if minute > 59:
        raise RoutineError("schedule_unreadable", f"no hour has a minute {minute}", part=said[0])
    found.past_hour = minute


_UNIT = (
    r"(seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|fortnights?|months?|quarters?|years?"
    r"|min|m|h(?=\d+m\b)|h\b|d)(?:\b|(?<=h))"
)
_ADVERBS = {
    "daily": (1.0, "day"),
    "weekly": (1.0, "week"),
    "fortnightly": (2.0, "week"),
    "monthly": (1.0, "month"),
    "quarterly": (1.0, "quarter"),
    "yearly": (1.0, "year"),
    "annually": (1.0, "year"),
    "hourly": (1.0, "hour"),
}
_SHORT_UNITS = {"m": "minute", "min": "minute", "sec": "second", "h": "hour", "hr": "hour", "d": "day"}


def take_interval(clauses: Clauses, found: Found) -> None:
    """Take "every 2 hours", "every other Monday", "daily"."""
    twice = clauses.take(r"\b(?:biweekly|bi-weekly|bimonthly|bi-monthly)\b")
    if twice:
        unit = "week" if "week" in twice[0] else "month"
        raise unclear(twice[0], f"every 2 {unit}s", f"twice a {unit}")
    said = clauses.take(
        r"\b(?:every|each|once (?:a|an|every|per))\s+(?:(other|\d+(?:\.\d+)?)(?:st|nd|rd|th)?\s*-?\s*)?"
        rf"{_UNIT}(?:(?<=r|s|h)\s*(?:and\s+)?(\d+)\s*(?:minutes?|mins?|m)\b)?"
    )
    if said:
        name = said[2] if said[2] in _SHORT_UNITS else said[2].removesuffix("s")
        name = _SHORT_UNITS.get(name, name)
        amount = 2.0 if said[1] == "other" else float(said[1] or 1)
        if name == "hour":
            amount += int(said[3] or 0) / 60
        elif said[3]:
            raise RoutineError("schedule_unreadable", f"{said[0]!r} is no interval", part=said[0])
        found.every = (amount * 2, "week") if name == "fortnight" else (amount, name)
        if not amount:
            raise RoutineError("schedule_unreadable", f"{said[0]!r} has no length", part=said[0])
        return
    adverb = clauses.take(rf"\b(?:{'|'.join(_ADVERBS)})\b")
    if adverb:
        found.every = _ADVERBS[adverb[0]]
        return
    other = clauses.take(rf"\b(?:every|each)\s+other\s+(?={WEEKDAY})")
    if other:
        found.every = (2.0, "week")


def take_part_of_day(clauses: Clauses, found: Found) -> None:
    """Take "every morning"."""
    said = clauses.take(r"\b(?:every|each)\s+(morning|afternoon|evening|night)s?\b|\b(nightly)\b")
    if said:
        found.part_of_day = said[1] or "night"
        found.every = found.every or (1.0, "day")


def take_times(clauses: Clauses, found: Found) -> None:
    """Take "at 9 and 17:30", "9am"."""
    for pattern in (
        rf"\bat\s+({TIME}(?:(?:{AND})(?:at\s+)?(?:{CLEAR_TIME}|\d{{1,2}}\b(?!\w))(?!\s*[a-z]*days?\b))*)(?!\w)",
        rf"(?<![\d:.])\b({CLEAR_TIME}(?:(?:{AND}){CLEAR_TIME})*)(?!\w)",
    ):
        while said := clauses.take(pattern):
            found.times += re.findall(TIME, said[1])
            found.time_groups += 1

"""The slots of a schedule: the next, the one before, how many. Pure: instants and zone come in."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from app.routine_records import ActiveHours, Calendar, Every, Once, Rule, Schedule
from app.routines.clock import DAY, both, instant, on_the_wall, steady
from app.routines.days import YEARS, days_from, fits, weekday

_ONE = timedelta(days=1)
_TRIES = 10_000
"""Slots outside active hours that are passed over before none is expected any more."""


def next_slot(schedule: Schedule, after: int, zone: ZoneInfo) -> int | None:
    """Return the first slot later than `after`; None when there is none."""
    hours = schedule.active
    for _ in range(_TRIES):
        found = _next(schedule.rule, after, zone)
        if found is None or hours is None or is_active(hours, found, zone):
            return found
        opening = _next(_opening(hours), found, zone)
        if opening is None:
            return None
        after = max(found, opening - 1)
    return None


def upcoming(schedule: Schedule, after: int, zone: ZoneInfo, count: int) -> list[int]:
    """Return the next `count` slots, fewer when there are no more."""
    found: list[int] = []
    for slot in slots_between(schedule, after, None, zone):
        found.append(slot)
        if len(found) >= count:
            break
    return found


def slots_between(schedule: Schedule, after: int, until: int | None, zone: ZoneInfo) -> Iterator[int]:
    """Yield the slots later than `after` up to and with `until`, in order."""
    slot = next_slot(schedule, after, zone)
    while slot is not None and (until is None or slot <= until):
        yield slot
        slot = next_slot(schedule, slot, zone)


def previous_slot(schedule: Schedule, at: int, zone: ZoneInfo) -> int | None:
    """Return the last slot up to and with `at`; None when there was none in `YEARS` years."""
    if isinstance(schedule.rule, Every) and schedule.active is None:
        gone = (at - schedule.rule.anchor) // schedule.rule.seconds
        return schedule.rule.anchor + gone * schedule.rule.seconds if gone > 0 else None
    # Slots are found forwards alone, so that both directions can never differ.
    reach = 3600
    while reach < YEARS * 366 * DAY:
        last = max(slots_between(schedule, at - reach, at, zone), default=None)
        if last is not None:
            return last
        reach *= 2
    return None


def count_slots(schedule: Schedule, after: int, until: int, zone: ZoneInfo) -> int:
    """Return how many slots lie between, `until` included; days without a change are not walked through."""
    rule = schedule.rule
    if schedule.active is None and isinstance(rule, Every):
        return max(0, _passed(rule, until)) - max(0, _passed(rule, after))
    if schedule.active is not None or not isinstance(rule, Calendar):
        return sum(1 for _ in slots_between(schedule, after, until, zone))
    count = 0
    while after < until:
        day = on_the_wall(after, zone).date() + _ONE
        begin = steady(day - _ONE, 4, zone) if rule.times[-1] < 1440 else None
        if begin is None or begin + 2 * DAY > until:
            edge = min(until, instant(day, 0, zone))
            edge = edge if edge > after else until
            count += sum(1 for _ in slots_between(schedule, after, edge, zone))
            after = edge
            continue
        # From here to the last minute of the next day, which is a plain one.
        count += sum(1 for _ in slots_between(schedule, after, begin + DAY - 1, zone))
        count += len(rule.times) if fits(rule, day) else 0
        after = begin + 2 * DAY - 1
    return count


def is_active(hours: ActiveHours, at: int, zone: ZoneInfo) -> bool:
    """Whether an instant lies within the hours."""
    shown = on_the_wall(at, zone)
    minute, day = shown.hour * 60 + shown.minute, shown.date()
    if hours.end >= hours.start:
        return hours.start <= minute <= hours.end and _on_day(hours, day)
    if minute >= hours.start:
        return _on_day(hours, day)
    return minute <= hours.end and _on_day(hours, day - _ONE)


def _on_day(hours: ActiveHours, day: date) -> bool:
    return not hours.weekdays or weekday(day) in hours.weekdays


def _opening(hours: ActiveHours) -> Calendar:
    return Calendar(times=(hours.start,), weekdays=hours.weekdays)


def _next(rule: Rule, after: int, zone: ZoneInfo) -> int | None:
    if isinstance(rule, Once):
        return rule.at if rule.at > after else None
    if isinstance(rule, Every):
        return rule.anchor + rule.seconds * max(1, _passed(rule, after) + 1)
    return _next_of_calendar(rule, after, zone) if isinstance(rule, Calendar) else None


def _passed(rule: Every, at: int) -> int:
    return (at - rule.anchor) // rule.seconds


def _next_of_calendar(rule: Calendar, after: int, zone: ZoneInfo) -> int | None:
    best: int | None = None
    found_on: date | None = None
    # A day's times may reach into the next one, and a repeated hour back over midnight: so one day more on
    # either side is looked at.
    for day in days_from(rule, on_the_wall(after, zone).date() - _ONE):
        if found_on is not None and day > found_on + _ONE:
            break
        slot = _first_of_day(rule, day, after, zone)
        if slot is not None:
            best = slot if best is None else min(best, slot)
            found_on = found_on or day
    return best


def _first_of_day(rule: Calendar, day: date, after: int, zone: ZoneInfo) -> int | None:
    begin = steady(day, 1 if rule.times[-1] < 1440 else 2, zone)
    if begin is None:
        slots = _changing_day(rule, day, zone)
        place = bisect_right(slots, after)
        return slots[place] if place < len(slots) else None
    place = bisect_right(rule.times, (after - begin) // 60)
    return begin + rule.times[place] * 60 if place < len(rule.times) else None


@lru_cache(maxsize=128)
def _changing_day(rule: Calendar, day: date, zone: ZoneInfo) -> tuple[int, ...]:
    """Return the slots of a day on which the clocks change."""
    if not rule.elapsing:
        return tuple(sorted({instant(day, minutes, zone) for minutes in rule.times}))
    shown: set[int] = set()
    for minutes in rule.times:
        early, late = both(day, minutes, zone)
        if early <= late:
            shown |= {early, late}
    return tuple(sorted(shown))

"""Which days a calendar rule names."""

from __future__ import annotations

import calendar
from collections.abc import Iterator
from datetime import date, timedelta

from app.routine_records import Calendar

YEARS = 50
"""How far ahead a day is looked for; 29 February on one weekday comes every 28 or 40 years."""
_ONE = timedelta(days=1)


def days_from(rule: Calendar, first: date) -> Iterator[date]:
    """Yield the fitting days from `first` on, for `YEARS` years."""
    day, last_year = first, min(first.year + YEARS, 9998)
    while day.year <= last_year:
        if rule.months and day.month not in rule.months:
            day = (day.replace(day=1) + timedelta(days=32)).replace(day=1)
            continue
        if fits(rule, day):
            yield day
        day += _ONE


def fits(rule: Calendar, day: date) -> bool:
    """Whether the rule names this day."""
    if (rule.months and day.month not in rule.months) or not _on_step(rule, day):
        return False
    by_month, by_week = bool(rule.days or rule.working), bool(rule.weekdays or rule.nth)
    if by_month and by_week and rule.either:
        return _in_month(rule, day) or _in_week(rule, day)
    return (not by_month or _in_month(rule, day)) and (not by_week or _in_week(rule, day))


def weekday(day: date) -> int:
    """Return the number of a weekday as cron has it, 0 is Sunday."""
    return day.isoweekday() % 7


def _on_step(rule: Calendar, day: date) -> bool:
    if not rule.step:
        return True
    anchor = date.fromordinal(rule.anchor)
    if rule.unit == "day":
        passed = day.toordinal() - rule.anchor
    elif rule.unit == "week":  # weeks begin on Monday
        passed = (day.toordinal() - 1) // 7 - (rule.anchor - 1) // 7
    else:
        passed = (day.year - anchor.year) * 12 + day.month - anchor.month
    return passed % rule.step == 0


def _in_month(rule: Calendar, day: date) -> bool:
    last = calendar.monthrange(day.year, day.month)[1]
    if day.day in rule.days or day.day - last - 1 in rule.days:
        return True
    return bool(rule.working) and _is_working(rule, day, last)


def _is_working(rule: Calendar, day: date, last: int) -> bool:
    if day.isoweekday() > 5:
        return False
    before = sum((day - timedelta(days=back)).isoweekday() < 6 for back in range(1, day.day))
    behind = sum((day + timedelta(days=on)).isoweekday() < 6 for on in range(1, last - day.day + 1))
    return before + 1 in rule.working or -behind - 1 in rule.working


def _in_week(rule: Calendar, day: date) -> bool:
    number = weekday(day)
    if number in rule.weekdays:
        return True
    last = day.day + 7 > calendar.monthrange(day.year, day.month)[1]
    return (number, (day.day + 6) // 7) in rule.nth or (last and (number, -1) in rule.nth)

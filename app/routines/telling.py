"""Say in one English sentence when a schedule runs; `reading.read` understands the sentences of its own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

from app.routine_records import ActiveHours, Calendar, Every, Once, OnEvent, Rule, Schedule
from app.routines.clock import on_the_wall
from app.routines.schedule import next_slot
from app.routines.words import MONTH_NAMES, WEEKDAY_NAMES

_LISTED = 6
"""Times that are named one by one."""
_ORDINALS = {1: "1st", 2: "2nd", 3: "3rd", 21: "21st", 22: "22nd", 23: "23rd", 31: "31st", -1: "last"}
_NTH = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last"}


def echo(schedule: Schedule, now: int, zone: ZoneInfo) -> str:
    """Return the sentence with the zone and the next slot, as it is told after each change of a schedule."""
    upcoming = next_slot(schedule, now, zone)
    if isinstance(schedule.rule, OnEvent):
        return f"{phrase(schedule, zone)}."
    told = f"next: {moment(upcoming, zone)}" if upcoming is not None else "over, no time is left"
    return f"{phrase(schedule, zone)} ({zone.key}), {told}."


def moment(at: int, zone: ZoneInfo) -> str:
    """Return an instant in words, with its offset where the same time comes twice."""
    shown = datetime.fromtimestamp(at, zone)
    twice = shown.replace(fold=0).utcoffset() != shown.replace(fold=1).utcoffset()
    weekday, month = WEEKDAY_NAMES[shown.isoweekday() % 7][:3], MONTH_NAMES[shown.month - 1][:3]
    day = f"{weekday} {shown.day} {month} {shown.year}"
    return f"{day} {shown:%H:%M}{shown:%z}" if twice else f"{day} {shown:%H:%M}"


def phrase(schedule: Schedule, zone: ZoneInfo) -> str:
    """Return when a schedule runs, without its zone."""
    said = _rule(schedule.rule, zone)
    if schedule.active is not None:
        said += _hours(schedule.active)
    return said[0].upper() + said[1:]


def _rule(rule: Rule, zone: ZoneInfo) -> str:
    if isinstance(rule, Once):
        shown = on_the_wall(rule.at, zone)
        seconds = f":{shown:%S}" if shown.second else ""
        return f"once, on {shown:%Y-%m-%d} at {shown:%H:%M}{seconds}"
    if isinstance(rule, Every):
        return f"every {_length(rule.seconds)}"
    return _event(rule) if isinstance(rule, OnEvent) else _calendar(rule)


def _event(rule: OnEvent) -> str:
    if rule.cause == "startup":
        return "at start-up"
    what = {"watch": "the watch {} changes", "file": "the file {} changes", "routine": "the routine {} ends"}
    return f"when {what[rule.cause].format(rule.ref)}"


def _length(seconds: int) -> str:
    for size, name in ((86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")):
        if seconds % size == 0:
            return name if seconds == size and size < 86_400 else _count(seconds // size, name)
    raise AssertionError("one second divides every whole number")


def _count(amount: int, name: str) -> str:
    # A day as an interval has 24 real hours, which "every day" would not say.
    return f"{amount * 24} hours" if name == "day" else f"{amount} {name}{'s' if amount > 1 else ''}"


def _calendar(rule: Calendar) -> str:
    grid = _grid(rule)
    days = _days(rule, bare=bool(grid))
    return f"{grid}{' ' if days else ''}{days}" if grid else f"{days} {_times(rule.times)}"


def _grid(rule: Calendar) -> str:
    """Return "every 30 minutes between 09:00 and 17:00" for times at one distance, "" for others."""
    times = rule.times
    steps = {after - before for before, after in pairwise(times)}
    if len(times) < 4 or len(steps) != 1:
        return ""
    step = steps.pop()
    if rule.elapsing and times[0] + 1440 - times[-1] == step:
        if step == 60:
            return f"every hour at {times[0] % 60} past"
        return f"every {_length(step * 60)}" + (f" from {clock(times[0])}" if times[0] else " on the clock")
    return f"every {_length(step * 60)} between {clock(times[0])} and {clock(times[-1])}"


def _times(times: Sequence[int]) -> str:
    if len(times) <= _LISTED:
        return f"at {_list([clock(minutes) for minutes in times])}"
    return f"at {len(times)} times from {clock(times[0])} to {clock(times[-1])}"


def clock(minutes: int) -> str:
    """Return minutes after midnight as a clock shows them."""
    return f"{minutes // 60 % 24:02}:{minutes % 60:02}"


def _days(rule: Calendar, bare: bool) -> str:
    """Return the days; with `bare` nothing for every day."""
    month, week = _in_month(rule), _in_week(rule)
    joined = " or " if rule.either else " that is also "
    named = joined.join(part for part in (month, week) if part)
    if rule.step:
        anchor = date.fromordinal(rule.anchor)
        every = f"every {rule.step} {rule.unit}s"
        said = f"{every} {named}".strip() if rule.unit != "day" or named else every
        since = f", counted from {anchor:%Y-%m-%d}" if bare else ""
        return said + _months(rule) + since
    if not named:
        return (f"every day{_months(rule)}" if rule.months or not bare else "").strip()
    if len(rule.days) == len(rule.months) == 1 and rule.days[0] > 0 and not week and not rule.working:
        return f"every year on {rule.days[0]} {MONTH_NAMES[rule.months[0] - 1]}"
    if not month and rule.weekdays and not rule.nth:
        named = _on_weekdays(rule.weekdays, bare)
    return named + _months(rule)


def _in_month(rule: Calendar) -> str:
    parts = []
    if rule.days:
        plain = [_ordinal(day) for day in rule.days if day > 0]
        plain += [
            "last day" if day == -1 else f"day {-day - 1} before the last" for day in rule.days if day < 0
        ]
        parts.append(f"on the {_list(plain)}")
    if rule.working:
        parts.append(f"on the {_list([_ordinal(day) for day in rule.working])} working day")
    return f"{' or '.join(parts)} of the month" if parts else ""


def _in_week(rule: Calendar) -> str:
    parts = []
    if rule.weekdays:
        days = rule.weekdays
        parts.append(f"on {_weekdays(days)}")
    for day in sorted({day for day, _ in rule.nth}):
        numbers = [_NTH[number] for which, number in rule.nth if which == day]
        parts.append(f"on the {_list(numbers)} {WEEKDAY_NAMES[day]} of the month")
    return " or ".join(parts)


def _on_weekdays(days: tuple[int, ...], bare: bool) -> str:
    if len(days) == 6:
        gone = next(day for day in range(7) if day not in days)
        return f"{'' if bare else 'every day '}except {WEEKDAY_NAMES[gone]}"
    if bare:
        return f"on {_weekdays(days)}"
    return "every Saturday and Sunday" if days == (0, 6) else f"every {_weekdays(days).removesuffix('s')}"


def _weekdays(days: tuple[int, ...]) -> str:
    known = {(1, 2, 3, 4, 5): "weekdays", (0, 6): "weekends"}
    return known.get(days) or _list([WEEKDAY_NAMES[day] for day in _from_monday(days)])


def _from_monday(days: Sequence[int]) -> list[int]:
    return sorted(days, key=lambda day: (day - 1) % 7)


def _months(rule: Calendar) -> str:
    return f" in {_list([MONTH_NAMES[month - 1] for month in rule.months])}" if rule.months else ""


def _hours(hours: ActiveHours) -> str:
    said = ""
    if (hours.start, hours.end) != (0, 1439):
        said += f", only between {clock(hours.start)} and {clock(hours.end)}"
    if hours.weekdays:
        said += f" on {_weekdays(hours.weekdays)}"
    return said


def _ordinal(number: int) -> str:
    return _ORDINALS.get(number, f"{number}th")


def _list(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"

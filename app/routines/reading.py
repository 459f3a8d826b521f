"""Read when a routine is to run: plain English words, cron, or one date and time."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import msgspec

from app.errors import RoutineError
from app.record import Record
from app.routine_records import ActiveHours, Calendar, Every, Once, OnEvent, Rule, Schedule
from app.routines import day_clauses, time_clauses, words
from app.routines.clauses import Clauses, Found
from app.routines.clock import instant, on_the_wall, zone_of
from app.routines.cron import is_cron, read_cron
from app.routines.schedule import next_slot

NINE = 540
"""When a schedule names days but no time; it is told so (`Understood.assumed`)."""
_UNITS = {"minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}
_SHORT = {
    "sec": "second",
    "min": "minute",
    "m": "minute",
    "hr": "hour",
    "h": "hour",
    "d": "day",
    "w": "week",
    "wk": "week",
}
_LONGEST = 366 * 50 * 86_400
_CLAUSES: tuple[Callable[[Clauses, Found], None], ...] = (
    time_clauses.take_window,
    day_clauses.take_numbered,
    time_clauses.take_interval,
    time_clauses.take_minute,
    time_clauses.take_part_of_day,
    day_clauses.take_relative,
    day_clauses.take_dates,
    time_clauses.take_start,
    day_clauses.take_month_days,
    day_clauses.take_weekdays,
    day_clauses.take_months,
    time_clauses.take_times,
)
"""What takes its words out of the text, the longest forms first; what is left over is no schedule."""


class Understood(Record):
    """What was read. `zone` is "" unless the words named one."""

    schedule: Schedule
    zone: str = ""
    assumed: bool = False
    """Whether no time was named, so that 09:00 was taken."""


def read(text: str, now: int, zone: ZoneInfo) -> Understood:
    """Return what the words mean at the instant `now` in `zone`.

    Raises RoutineError, whose field `part` names the words that cannot be read (schedule_unreadable,
    bad_cron), mean two things (schedule_ambiguous), name no time (schedule_no_time), are over
    (schedule_past), never come (schedule_never) or come more than once a minute (schedule_too_often).
    """
    if len(text) > 500:
        raise RoutineError("schedule_unreadable", "a schedule has at most 500 characters", part=text[:60])
    kept, named = _zone_in(text)
    place = zone_of(named) if named else zone
    if not kept.strip():
        raise RoutineError("schedule_unreadable", "nothing says when to run", part=text.strip())
    assumed = False
    active: ActiveHours | None = None
    rule: Rule
    if is_cron(kept.strip()):
        rule = read_cron(kept)
    else:
        rule, active, assumed = _from_words(kept, now, place)
    schedule = Schedule(rule, " ".join(text.split()), active)
    _check(schedule, now, place)
    return Understood(schedule, named, assumed)


def _zone_in(text: str) -> tuple[str, str]:
    """Take a zone out of the words: "every day at 9 Europe/Berlin", "at 7:30 UTC"."""
    found = re.search(
        r"[\s(]+(?:in |time zone )?((?:[A-Z][A-Za-z_]+/[\w/+-]+)|UTC|GMT)(?: time)?\)?\s*$", text
    )
    if found is None:
        return text, ""
    if found[1] not in available_timezones():
        raise RoutineError("bad_zone", f"there is no time zone {found[1]!r}", zone=found[1])
    return text[: found.start()], found[1]


def _check(schedule: Schedule, now: int, zone: ZoneInfo) -> None:
    rule = schedule.rule
    if isinstance(rule, OnEvent):
        return
    if isinstance(rule, Once) and rule.at <= now:
        shown = f"{on_the_wall(rule.at, zone):%Y-%m-%d %H:%M}"
        raise RoutineError("schedule_past", f"{shown} is over", part=schedule.text, time=shown)
    if next_slot(schedule, now, zone) is None:
        raise RoutineError("schedule_never", f"{schedule.text!r} never comes", part=schedule.text)


def _from_words(text: str, now: int, zone: ZoneInfo) -> tuple[Rule, ActiveHours | None, bool]:
    plain = re.sub(r"^(?:please )?(?:run |do it |once,? (?!an? |every |per |each ))?", "", words.plain(text))
    simple = _in_a_while(plain, now, zone) or _event(plain)
    if simple is not None:
        return simple, None, False
    clauses = Clauses(plain)
    found = Found()
    for take in _CLAUSES:
        take(clauses, found)
    left = clauses.left()
    if left:
        raise RoutineError("schedule_unreadable", f"{left!r} is no part of a schedule", part=left)
    if found.dates or found.from_today is not None or found.coming is not None:
        return _once(found, now, zone, plain)
    if found.every and found.every[1] in ("minute", "hour"):
        return _interval(found, now, zone, plain)
    if found.every and found.every[1] == "second":
        raise RoutineError("schedule_too_often", "routines run at most once a minute", part=plain)
    return _calendar(found, now, zone, plain)


def _in_a_while(plain: str, now: int, zone: ZoneInfo) -> Once | None:
    """Read "in 20 minutes", "in an hour and 5 minutes", "2 hours from now"."""
    amount = r"(?:(?:a|an|\d+(?:\.\d+)?)\s*[a-z]+)"
    whole = re.fullmatch(
        rf"(?:once )?(?:(?:in|after)\s+({amount}(?:(?:\s+and|,)?\s+{amount})*)|({amount})\s+from now)", plain
    )
    if whole is None:
        return None
    total, days = 0.0, 0.0
    said = re.sub(r"\band\b|,", " ", whole[1] or whole[2])
    for number, unit in re.findall(r"(\ban?\b|\d+(?:\.\d+)?)\s*([a-z]+)", said):
        length = _seconds(number, unit, plain)
        if unit[0] in "dw" and length % 86_400 == 0:
            days += length / 86_400
        else:
            total += length
    if not 60 <= total + days * 86_400 <= _LONGEST:
        raise RoutineError("schedule_unreadable", f"{plain!r} is too soon or too far", part=plain)
    # Days are those of the wall: in three days at the same time, also over a clock change.
    shown = on_the_wall(now, zone) + timedelta(days=days)
    begin = instant(shown.date(), shown.hour * 60 + shown.minute, zone) + shown.second if days else now
    return Once(begin + round(total))


def _seconds(number: str, unit: str, part: str) -> float:
    name = unit if unit in _SHORT else unit.removesuffix("s")
    name = _SHORT.get(name, name)
    if name == "second":
        return float(number)
    if name not in _UNITS:
        raise RoutineError("schedule_unreadable", f"{unit!r} is no unit of time", part=unit)
    return (1.0 if number in ("a", "an") else float(number)) * _UNITS[name]


def _event(plain: str) -> OnEvent | None:
    said = re.fullmatch(
        r"(?:at|on|every|each)?\s*(?:start-?\s?up|startup|boot)"
        r"|(?:when|whenever) (?:bramble|the app|it|this) starts(?: up)?",
        plain,
    )
    return OnEvent("startup") if said else None


def _once(found: Found, now: int, zone: ZoneInfo, plain: str) -> tuple[Rule, None, bool]:
    """Make one time of a date, of "tomorrow" or of "next Friday"."""
    if found.every or found.weekdays or found.nth or found.month_days or len(found.dates) > 1:
        raise RoutineError("schedule_unreadable", f"{plain!r} names one day and more", part=plain)
    today = on_the_wall(now, zone).date()
    if found.part_of_day and not found.times:
        raise RoutineError("schedule_no_time", "no time of the day is named", part=plain)
    minutes = (found.read_times() or [NINE])[0]
    if len(found.read_times()) > 1 or found.window:
        raise RoutineError("schedule_unreadable", "one day takes one time", part=plain)
    if found.dates:
        day = found.date_from(now, zone, minutes)
    elif found.coming is not None:
        ahead = (found.coming - today.isoweekday()) % 7 or 7
        day = today + timedelta(days=ahead)
    else:
        day = today + timedelta(days=found.from_today or 0)
    return Once(instant(day, minutes, zone)), None, not found.times


def _interval(found: Found, now: int, zone: ZoneInfo, plain: str) -> tuple[Rule, ActiveHours | None, bool]:
    """Make "every 2 hours", "every 30 minutes between 9 and 17", "every hour at :15"."""
    assert found.every is not None
    amount, unit = found.every
    seconds = round(amount * _UNITS[unit])
    if found.aligned and 86_400 % seconds:
        raise RoutineError("schedule_unreadable", f"{plain!r} does not divide a day", part=plain)
    if seconds < 60:
        raise RoutineError("schedule_too_often", "routines run at most once a minute", part=plain)
    if seconds > _LONGEST:
        raise RoutineError("schedule_never", f"{plain!r} is too far", part=plain)
    if found.times or found.nth or found.month_days or (found.past_hour is not None and seconds != 3600):
        raise RoutineError("schedule_unreadable", f"{plain!r} names an interval and a time", part=plain)
    days = found.day_fields()
    if found.past_hour is not None or found.window or found.months or found.aligned:
        return _grid(found, seconds, days, plain), None, False
    anchor = now
    if found.starting is not None:
        begin = Schedule(Calendar(times=(found.starting,)), plain)
        first = next_slot(begin, now, zone)
        assert first is not None
        anchor = first - seconds
    active = ActiveHours(weekdays=found.weekdays) if found.weekdays else None
    return Every(seconds, anchor), active, False


def _grid(found: Found, seconds: int, days: Calendar, plain: str) -> Calendar:
    """Lay an interval over the wall clock: from the window's begin to its end, or past each full hour."""
    if seconds % 60:
        raise RoutineError("schedule_unreadable", f"{plain!r} is not in whole minutes", part=plain)
    begin, end = found.window or (0, 1439)
    end = end if end > begin else end + 1440
    if found.past_hour is None:
        times = range(begin, min(end, begin + 1439) + 1, seconds // 60)
    else:
        first = begin + (found.past_hour - begin) % 60
        times = range(first, end + 1, 60)
    whole = found.window is None
    return msgspec.structs.replace(days, times=tuple(times), elapsing=whole)


def _calendar(found: Found, now: int, zone: ZoneInfo, plain: str) -> tuple[Rule, None, bool]:
    """Make "every weekday at 7:30", "on the first Monday of the month at 9", "every 3 days"."""
    if not (found.every or found.names_days()):
        if found.times and not found.window:
            raise words.unclear(plain, f"every day {found.said_time()}", f"tomorrow {found.said_time()}")
        raise RoutineError("schedule_unreadable", f"{plain!r} says no days", part=plain)
    if found.window or found.starting is not None or found.past_hour is not None:
        raise RoutineError("schedule_no_time", f"{plain!r} has hours but no interval", part=plain)
    if found.part_of_day and not found.times:
        raise RoutineError("schedule_no_time", f"{plain!r} names no time of the day", part=plain)
    if found.time_groups > 1 and found.day_groups > 1:
        raise words.unclear(plain, "all of these times on each day", "each time on its own day")
    times = tuple(found.read_times() or [NINE])
    rule = _with_default_day(msgspec.structs.replace(found.day_fields(), times=times), found)
    if found.every and found.every[0] > 1:
        rule = _stepped(rule, found.every, now, zone, plain)
    return rule, None, not found.times


def _with_default_day(rule: Calendar, found: Found) -> Calendar:
    """Give weeks, months and years without a day their first one."""
    unit = found.every[1] if found.every else ""
    some = bool(rule.weekdays or rule.nth or rule.days or rule.working)
    if unit == "week" and not some:
        return msgspec.structs.replace(rule, weekdays=(1,))
    if unit == "month" and not some:
        return msgspec.structs.replace(rule, days=(1,))
    if unit in ("quarter", "year"):
        months = rule.months or ((1, 4, 7, 10) if unit == "quarter" else (1,))
        return msgspec.structs.replace(rule, months=months, days=rule.days if some else (1,))
    return rule


def _stepped(rule: Calendar, every: tuple[float, str], now: int, zone: ZoneInfo, plain: str) -> Calendar:
    """Count from the first day on which it would come anyway."""
    amount, unit = every
    if amount != int(amount) or unit == "quarter" or amount > 1000:
        raise RoutineError("schedule_unreadable", f"{plain!r} has no whole step", part=plain)
    first = next_slot(Schedule(rule, plain), now, zone)
    if first is None:
        raise RoutineError("schedule_never", f"{plain!r} never comes", part=plain)
    step, name = (int(amount) * 12, "month") if unit == "year" else (int(amount), unit)
    anchor = on_the_wall(first, zone)
    return msgspec.structs.replace(rule, step=step, unit=name, anchor=_day_number(anchor))


def _day_number(shown: datetime) -> int:
    return shown.date().toordinal()

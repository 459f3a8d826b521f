"""When the events of a calendar take place: repeated ones with exceptions, moved ones, odd zones."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any, NamedTuple

from app.documents.failing import BROKEN, Unreadable, broken

MOST_EVENTS = 50_000
MOST_TIMES = 2_000
"""Times of one event that are told."""
MOST_STEPS = 200_000
"""Times of one event that are walked over from its first one: a daily one of five centuries."""
_QUICK = frozenset({"SECONDLY", "MINUTELY"})
"""Such rules are no appointment; walking over them would never end."""


class Time(NamedTuple):
    """One time of an event: aware datetimes in the wanted zone, or dates, where `end` is the day after."""

    start: datetime | date
    end: datetime | date
    event: Any
    """The component of the icalendar library."""

    @property
    def begins(self) -> datetime:
        """When it begins; a whole day begins at midnight."""
        return _aware(self.start, None)

    @property
    def ends(self) -> datetime:
        """When it is over."""
        return _aware(self.end, None)


def components(data: bytes) -> list[Any]:
    """Return the events of a calendar file. Raises Unreadable (broken, empty)."""
    from icalendar import Calendar

    if not data.strip():
        raise Unreadable("empty", "It is empty.")
    if b"BEGIN:VCALENDAR" not in data[:4096].upper():
        raise Unreadable("broken", "It is no calendar file (iCalendar).")
    try:
        calendars = Calendar.from_ical(data, multiple=True)
        found = [event for one in calendars for event in one.walk("VEVENT")]
    except BROKEN as error:
        raise broken(error) from None
    if len(found) > MOST_EVENTS:
        raise Unreadable("too_large", f"It holds more than {MOST_EVENTS} events.")
    return found


def times_between(
    events: list[Any], start: datetime, end: datetime, zone: tzinfo
) -> tuple[list[Time], list[str]]:
    """Return all times that overlap [start, end), in their order, and notes on events that cannot be read.

    `zone` is that of times without one (RFC 5545, 3.3.5, form 1), and of the result.
    """
    moved: dict[str, dict[Any, Any]] = {}
    for event in events:
        if event.get("RECURRENCE-ID") is not None:
            moved.setdefault(_uid(event), {})[_key(event["RECURRENCE-ID"].dt, zone)] = event
    found: list[Time] = []
    notes: list[str] = []
    for event in events:
        try:
            if event.get("RECURRENCE-ID") is not None:
                found += [one for one in [_time(event, _start(event), zone)] if _overlaps(one, start, end)]
                continue
            gone = set(moved.get(_uid(event), {})) | {_key(one, zone) for one in _dates(event, "EXDATE")}
            found += _taken(event, gone, start, end, zone)
        except BROKEN as error:
            notes.append(f"One event cannot be read: {title(event)[:60]} ({error})."[:200])
    return sorted(found, key=lambda one: (one.begins, one.ends)), notes


def title(event: Any) -> str:
    """Return the title in one line."""
    return " ".join(str(event.get("SUMMARY", "")).split())


def _taken(event: Any, gone: set[Any], start: datetime, end: datetime, zone: tzinfo) -> list[Time]:
    taken: list[Time] = []
    for first in _firsts(event, start - _length(event, zone), end, zone):
        if _key(first, zone) in gone:
            continue
        one = _time(event, first, zone)
        if _overlaps(one, start, end):
            taken.append(one)
            if len(taken) >= MOST_TIMES:
                break
    return taken


def _firsts(event: Any, start: datetime, end: datetime, zone: tzinfo) -> Iterator[datetime | date]:
    """Yield when the event begins, near the span that is wanted."""
    first = _start(event)
    seen: set[Any] = set()
    rules = event.get("RRULE")
    every: list[datetime | date] = [first, *_dates(event, "RDATE")]
    if rules is None:
        yield from (one for one in every if not (_key(one, zone) in seen or seen.add(_key(one, zone))))  # type: ignore[func-returns-value]
        return
    yield from every[1:]
    for rule in rules if isinstance(rules, list) else [rules]:
        for one in _repeated(rule, first, start, end, zone):
            if _key(one, zone) not in seen:
                seen.add(_key(one, zone))
                yield one


def _repeated(
    rule: Any, first: datetime | date, start: datetime, end: datetime, zone: tzinfo
) -> Iterator[datetime | date]:
    """Walk along a rule on the clock of the event's own zone: nine stays nine over a change of clocks."""
    from dateutil.rrule import rrulestr  # type: ignore[import-untyped]

    if {str(one).upper() for one in rule.get("FREQ", [])} & _QUICK:
        raise ValueError("it repeats more often than every hour")
    whole = not isinstance(first, datetime)
    own = first.tzinfo if isinstance(first, datetime) else None
    text = rule.to_ical().decode()
    parts = [part for part in text.split(";") if not part.upper().startswith("UNTIL=")]
    until = _until(rule, own or zone, whole)
    naive = first.replace(tzinfo=None) if isinstance(first, datetime) else datetime.combine(first, time())
    limit = _aware(end, zone).astimezone(own or zone).replace(tzinfo=None) + timedelta(days=1)
    for walked, one in enumerate(rrulestr(";".join(parts), dtstart=naive, ignoretz=True)):
        if one > limit or (until is not None and one > until) or walked > MOST_STEPS:
            return
        made = one.date() if whole else one.replace(tzinfo=own)
        if _aware(made, zone) >= start - timedelta(days=1):
            yield made


def _until(rule: Any, own: tzinfo, whole: bool) -> datetime | None:
    found = rule.get("UNTIL")
    if not found:
        return None
    last = found[0]
    if not isinstance(last, datetime):
        return datetime.combine(last, time(23, 59, 59))
    if last.tzinfo is not None and not whole:
        last = last.astimezone(own)
    last = last.replace(tzinfo=None)
    return datetime.combine(last, time(23, 59, 59)) if whole else last


def _start(event: Any) -> datetime | date:
    found = event.get("DTSTART")
    if found is None:
        raise ValueError("it has no beginning")
    made: datetime | date = found.dt
    return made


def _dates(event: Any, name: str) -> list[datetime | date]:
    """Return the dates of EXDATE or RDATE, in one line or many; of a period its beginning."""
    found = event.get(name)
    lists = found if isinstance(found, list) else [found] if found is not None else []
    return [one.dt[0] if isinstance(one.dt, tuple) else one.dt for dates in lists for one in dates.dts]


def _length(event: Any, zone: tzinfo) -> timedelta:
    first = _start(event)
    end, duration = event.get("DTEND"), event.get("DURATION")
    if end is not None:
        return max(timedelta(0), _aware(end.dt, zone) - _aware(first, zone))
    if duration is not None and isinstance(duration.dt, timedelta):
        return max(timedelta(0), duration.dt)
    return timedelta(0) if isinstance(first, datetime) else timedelta(days=1)


def _time(event: Any, first: datetime | date, zone: tzinfo) -> Time:
    length = _length(event, zone)
    if not isinstance(first, datetime):
        days = max(1, round(length / timedelta(days=1)))
        return Time(first, first + timedelta(days=days), event)
    begins = _aware(first, zone)
    return Time(begins.astimezone(zone), (begins + length).astimezone(zone), event)


def _aware(moment: datetime | date, zone: tzinfo | None) -> datetime:
    if not isinstance(moment, datetime):
        moment = datetime.combine(moment, time())
    if moment.tzinfo is None:
        return moment.replace(tzinfo=zone) if zone is not None else moment.astimezone()
    return moment


def _key(moment: datetime | date, zone: tzinfo) -> Any:
    """Return what is equal for the same moment; a date is only like a date."""
    if not isinstance(moment, datetime):
        return moment
    return _aware(moment, zone).timestamp()


def _overlaps(one: Time, start: datetime, end: datetime) -> bool:
    zone = start.tzinfo
    begins, ends = _aware(one.start, zone), _aware(one.end, zone)
    return begins < end and (ends > start or (begins == ends and begins >= start))


def _uid(event: Any) -> str:
    return str(event.get("UID", ""))

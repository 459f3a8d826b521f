"""What stands in calendars between two days, and when nothing does."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any, NamedTuple

from app.documents.calendars.times import Time, components, times_between, title
from app.documents.failing import Unreadable

_TEXT = 2_000


class Wanted(NamedTuple):
    """`start` and `end` are aware, in the person's zone; `hours` bound free times, None for none."""

    start: datetime
    end: datetime
    query: str = ""
    hours: tuple[time, time] | None = None
    minutes: int = 30
    limit: int = 200


class Entry(NamedTuple):
    """One time of one event, as texts: see `tools.CalendarEvent`, whose fields these are."""

    title: str
    start: str
    end: str
    all_day: bool
    calendar: str
    location: str
    notes: str
    zone: str
    repeats: str
    attendees: tuple[str, ...]
    status: str
    busy: bool


class Found(NamedTuple):
    """The entries in order, free times as pairs, and notes."""

    entries: tuple[Entry, ...]
    free: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    more: bool


def agenda(files: list[tuple[str, bytes]], wanted: Wanted) -> Found:
    """Read calendars by their names and bytes. One that cannot be read is told in the notes, unless it is the
    only one: then raises Unreadable. Meant for a process of its own.
    """
    zone = wanted.start.tzinfo
    assert zone is not None
    found: list[tuple[Time, str]] = []
    notes: list[str] = []
    for name, data in files:
        try:
            times, said = times_between(components(data), wanted.start, wanted.end, zone)
        except Unreadable as error:
            if len(files) == 1:
                raise
            notes.append(f"{name} cannot be read: {error.detail}")
            continue
        found += [(one, name) for one in times]
        notes += [f"{name}: {note}" for note in said]
    found.sort(key=lambda pair: (_begins(pair[0], zone), pair[0].ends))
    entries = [entry(one, name, zone) for one, name in found]
    query = wanted.query.casefold()
    chosen = [one for one in entries if query in f"{one.title}\n{one.location}\n{one.notes}".casefold()]
    free = free_times([one for one, _ in found], wanted, zone) if wanted.hours else ()
    return Found(tuple(chosen[: wanted.limit]), free, tuple(notes[:20]), len(chosen) > wanted.limit)


def _begins(one: Time, zone: tzinfo) -> datetime:
    return one.start if isinstance(one.start, datetime) else datetime.combine(one.start, time(), zone)


def _ends(one: Time, zone: tzinfo) -> datetime:
    return one.end if isinstance(one.end, datetime) else datetime.combine(one.end, time(), zone)


def entry(one: Time, calendar: str, zone: tzinfo) -> Entry:
    """Return one time of an event as texts."""
    event = one.event
    whole = not isinstance(one.start, datetime)
    status = str(event.get("STATUS", "")).lower()
    rule = event.get("RRULE")
    return Entry(
        title(event) or "(without a title)",
        one.start.isoformat(),
        one.end.isoformat(),
        whole,
        calendar,
        " ".join(str(event.get("LOCATION", "")).split())[:300],
        str(event.get("DESCRIPTION", ""))[:_TEXT],
        _zone_name(event, zone),
        rule.to_ical().decode() if rule is not None and not isinstance(rule, list) else "",
        tuple(_address(person) for person in _people(event))[:50],
        status if status in ("tentative", "cancelled") else "",
        _busy(event),
    )


def _busy(event: Any) -> bool:
    free = str(event.get("TRANSP", "OPAQUE")).upper() == "TRANSPARENT"
    away = str(event.get("X-MICROSOFT-CDO-BUSYSTATUS", "")).upper() == "FREE"
    return not free and not away and str(event.get("STATUS", "")).upper() != "CANCELLED"


def _people(event: Any) -> list[Any]:
    found = event.get("ATTENDEE", [])
    return found if isinstance(found, list) else [found]


def _address(person: Any) -> str:
    address = str(person)
    return address[7:] if address.lower().startswith("mailto:") else address


def _zone_name(event: Any, zone: tzinfo) -> str:
    """Return the zone that it was written in, "" where that has the person's own time then."""
    found = event.get("DTSTART")
    start = found.dt if found is not None else None
    if not isinstance(start, datetime) or start.tzinfo is None:
        return ""
    name = str(found.params.get("TZID", ""))
    return "" if start.utcoffset() == start.astimezone(zone).utcoffset() else name


def free_times(times: list[Time], wanted: Wanted, zone: tzinfo) -> tuple[tuple[str, str], ...]:
    """Return the spans of each day within its hours in which nobody is busy, as long as is wanted."""
    assert wanted.hours is not None
    busy = sorted((_begins(one, zone), _ends(one, zone)) for one in times if _busy(one.event))
    free: list[tuple[str, str]] = []
    day: date = wanted.start.date()
    while day <= wanted.end.date():
        opens = max(datetime.combine(day, wanted.hours[0], zone), wanted.start)
        closes = min(datetime.combine(day, wanted.hours[1], zone), wanted.end)
        for begins, ends in [*busy, (closes, closes)]:
            if begins - opens >= timedelta(minutes=wanted.minutes) and min(begins, closes) > opens:
                upto = min(begins, closes)
                if upto - opens >= timedelta(minutes=wanted.minutes):
                    free.append((opens.isoformat(), upto.isoformat()))
            opens = max(opens, ends)
            if opens >= closes:
                break
        day += timedelta(days=1)
    return tuple(free)

"""Put a new event into a calendar file whose other bytes stay, or write it as an invitation of its own."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta, tzinfo
from typing import Any, NamedTuple

from app.documents.calendars.agenda import Entry, entry
from app.documents.calendars.times import components, times_between
from app.documents.failing import Unreadable

_FREQUENCIES = {
    "daily": "DAILY", "every day": "DAILY", "weekly": "WEEKLY", "every week": "WEEKLY", "monthly": "MONTHLY",
    "every month": "MONTHLY", "yearly": "YEARLY", "every year": "YEARLY", "annually": "YEARLY",
}  # fmt: skip
_DAYS = {"monday": "MO", "tuesday": "TU", "wednesday": "WE", "thursday": "TH", "friday": "FR"}
_DAYS |= {"saturday": "SA", "sunday": "SU"}
_UNITS = {"day": "DAILY", "week": "WEEKLY", "month": "MONTHLY", "year": "YEARLY"}
_ADDRESS = re.compile(r"[^\s@<>,;:\"\\()\x00-\x20\x7f]+@[^\s@<>,;:\"\\()\x00-\x20\x7f]+\Z")


class Event(NamedTuple):
    """What is added. Dates mean whole days, `end` the first day after. `zone` is an IANA name, "" for UTC."""

    title: str
    start: datetime | date
    end: datetime | date
    location: str = ""
    notes: str = ""
    attendees: tuple[str, ...] = ()
    rule: str = ""
    remind: int = 0
    uid: str = ""
    made: datetime | None = None


class Added(NamedTuple):
    """The event as it reads back, its next times, and what else stands there then."""

    event: Entry
    times: tuple[str, ...]
    clashes: tuple[str, ...]


def rule_of(text: str) -> str:
    """Return the rule (RFC 5545 RRULE) of plain words such as `every 2 weeks until 2026-12-31`, "" for none.

    Raises ValueError with words for the model.
    """
    words = " ".join(text.split())
    if not words:
        return ""
    if re.match(r"(?:RRULE:)?FREQ=", words, re.IGNORECASE):
        return _checked(words.upper().removeprefix("RRULE:"))
    words = words.lower()
    ending = ""
    if found := re.search(r",?\s*(?:until|till|bis) (\d{4})-(\d\d)-(\d\d)\Z", words):
        ending, words = f";UNTIL={found[1]}{found[2]}{found[3]}T235959Z", words[: found.start()]
    elif found := re.search(r",?\s*(?:for )?(\d{1,3}) times\Z", words):
        ending, words = f";COUNT={found[1]}", words[: found.start()]
    return _checked(_plain(words.strip()) + ending)


def _plain(words: str) -> str:
    if words in _FREQUENCIES:
        return f"FREQ={_FREQUENCIES[words]}"
    if words in ("weekdays", "every weekday", "on weekdays"):
        return "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
    if found := re.fullmatch(r"every (\d{1,3}|other|second) (day|week|month|year)s?", words):
        count = {"other": "2", "second": "2"}.get(found[1], found[1])
        return f"FREQ={_UNITS[found[2]]};INTERVAL={count}"
    if found := re.fullmatch(r"(?:weekly on|every|each|on) ([a-z, ]+)", words):
        days = [part.rstrip("s") for part in re.split(r",\s*|\s+and\s+|\s+", found[1]) if part != "and"]
        if days and all(day in _DAYS for day in days):
            return f"FREQ=WEEKLY;BYDAY={','.join(_DAYS[day] for day in days)}"
    raise ValueError(f"{words!r} cannot be read; write every week, every 2 days, weekdays, or an RRULE.")


def _checked(rule: str) -> str:
    from dateutil.rrule import rrulestr  # type: ignore[import-untyped]

    if not re.fullmatch(r"[A-Z0-9=;,+\-]+", rule) or "FREQ=SECONDLY" in rule or "FREQ=MINUTELY" in rule:
        raise ValueError(f"{rule!r} is no rule of an appointment.")
    try:
        rrulestr(rule, dtstart=datetime(2026, 1, 1), ignoretz=True)
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"The rule {rule!r} cannot be read: {error}.") from None
    return rule


def address_of(text: str) -> str:
    """Return a plain address. Raises ValueError."""
    found = re.search(r"<([^<>]+)>\s*\Z", text)
    address = (found[1] if found else text).strip().removeprefix("mailto:")
    if not _ADDRESS.match(address):
        raise ValueError(f"{text!r} is no address.")
    return address


def with_event(data: bytes, event: Event, *, invitation: bool) -> bytes:
    """Return a calendar file with the event in it; all other bytes of `data` stay. Raises Unreadable."""
    component, zones = _component(event)
    if not data:
        return _new(component, zones, invitation)
    components(data)  # refuses what is no calendar
    end = b"\r\n" if b"\r\n" in data else b"\n"
    places = list(re.finditer(rb"(?im)^END:VCALENDAR[ \t]*\r?$", data))
    if not places:
        raise Unreadable("broken", "Its end is missing.")
    text = b""
    for zone in zones:
        if not re.search(rb"(?im)^TZID(?:;[^:\r\n]*)?:" + re.escape(_tzid(zone)) + rb"\s*$", data):
            text += zone.to_ical()
    text += component.to_ical()
    text = text.replace(b"\r\n", b"\n").replace(b"\n", end)
    at = places[-1].start()
    return bytes(data[:at] + text + data[at:])


def _tzid(zone: Any) -> bytes:
    return str(zone["TZID"]).encode()


def _component(event: Event) -> tuple[Any, list[Any]]:
    """Return the event of the library, and descriptions of the zone that it needs."""
    from icalendar import Alarm, Calendar, Event as Component, vCalAddress, vRecur

    made = Component()
    made.add("uid", event.uid)
    made.add("dtstamp", event.made)
    made.add("summary", event.title)
    made.add("dtstart", event.start)
    made.add("dtend", event.end)
    for name, text in (("location", event.location), ("description", event.notes)):
        if text:
            made.add(name, text)
    if event.rule:
        made.add("rrule", vRecur.from_ical(event.rule))
    for address in event.attendees:
        person = vCalAddress(f"mailto:{address}")
        person.params["RSVP"] = "TRUE"
        made.add("attendee", person, encode=False)
    if event.remind:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", event.title)
        alarm.add("trigger", timedelta(minutes=-event.remind))
        made.add_component(alarm)
    around = Calendar()
    around.add_component(made)
    around.add_missing_timezones()
    return made, list(around.walk("VTIMEZONE"))


def _new(component: Any, zones: list[Any], invitation: bool) -> bytes:
    from icalendar import Calendar

    calendar = Calendar()
    calendar.add("prodid", "-//Bramble//Bramble//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "REQUEST" if invitation else "PUBLISH")
    for part in (*zones, component):
        calendar.add_component(part)
    data: bytes = calendar.to_ical()
    return data


def read_back(data: bytes, uid: str, calendar: str, now: datetime, zone: tzinfo) -> Added:
    """Return the event as a file holds it. Raises Unreadable where it is not there."""
    events = components(data)
    mine = [one for one in events if str(one.get("UID", "")) == uid]
    if not mine:
        raise Unreadable("broken", "The event does not stand in the file.")
    first = mine[0]["DTSTART"].dt
    begins = first if isinstance(first, datetime) else datetime(first.year, first.month, first.day)
    start = begins.astimezone(zone) if begins.tzinfo else begins.replace(tzinfo=zone)
    times, _ = times_between(mine, start, start + timedelta(days=800), zone)
    if not times:
        raise Unreadable("broken", "The event never takes place.")
    one = times[0]
    span = times_between([e for e in events if e not in mine], one.begins, one.ends, zone)[0]
    clashes = [entry(other, calendar, zone) for other in span]
    told = tuple(f"{other.title} ({other.start} to {other.end})" for other in clashes if other.busy)
    return Added(entry(one, calendar, zone), tuple(each.start.isoformat() for each in times[:5]), told[:10])

"""Calendars of other programs behind the gate of one call: files and folders that the person named, or that
stand in the settings. Events are added through the files of the call.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, tzinfo
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from app.capabilities.documents import apart, read_together, thread
from app.capabilities.files_work import Stopped
from app.capabilities.timers import day_of, moment_of
from app.errors import ToolError
from app.platform import filesystem
from app.platform.ids import new_id
from tools import AddedEvent, Agenda, AgendaQuery, CalendarEvent, ChangeSet, NewEvent, WriteBytes

if TYPE_CHECKING:
    from app.capabilities.files import FileReader, Files
    from app.documents.calendars.adding import Added, Event
    from app.documents.calendars.agenda import Found

SECONDS = 30.0
_ENDS = (".ics", ".ical")
MOST_FILES = 200
FILE_CAP = 32 * 1024 * 1024
"""Bytes of all calendars of one call together."""
DAYS = 366
"""The longest span that is listed."""


def local_zone() -> tzinfo:
    """Return the zone of this computer, by its name where the system tells it; else as it is today."""
    named = os.environ.get("TZ", "").removeprefix(":")
    if not named:
        try:
            named = os.path.realpath("/etc/localtime").partition("zoneinfo/")[2]
        except OSError:
            named = ""
    try:
        return ZoneInfo(named)
    except (ValueError, OSError, KeyError):
        return datetime.now().astimezone().tzinfo or ZoneInfo("UTC")


def here() -> datetime:
    """Return the time in the zone of this computer."""
    return datetime.now(local_zone())


class CalendarReader:
    """Implements `tools.ReadCalendars`. `configured` gives the paths of the settings."""

    def __init__(
        self,
        files: FileReader,
        configured: Callable[[], tuple[str, ...]],
        now: Callable[[], datetime] = here,
    ) -> None:
        self._files = files
        self._configured = configured
        self._now = now

    async def agenda(self, query: AgendaQuery) -> Agenda:
        """See ReadCalendars. Raises ToolError (bad_arguments, not_found, not_text, too_large) and Refused."""
        from app.documents.calendars.agenda import Wanted, agenda

        now = self._now()
        start, end = _span(query, now)
        hours = _hours(query.hours) if query.free else None
        names = await self._calendars(query.path)
        files = [(name, data) for name, data in await self._read(names)]
        wanted = Wanted(start, end, query.query.strip(), hours, max(5, query.minutes), query.limit)
        shown = names[0] if len(names) == 1 else "The calendars"
        found: Found = await apart(shown, SECONDS, agenda, files, wanted)
        events = tuple(CalendarEvent(*one) for one in found.entries)
        told = tuple(name for name, _ in files)
        return Agenda(
            start.isoformat(), end.isoformat(), _zone_name(now), events, found.free, told, found.notes,
            found.more,
        )  # fmt: skip

    async def _calendars(self, path: str) -> list[str]:
        """Return the calendar files that are meant; a folder stands for those in it."""
        paths = [path] if path.strip() else list(self._configured())
        if not paths:
            raise ToolError(
                "bad_arguments",
                "No calendar is set up. Name a calendar file or folder by path, or let the person put theirs "
                "into the settings (calendars).",
            )
        found: list[str] = []
        for one in paths:
            if await thread(partial(self._is_folder, one)):
                listed = await self._files.list(one, depth=3, limit=2_000)
                inside = [
                    each.path for each in listed.entries if each.path.lower().endswith((".ics", ".ical"))
                ]
                found += [os.path.join(one, name) for name in inside]
            else:
                found.append(one)
        if not found:
            raise ToolError("not_found", f"There is no calendar file (.ics) in {path or 'the folders'}.")
        if len(found) > MOST_FILES:
            raise ToolError("too_large", f"These are {len(found)} calendars; at most {MOST_FILES} are read.")
        return found

    def _is_folder(self, path: str, stopped: Stopped) -> bool:
        return os.path.isdir(self._files.resolve(path))

    def _is_there(self, path: str, stopped: Stopped) -> bool:
        return os.path.lexists(self._files.resolve(path))

    async def _read(self, names: list[str]) -> list[tuple[str, bytes]]:
        found = await read_together(self._files, names, FILE_CAP, "calendars")
        return [(self._files.shown(real), data) for real, data in found]


class Calendars(CalendarReader):
    """Implements `tools.ChangeCalendars`."""

    def __init__(
        self,
        files: Files,
        configured: Callable[[], tuple[str, ...]],
        now: Callable[[], datetime] = here,
    ) -> None:
        super().__init__(files, configured, now)
        self._changing = files

    async def add_event(self, event: NewEvent) -> AddedEvent:
        """See ChangeCalendars. Raises ToolError (bad_arguments, not_text, changed_since, ...) and Refused."""
        from app.documents.calendars.adding import read_back, with_event

        now = self._now()
        made = _event(event, now)
        path = event.path.strip() or await self._where(event)
        data, expects = await self._standing(path)
        invitation = not data and bool(made.attendees)
        content: bytes = await apart(path, SECONDS, _with, with_event, data, made, invitation)
        operation = WriteBytes(path, content, expects)
        files = await self._changing.change(ChangeSet((operation,)))
        if all(file.kind == "same" for file in files.files):
            raise ToolError("denied", files.note or "Nothing was written.")
        after, _ = await self._standing(path)
        zone = now.tzinfo
        assert zone is not None
        back: Added = await apart(path, SECONDS, read_back, after, made.uid, path, now, zone)
        return AddedEvent(
            files.files[0].path, CalendarEvent(*back.event), back.times, files,
            all(file.verified for file in files.files), invitation, back.clashes,
        )  # fmt: skip

    async def _where(self, event: NewEvent) -> str:
        """Return the one calendar of the settings, else a new file named after the event."""
        configured = self._configured()
        if len(configured) == 1 and configured[0].lower().endswith(".ics"):
            return configured[0]
        stem = re.sub(r"[^\w\- ]+", "", event.title).strip()[:60] or "event"
        for number in range(1, 100):
            name = f"{stem}.ics" if number == 1 else f"{stem} {number}.ics"
            if not await thread(partial(self._is_there, name)):
                return name
        raise ToolError("bad_arguments", "Name the calendar file by path.")

    async def _standing(self, path: str) -> tuple[bytes, str]:
        """Return the calendar that stands at a path, b"" where none does, and what `WriteBytes` expects."""
        real = await thread(lambda stopped: self._files.resolve(path))
        if not Path(path).suffix.lower() == ".ics":
            raise ToolError("bad_arguments", f"{path} is no calendar file; its name must end in .ics.")
        if await thread(lambda stopped: filesystem.status(real).kind) == "missing":
            return b"", "missing"
        ((_, data),) = await self._read([path])
        return data, hashlib.sha256(data).hexdigest()


def _with(work: Callable[..., bytes], data: bytes, event: Event, invitation: bool) -> bytes:
    return work(data, event, invitation=invitation)


def _event(wanted: NewEvent, now: datetime) -> Event:
    """Return the event with all times read. Raises ToolError."""
    from app.documents.calendars.adding import Event, address_of, rule_of

    title = " ".join(wanted.title.split())
    if not title or len(title) > 500:
        raise ToolError("bad_arguments", "The event needs a title of at most 500 characters.")
    try:
        start = _moment(wanted.start, now)
        end = _end(wanted.end, start, now)
        rule = rule_of(wanted.repeat)
        attendees = tuple(dict.fromkeys(map(address_of, wanted.attendees)))
    except (ValueError, OverflowError) as error:
        raise ToolError("bad_arguments", f"{error} Nothing was added.") from None
    if not isinstance(start, datetime) and "UNTIL=" in rule:
        rule = re.sub(r"(UNTIL=\d{8})T\d{6}Z", r"\1", rule)
    made = datetime.now(ZoneInfo("UTC")).replace(microsecond=0)
    return Event(
        title, start, end, " ".join(wanted.location.split()), wanted.notes, attendees, rule,
        max(0, wanted.remind), f"{new_id()}@bramble", made,
    )  # fmt: skip


def _moment(text: str, now: datetime) -> datetime | date:
    """Return a date, or a time in the person's zone or the one that the text names."""
    words = text.strip()
    if re.fullmatch(r"\d{4}-\d\d-\d\d", words) or words.lower() in ("today", "tomorrow"):
        day = day_of(words, now)
        assert day is not None
        return day
    found = moment_of(words, now)
    return found if found.utcoffset() is not None and _has_offset(words) else found.astimezone(now.tzinfo)


def _has_offset(text: str) -> bool:
    return re.search(r"(?:Z|[+-]\d\d:?\d\d)\Z", text) is not None


def _end(text: str, start: datetime | date, now: datetime) -> datetime | date:
    if not text.strip():
        return start + (timedelta(hours=1) if isinstance(start, datetime) else timedelta(days=1))
    clock = re.fullmatch(r"\d{1,2}(:\d\d)?", text.strip())
    if clock and isinstance(start, datetime):
        hour, _, minute = text.strip().partition(":")
        end: datetime | date = start.replace(hour=int(hour), minute=int(minute or 0))
    else:
        end = _moment(text, now)
    if isinstance(start, datetime) != isinstance(end, datetime):
        raise ValueError("Give both start and end with a time, or both as dates.")
    if not isinstance(end, datetime):
        end += timedelta(days=1)  # people name the last day, a calendar the day after it
    if end <= start:
        raise ValueError("The event ends before it begins.")
    return end


def _span(query: AgendaQuery, now: datetime) -> tuple[datetime, datetime]:
    try:
        first = _moment(query.start, now) if query.start.strip() else now.date()
        last = _moment(query.end, now) if query.end.strip() else None
    except (ValueError, OverflowError) as error:
        raise ToolError("bad_arguments", str(error)) from None
    zone = now.tzinfo
    start = first if isinstance(first, datetime) else datetime.combine(first, time(), zone)
    if last is None:
        end = datetime.combine(start.date() + timedelta(days=7), time(), zone)
    elif isinstance(last, datetime):
        end = last
    else:
        end = datetime.combine(last + timedelta(days=1), time(), zone)
    if not start < end <= start + timedelta(days=DAYS + 1):
        raise ToolError("bad_arguments", f"The end must come after the start, and within {DAYS} days of it.")
    return start.astimezone(zone), end.astimezone(zone)


def _hours(text: str) -> tuple[time, time]:
    found = re.fullmatch(r"\s*(\d{1,2}):?(\d\d)?\s*(?:-|to|\u2013)\s*(\d{1,2}):?(\d\d)?\s*", text)
    try:
        if not found:
            raise ValueError
        opens = time(int(found[1]), int(found[2] or 0))
        closes = time(23, 59, 59) if found[3] == "24" else time(int(found[3]), int(found[4] or 0))
        if opens >= closes:
            raise ValueError
    except ValueError:
        raise ToolError("bad_arguments", f"{text!r} are no hours; write 08:00-18:00.") from None
    return opens, closes


def _zone_name(now: datetime) -> str:
    return str(getattr(now.tzinfo, "key", "") or now.tzname() or "")

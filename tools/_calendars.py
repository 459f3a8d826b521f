"""What a tool may do with calendars: read the events of a time, find free time, and add an event."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

from tools._files import Changed


class CalendarEvent(NamedTuple):
    """One event, or one time of an event that repeats. Times are ISO 8601 with the offset of the person's own
    zone; of an event of whole days they are dates, and `end` is the first day after it.
    """

    title: str
    start: str
    end: str
    all_day: bool
    calendar: str
    location: str = ""
    notes: str = ""
    zone: str = ""
    """The zone it was written in where that is another one than the person's, "" else."""
    repeats: str = ""
    """Its rule as written (RFC 5545 RRULE), "" for a single one."""
    attendees: tuple[str, ...] = ()
    status: str = ""
    """tentative or cancelled, "" for one that takes place."""
    busy: bool = True


class Agenda(NamedTuple):
    """The events between `start` and `end`, in the order of their beginning."""

    start: str
    end: str
    zone: str
    events: tuple[CalendarEvent, ...]
    free: tuple[tuple[str, str], ...]
    """Free times by day within the hours that were asked for."""
    calendars: tuple[str, ...]
    """The files that were read."""
    notes: tuple[str, ...] = ()
    more: bool = False


class AgendaQuery(NamedTuple):
    """Which events are wanted. Dates and times as ISO 8601, "" for today and seven days; `path` is a file or
    folder, "" for the calendars of the settings. `hours` bound free time, such as 09:00-17:00.
    """

    start: str = ""
    end: str = ""
    query: str = ""
    path: str = ""
    free: bool = False
    hours: str = "08:00-18:00"
    minutes: int = 30
    """The shortest free time that is told."""
    limit: int = 200


class NewEvent(NamedTuple):
    """An event to add. `start` and `end` as ISO 8601, a date alone for whole days; `repeat` in plain words
    or as an RRULE; `path` is the calendar file, or a new .ics file for an invitation.
    """

    title: str
    start: str
    end: str = ""
    location: str = ""
    attendees: tuple[str, ...] = ()
    repeat: str = ""
    path: str = ""
    notes: str = ""
    zone: str = ""
    remind: int = 0
    """Minutes before it that a reminder is set for, 0 for none."""


class AddedEvent(NamedTuple):
    """What was written. `event` is how it reads back from the file, its next times in `times`."""

    path: str
    event: CalendarEvent
    times: tuple[str, ...]
    files: Changed
    verified: bool
    invitation: bool
    clashes: tuple[str, ...] = ()
    """Events of the same calendar at that time."""


@runtime_checkable
class ReadCalendars(Protocol):
    """Reading calendars behind the gate of one call. Raises errors with a text for the model."""

    async def agenda(self, query: AgendaQuery) -> Agenda: ...


@runtime_checkable
class ChangeCalendars(ReadCalendars, Protocol):
    """Adding events too, through the files of the call: with permission, journal and undo."""

    async def add_event(self, event: NewEvent) -> AddedEvent: ...

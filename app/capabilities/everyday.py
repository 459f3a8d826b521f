"""Adds the capabilities of every day to the context of a call: documents, calendars, mail, timers, the person
themselves, translation. Each is small by itself and loads what it needs when it is first used.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from app.capabilities.calendars import CalendarReader, Calendars, here
from app.capabilities.call_site import CallSite
from app.capabilities.databases import DatabaseReader, Databases
from app.capabilities.files import FileReader, Files
from app.capabilities.gate import Gate
from app.capabilities.inquiries import PersonAsker
from app.capabilities.mail import Mailer
from app.capabilities.timers import TimerReader, Timers
from tools import ReadContext, ToolContext, Translate

if TYPE_CHECKING:
    from app.capabilities.context import Contexts
    from app.capabilities.daily import Daily
    from app.changes.snapshot import Snapshots


class Everyday:
    """What all calls of a process share of these capabilities, around the contexts that have all others."""

    def __init__(
        self,
        contexts: Contexts,
        snapshots: Snapshots | None = None,
        daily: Daily | None = None,
        calendars: Callable[[], tuple[str, ...]] = tuple,
        now: Callable[[], datetime] = here,
        translator: Callable[[str, Gate], Translate] | None = None,
    ) -> None:
        self._contexts = contexts
        self._snapshots = snapshots
        self._daily = daily
        self._calendars = calendars
        self._now = now
        self._translator = translator

    def make(self, gate: Gate, site: CallSite) -> ReadContext | ToolContext:
        """Return the context of one call."""
        return self.added(self._contexts.make(gate, site), gate, site)

    def added(
        self, context: ReadContext | ToolContext, gate: Gate, site: CallSite
    ) -> ReadContext | ToolContext:
        """Return the context of one call with these capabilities in it."""
        session, turn, tool = site.session, site.turn, site.tool
        files, daily = context.files, self._daily
        translator = self._translator(session, gate) if self._translator else None
        person = PersonAsker(daily.inquiries, gate, session, turn) if daily else None
        if isinstance(context, ReadContext):
            assert isinstance(files, FileReader)
            calendars = CalendarReader(files, self._calendars, self._now)
            return context._replace(
                documents=DatabaseReader(files, gate),
                calendars=calendars,
                person=person,
                translator=translator,
                timers=TimerReader(daily.timers) if daily else None,
            )
        assert isinstance(files, Files)
        documents = Databases(files, gate, session=session, turn=turn, tool=tool, snapshots=self._snapshots)
        begin = partial(gate.harmless, "timer")
        timers = Timers(daily.timers, session, begin=begin) if daily else None
        return context._replace(
            documents=documents,
            calendars=Calendars(files, self._calendars, self._now),
            mail=Mailer(files, gate),
            person=person,
            translator=translator,
            timers=timers,
        )

"""Conversations stand under the day of their newest message, pinned ones on top."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from app.records import SessionInfo
from ui.window.sessions.days import grouped, heading, heading_text

TODAY = date(2026, 3, 30)
"""The day after the clocks went forward in Europe."""


def at(day: date, hour: int = 12) -> float:
    """Unix seconds of an hour of a day, in this computer's zone."""
    return datetime(day.year, day.month, day.day, hour).timestamp()


def info(name: str, updated: float, **more: bool) -> SessionInfo:
    """A conversation of that time."""
    return SessionInfo(id=name, title=name, cwd="/", created=updated, updated=updated, **more)  # type: ignore[arg-type]


def test_headings_follow_the_calendar() -> None:
    days = {0: "today", 1: "yesterday", 2: "week", 7: "week", 8: "2026-03", 40: "2026-02"}
    found = {back: heading(at(TODAY - timedelta(days=back)), TODAY) for back in days}
    assert found == days
    assert heading(at(TODAY, 0), TODAY) == "today"
    assert heading(at(TODAY - timedelta(days=1), 23), TODAY) == "yesterday"
    assert heading(at(TODAY + timedelta(days=2)), TODAY) == "today", "a clock that was ahead loses nothing"


def test_pinned_ones_come_first_and_deleted_ones_not_at_all() -> None:
    sessions = [
        info("old", at(TODAY - timedelta(days=3))),
        info("new", at(TODAY, 9)),
        info("newer", at(TODAY, 10)),
        info("pinned", at(TODAY - timedelta(days=90)), pinned=True),
        info("deleted", at(TODAY), deleted=True),
        info("archived", at(TODAY), archived=True),
    ]
    found = [(key, [one.id for one in group]) for key, group in grouped(sessions, TODAY)]
    assert found == [("pinned", ["pinned"]), ("today", ["newer", "new"]), ("week", ["old"])]


def test_a_month_is_named_in_words() -> None:
    assert heading_text("2026-02") == "February 2026"

"""The calendar tools over files as Outlook, Google and Apple write them, and over broken ones."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from app.documents.calendars.adding import rule_of
from app.records import Answer
from tests.capabilities.files_desk import open_desk
from tests.tools.documents.desk import DocumentCaller

CASES = Path(__file__).parents[2] / "cases" / "calendars"
VIENNA = ZoneInfo("Europe/Vienna")


@pytest.fixture
async def call(tmp_path: Path) -> AsyncIterator[DocumentCaller]:
    """In Vienna, on the first of March 2026."""
    async with open_desk(tmp_path) as desk:
        made = DocumentCaller(desk, tmp_path / "spill")
        made.everyday._now = lambda: datetime(2026, 3, 1, 10, 0, tzinfo=VIENNA)
        for path in CASES.iterdir():
            shutil.copy(path, desk.folder)
        yield made


def listed(text: str) -> list[str]:
    return [line for line in text.splitlines() if line[:2] == "20"]


async def test_outlooks_zones_exceptions_and_whole_days(call: DocumentCaller) -> None:
    outcome = await call("calendar_list", path="outlook.ics", start="2026-03-20", end="2026-04-20")
    assert outcome.ok and not call.desk.asked, outcome.text
    assert listed(outcome.text) == [
        "2026-03-23 09:00 to 10:00  Jour fixe (repeats FREQ=WEEKLY;COUNT=4;BYDAY=MO)",
        "2026-03-24 10:30 to 11:30  Call with Pune (Customized Time Zone)",
        "2026-03-25 until before 2026-03-27  Fair (free)",
        "2026-03-30 09:00 to 10:00  Jour fixe (repeats FREQ=WEEKLY;COUNT=4;BYDAY=MO)",
        "2026-04-13 09:00 to 10:00  Jour fixe (repeats FREQ=WEEKLY;COUNT=4;BYDAY=MO)",
    ], "nine stays nine over the change of clocks"


async def test_googles_moved_and_cancelled_ones_over_a_foreign_change_of_clocks(call: DocumentCaller) -> None:
    outcome = await call("calendar_list", path="google.ics", start="2026-03-01", end="2026-03-12")
    told = [line[:24].strip() + line.partition("  ")[2][:9] for line in listed(outcome.text)]
    assert told == [
        "2026-03-02 00:00 to 01:0Swim, lan",
        "2026-03-04 17:00 to 17:3Called of",
        "2026-03-05 00:00 to 01:0Swim, lan",
        "2026-03-06 02:00 to 03:0Swim late",
        "2026-03-07 00:00 to 01:0Swim, lan",
        "2026-03-08 00:00 to 01:0Swim, lan",
        "2026-03-08 23:00 to 2026Swim, lan",
        "2026-03-09 23:00 to 2026Swim, lan",
        "2026-03-10 23:00 to 2026Swim, lan",
    ], outcome.text
    assert "Called off (cancelled)" in outcome.text and "at Pool, Main St" in outcome.text


async def test_apples_dates_durations_and_floating_times(call: DocumentCaller) -> None:
    outcome = await call("calendar_list", path="apple.ics", start="2026-02-25", end="2026-03-14")
    assert listed(outcome.text) == [
        "2026-03-09 20:00 to 21:30  Samoa (Pacific/Apia)",
        "2026-03-11 12:00 to 12:00  Floating in two lines",
        "2026-03-11 20:00 to 21:30  Samoa (Pacific/Apia)",
        "2026-03-12 21:00 to 22:30  Samoa (Pacific/Apia)",
    ], outcome.text
    leap = await call("calendar_list", path="apple.ics", start="2028-02-01", end="2028-03-01")
    assert listed(leap.text) == ["2028-02-29  Leap birthday (repeats FREQ=YEARLY)"]


async def test_a_folder_is_searched_and_a_broken_file_only_noted(call: DocumentCaller) -> None:
    call.desk.write("broken.ics", "hello")
    outcome = await call("calendar_list", path=".", start="2026-03-01", end="2026-03-31", query="swim")
    assert outcome.ok and len(listed(outcome.text)) == 8 and "broken.ics cannot be read" in outcome.text
    none = await call("calendar_list")
    assert not none.ok and "No calendar is set up" in none.text
    call.everyday._calendars = lambda: ("outlook.ics",)
    week = await call("calendar_list", start="2026-03-23")
    assert len(listed(week.text)) == 3, week.text


async def test_free_times_leave_out_what_is_busy(call: DocumentCaller) -> None:
    outcome = await call(
        "calendar_list", path="outlook.ics", start="2026-03-23", end="2026-03-25", free=True, hours="8:30-12"
    )
    assert outcome.text.partition("Free:\n")[2].splitlines()[:-1] == [
        "2026-03-23 08:30 to 09:00",
        "2026-03-23 10:00 to 12:00",
        "2026-03-24 08:30 to 10:30",
        "2026-03-24 11:30 to 12:00",
        "2026-03-25 08:30 to 12:00",
    ]


async def test_an_event_goes_in_and_comes_out_again(call: DocumentCaller) -> None:
    path = call.desk.folder / "google.ics"
    before = path.read_bytes()
    outcome = await call(
        "calendar_add", title="Dentist;\nBEGIN:VEVENT", start="2026-03-27 15:00", end="15:45",
        path="google.ics",
        location="Ring 1, Vienna", repeat="every 2 weeks until 2026-06-30", remind=30,
    )  # fmt: skip
    assert outcome.ok and outcome.undo and "verified" in outcome.text, outcome.text
    assert "Dentist; BEGIN:VEVENT  at Ring 1, Vienna" in outcome.text
    assert "2026-03-27 15:00, 2026-04-10 15:00, 2026-04-24 15:00" in outcome.text
    after = path.read_bytes()
    end = before.index(b"END:VCALENDAR")
    assert after.startswith(before[:end]) and after.endswith(before[end:]) and b"TZID=Europe/Vienna" in after
    assert after.count(b"\nBEGIN:VEVENT\r\n") == before.count(b"\nBEGIN:VEVENT\r\n") + 1
    again = await call("calendar_add", title="Clash", start="2026-04-10 15:30", path="google.ics")
    assert "At the same time: Dentist" in again.text and (path.read_bytes()).count(b"TZID:Europe/Vienna") == 1
    await call.desk.undo.one(again.undo)
    await call.desk.undo.one(outcome.undo)
    assert path.read_bytes() == before


async def test_an_invitation_is_a_file_of_its_own_and_nothing_is_sent(call: DocumentCaller) -> None:
    outcome = await call(
        "calendar_add", title="Lunch / Anna", start="2026-05-01", end="2026-05-02",
        attendees=["Anna <anna@example.org>", "bob@example.org"],
    )  # fmt: skip
    assert (
        outcome.ok
        and "2026-05-01 until before 2026-05-03" in outcome.text
        and "Nothing was sent" in outcome.text
    )
    text = (call.desk.folder / "Lunch  Anna.ics").read_text()
    assert "METHOD:REQUEST" in text and "mailto:anna@example.org" in text.replace("\n ", "")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"title": " "}, "title"),
        ({"start": "someday"}, "no time"),
        ({"start": "2026-02-30"}, "no day that a calendar has. Nothing was added"),
        ({"start": "2026-02-30 10:00"}, "is no time; write"),
        ({"end": "2026-03-01 10:00"}, "before it begins"),
        ({"end": "2026-03-28"}, "both"),
        ({"repeat": "sometimes"}, "cannot be read"),
        ({"repeat": "FREQ=SECONDLY"}, "no rule"),
        ({"attendees": ["anna@example.org\r\nX-EVIL: 1"]}, "no address"),
        ({"path": "notes.txt"}, ".ics"),
        ({"path": "broken.ics"}, "broken.ics"),
    ],
)
async def test_what_is_no_event_is_said(call: DocumentCaller, arguments: dict[str, Any], why: str) -> None:
    call.desk.write("broken.ics", "BEGIN:VCALENDAR\nVERSION:2.0\n")
    outcome = await call("calendar_add", **{"title": "x", "start": "2026-03-27 15:00", **arguments})
    assert not outcome.ok and why in outcome.text and "failed inside" not in outcome.text, outcome.text
    assert not call.desk.asked


async def test_no_leaves_the_calendar_as_it_was(call: DocumentCaller) -> None:
    path = call.desk.folder / "apple.ics"
    before = path.read_bytes()
    call.desk.answer = lambda effect: Answer(decision="deny", reason="later")
    outcome = await call("calendar_add", title="x", start="2026-03-27 15:00", path="apple.ics")
    assert not outcome.ok and "later" in outcome.text and path.read_bytes() == before


async def test_a_rule_that_never_ends_costs_nothing(call: DocumentCaller) -> None:
    event = "BEGIN:VEVENT\nUID:{0}\nDTSTART:19000101T000000Z\nRRULE:FREQ={1}\nSUMMARY:{1}\nEND:VEVENT\n"
    events = "".join(event.format(n, rule) for n, rule in enumerate(("SECONDLY", "HOURLY", "DAILY")))
    call.desk.write("hostile.ics", f"BEGIN:VCALENDAR\nVERSION:2.0\n{events}END:VCALENDAR\n")
    outcome = await call("calendar_list", path="hostile.ics", start="2026-03-01", end="2026-03-01")
    assert outcome.ok and "more often than every hour" in outcome.text, outcome.text
    assert [line for line in listed(outcome.text) if "DAILY" in line]


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("daily", "FREQ=DAILY"),
        ("every 2 weeks until 2026-12-31", "FREQ=WEEKLY;INTERVAL=2;UNTIL=20261231T235959Z"),
        ("every tuesday and thursday, 10 times", "FREQ=WEEKLY;BYDAY=TU,TH;COUNT=10"),
        ("weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("RRULE:FREQ=MONTHLY;BYDAY=1MO", "FREQ=MONTHLY;BYDAY=1MO"),
        ("", ""),
    ],
)
def test_plain_words_for_a_rule(words: str, rule: str) -> None:
    assert rule_of(words) == rule

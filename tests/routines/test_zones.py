"""Every rule of product.md 7.1 about clocks, in five zones over both changes of two years, against a walk
through each minute; and C3, C4.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from app.errors import RoutineError
from app.routine_records import ActiveHours, Calendar, Every, Schedule
from app.routines.clock import instant, zone_of
from app.routines.reading import read
from app.routines.schedule import is_active, next_slot, previous_slot, slots_between, upcoming
from app.routines.telling import echo
from tests.routines.conftest import BERLIN, at, schedule, shown

ZONES = (
    "Europe/Berlin",  # 02:00 to 03:00 and 03:00 to 02:00
    "America/New_York",  # 02:00 to 03:00 and 02:00 to 01:00
    "Australia/Lord_Howe",  # half an hour, south
    "America/Santiago",  # at midnight, back over a date
    "Pacific/Chatham",  # 02:45 to 03:45, an offset of three quarters
)


def _minutes(zone: ZoneInfo, first: date, days: int) -> Iterator[tuple[int, datetime]]:
    """Yield each real minute of some days with what the wall shows."""
    begin = int(datetime(first.year, first.month, first.day, tzinfo=UTC).timestamp()) - 86_400
    for moment in range(begin, begin + (days + 2) * 86_400, 60):
        yield moment, datetime.fromtimestamp(moment, zone).replace(tzinfo=None)


def _change_days(zone: ZoneInfo) -> list[date]:
    """Return the days of 2026 and 2027 on which the clocks change, found hour by hour."""
    found = []
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    while moment.year < 2028:
        after = moment + timedelta(hours=1)
        if moment.astimezone(zone).utcoffset() != after.astimezone(zone).utcoffset():
            found.append(after.astimezone(zone).date())
        moment = after
    return found


def _first_shown(walk: list[tuple[int, datetime]], target: datetime) -> int:
    """Return the first minute at which clocks show a time, or are past it because it is left out."""
    return next(moment for moment, wall in walk if wall >= target)


CASES = [(name, day) for name in ZONES for day in _change_days(ZoneInfo(name))]


def test_there_are_two_changes_a_year_in_each_zone() -> None:
    assert len(CASES) == 4 * len(ZONES)


@pytest.mark.parametrize(("name", "day"), CASES)
def test_each_time_of_the_day_runs_once_a_day(name: str, day: date) -> None:
    zone = ZoneInfo(name)
    first = day - timedelta(days=2)
    walk = list(_minutes(zone, first, 5))
    for minutes in [*range(0, 300, 7), 15, 150, 165, 210, 720, 1439]:
        rule = Schedule(Calendar(times=(minutes,)), "")
        days = [first + timedelta(days=number) for number in range(5)]
        targets = [datetime(one.year, one.month, one.day) + timedelta(minutes=minutes) for one in days]
        right = [_first_shown(walk, target) for target in targets]
        slots = list(slots_between(rule, right[0] - 1, right[-1], zone))
        assert slots == right, (name, day, minutes)
        for before, slot in pairwise(right):
            assert next_slot(rule, before, zone) == slot
            assert previous_slot(rule, slot - 1, zone) == before


@pytest.mark.parametrize(("name", "day"), CASES)
def test_times_that_are_left_out_together_run_once(name: str, day: date) -> None:
    """Ten times of the night: each distinct minute once, none in the past of another."""
    zone = ZoneInfo(name)
    times = tuple(range(0, 300, 5))
    walk = list(_minutes(zone, day - timedelta(days=1), 3))
    begin = datetime(day.year, day.month, day.day)
    right = sorted({_first_shown(walk, begin + timedelta(minutes=minutes)) for minutes in times})
    slots = [
        slot
        for slot in slots_between(Schedule(Calendar(times=times), ""), right[0] - 1, right[-1], zone)
        if slot <= right[-1]
    ]
    assert slots == right


@pytest.mark.parametrize(("name", "day"), CASES)
def test_cron_of_every_hour_or_minute_follows_real_time(name: str, day: date) -> None:
    zone = ZoneInfo(name)
    walk = list(_minutes(zone, day - timedelta(days=1), 3))
    for text, minutes in (("0 * * * *", {0}), ("*/15 * * * *", {0, 15, 30, 45}), ("7,52 * * * *", {7, 52})):
        right = [moment for moment, wall in walk if wall.minute in minutes]
        slots = list(slots_between(schedule(text, zone=zone), right[0] - 1, right[-1], zone))
        assert slots == right, (name, day, text)


@pytest.mark.parametrize(("name", "day"), CASES)
def test_every_two_hours_are_two_real_hours_c4(name: str, day: date) -> None:
    zone = ZoneInfo(name)
    begin = instant(day - timedelta(days=1), 17 * 60 + 23, zone)
    rule = read("every 2h", begin, zone).schedule
    slots = upcoming(rule, begin, zone, 24)
    assert slots == [begin + 7200 * number for number in range(1, 25)]
    assert previous_slot(rule, begin + 7200 * 3 + 5, zone) == begin + 7200 * 3
    assert previous_slot(rule, begin + 5, zone) is None


@pytest.mark.parametrize(("name", "day"), CASES)
def test_hours_between_two_times_stay_on_the_wall(name: str, day: date) -> None:
    zone = ZoneInfo(name)
    now = instant(day - timedelta(days=1), 23 * 60, zone)
    slots = upcoming(read("every 2 hours between 9 and 17", now, zone).schedule, now, zone, 10)
    assert [one[11:16] for one in shown(slots, zone)] == ["09:00", "11:00", "13:00", "15:00", "17:00"] * 2


@pytest.mark.parametrize(
    ("zone", "text", "base", "right"),
    [
        (
            "America/New_York",
            "30 2 * * *",
            "2027-03-13 12:00",
            ["2027-03-14 03:00 -0400", "2027-03-15 02:30 -0400"],
        ),
        (
            "America/New_York",
            "30 1 * * *",
            "2026-10-31 12:00",
            ["2026-11-01 01:30 -0400", "2026-11-02 01:30 -0500"],
        ),
        (
            "Europe/Berlin",
            "30 2 * * *",
            "2027-03-27 12:00",
            ["2027-03-28 03:00 +0200", "2027-03-29 02:30 +0200"],
        ),
        (
            "Europe/Berlin",
            "every day at 2:30",
            "2026-10-24 12:00",
            ["2026-10-25 02:30 +0200", "2026-10-26 02:30 +0100"],
        ),
        (
            "Australia/Lord_Howe",
            "15 2 * * *",
            "2026-10-03 12:00",
            ["2026-10-04 02:30 +1100", "2026-10-05 02:15 +1100"],
        ),
        (
            "America/Santiago",
            "30 0 * * *",
            "2026-09-05 12:00",
            ["2026-09-06 01:00 -0300", "2026-09-07 00:30 -0300"],
        ),
    ],
)
def test_one_run_in_each_night_c3(zone: str, text: str, base: str, right: list[str]) -> None:
    place = ZoneInfo(zone)
    slots = upcoming(schedule(text, at(base, place), place), at(base, place), place, 2)
    assert shown(slots, place) == right


def test_the_next_run_is_never_in_the_past_within_the_repeated_hour() -> None:
    place = ZoneInfo("America/New_York")
    rule = schedule("30 1 * * *", zone=place)
    again = at("2026-11-01 01:45", place, fold=1)
    assert shown([next_slot(rule, again, place) or 0], place) == ["2026-11-02 01:30 -0500"]
    between = at("2026-11-01 01:10", place, fold=1)
    assert shown([next_slot(rule, between, place) or 0], place) == ["2026-11-02 01:30 -0500"]


def test_a_day_that_a_country_left_out_runs_once_at_its_end() -> None:
    apia = ZoneInfo("Pacific/Apia")  # had no 30 December 2011
    slots = upcoming(Schedule(Calendar(times=(540,)), ""), at("2011-12-29 12:00", apia), apia, 3)
    assert shown(slots, apia) == [
        "2011-12-31 00:00 +1400", "2011-12-31 09:00 +1400", "2012-01-01 09:00 +1400",
    ]  # fmt: skip


def test_hours_over_midnight_belong_to_the_day_they_began() -> None:
    rule = schedule("every 2 hours between 22 and 4 on friday")
    slots = upcoming(rule, at("2026-11-30 12:00"), BERLIN, 5)
    assert shown(slots) == [
        "2026-12-04 22:00 +0100", "2026-12-05 00:00 +0100", "2026-12-05 02:00 +0100",
        "2026-12-05 04:00 +0100", "2026-12-11 22:00 +0100",
    ]  # fmt: skip
    hours = ActiveHours(start=1320, end=240, weekdays=(5,))
    walk = [one for one in range(at("2026-12-04 00:00"), at("2026-12-06 00:00"), 1800)]
    inside = [one for one in walk if is_active(hours, one, BERLIN)]
    assert (inside[0], inside[-1]) == (at("2026-12-04 22:00"), at("2026-12-05 04:00"))


def test_active_hours_hold_back_an_interval() -> None:
    rule = Schedule(Every(3600, at("2026-12-04 12:30")), "", ActiveHours(540, 1020, (1, 2, 3, 4, 5)))
    slots = upcoming(rule, at("2026-12-04 15:00"), BERLIN, 4)
    assert shown(slots) == [
        "2026-12-04 15:30 +0100", "2026-12-04 16:30 +0100", "2026-12-07 09:30 +0100",
        "2026-12-07 10:30 +0100",
    ]  # fmt: skip
    never = Schedule(Every(86_400, at("2026-12-04 12:30")), "", ActiveHours(0, 60))
    assert next_slot(never, at("2026-12-04 12:30"), ZoneInfo("UTC")) is None


def test_the_second_of_two_equal_times_is_told_with_its_offset() -> None:
    place = ZoneInfo("America/New_York")
    rule = schedule("0 * * * *", zone=place)
    assert echo(rule, at("2026-11-01 01:30", place), place).endswith("next: Sun 1 Nov 2026 01:00-0500.")


@pytest.mark.parametrize("name", ["Mars/Base", "", "../etc/passwd", "Europe", "europe/nowhere", "A" * 300])
def test_unknown_zones(name: str) -> None:
    with pytest.raises(RoutineError) as caught:
        zone_of(name)
    assert (caught.value.code, caught.value.problem.fields["zone"]) == ("bad_zone", name)

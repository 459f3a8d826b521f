"""Plain cron is that of everybody: weekdays from Sunday, either day field, against cronsim slot by slot."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from cronsim import CronSim, CronSimError

from app.errors import RoutineError
from app.routine_records import Calendar, OnEvent, Schedule
from app.routines.cron import read_cron
from app.routines.schedule import count_slots, next_slot, previous_slot, slots_between, upcoming
from tests.routines.conftest import BERLIN, at, schedule, shown

ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Chatham")
NAMES = {
    3: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"],
    4: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"],
}
BOUNDS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))


def _part(dice: random.Random, field: int) -> str:
    low, high = BOUNDS[field]
    first = dice.randint(low, high)
    first = min(first, high - 1)  # cronsim takes 48-48/9 for 48/9; cron does not
    last = dice.randint(first + 1, high)
    names = NAMES.get(field)
    named = names[first - low] if names and first - low < len(names) else str(first)
    special = {2: ["L", "LW"], 4: [f"{first}L", f"{first}#{dice.randint(1, 5)}"]}.get(field, [named])
    stepped = f"{first}-{last}/{dice.randint(1, 9)}"
    return dice.choices(
        [str(first), named, f"{first}-{last}", f"*/{dice.randint(1, high)}", stepped,
         f"{first}/{dice.randint(1, 20)}", dice.choice(special)],
        weights=(6, 2, 3, 2, 2, 1, 1),
    )[0]  # fmt: skip


def _expression(dice: random.Random) -> str:
    fields = []
    for field in range(5):
        if dice.random() < (0.25, 0.35, 0.6, 0.7, 0.6)[field]:
            fields.append("*")
        else:
            fields.append(",".join(_part(dice, field) for _ in range(dice.choice((1, 1, 1, 2, 3)))))
    return " ".join(fields)


def _theirs(text: str, begin: int, zone: ZoneInfo, count: int) -> list[int]:
    """Return what cronsim says, each instant once: it may tell of several left-out times at one minute."""
    found: list[int] = []
    for slot in CronSim(text, datetime.fromtimestamp(begin, zone)):
        instant = int(slot.timestamp())
        if instant > begin and instant not in found[-1:]:
            found.append(instant)
        if len(found) == count:
            break
    return found


@pytest.mark.proof("cron-cronsim", small=1_500, full=40_000)
def test_random_expressions_against_cronsim(count: int, seed: int) -> None:
    dice = random.Random(seed)
    compared = 0
    for _ in range(count):
        text, zone = _expression(dice), ZoneInfo(dice.choice(("UTC", "Europe/Berlin", "America/New_York")))
        begin = dice.randrange(at("2026-01-01 00:00"), at("2028-01-01 00:00"), 60)
        try:
            theirs = _theirs(text, begin, zone, 6)
        except CronSimError:
            theirs = []
        ours = upcoming(Schedule(read_cron(text), text), begin, zone, len(theirs) or 1)
        assert ours == theirs, f"{text} in {zone.key} from {begin}: {shown(ours, zone)} {shown(theirs, zone)}"
        compared += len(ours)
    assert compared > count


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York"])
def test_the_nights_of_the_clock_changes_against_cronsim(zone: str) -> None:
    place = ZoneInfo(zone)
    texts = ["30 2 * * *", "30 1 * * *", "0 * * * *", "*/20 * * * *", "15,45 1-3 * * *", "0 */2 * * *",
             "* 2 * * *", "5 */3 * * *", "0 0-4 * * SUN", "10 2 * * 1-6", "0 3 * * *"]  # fmt: skip
    for change in _changes(place, 2026, 2028):
        for text in texts:
            begin = change - 30 * 3600
            theirs = _theirs(text, begin, place, 60)
            assert upcoming(schedule(text, begin, place), begin, place, 60) == theirs, (text, zone, change)


def _changes(zone: ZoneInfo, first: int, last: int) -> list[int]:
    """Return the hours in which the offset changes, found without the code under test."""
    moment, end = datetime(first, 1, 1, tzinfo=UTC), datetime(last, 1, 1, tzinfo=UTC)
    found = []
    while moment < end:
        after = moment + timedelta(hours=1)
        if moment.astimezone(zone).utcoffset() != after.astimezone(zone).utcoffset():
            found.append(int(after.timestamp()))
        moment = after
    return found


@pytest.mark.parametrize(
    ("field", "days"),
    [("1", "Mon"), ("0", "Sun"), ("7", "Sun"), ("SUN", "Sun"), ("1-5", "Mon Tue Wed Thu Fri"),
     ("MON-FRI", "Mon Tue Wed Thu Fri"), ("2", "Tue"), ("3", "Wed"), ("4", "Thu"), ("5", "Fri"), ("6", "Sat"),
     ("5-7", "Fri Sat Sun"), ("sat,sun", "Sat Sun"), ("0-7", "Mon Tue Wed Thu Fri Sat Sun")],
)  # fmt: skip
def test_weekday_numbers_c1(field: str, days: str) -> None:
    slots = upcoming(schedule(f"0 9 * * {field}"), at("2026-11-30 00:00"), BERLIN, 7)
    found = [datetime.fromtimestamp(one, BERLIN) for one in slots]
    assert sorted({f"{one:%u%a}" for one in found}) == sorted(
        f"{1 + ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].index(day)}{day}" for day in days.split()
    )
    assert {f"{one:%H:%M}" for one in found} == {"09:00"}


def test_weekdays_keep_nine_over_a_clock_change_c2() -> None:
    rule = schedule("0 9 * * 1-5")
    for base, right in (
        ("2026-10-23 09:00", "2026-10-26 09:00 +0100"),
        ("2027-03-26 09:00", "2027-03-29 09:00 +0200"),
    ):
        assert shown(upcoming(rule, at(base), BERLIN, 1)) == [right]


def test_day_of_month_or_weekday() -> None:
    slots = upcoming(schedule("0 0 13 * FRI"), at("2026-11-30 12:00"), BERLIN, 5)
    assert [one[:10] for one in shown(slots)] == [
        "2026-12-04", "2026-12-11", "2026-12-13", "2026-12-18", "2026-12-25",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("nickname", "plain"),
    [("@hourly", "0 * * * *"), ("@daily", "0 0 * * *"), ("@midnight", "0 0 * * *"), ("@weekly", "0 0 * * 0"),
     ("@monthly", "0 0 1 * *"), ("@yearly", "0 0 1 1 *"), ("@Annually", "0 0 1 1 *")],
)  # fmt: skip
def test_nicknames(nickname: str, plain: str) -> None:
    assert read_cron(nickname) == read_cron(plain)
    assert read_cron("@reboot") == OnEvent("startup")


@pytest.mark.parametrize(
    ("text", "field", "part"),
    [("60 9 * * *", "minute", "60"), ("0 24 * * *", "hour", "24"), ("0 9 0 * *", "day of the month", "0"),
     ("0 9 * 13 *", "month", "13"), ("0 9 * * 8", "weekday", "8"), ("0 9 * * 5-1", "weekday", "5-1"),
     ("*/0 * * * *", "minute", "*/0"), ("0 9 * *", "number of fields", "0 9 * *"),
     ("0 0 9 * * *", "number of fields", "0 0 9 * * *"), ("0 9 * * 1#6", "weekday", "1#6"),
     ("@fortnightly", "nickname", "@fortnightly"), ("0 9 ,1 * *", "day of the month", "")],
)  # fmt: skip
def test_bad_cron_names_the_field(text: str, field: str, part: str) -> None:
    with pytest.raises(RoutineError) as caught:
        schedule(text)
    assert (caught.value.code, caught.value.problem.fields["field"]) == ("bad_cron", field)
    assert caught.value.problem.fields["part"] == part


def test_a_day_that_never_comes() -> None:
    for text in ("0 0 30 2 *", "0 0 31 4,6 *"):
        with pytest.raises(RoutineError) as caught:
            schedule(text)
        assert caught.value.code == "schedule_never"
    leap = upcoming(schedule("0 0 29 2 */7"), at("2026-11-30 12:00"), BERLIN, 1)
    assert shown(leap) == ["2032-02-29 00:00 +0100"], "a Sunday, 28 years apart"


@pytest.mark.proof("slots-directions", small=80, full=5_000)
def test_back_and_count_agree_with_forwards(count: int, seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(count):
        rule = read_cron(_expression(dice))
        assert isinstance(rule, Calendar)
        zone = ZoneInfo(dice.choice(ZONES))
        begin = dice.randrange(at("2026-01-01 00:00"), at("2028-01-01 00:00"))
        end = begin + dice.randrange(1, 4 * 86_400)
        made = Schedule(rule, "")
        walked = list(slots_between(made, begin, end, zone))
        assert walked == sorted(set(walked))
        assert count_slots(made, begin, end, zone) == len(walked), (rule, zone.key, begin, end)
        if walked:
            assert previous_slot(made, end, zone) == walked[-1]
            assert next_slot(made, walked[-1] - 1, zone) == walked[-1]

"""Plain words: what they mean, that they are said back, and which part of them cannot be read."""

from __future__ import annotations

import random
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies

from app.errors import RoutineError
from app.routine_records import Every, OnEvent
from app.routines.reading import read
from app.routines.schedule import upcoming
from app.routines.telling import echo, phrase
from tests.routines.conftest import BERLIN, at, schedule, shown

NOW = at("2026-11-30 12:00")  # a Monday

MEANS = {
    "every weekday at 7:30": ("Every weekday at 07:30", "12-01 07:30, 12-02 07:30"),
    "Every Weekday At 7.30": ("Every weekday at 07:30", "12-01 07:30, 12-02 07:30"),
    "weekdays at 9am": ("Every weekday at 09:00", "12-01 09:00, 12-02 09:00"),
    "from monday to friday at 8:15": ("Every weekday at 08:15", "12-01 08:15, 12-02 08:15"),
    "every monday 9am": ("Every Monday at 09:00", "12-07 09:00, 12-14 09:00"),
    "monday, wednesday at 9am": ("Every Monday and Wednesday at 09:00", "12-02 09:00, 12-07 09:00"),
    "weekends at 10": ("Every Saturday and Sunday at 10:00", "12-05 10:00, 12-06 10:00"),
    "every day except sunday at 10": ("Every day except Sunday at 10:00", "12-01 10:00, 12-02 10:00"),
    "every day at 9, 12:30 and 5pm": ("Every day at 09:00, 12:30 and 17:00", "11-30 12:30, 11-30 17:00"),
    "every day at half past seven": ("Every day at 07:30", "12-01 07:30, 12-02 07:30"),
    "every evening at 7": ("Every day at 19:00", "11-30 19:00, 12-01 19:00"),
    "every night at 11": ("Every day at 23:00", "11-30 23:00, 12-01 23:00"),
    "daily at midnight": ("Every day at 00:00", "12-01 00:00, 12-02 00:00"),
    "every friday at 5 in the afternoon": ("Every Friday at 17:00", "12-04 17:00, 12-11 17:00"),
    "once a week on friday at 17": ("Every Friday at 17:00", "12-04 17:00, 12-11 17:00"),
    "every 2 hours between 9 and 17": ("Every 2 hours between 09:00 and 17:00", "11-30 13:00, 11-30 15:00"),
    "every 30 minutes between 9 and 17 on weekdays": (
        "Every 30 minutes between 09:00 and 17:00 on weekdays",
        "11-30 12:30, 11-30 13:00",
    ),
    "every 45 minutes from 22 to 6": ("Every 45 minutes between 22:00 and 05:30", "11-30 22:00, 11-30 22:45"),
    "every hour at :15": ("Every hour at 15 past", "11-30 12:15, 11-30 13:15"),
    "every 15 minutes on the clock": ("Every 15 minutes on the clock", "11-30 12:15, 11-30 12:30"),
    "on the first Monday of the month at 9": (
        "On the first Monday of the month at 09:00",
        "12-07 09:00, 01-04 09:00",
    ),
    "first and third tuesday of the month at 14:00": (
        "On the first and third Tuesday of the month at 14:00",
        "12-01 14:00, 12-15 14:00",
    ),
    "last friday of the month at 4 pm": (
        "On the last Friday of the month at 16:00",
        "12-25 16:00, 01-29 16:00",
    ),
    "last day of the month at 17:30": ("On the last day of the month at 17:30", "11-30 17:30, 12-31 17:30"),
    "last working day of the month at 5pm": (
        "On the last working day of the month at 17:00",
        "11-30 17:00, 12-31 17:00",
    ),
    "2nd working day of the month at 9": (
        "On the 2nd working day of the month at 09:00",
        "12-02 09:00, 01-04 09:00",
    ),
    "on the 1st and 15th at 9": ("On the 1st and 15th of the month at 09:00", "12-01 09:00, 12-15 09:00"),
    "every month on the 31st at 9": ("On the 31st of the month at 09:00", "12-31 09:00, 01-31 09:00"),
    "every quarter at 9": (
        "On the 1st of the month in January, April, July and October at 09:00",
        "01-01 09:00, 04-01 09:00",
    ),
    "every 5th of january at 9": ("Every year on 5 January at 09:00", "01-05 09:00, 01-05 09:00"),
    "every other day at 8": ("Every 2 days at 08:00", "12-01 08:00, 12-03 08:00"),
    "every 3 days at 18:00": ("Every 3 days at 18:00", "11-30 18:00, 12-03 18:00"),
    "every other monday at 10": ("Every 2 weeks on Monday at 10:00", "12-07 10:00, 12-21 10:00"),
    "every two weeks on monday at 9": ("Every 2 weeks on Monday at 09:00", "12-07 09:00, 12-21 09:00"),
    "every 6 months on the 1st at 9": (
        "Every 6 months on the 1st of the month at 09:00",
        "12-01 09:00, 06-01 09:00",
    ),
    "every 2h": ("Every 2 hours", "11-30 14:00, 11-30 16:00"),
    "every half hour": ("Every 30 minutes", "11-30 12:30, 11-30 13:00"),
    "every 1.5 hours": ("Every 90 minutes", "11-30 13:30, 11-30 15:00"),
    "every hour on weekdays": ("Every hour on weekdays", "11-30 13:00, 11-30 14:00"),
    "tomorrow at noon": ("Once, on 2026-12-01 at 12:00", "12-01 12:00"),
    "tomorrow at 7 in the evening": ("Once, on 2026-12-01 at 19:00", "12-01 19:00"),
    "tonight at 8": ("Once, on 2026-11-30 at 20:00", "11-30 20:00"),
    "in 20 minutes": ("Once, on 2026-11-30 at 12:20", "11-30 12:20"),
    "in 2 hours and 5 minutes": ("Once, on 2026-11-30 at 14:05", "11-30 14:05"),
    "24.12.2026 18:00": ("Once, on 2026-12-24 at 18:00", "12-24 18:00"),
    "12/24/2026 at 6pm": ("Once, on 2026-12-24 at 18:00", "12-24 18:00"),
    "day after tomorrow at 9": ("Once, on 2026-12-02 at 09:00", "12-02 09:00"),
    "every 2 hours 30 minutes": ("Every 150 minutes", "11-30 14:30, 11-30 17:00"),
    "every 1h30m": ("Every 90 minutes", "11-30 13:30, 11-30 15:00"),
    "in 3 days at 9": ("Once, on 2026-12-03 at 09:00", "12-03 09:00"),
    "next friday at 10": ("Once, on 2026-12-04 at 10:00", "12-04 10:00"),
    "2027-03-01T09:00": ("Once, on 2027-03-01 at 09:00", "03-01 09:00"),
    "Jan 5 2027 9am": ("Once, on 2027-01-05 at 09:00", "01-05 09:00"),
    "the 29th of february at 9": ("Once, on 2028-02-29 at 09:00", "02-29 09:00"),
}


@pytest.mark.parametrize("text", MEANS)
def test_words_mean_what_is_said_back(text: str) -> None:
    sentence, times = MEANS[text]
    made = schedule(text, NOW)
    assert phrase(made, BERLIN) == sentence
    assert [one[5:16] for one in shown(upcoming(made, NOW, BERLIN, 2))] == times.split(", ")
    again = upcoming(schedule(sentence, NOW), NOW, BERLIN, 40)
    assert again == upcoming(made, NOW, BERLIN, 40), "the sentence itself means the same"


def test_the_echo_names_zone_and_next_time() -> None:
    made = schedule("every weekday at 7:30", NOW)
    assert echo(made, NOW, BERLIN) == "Every weekday at 07:30 (Europe/Berlin), next: Tue 1 Dec 2026 07:30."
    once = schedule("in 20 minutes", NOW)
    assert echo(once, NOW + 3600, BERLIN).endswith("(Europe/Berlin), over, no time is left.")
    assert echo(schedule("at startup", NOW), NOW, BERLIN) == "At start-up."


@pytest.mark.parametrize(
    "text", ["every 3 days", "every week", "every month", "on monday", "last day of the month"]
)
def test_nine_is_taken_and_told_where_no_time_is_named(text: str) -> None:
    found = read(text, NOW, BERLIN)
    assert found.assumed and " at 09:00" in phrase(found.schedule, BERLIN)
    assert not read(f"{text} at 9", NOW, BERLIN).assumed


def test_a_zone_in_the_words() -> None:
    found = read("every day at 9 America/New_York", NOW, BERLIN)
    place = ZoneInfo(found.zone)
    assert shown(upcoming(found.schedule, NOW, place, 1), place) == ["2026-11-30 09:00 -0500"]
    assert read("every day at 9:30 UTC", NOW, BERLIN).zone == "UTC"
    assert read("every day at 9", NOW, BERLIN).zone == ""


def test_an_interval_may_start_at_a_time() -> None:
    made = schedule("every 4 hours starting at 8", NOW)
    assert made.rule == Every(14_400, at("2026-12-01 04:00"))
    assert isinstance(schedule("when bramble starts", NOW).rule, OnEvent)


def test_in_some_days_is_the_same_time_over_a_clock_change() -> None:
    now = at("2026-10-24 12:00:30")
    for text, right in (
        ("in 3 days", "2026-10-27 12:00 +0100"),
        ("in a week and 2 hours", "2026-10-31 14:00 +0100"),
        ("in 24 hours", "2026-10-25 11:00 +0100"),
    ):
        assert shown(upcoming(schedule(text, now), now, BERLIN, 1)) == [right]


BAD = {
    "": ("schedule_unreadable", ""),
    "banana": ("schedule_unreadable", "banana"),
    "summarise the 9am standup": ("schedule_unreadable", "summarise the"),  # C6
    "escalate within 9 hours": ("schedule_unreadable", "escalate within 9 hours"),  # C6
    "every day at 9 until christmas": ("schedule_unreadable", "until christmas"),
    "every day at 25:00": ("schedule_unreadable", "25:00"),
    "every day at 13pm": ("schedule_unreadable", "13pm"),
    "every 0 minutes": ("schedule_unreadable", "every 0 minutes"),
    "at 9": ("schedule_ambiguous", "at 9"),
    "every second monday at 10": ("schedule_ambiguous", "every 2nd monday"),
    "biweekly on monday": ("schedule_ambiguous", "biweekly"),
    "01/02/2027 at 9": ("schedule_ambiguous", "01/02/2027"),
    "every 45 minutes between 9 and 5": ("schedule_ambiguous", "between 9 and 5"),
    "every 45 minutes between 1 and 5pm": ("schedule_ambiguous", "between 1 and 5pm"),
    "every monday at 9 and tuesday at 10": ("schedule_ambiguous", "every monday at 9 and tuesday at 10"),
    "every night at 12": ("schedule_ambiguous", "12"),
    "every morning": ("schedule_no_time", "every morning"),
    "tonight": ("schedule_no_time", "tonight"),
    "every day between 9 and 17": ("schedule_no_time", "every day between 9 and 17"),
    "today at 11:00": ("schedule_past", "today at 11:00"),
    "2020-03-01 09:00": ("schedule_past", "2020-03-01 09:00"),
    "30 february at 9": ("schedule_never", "30 February"),
    "every 30 february at 9": ("schedule_never", "every 30 february at 9"),
    "on the 32nd at 9": ("schedule_never", "on the 32nd"),
    "on the 2027-02-29 at 9": ("schedule_never", "29 February 2027"),
    "every 30 seconds": ("schedule_too_often", "every 30 seconds"),
}


@pytest.mark.parametrize("text", BAD)
def test_what_cannot_be_read_is_named(text: str) -> None:
    code, part = BAD[text]
    with pytest.raises(RoutineError) as caught:
        schedule(text, NOW)
    assert (caught.value.code, caught.value.problem.fields["part"]) == (code, part)
    if code == "schedule_ambiguous":
        assert {"one", "other"} <= caught.value.problem.fields.keys()


def test_both_readings_of_an_ambiguous_schedule_can_be_read() -> None:
    for text in ("at 9", "every second monday at 10"):
        with pytest.raises(RoutineError) as caught:
            schedule(text, NOW)
        for side in ("one", "other"):
            assert upcoming(schedule(caught.value.problem.fields[side], NOW), NOW, BERLIN, 2)


PIECES = [
    "every",
    "day",
    "at",
    "9",
    "17",
    "and",
    "on",
    "the",
    "first",
    "monday",
    "of",
    "month",
    "in",
    "20",
    "minutes",
    "hours",
    "between",
    "tomorrow",
    ":",
    "-",
    "last",
    "31st",
    "january",
    "weekday",
    "except",
    "noon",
    "pm",
    "0",
    "99",
    "*",
    "/",
    "L",
    "@daily",
    "2027-13-45",
    "1/2/3",
    "٣",
    "²",
    "next",
    "week",
]


@given(
    strategies.text(max_size=60) | strategies.lists(strategies.sampled_from(PIECES), max_size=9).map(" ".join)
)
def test_any_text_is_a_schedule_or_a_typed_error(text: str) -> None:
    try:
        made = read(text, NOW, BERLIN)
    except RoutineError as error:
        assert str(error)
        return
    assert echo(made.schedule, NOW, BERLIN)


@pytest.mark.proof("words-back", small=400, full=20_000)
def test_sentences_of_random_schedules_mean_the_same(count: int, seed: int) -> None:
    """Whatever words say, the sentence that is told back has the same times."""
    dice = random.Random(seed)
    day = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    for _ in range(count):
        hour, minute = dice.randrange(24), dice.choice((0, 5, 30, 59))
        first, other = dice.sample(day, 2)
        time, later = f"{hour}:{minute:02}", f"{(hour + 3) % 24}:{minute:02}"
        number = dice.choice(("1st", "2nd", "third", "fourth", "last"))
        text = dice.choice((
            f"every {first} and {other} at {time}",
            f"every day at {time} and {later}",
            f"every {dice.randint(2, 40)} days at {time}",
            f"every {dice.choice((5, 10, 15, 20, 30))} minutes between {time} and {later}",
            f"on the {number} {first} of the month at {time}",
            f"on the {dice.randint(4, 20)}th and {dice.randint(24, 30)}th of the month at {time}",
            f"every {dice.randint(2, 9)} weeks on {first} at {time}",
            f"{first} to {other} at {time}",
            f"every {dice.randint(2, 300)} minutes",
            f"every hour at :{dice.randrange(60):02}",
        ))  # fmt: skip
        now = dice.randrange(at("2026-01-01 00:00"), at("2028-01-01 00:00"), 60)
        made = schedule(text, now)
        sentence = phrase(made, BERLIN)
        assert upcoming(schedule(sentence, now), now, BERLIN, 12) == upcoming(made, now, BERLIN, 12), (
            text,
            sentence,
        )

"""The English words of time: numbers, weekdays, months and times of the day."""

from __future__ import annotations

import re

from app.errors import RoutineError

WEEKDAY_NAMES = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MONTH_NAMES = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
WEEKDAYS = {name[:3].lower(): number for number, name in enumerate(WEEKDAY_NAMES)}
MONTHS = {name[:3].lower(): number for number, name in enumerate(MONTH_NAMES, start=1)}
WEEKDAY = r"(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:days?)?\b"
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b"
)
ORDINAL = r"(?:1st|2nd|3rd|\d{1,2}th|last)"
AND = r"\s*(?:,\s*and\b|,|\band\b|&)\s*"
_PART_OF_DAY = r"(?:in the (?:morning|afternoon|evening)|at night)"
_CLOCK = rf"\d{{1,2}}(?:[:.]\d{{2}}|h\d{{2}}|h\b)?(?:\s*[ap]\.?m\b\.?)?(?:\s*o'?clock)?(?:\s+{_PART_OF_DAY})?"
_PAST = rf"(?:half|quarter)\s+(?:past|to)\s+\d{{1,2}}(?:\s*[ap]m\b)?(?:\s+{_PART_OF_DAY})?"
TIME = rf"(?:noon|midday|midnight|{_PAST}|{_CLOCK})"
CLEAR_TIME = (
    rf"(?:noon|midday|midnight|{_PAST}|\d{{1,2}}[:.]\d{{2}}(?:\s*[ap]\.?m\b\.?)?(?:\s+{_PART_OF_DAY})?"
    rf"|\d{{1,2}}\s*[ap]\.?m\b\.?|\d{{1,2}}\s*o'?clock|\d{{1,2}}h(?:\d{{2}})?\b|\d{{1,2}}\s+{_PART_OF_DAY})"
)
"""A time that is one without an "at" before it."""

_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth",
    "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
)  # fmt: skip
_NUMBERS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
    "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30,
    "forty": 40, "forty-five": 45, "fifty": 50, "sixty": 60, "ninety": 90,
}  # fmt: skip
_SUFFIX = {1: "st", 2: "nd", 3: "rd"}


def plain(text: str) -> str:
    """Return the words in small letters, with numbers as digits and one space between words."""
    text = text.lower().replace("\u2019", "'").replace("\u2013", "-").replace("\u2014", "-")
    text = re.sub(r"[\s\u00a0\u202f]+", " ", text).strip(" .!;")
    text = re.sub(r"\bhalf(?: an)? hours?\b", "30 minutes", text)
    for name, number in sorted(_NUMBERS.items(), key=lambda one: -len(one[0])):
        text = re.sub(rf"(?<![\w-]){name}(?![\w-])", str(number), text)
    for number, name in enumerate(_ORDINALS, start=1):
        text = re.sub(rf"\b{name}\b", f"{number}{_SUFFIX.get(number, 'th')}", text)
    return text


def weekday_number(name: str) -> int:
    """Return the number of a weekday's name in any of its forms, 0 is Sunday."""
    return WEEKDAYS[name[:3]]


def month_number(name: str) -> int:
    """Return the number of a month's name in any of its forms."""
    return MONTHS[name[:3]]


def ordinal(text: str) -> int:
    """Return the number of "3rd"; -1 for "last"."""
    return -1 if text == "last" else int(re.sub(r"\D", "", text))


def minutes_of(text: str, part_of_day: str = "") -> int:
    """Return the minutes after midnight of a time. `part_of_day` is said elsewhere ("every evening at 7").

    Raises RoutineError for a time that no clock shows, or that can be read in two ways.
    """
    text = text.strip()
    if text in ("noon", "midday"):
        return 720
    if text == "midnight":
        return 0
    said = re.search(r"\b(morning|afternoon|evening|night)\b", text)
    part_of_day = said[1] if said else part_of_day
    half = re.match(r"(half|quarter)\s+(past|to)\s+(\d{1,2})", text)
    if half:
        hour, minute = int(half[3]), {"half": 30, "quarter": 15}[half[1]]
        hour, minute = (hour, minute) if half[2] == "past" else (hour - 1, 60 - minute)
    else:
        numbers = re.findall(r"\d+", text)
        hour, minute = int(numbers[0]), int(numbers[1]) if len(numbers) > 1 else 0
    noon = re.search(r"([ap])\.?m", text)
    if minute > 59 or hour > (12 if noon else 24) or (noon and hour == 0) or (hour == 24 and minute):
        raise RoutineError("schedule_unreadable", f"no clock shows {text!r}", part=text)
    if noon:
        return (hour % 12 + (12 if noon[1] == "p" else 0)) * 60 + minute
    return _by_part_of_day(hour % 24, part_of_day, text) * 60 + minute


def _by_part_of_day(hour: int, part: str, text: str) -> int:
    if part == "morning" and hour >= 12:
        raise unclear(text, f"{hour - 12}:00" if hour > 12 else "0:00", f"{hour}:00")
    if part == "afternoon" and 1 <= hour < 12:
        return hour + 12
    if part == "evening" and 1 <= hour < 12:
        return hour + 12
    if part == "night":
        if hour == 12:
            raise unclear(text, "0:00", "12:00")
        return hour + 12 if 6 <= hour < 12 else hour
    return hour


def unclear(part: str, one: str, other: str) -> RoutineError:
    """Return the error of words that can be read in two ways, with both."""
    return RoutineError(
        "schedule_ambiguous", f"{part!r} may mean {one!r} or {other!r}", part=part, one=one, other=other
    )

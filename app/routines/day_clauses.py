"""Take days, dates and months out of the words of a schedule."""

from __future__ import annotations

import re

from app.errors import RoutineError
from app.routines.clauses import Clauses, Found
from app.routines.words import AND, MONTH, ORDINAL, WEEKDAY, month_number, ordinal, unclear, weekday_number


def take_numbered(clauses: Clauses, found: Found) -> None:
    """Take "on the first Monday of the month", "the last working day of June"."""
    said = clauses.take(
        r"(?P<every>\b(?:every|each)\s+)?(?:\b(?:on |the |on the )+)?"
        rf"(?P<list>{ORDINAL}(?:(?:{AND})(?:the )?{ORDINAL})*)\s+"
        rf"(?P<day>{WEEKDAY}|(?:working |business |week)days?\b|days?\b)"
        r"(?P<of>\s+(?:of|in)\s+(?:(?:the|each|every|a)\s+)?"
        rf"(?P<what>months?\b|quarter\b|year\b|{MONTH}(?:(?:{AND}){MONTH})*))?"
    )
    if said is None:
        return
    numbers = [ordinal(part) for part in re.findall(ORDINAL, said["list"])]
    if said["every"] and not said["of"] and numbers != [-1]:
        _every_nth(said, numbers, found)
        return
    _of_what(said["what"] or "month", numbers, found)
    found.day_groups += 1
    if re.fullmatch(r"days?", said["day"]):
        found.month_days += tuple(numbers)
    elif not said["day"].startswith(("working", "business", "week")):
        if any(number > 5 for number in numbers):
            raise RoutineError("schedule_never", f"no month has it: {said[0]}", part=said[0].strip())
        found.nth += tuple((weekday_number(said["day"]), number) for number in numbers)
    else:
        found.working += tuple(numbers)


def _every_nth(said: re.Match[str], numbers: list[int], found: Found) -> None:
    """Read "every 3rd day"; "every second Monday" has two meanings."""
    if re.fullmatch(r"days?", said["day"]) and len(numbers) == 1:
        found.every = (float(numbers[0]), "day")
        return
    name = said["day"]
    raise unclear(said[0].strip(), f"every other {name}", f"on the {said['list']} {name} of the month")


def _of_what(what: str, numbers: list[int], found: Found) -> None:
    last = numbers == [-1]
    if what == "quarter":
        found.months = (3, 6, 9, 12) if last else (1, 4, 7, 10)
    elif what == "year":
        found.months = (12,) if last else (1,)
    elif not what.startswith("month"):
        found.months = tuple(sorted({month_number(name) for name in re.findall(MONTH, what)}))


def take_dates(clauses: Clauses, found: Found) -> None:
    """Take a date: 2027-03-01, "5 January", and every year "every 5 January"."""
    iso = clauses.take(r"\b(?:on )?(\d{4})-(\d{2})-(\d{2})(?:t(?=\d))?")
    if iso:
        found.dates.append((int(iso[1]), int(iso[2]), int(iso[3])))
    _take_numeric_date(clauses, found)
    repeated = r"(?P<every>\b(?:every|each)\s+)?(?:\bon )?(?:the )?"
    said = clauses.take(
        rf"{repeated}\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of )?(?P<month>{MONTH})"
        r"(?:,?\s+(?P<year>\d{4})\b)?"
    ) or clauses.take(
        rf"{repeated}\b(?P<month>{MONTH})\s+(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.]\d|\s*[ap]m)"
        r"(?:,?\s+(?P<year>\d{4})\b)?"
    )
    if said is None:
        return
    month, day = month_number(said["month"]), int(said["day"])
    yearly = bool(said["every"]) or (found.every is not None and found.every[1] == "year")
    if yearly and not said["year"]:
        found.months, found.month_days = (month,), (day,)
        _check_month_days([day], said[0])
    else:
        found.dates.append((int(said["year"] or 0), month, day))


def _take_numeric_date(clauses: Clauses, found: Found) -> None:
    """Take 24.12.2026 or 12/24/2026; where day and month may change places, it is not guessed."""
    said = clauses.take(r"\b(?:on )?(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b")
    if said is None:
        return
    one, other, year = int(said[1]), int(said[2]), int(said[3])
    if one <= 12 and other <= 12 and one != other:
        raise unclear(said[0], f"{year}-{one:02}-{other:02}", f"{year}-{other:02}-{one:02}")
    month, day = (other, one) if one > 12 else (one, other)
    found.dates.append((year, month, day))


def take_month_days(clauses: Clauses, found: Found) -> None:
    """Take "on the 1st and 15th"."""
    number = r"\d{1,2}(?:st|nd|rd|th)"
    of = r"(?:\s+(?:day )?of (?:the|each|every) months?)?"
    said = clauses.take(
        rf"(?:\b(?:every|each|on|the)\s+)*({number}(?:(?:{AND})(?:the )?{number})*"
        rf"(?:(?:{AND})(?:the )?last)?)\b{of}"
    ) or clauses.take(rf"\b(?:on )?days?\s+(\d{{1,2}}(?:(?:{AND})\d{{1,2}})*)\b{of}")
    if said is None:
        return
    days = [int(number) for number in re.findall(r"\d+", said[1])] + [-1] * ("last" in said[1])
    _check_month_days(days, said[0])
    found.month_days += tuple(days)
    found.day_groups += 1


def _check_month_days(days: list[int], part: str) -> None:
    if any(not 1 <= day <= 31 and day != -1 for day in days):
        raise RoutineError("schedule_never", f"no month has such a day: {part.strip()}", part=part.strip())


_GROUPS = {"weekday": (1, 2, 3, 4, 5), "weekend": (0, 6)}


def take_weekdays(clauses: Clauses, found: Found) -> None:
    """Take "every weekday", "Monday to Friday", "except Sunday"."""
    day = rf"(?:{WEEKDAY}|weekends?)"
    without = clauses.take(
        rf"\b(?:except|but not|apart from|excluding)(?: for)?(?: on)?\s+({day}(?:(?:{AND}){day})*)"
    )
    days: set[int] = set()
    while True:
        said = clauses.take(
            rf"(?:\b(?:every|each|on|from)\s+)*\b({WEEKDAY})\s*(?:-|to|through|until)\s*({WEEKDAY})"
        )
        if said is None:
            break
        first, last = weekday_number(said[1]), weekday_number(said[2])
        days |= {(first + on) % 7 for on in range((last - first) % 7 + 1)}
    while True:
        said = clauses.take(
            rf"(?:\b(?:every|each|on)\s+)*\b({WEEKDAY}|weekdays?\b|(?:working|business|work) ?days?\b"
            r"|weekend(?:s| days?)?\b)"
            r"(?:\s*(?:mornings?|evenings?|afternoons?|nights?)\b)?"
        )
        if said is None:
            break
        found.day_groups += 1
        found.part_of_day = _part_of(said[0]) or found.part_of_day
        name = "weekend" if said[1].startswith("weekend") else "weekday"
        plain = re.fullmatch(WEEKDAY, said[1])
        days |= {weekday_number(said[1])} if plain else set(_GROUPS[name])
    if without:
        named = re.findall(rf"{WEEKDAY}|weekend", without[1])
        gone = {
            day
            for name in named
            for day in (_GROUPS["weekend"] if name == "weekend" else (weekday_number(name),))
        }
        days = (days or set(range(7))) - gone
        if not days:
            raise RoutineError("schedule_never", "no day is left", part=without[0])
    found.weekdays = tuple(sorted(days))


def _part_of(text: str) -> str:
    said = re.search(r"\b(morning|afternoon|evening|night)", text)
    return said[1] if said else ""


def take_months(clauses: Clauses, found: Found) -> None:
    """Take "in January and July"."""
    said = clauses.take(rf"(?:\b(?:every|each|in|during|of)\s+)*({MONTH}(?:(?:{AND}){MONTH})*)")
    if said:
        found.months = tuple(sorted({month_number(name) for name in re.findall(MONTH, said[1])}))


def take_relative(clauses: Clauses, found: Found) -> None:
    """Take "tomorrow", "in 3 days", "next Friday"."""
    part = r"(?:\s+(morning|afternoon|evening|night))?\b"
    if clauses.take(r"\b(?:on )?(?:the )?day after tomorrow\b"):
        found.from_today = 2
        return
    said = clauses.take(rf"\b(today|tomorrow|tonight|this (?=morning|afternoon|evening)){part}")
    if said:
        found.from_today = int(said[1] == "tomorrow")
        found.part_of_day = "evening" if said[1] == "tonight" else (said[2] or "")
        return
    ahead = clauses.take(r"\bin (\d+|a) (day|week)s?\b")
    if ahead:
        found.from_today = (1 if ahead[1] == "a" else int(ahead[1])) * (7 if ahead[2] == "week" else 1)
        return
    coming = clauses.take(rf"\b(?:on )?(?:next|this|the coming)\s+({WEEKDAY}){part}")
    if coming:
        found.coming = weekday_number(coming[1]) or 7
        found.part_of_day = coming[2] or ""

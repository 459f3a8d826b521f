"""Five-field cron as calendar rules: weekdays as everybody numbers them, day of month OR weekday.

The language is that of Debian's crontab(5) with `L`, `LW`, `5L` and `5#2` besides. As there, a job whose
minute or hour begins with `*` counts real time when the clocks change, and a day field that begins with `*`
must fit together with the other one instead of in its place.
"""

from __future__ import annotations

from app.errors import RoutineError
from app.routine_records import Calendar, OnEvent

NICKNAMES = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
_FIELDS = (
    ("minute", 0, 59),
    ("hour", 0, 23),
    ("day of the month", 1, 31),
    ("month", 1, 12),
    ("weekday", 0, 7),
)
_MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
_WEEKDAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]


def is_cron(text: str) -> bool:
    """Whether this is meant as cron: a nickname, or fields of which the first two are no words."""
    parts = text.split()
    if text.startswith("@"):
        return True
    return len(parts) >= 3 and all(part[0] in "*0123456789" for part in parts[:2]) and _plain(parts)


def _plain(parts: list[str]) -> bool:
    names = {*_MONTHS, *_WEEKDAYS, "L", "LW", "W", ""}
    for part in parts:
        for piece in part.upper().replace("/", ",").replace("-", ",").replace("#", ",").split(","):
            if piece.strip("*?0123456789") not in names:
                return False
    return True


def read_cron(text: str) -> Calendar | OnEvent:
    """Return what an expression says. Raises RoutineError bad_cron, which names the field."""
    text = text.strip()
    if text.lower() == "@reboot":
        return OnEvent("startup")
    if text.startswith("@") and text.lower() not in NICKNAMES:
        raise _bad(text, "nickname")
    parts = NICKNAMES.get(text.lower(), text).upper().split()
    if len(parts) != 5:
        raise _bad(text, "number of fields")
    minutes, hours = _numbers(parts[0], 0), _numbers(parts[1], 1)
    days, working = _month_days(parts[2])
    weekdays, nth = _week_days(parts[4])
    months = _numbers(parts[3], 3)
    starred = parts[2].startswith(("*", "?")) or parts[4].startswith(("*", "?"))
    if len(days) == 31 or (not starred and len(weekdays) == 7):
        days, working = (), ()  # every day
    if len(weekdays) == 7 or (not starred and not days and not working):
        weekdays, nth = (), ()
    return Calendar(
        times=tuple(hour * 60 + minute for hour in hours for minute in minutes),
        months=() if len(months) == 12 else months,
        days=days,
        working=working,
        weekdays=weekdays,
        nth=nth,
        either=not starred,
        elapsing=parts[0].startswith("*") or parts[1].startswith("*"),
    )


def _bad(part: str, field: str) -> RoutineError:
    return RoutineError("bad_cron", f"cron cannot read {part!r} as its {field}", part=part, field=field)


def _month_days(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the days of the month and the working days."""
    plain = [part for part in text.split(",") if part not in ("L", "LW")]
    days = set(_numbers(",".join(plain), 2)) if plain else set()
    if "L" in text.split(","):
        days.add(-1)
    return tuple(sorted(days)), (-1,) if "LW" in text.split(",") else ()


def _week_days(text: str) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
    """Return the weekdays, Sunday as 0, and the pairs of weekday and number in the month."""
    days, nth = set[int](), set[tuple[int, int]]()
    for part in text.split(","):
        name, mark, number = part.partition("#")
        if mark:
            if number not in ("1", "2", "3", "4", "5"):
                raise _bad(part, "weekday")
            nth.add((_number(name, 4, part) % 7, int(number)))
        elif len(part) > 1 and part.endswith("L"):
            nth.add((_number(part[:-1], 4, part) % 7, -1))
        else:
            days |= {number % 7 for number in _numbers(part, 4)}
    return tuple(sorted(days)), tuple(sorted(nth))


def _numbers(text: str, field: int) -> tuple[int, ...]:
    found: set[int] = set()
    for part in text.split(","):
        found |= set(_span(part, field))
    return tuple(sorted(found))


def _span(part: str, field: int) -> range:
    """Return the numbers of one entry: `*`, `5`, `1-5`, `*/2`, `1-9/3`, or `5/15` up to the end."""
    name, low, high = _FIELDS[field]
    body, slash, step_text = part.partition("/")
    step = 1
    if slash:
        if not (step_text.isascii() and step_text.isdecimal() and int(step_text)):
            raise _bad(part, name)
        step = int(step_text)
    if body == "*" or (body == "?" and field in (2, 4)):
        # Sunday has two numbers; as 7 it would shift what `*/2` names.
        return range(low, high + 1, step)
    first, dash, last = body.partition("-")
    begin = _number(first, field, part)
    end = _number(last, field, part) if dash else (high if slash else begin)
    if end < begin:
        raise _bad(part, name)
    return range(begin, end + 1, step)


def _number(text: str, field: int, part: str) -> int:
    name, low, high = _FIELDS[field]
    names = {3: (_MONTHS, 1), 4: (_WEEKDAYS, 0)}.get(field)
    if names and text in names[0]:
        return names[0].index(text) + names[1]
    if not (text.isascii() and text.isdecimal() and len(text) < 4 and low <= int(text) <= high):
        raise _bad(part, name)
    return int(text)

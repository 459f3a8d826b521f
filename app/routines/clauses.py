"""The clauses of a schedule in words: what is not understood yet, and what was found."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from zoneinfo import ZoneInfo

from app.errors import RoutineError
from app.routine_records import Calendar
from app.routines.clock import instant, on_the_wall
from app.routines.words import MONTH_NAMES, minutes_of

_FILLER = re.compile(r"[\s,;&]+|\b(?:and|at|on|the|in|of|time|o'clock|run)\b")
_MARK = " ; "


class Clauses:
    """The words that are not understood yet."""

    def __init__(self, text: str) -> None:
        self.text = text

    def take(self, pattern: str) -> re.Match[str] | None:
        """Take the first place that fits out of the words."""
        found = re.search(pattern, self.text)
        if found:
            self.text = self.text[: found.start()] + _MARK + self.text[found.end() :]
        return found

    def left(self) -> str:
        """Return the words that nobody took, without those that join others."""
        pieces = [_FILLER.sub(" ", piece).split() for piece in self.text.split(";")]
        if not any(pieces):
            return ""
        kept = max(self.text.split(";"), key=lambda piece: len(_FILLER.sub("", piece)))
        return " ".join(kept.split()).strip(", ")


@dataclass
class Found:
    """What the words said so far."""

    every: tuple[float, str] | None = None
    """Amount and unit (second, minute, hour, day, week, month, quarter, year)."""
    times: list[str] = field(default_factory=list)
    time_groups: int = 0
    day_groups: int = 0
    window: tuple[int, int] | None = None
    starting: int | None = None
    past_hour: int | None = None
    aligned: bool = False
    """Whether an interval begins at midnight ("on the clock")."""
    weekdays: tuple[int, ...] = ()
    nth: tuple[tuple[int, int], ...] = ()
    month_days: tuple[int, ...] = ()
    working: tuple[int, ...] = ()
    months: tuple[int, ...] = ()
    dates: list[tuple[int, int, int]] = field(default_factory=list)
    """Year (0 for the next one that fits), month and day."""
    from_today: int | None = None
    coming: int | None = None
    """The coming weekday, as `date.isoweekday` counts."""
    part_of_day: str = ""

    def read_times(self) -> list[int]:
        """Return the times of the day in minutes, ascending, each once."""
        return sorted({minutes_of(time, self.part_of_day) for time in self.times})

    def said_time(self) -> str:
        """Return the times as words for an error."""
        return "at " + " and ".join(f"{minutes // 60}:{minutes % 60:02}" for minutes in self.read_times())

    def names_days(self) -> bool:
        """Whether any day was named."""
        return bool(self.weekdays or self.nth or self.month_days or self.working or self.months)

    def day_fields(self) -> Calendar:
        """Return the named days as a rule without times."""
        return Calendar(
            times=(),
            months=self.months,
            days=self.month_days,
            working=self.working,
            weekdays=self.weekdays,
            nth=self.nth,
        )

    def date_from(self, now: int, zone: ZoneInfo, minutes: int) -> date:
        """Return the one date named. Raises RoutineError for one that no calendar has."""
        year, month, day = self.dates[0]
        first = year or on_the_wall(now, zone).year
        for candidate in range(first, first + (1 if year else 9)):
            try:
                made = date(candidate, month, day)
            except ValueError:
                continue
            if year or instant(made, minutes, zone) > now:
                return made
        shown = f"{day} {MONTH_NAMES[month - 1]} {year or ''}".strip() if month < 13 else f"month {month}"
        raise RoutineError("schedule_never", f"there is no day {shown}", part=shown)

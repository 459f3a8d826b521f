"""The wall clock of a zone and the instants that it shows (rules: product.md 7.1)."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from app.errors import RoutineError

DAY = 86_400


def zone_of(name: str) -> ZoneInfo:
    """Return the zone of an IANA name. Raises RoutineError bad_zone."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:  # unknown, no name at all, a folder of the data
        raise RoutineError("bad_zone", f"there is no time zone {name!r}", zone=name) from error


def on_the_wall(at: int, zone: ZoneInfo) -> datetime:
    """Return what clocks show at an instant, without a zone."""
    return datetime.fromtimestamp(at, zone).replace(tzinfo=None)


def instant(day: date, minutes: int, zone: ZoneInfo) -> int:
    """Return when clocks show `minutes` after midnight of `day`.

    A time that is left out gives the next minute that is shown; one that comes twice gives its first.
    Later times of the wall never give earlier instants.
    """
    early, late = both(day, minutes, zone)
    return early if early <= late else first_change(late, early, zone)


def both(day: date, minutes: int, zone: ZoneInfo) -> tuple[int, int]:
    """Return the instants by the offset before and after a change of the clocks: equal without one, falling
    for a time that is left out, rising for one that comes twice.
    """
    shown = datetime(day.year, day.month, day.day) + timedelta(minutes=minutes)
    early = int(shown.replace(tzinfo=zone, fold=0).timestamp())
    return early, int(shown.replace(tzinfo=zone, fold=1).timestamp())


def first_change(before: int, after: int, zone: ZoneInfo) -> int:
    """Return the first whole minute of the new offset; the offsets at both ends must differ."""
    old = _offset(before, zone)
    while after - before > 1:
        middle = (before + after) // 2
        if _offset(middle, zone) == old:
            before = middle
        else:
            after = middle
    return after + -on_the_wall(after, zone).second % 60


@lru_cache(maxsize=4096)  # thousands of routines look at the same few days
def steady(day: date, days: int, zone: ZoneInfo) -> int | None:
    """Return the instant of midnight when the clocks do not change for so many days from there, else None."""
    begin, begin_after = both(day, 0, zone)
    end, end_after = both(day, days * 1440, zone)
    return begin if begin == begin_after and end == end_after and end - begin == days * DAY else None


def _offset(at: int, zone: ZoneInfo) -> timedelta | None:
    return datetime.fromtimestamp(at, zone).utcoffset()

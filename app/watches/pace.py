"""When a page is fetched next: its interval with some spread, longer while it fails, never before its server
allows, and whether the server may answer that nothing changed. Pure.
"""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

SOONEST = 60.0
"""Seconds between two fetches at the least, whatever was set."""
SPREAD = 0.1
"""Share of the interval by which a fetch is early or late, so that watches do not come in a row."""
LONGEST_WAIT = 86_400.0
"""Seconds to which failures lengthen an interval, and that a server can ask for at most."""
FULL_EVERY = 10
"""Each fetch of that number is a full one: validators are hints, and some servers never change them."""


def next_fetch(
    now: float, every: float, *, failures: int = 0, retry_after: float = 0.0, chance: float = 0.5
) -> float:
    """Return the time of the next fetch after one at `now`. `every` is seconds; each failure in a row
    doubles it, to a day or the interval itself; `retry_after` is what the server asked for; `chance` (0 to 1)
    spreads.
    """
    every = max(every, SOONEST)
    longest = max(every, LONGEST_WAIT)
    wait = min(every * 2.0 ** min(max(failures - 1, 0), 32), longest)
    spread = wait * SPREAD * (2.0 * min(max(chance, 0.0), 1.0) - 1.0)
    return now + max(wait + spread, SOONEST, min(retry_after, longest))


def retry_after(header: str, now: float) -> float:
    """Return for how many seconds a server wants to be left alone, 0 where the header says nothing (RFC 9110,
    10.2.3: seconds, or a date).
    """
    text = header.strip()
    if text.isascii() and text.isdecimal():
        return float(text[:9])
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return 0.0
    aware = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.fromtimestamp(now, UTC)).total_seconds())


def validators(etag: str, modified: str, fetches: int) -> dict[str, str]:
    """Return the headers that let a server answer with 304, none for each tenth fetch. `fetches` counts those
    that were made before.
    """
    if fetches % FULL_EVERY == 0:
        return {}
    found = {"If-None-Match": etag, "If-Modified-Since": modified}
    return {name: value for name, value in found.items() if value and "\n" not in value and "\r" not in value}

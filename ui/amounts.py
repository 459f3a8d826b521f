"""Numbers as people read them: sizes, durations, money, tokens, days and times."""

from __future__ import annotations

import datetime

from ui.language import _, later, plural

_MONTHS = (
    later("January"),
    later("February"),
    later("March"),
    later("April"),
    later("May"),
    later("June"),
    later("July"),
    later("August"),
    later("September"),
    later("October"),
    later("November"),
    later("December"),
)
_DAYS = (
    later("Monday"),
    later("Tuesday"),
    later("Wednesday"),
    later("Thursday"),
    later("Friday"),
    later("Saturday"),
    later("Sunday"),
)


def size(count: int) -> str:
    """Return bytes with a decimal unit: "812 bytes", "4.2 kB", "23 MB"."""
    if count < 1000:
        return plural("{n} byte", "{n} bytes", count)
    number, unit = count / 1000, "kB"
    for larger in ("MB", "GB", "TB"):
        if number < 999.5:
            break
        number, unit = number / 1000, larger
    return f"{number:.1f} {unit}" if number < 9.95 else f"{number:.0f} {unit}"


def duration(seconds: float) -> str:
    """Return a time span: "0.4 s", "12 s", "3 min 20 s", "2 h 5 min"."""
    if seconds < 9.95:
        return f"{max(seconds, 0):.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def wait(seconds: float) -> str:
    """Return how long to wait: "0.5 s", "7 s", then as `duration`."""
    return f"{round(seconds)} s" if 0.95 <= seconds < 9.95 else duration(seconds)


def money(dollars: float | None) -> str:
    """Return US dollars, "" where no price is known; small sums keep two figures that mean something."""
    if dollars is None:
        return ""
    if dollars == 0 or dollars >= 0.1:
        return f"${dollars:.2f}"
    return f"${dollars:.4f}" if dollars >= 0.001 else f"${dollars:.6f}"


def tokens(count: int) -> str:
    """Return a number of tokens: "830 tokens", "12.4k tokens", "1.2M tokens"."""
    if count < 1000:
        return plural("{n} token", "{n} tokens", count)
    short = f"{count / 1000:.1f}k" if count < 999_950 else f"{count / 1_000_000:.1f}M"
    return _("{n} tokens").replace("{n}", short.replace(".0", ""))


def clock(when: float) -> str:
    """Return the local time of day of unix seconds: "14:05"."""
    return datetime.datetime.fromtimestamp(when).strftime("%H:%M")


def day(when: float, now: float) -> str:
    """Return the local day of `when` as a heading: "Today", "Yesterday", "Monday", "3 May", "3 May 2025"."""
    then, today = (datetime.datetime.fromtimestamp(moment).date() for moment in (when, now))
    back = (today - then).days
    if back == 0:
        return _("Today")
    if back == 1:
        return _("Yesterday")
    if 1 < back < 7:
        return _(_DAYS[then.weekday()])
    text = _("{day} {month}") if then.year == today.year else _("{day} {month} {year}")
    return text.format(day=then.day, month=_(_MONTHS[then.month - 1]), year=then.year)


def ago(when: float, now: float) -> str:
    """Return how long ago `when` was, in one unit: "just now", "5 min ago", "3 h ago", then the day."""
    passed = now - when
    if passed < 60:
        return _("just now")
    if passed < 3600:
        return _("{n} min ago").replace("{n}", str(int(passed // 60)))
    if passed < 12 * 3600:
        return _("{n} h ago").replace("{n}", str(int(passed // 3600)))
    return f"{day(when, now)} {clock(when)}"

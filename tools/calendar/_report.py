"""Word events of calendars, the same for all calendar tools."""

from __future__ import annotations

from tools import CalendarEvent


def line(event: CalendarEvent) -> str:
    """Return one event in a line."""
    parts = [span(event.start, event.end, event.all_day), event.title]
    if event.location:
        parts.append(f"at {event.location}")
    extra = [event.status, "" if event.busy or event.status else "free", f"repeats {event.repeats}"]
    said = ", ".join(filter(None, (*extra[:2], extra[2] if event.repeats else "", event.zone)))
    return "  ".join(parts) + (f" ({said})" if said else "")


def span(start: str, end: str, all_day: bool) -> str:
    """Return from when to when; of the same day the date once."""
    if all_day:
        return start if _next(start, end) else f"{start} until before {end}"
    begins, ends = start[:16].replace("T", " "), end[:16].replace("T", " ")
    return f"{begins} to {ends[11:]}" if begins[:10] == ends[:10] else f"{begins} to {ends}"


def _next(start: str, end: str) -> bool:
    from datetime import date, timedelta

    return date.fromisoformat(end) - date.fromisoformat(start) == timedelta(days=1)

"""How old what is remembered is, in words for the model: what is old may no longer hold."""

from __future__ import annotations

from datetime import datetime

_DAY = 86400.0


def age(said: float, now: float) -> str:
    """Return the local day and how long ago it was: "2026-03-01, 9 months ago"."""
    day = datetime.fromtimestamp(said).date()
    days = (datetime.fromtimestamp(now).date() - day).days
    return f"{day.isoformat()}, {_ago(days)}"


def _ago(days: int) -> str:
    if days <= 0:
        return "today"
    if days == 1:
        return "yesterday"
    if days < 60:
        return f"{days} days ago"
    if days < 700:
        return f"{days // 30} months ago"
    return f"{days // 365} years ago"

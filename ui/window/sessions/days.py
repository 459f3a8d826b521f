"""Which heading a conversation stands under: pinned, today, yesterday, last week, or its month."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta

from app.records import SessionInfo
from ui.language import _

PINNED = "pinned"


def heading(updated: float, today: date) -> str:
    """Return the group of a time (unix seconds) as seen on `today`, in this computer's zone: a key that
    sorts nothing."""
    day = datetime.fromtimestamp(updated).date()
    if day >= today:
        return "today"
    if day == today - timedelta(days=1):
        return "yesterday"
    if day > today - timedelta(days=8):
        return "week"
    return f"{day.year:04}-{day.month:02}"


def heading_text(key: str) -> str:
    """Return the words of a group."""
    words = {
        PINNED: _("Pinned"),
        "today": _("Today"),
        "yesterday": _("Yesterday"),
        "week": _("Last week"),
        "found": _("Found"),
    }
    if key in words:
        return words[key]
    from PySide6.QtCore import QDate, QLocale

    year, month = key.split("-")
    return QLocale().toString(QDate(int(year), int(month), 1), "MMMM yyyy")


def grouped(sessions: Iterable[SessionInfo], today: date) -> list[tuple[str, list[SessionInfo]]]:
    """Return the groups from top to bottom, newest first; those that are deleted or archived are left out."""
    shown = [info for info in sessions if not info.deleted and not info.archived]
    shown.sort(key=lambda info: (info.updated, info.id), reverse=True)
    groups: dict[str, list[SessionInfo]] = {}
    pinned = [info for info in shown if info.pinned]
    if pinned:
        groups[PINNED] = pinned
    for info in shown:
        if not info.pinned:
            groups.setdefault(heading(info.updated, today), []).append(info)
    return list(groups.items())

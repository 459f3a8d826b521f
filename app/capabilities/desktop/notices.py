"""Show a notification by the service of the desktop."""

from __future__ import annotations

from html import escape
from typing import Any

from app.capabilities.desktop.surroundings import Surroundings, missing
from app.errors import ToolError
from app.platform import session_bus
from app.platform.session_bus import Member, NoBus
from tools._desktop import Done, Urgency

_SERVICE, _PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
_LEVELS = {"low": 0, "normal": 1, "critical": 2}
_TITLE, _BODY = 200, 2_000
"""Characters that a notification takes; no desktop shows more."""
_SCRIPT = (
    "-e", "on run argv",
    "-e", "display notification (item 2 of argv) with title (item 1 of argv)",
    "-e", "end run",
)  # fmt: skip


async def show(around: Surroundings, title: str, body: str, urgency: Urgency) -> Done:
    """Show it. `verified`: the service gave it a number. Raises ToolError."""
    title, body = title[:_TITLE], body[:_BODY]
    if around.kind == "windows":
        raise missing("Notifications are not shown on Windows from here yet.")
    if around.kind == "macos":
        program = around.program("osascript")
        ran = await around.ask(program, (*_SCRIPT, title, body)) if program else None
        if ran is None or ran.code:
            raise missing(f"macOS did not show it: {ran.said if ran else 'osascript is not there'}")
        return Done("Handed to the Notification Center; whether it was shown is not told.", False)
    bus = session_bus.address(around.environ)
    try:
        (abilities,) = await session_bus.call(bus, _member("GetCapabilities"))
        words = escape(body, quote=False) if "body-markup" in abilities else body
        hints = {"urgency": ("y", _LEVELS[urgency])}
        values: tuple[Any, ...] = ("Bramble", 0, "bramble", title, words, [], hints, -1)
        (number,) = await session_bus.call(bus, _member("Notify"), "susssasa{sv}i", values)
    except NoBus as error:
        raise ToolError("no_desktop", f"No notification can be shown here. {error}") from error
    return Done("The desktop took the notification.", number > 0)


def _member(name: str) -> Member:
    return Member(_SERVICE, _PATH, _SERVICE, name)

"""Word what happened on the desktop, the same for all desktop tools."""

from __future__ import annotations

from tools import ChangeDesktop, Done, Level, ReadDesktop, ToolFailed, ToolResult, checked


def looking(desktop: ReadDesktop | None) -> ReadDesktop:
    """Return the capability. Raises ToolFailed where there is none."""
    if desktop is None:
        raise ToolFailed("There is no desktop here.")
    return desktop


def acting(desktop: ChangeDesktop | None) -> ChangeDesktop:
    """Return the capability. Raises ToolFailed where there is none."""
    if desktop is None:
        raise ToolFailed("There is no desktop here.")
    return desktop


def done(found: Done, summary: str) -> ToolResult:
    """Return what happened and whether that was seen."""
    return ToolResult(f"{found.text} [{checked(found.verified)}]", summary)


def level(found: Level, what: str) -> ToolResult:
    """Return how a level changed."""
    muted = "" if found.muted is None else ", muted" if found.muted else ", not muted"
    text = (
        f"{what} of {found.of}: {found.after} %{muted} (it was {found.before} %). [{checked(found.verified)}]"
    )
    return ToolResult(text, f"{found.after} %{muted}", ok=found.verified)

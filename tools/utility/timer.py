"""Set a countdown, an alarm or a one-time reminder; it lasts over a restart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from tools import Timer, ToolContext, ToolFailed, ToolResult, checked, tool


def _reads(arguments: Mapping[str, Any]) -> bool:
    return arguments.get("action") == "list"


@tool(
    reads=_reads,
    verb="Timer",
    main="label",
    keywords=("countdown", "alarm", "remind", "reminder", "pomodoro", "egg timer", "wake"),
    examples=("set a timer for 10 minutes", "remind me at 6 pm to call mum", "cancel the tea timer"),
    accepts={"duration": "after", "time": "at", "name": "label", "id": "label"},
)
async def timer(
    context: ToolContext,
    action: Annotated[Literal["start", "list", "cancel"], "What to do"],
    after: Annotated[str, "Duration, such as 90s, 10 minutes, 1h30m"] = "",
    at: Annotated[str, "Clock time, such as 07:30, tomorrow 9:00, 2026-12-24 18:00"] = "",
    label: Annotated[str, "Label; to cancel: label, id or all"] = "",
) -> ToolResult:
    """Set a countdown timer, alarm or one-time reminder."""
    if context.timers is None:
        raise ToolFailed("Timers cannot be set here.")
    if action == "start":
        made = await context.timers.start_timer(after, at, label)
        return ToolResult(f"Set, verified: {_line(made)}", summary=made.when)
    if action == "cancel":
        if not label.strip():
            raise ToolFailed("Which timer? Give its label or id, or all.")
        gone = await context.timers.cancel_timer(label)
        if not gone:
            raise ToolFailed(f"No timer is called {label!r}.")
        still = {one.id for one in await context.timers.running_timers()}
        seen = checked(not still & {one.id for one in gone})
        return ToolResult("\n".join(f"Cancelled, {seen}: {_line(one)}" for one in gone), summary="cancelled")
    found = await context.timers.running_timers()
    lines = [_line(one) for one in found]
    return ToolResult("\n".join(lines) or "No timer is set.", summary=f"{len(found)} set")


def _line(one: Timer) -> str:
    left = round(one.left)
    hours, rest = divmod(abs(left), 3600)
    span = f"{hours}:{rest // 60:02}:{rest % 60:02}"
    state = f"in {span}" if left > 0 else f"it rang {span} ago"
    return f"{one.label or 'timer'} at {one.when} ({state}; id {one.id})"

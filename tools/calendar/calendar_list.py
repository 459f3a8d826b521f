"""Show what stands in calendars, and when there is time."""

from __future__ import annotations

from typing import Annotated

from tools import AgendaQuery, ReadContext, ToolFailed, ToolResult, tool
from tools.calendar._report import line, span


@tool(
    reads=True,
    verb="Calendar",
    main="query",
    keywords=("appointments", "events", "agenda", "meetings", "schedule", "ics", "free time", "busy"),
    examples=("what is in my calendar tomorrow", "when am I free on Thursday", "when is the dentist"),
    accepts={"from": "start", "to": "end", "search": "query", "calendar": "path"},
)
async def calendar_list(
    context: ReadContext,
    start: Annotated[str, "From date"] = "",
    end: Annotated[str, "To date, included"] = "",
    query: Annotated[str, "Words in the event"] = "",
    free: Annotated[bool, "Show free slots"] = False,
    path: Annotated[str, "Calendar file or folder, else those of the settings"] = "",
    hours: Annotated[str, "Hours of free slots"] = "08:00-18:00",
) -> ToolResult:
    """Show calendar events and free time from ICS calendars."""
    if context.calendars is None:
        raise ToolFailed("Calendars cannot be read here.")
    found = await context.calendars.agenda(AgendaQuery(start, end, query, path, free, hours))
    lines = [line(one) for one in found.events]
    if not lines:
        lines = ["Nothing stands there."]
    if free:
        lines += (
            ["", "Free:", *(span(*slot, False) for slot in found.free)]
            if found.free
            else ["", "Nothing is free."]
        )
    if found.more:
        lines.append("[there are more events; name a shorter time]")
    first, last = found.start[:16].replace("T", " "), found.end[:16].replace("T", " ")
    lines.append(f"[{first} to {last}, {found.zone}; {', '.join(found.calendars[:10])}]")
    lines += found.notes
    count = len(found.events)
    return ToolResult("\n".join(lines), summary=f"{count} {'event' if count == 1 else 'events'}")

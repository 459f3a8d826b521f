"""Add an event to a calendar file, or write it as an invitation."""

from __future__ import annotations

from typing import Annotated

from tools import NewEvent, ToolContext, ToolFailed, ToolResult, checked, tool
from tools.calendar._report import line


@tool(
    reads=False,
    verb="Add to calendar",
    main="title",
    keywords=("appointment", "event", "meeting", "invite", "ics", "schedule", "birthday"),
    examples=("add dentist on Tuesday at 15:00", "write an invitation for lunch with anna@example.org"),
    accepts={
        "summary": "title",
        "name": "title",
        "recurrence": "repeat",
        "calendar": "path",
        "where": "location",
    },
)
async def calendar_add(
    context: ToolContext,
    title: Annotated[str, "Title"],
    start: Annotated[str, "Start, such as 2026-12-24 18:00; a date alone for the whole day"],
    end: Annotated[str, "End; of whole days the last one"] = "",
    location: Annotated[str, "Place"] = "",
    attendees: Annotated[list[str] | None, "Addresses"] = None,
    repeat: Annotated[str, "Recurrence, such as every 2 weeks until 2027-06-30, weekdays, or an RRULE"] = "",
    path: Annotated[str, "Calendar file (.ics), else that of the settings, or a new one"] = "",
    notes: Annotated[str, "Description"] = "",
    remind: Annotated[int, "Minutes before for a reminder"] = 0,
) -> ToolResult:
    """Add an event to a calendar or write an ICS invitation."""
    if context.calendars is None:
        raise ToolFailed("Calendars cannot be changed here.")
    event = NewEvent(title, start, end, location, tuple(attendees or ()), repeat, path, notes, remind=remind)
    made = await context.calendars.add_event(event)
    seen = checked(made.verified)
    lines = [f"{made.path}: {line(made.event)}, {seen}."]
    if len(made.times) > 1:
        lines.append(f"Its first times: {', '.join(one[:16].replace('T', ' ') for one in made.times)}.")
    if made.invitation:
        lines.append("It is an invitation; send it to the attendees as an attachment. Nothing was sent.")
    lines += [f"At the same time: {one}." for one in made.clashes]
    if made.files.note:
        lines.append(made.files.note)
    return ToolResult(
        "\n".join(lines),
        summary=made.event.start[:16].replace("T", " "),
        ok=made.verified,
        undo=made.files.undo,
    )

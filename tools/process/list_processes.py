"""List running processes."""

from __future__ import annotations

from typing import Annotated, Literal

from tools import Process, ReadContext, ToolResult, tool
from tools.process._report import reading, size


@tool(
    reads=True,
    verb="List processes",
    main="filter",
    keywords=("running programs", "task manager", "top", "memory hog"),
    examples=("which processes use the most memory", "is python still running", "welche Programme laufen"),
    accepts={"name": "filter", "query": "filter", "sort_by": "sort", "count": "limit"},
)
async def list_processes(
    context: ReadContext,
    sort: Annotated[Literal["cpu", "memory", "name", "started"], "Order"] = "cpu",
    filter: Annotated[str, "Part of the name or command line"] = "",
    limit: Annotated[int, "Processes at most"] = 20,
) -> ToolResult:
    """List running processes with their CPU and memory use."""
    found = await reading(context.processes).running(order=sort, having=filter, limit=limit)
    fitting = f"{found.matching} of {found.total} processes" if filter else f"{found.total} processes"
    head = f"{fitting}, {len(found.listed)} listed by {sort}:"
    text = "\n".join([head, *map(_line, found.listed)]) if found.listed else f"No process has {filter!r}."
    return ToolResult(
        text,
        fitting if found.listed else "none",
        view="table",
        data={
            "columns": ["pid", "name", "CPU %", "memory", "user", "command"],
            "rows": [
                [str(one.pid), one.name, f"{one.cpu:.1f}", size(one.memory), one.user, one.command]
                for one in found.listed
            ],
        },
    )


def _line(one: Process) -> str:
    state = f" {one.state}" if one.state in ("zombie", "stopped") else ""
    user = f" {one.user}" if one.user else ""
    return f"{one.pid} {one.name}{state}{user}: {one.cpu:.1f} % CPU, {size(one.memory)}: {one.command}"

"""End a process."""

from __future__ import annotations

from typing import Annotated

from tools import EndedProcess, ToolContext, ToolResult, tool
from tools.process._report import ending, named

_WORDS = {
    "ended": "has ended",
    "gone before": "had ended before",
    "another now": "was left alone: its number belongs to another process by now",
    "not allowed": "may not be ended by this user",
    "still there": "has not ended; force ends it at once, without saving",
}


@tool(
    reads=False,
    verb="End process",
    main="name",
    keywords=("terminate", "stop program", "free the port", "hung", "sigkill"),
    examples=("kill the process on port 3000", "end the hung firefox", "beende den Prozess 4711"),
    accepts={"process": "name", "process_id": "pid"},
)
async def kill_process(
    context: ToolContext,
    pid: Annotated[int, "Its id"] = 0,
    name: Annotated[str, "Exact name: all that are called so"] = "",
    port: Annotated[int, "Port on which it listens"] = 0,
    force: Annotated[bool, "At once, without saving"] = False,
) -> ToolResult:
    """Terminate a process by PID or name, or the listener of a port."""
    found = await ending(context.processes).end_processes(pid=pid, name=name, port=port, force=force)
    gone = sum(one.outcome in ("ended", "gone before") for one in found)
    whole = gone == len(found)
    lines = [_line(one) for one in found]
    return ToolResult("\n".join(lines), f"{gone} of {len(found)} ended", ok=whole)


def _line(one: EndedProcess) -> str:
    verified = {"ended": " [verified]", "gone before": " [verified]", "still there": " [unverified]"}
    return f"{named(one.process)} {_WORDS[one.outcome]}.{verified.get(one.outcome, '')}"

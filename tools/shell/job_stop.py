"""End a background command."""

from __future__ import annotations

from typing import Annotated

from tools import ToolContext, ToolResult, tool

_HOW = {
    "stopped": "is stopped, nothing of it runs any more. [verified]",
    "ended": "had ended by itself.",
    "running": "was told to stop, and something of it still runs. [unverified]",
}


@tool(
    reads=False,
    verb="Stop job",
    main="job",
    keywords=("kill", "terminate", "cancel", "end", "background"),
    examples=("stop the dev server", "end the background job", "beende den Hintergrundprozess"),
    accepts={"job_id": "job", "id": "job"},
)
async def job_stop(context: ToolContext, job: Annotated[str, "Job id"]) -> ToolResult:
    """Stop a background command with everything it started."""
    ended = await context.shell.stop(job)
    code = "" if ended.exit is None else f" Exit {ended.exit}."
    return ToolResult(
        text=f"Job {job} {_HOW[ended.state]}{code}",
        summary=ended.state,
        ok=ended.state != "running",
        view="command",
        data={"command": ended.command, "cwd": "", "exit": ended.exit, "job": job},
    )

"""Run a command line in bash, or start it as a job."""

from __future__ import annotations

from typing import Annotated, Literal

from tools import Command, ToolContext, ToolFailed, ToolResult, tool
from tools.shell._report import report


@tool(
    reads=False,
    verb="Run",
    main="command",
    keywords=("terminal", "bash", "execute", "script", "build", "test"),
    examples=("run the tests", "npm install", "starte den Server im Hintergrund"),
    accepts={
        "cmd": "command",
        "script": "command",
        "workdir": "cwd",
        "working_directory": "cwd",
        "timeout": "timeout_s",
        "timeout_seconds": "timeout_s",
        "run_in_background": "background",
    },
)
async def run_command(
    context: ToolContext,
    command: Annotated[str, "Command"],
    cwd: Annotated[str, "cwd"] = "",
    timeout_s: Annotated[int | None, "Timeout s"] = None,
    background: Annotated[bool, "Run as a job"] = False,
    reach: Annotated[Literal["folder", "network", "all"], "Reach"] = "folder",
) -> ToolResult:
    """Run a shell command or script in the project folder and return its output."""
    if timeout_s is not None and timeout_s <= 0:
        raise ToolFailed("timeout_s must be more than 0 seconds, or left out for no limit.")
    return report(await context.shell.run(Command(command, cwd, timeout_s, background, reach)), command)

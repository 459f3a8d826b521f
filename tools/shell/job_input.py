"""Type into a background command."""

from __future__ import annotations

from typing import Annotated

from tools import ToolContext, ToolResult, tool
from tools.shell._report import report


@tool(
    reads=False,
    verb="Type into job",
    main="text",
    keywords=("stdin", "answer", "prompt", "send", "type"),
    examples=("answer yes to the prompt of the running job", "send a line to the background process"),
    accepts={"job_id": "job", "id": "job", "input": "text", "eof": "end"},
)
async def job_input(
    context: ToolContext,
    job: Annotated[str, "Job id"],
    text: Annotated[str, "Line to send; a line end is added"] = "",
    end: Annotated[bool, "Close its input afterwards"] = False,
) -> ToolResult:
    """Send a line of input to a background command that was started with background."""
    line = text if text.endswith("\n") or (end and not text) else f"{text}\n"
    return report(await context.shell.input(job, line, end=end))

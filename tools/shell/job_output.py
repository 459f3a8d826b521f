"""Read what a background command has said."""

from __future__ import annotations

from typing import Annotated

from tools import ReadContext, ToolResult, tool
from tools.shell._report import report


@tool(
    reads=True,
    verb="Read job",
    main="job",
    keywords=("background", "log", "progress", "poll"),
    examples=("is the build finished", "show the server log", "was sagt der Hintergrundprozess"),
    accepts={"job_id": "job", "id": "job", "offset": "cursor"},
)
async def job_output(
    context: ReadContext,
    job: Annotated[str, "Job id"],
    cursor: Annotated[
        int, "Byte to read on from, as the last result named it; negative counts from the end"
    ] = 0,
) -> ToolResult:
    """Read the output of a background command, waiting up to 10 seconds for news."""
    return report(await context.shell.output(job, cursor=cursor))

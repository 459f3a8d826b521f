"""List background commands."""

from __future__ import annotations

from tools import Job, ReadContext, ToolResult, shortened, tool

_COMMAND = 120
"""Characters of a command in a line."""


@tool(
    reads=True,
    verb="List jobs",
    keywords=("background", "running", "jobs"),
    examples=("which background commands are running", "welche Jobs laufen"),
)
async def job_list(context: ReadContext) -> ToolResult:
    """List the background commands of this conversation with their state."""
    jobs = await context.shell.jobs()
    running = sum(job.state == "running" for job in jobs)
    return ToolResult(
        text="\n".join(map(_line, jobs)) or "There are no jobs.",
        summary=f"{running} running" if jobs else "no jobs",
        view="table",
        data={"columns": ["job", "state", "seconds", "command"], "rows": [_row(job) for job in jobs]},
    )


def _line(job: Job) -> str:
    code = "" if job.exit is None else f", exit {job.exit}"
    return f"{job.id}: {job.state}{code}, {job.seconds:.0f} s, {job.size:,} bytes of output: {_short(job)}"


def _row(job: Job) -> list[str]:
    return [job.id, job.state, f"{job.seconds:.0f}", _short(job)]


def _short(job: Job) -> str:
    return shortened(job.command, _COMMAND)

"""Give parts of the work to helpers: bounded conversations of their own, which report."""

from __future__ import annotations

from typing import Annotated

from tools import ToolContext, ToolFailed, ToolResult, tool


@tool(
    reads=False,
    verb="Delegate",
    keywords=("subagent", "helper", "parallel", "split the work", "agent"),
    examples=("let helpers look into these three folders at once", "delegate the research to a sub-agent"),
    accepts={"task": "tasks", "prompts": "tasks"},
)
async def delegate(
    context: ToolContext,
    tasks: Annotated[
        list[str], "1 to 4 tasks; each names all that its helper must know, which sees nothing else"
    ],
    tools: Annotated[list[str] | None, "Names of the tools that helpers may use"] = None,
    rounds: Annotated[int, "Model rounds of each, at most 40"] = 40,
) -> ToolResult:
    """Let up to four helpers work side by side, each with its own context, and return their reports."""
    if context.helpers is None:
        raise ToolFailed("Helpers can only be started from a conversation.")
    reports = await context.helpers.run(tasks, tools or (), rounds)
    parts = [f"## Helper {number}: {one.task}\n\n{one.text}" for number, one in enumerate(reports, 1)]
    done = sum(one.ok for one in reports)
    return ToolResult(
        "\n\n".join(parts),
        summary=f"{done} of {len(reports)} done",
        ok=done > 0,
        view="helpers",
        data={
            "helpers": [
                {"session": one.session, "task": one.task, "ok": one.ok, "rounds": one.rounds}
                for one in reports
            ]
        },
    )

"""What is known of a project: confirmed, recorded, unknown."""

from __future__ import annotations

from typing import Annotated

from tools import ReadContext, ToolFailed, ToolResult, tool
from tools.memory._report import line


@tool(
    reads=True,
    verb="Project brief",
    main="project",
    keywords=("project memory", "where were we", "status of the project", "decisions so far"),
    examples=(
        "where did we leave off in this project",
        "what was decided in this project since Monday",
        "fasse den Stand des Projekts zusammen",
    ),
)
async def project_brief(
    context: ReadContext,
    project: Annotated[str, "Project name"] = "",
    since: Annotated[str, "Only after this date"] = "",
) -> ToolResult:
    """Summarize a project's stored notes, decisions and open items."""
    if context.memory is None:
        raise ToolFailed("There is no memory here.")
    brief = await context.memory.brief(project, since)
    lines = [f"Project {brief.name}"]
    for heading, memos in (
        ("CONFIRMED (the person's words, or confirmed by them)", brief.confirmed),
        ("RECORDED (written down by an assistant, never confirmed)", brief.recorded),
    ):
        lines += [f"{heading}:", *map(line, memos)] if memos else [f"{heading}: nothing."]
    lines += ["UNKNOWN:", *(f"- {one}" for one in brief.unknown)] if brief.unknown else []
    count = len(brief.confirmed) + len(brief.recorded)
    return ToolResult("\n".join(lines), summary="1 entry" if count == 1 else f"{count} entries")

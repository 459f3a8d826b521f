"""Load the instructions for a kind of work, by name or by what they are needed for."""

from __future__ import annotations

from typing import Annotated

from tools import ReadContext, ToolFailed, ToolResult, tool


@tool(
    reads=True,
    verb="Load skill",
    main="names",
    keywords=("instructions", "guide", "how to", "workflow", "playbook", "recipe", "procedure"),
    examples=(
        "which skill is there for reviewing a commit",
        "load the instructions for release notes",
        "gibt es eine Anleitung für Besprechungsnotizen",
    ),
    whole=True,
    accepts={"name": "names", "skills": "names", "skill": "names", "search": "query"},
)
async def load_skill(
    context: ReadContext,
    names: Annotated[tuple[str, ...], "One to three"] = (),
    query: Annotated[str, "Find one by words"] = "",
) -> ToolResult:
    """Load skills: instructions for a kind of work."""
    if context.skills is None:
        raise ToolFailed("There are no skills here.")
    if names:
        found = await context.skills.load(names)
    else:
        found = await context.skills.find(query)
    summary = ", ".join(found.names) or ("some may fit" if found.ok else "no skill loaded")
    data = {"skills": list(found.names)} if found.names else {}
    return ToolResult(text=found.text, summary=summary, ok=found.ok, data=data)

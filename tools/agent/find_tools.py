"""Find tools by plain words and give their schemas, so that a request carries only what it needs."""

from __future__ import annotations

from typing import Annotated

from tools import ReadContext, ToolFailed, ToolResult, tool


@tool(
    reads=True,
    verb="Load tools",
    main="query",
    keywords=("tools", "capabilities", "search"),
    examples=("what can you do with calendars", "find a tool that ends a process"),
    accepts={"name": "query", "q": "query", "search": "query", "names": "query"},
    whole=True,
)
async def find_tools(
    context: ReadContext, query: Annotated[str, "What to do, or a tool's name"]
) -> ToolResult:
    """Find further tools; they come with their schemas."""
    if context.find is None:
        raise ToolFailed("There are no further tools here.")
    found = await context.find(query)
    return ToolResult(
        text=found.text,
        summary=", ".join(found.names) or ("nothing fits" if found.missed else "there already"),
        data={"tools": list(found.names)} if found.names else {},
    )

"""Keep a fact of the person."""

from __future__ import annotations

from typing import Annotated

from tools import ToolContext, ToolFailed, ToolResult, tool
from tools.memory._report import kept


@tool(
    reads=False,
    verb="Remember",
    main="fact",
    keywords=("memory", "preference", "keep in mind", "note for later"),
    examples=(
        "remember that I am vegetarian",
        "keep in mind that I prefer short answers",
        "merk dir, dass ich am Montag frei habe",
    ),
    accepts={"text": "fact", "content": "fact", "memory": "fact"},
)
async def remember(
    context: ToolContext,
    fact: Annotated[str, "Fact"],
    topic: Annotated[str, "Topic"] = "",
) -> ToolResult:
    """Store a personal fact or preference for future sessions."""
    if context.memory is None:
        raise ToolFailed("There is no memory here.")
    return kept(await context.memory.remember(fact, topic), "The fact")

"""Look up what is remembered, and what was said in earlier conversations."""

from __future__ import annotations

from typing import Annotated

from tools import ReadContext, ToolFailed, ToolResult, shortened, tool
from tools.memory._report import line

FEWEST, USUAL, MOST = 1, 8, 50
_EXCERPT = 300


@tool(
    reads=True,
    verb="Recall",
    main="query",
    keywords=("memory", "what did I say", "do you know", "earlier conversation"),
    examples=(
        "what do you know about my dog",
        "what did we decide last week about the parser",
        "was weißt du über meine Allergien",
    ),
    accepts={"text": "query", "search": "query"},
)
async def recall(
    context: ReadContext,
    query: Annotated[str, "Query"],
    limit: Annotated[int, "Limit"] = USUAL,
) -> ToolResult:
    """Look up stored personal facts and past conversations."""
    if context.memory is None:
        raise ToolFailed("There is no memory here.")
    if not query.strip():
        raise ToolFailed("Say what to look for.")
    memos, past = await context.memory.find(query, max(FEWEST, min(limit, MOST)))
    if not memos and not past:
        return ToolResult(f"Nothing is remembered about {query[:80]!r}.", summary="nothing found")
    lines = ["Remembered; what may have changed since is to be checked:", *map(line, memos)] if memos else []
    if past:
        lines.append("Said in earlier conversations:")
    for hit in past:
        who = "the person" if hit.person else "the assistant"
        shown = shortened(hit.text, _EXCERPT)
        lines.append(f"- {hit.title!r}, {hit.said}, {who}: {shown}")
    found = len(memos) + len(past)
    return ToolResult("\n".join(lines), summary="1 found" if found == 1 else f"{found} found")

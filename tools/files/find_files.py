"""Find files and folders by name."""

from __future__ import annotations

from typing import Annotated

from tools import ReadContext, ToolResult, plural, tool
from tools.files._report import entries, unread


@tool(
    reads=True,
    verb="Find files",
    main="pattern",
    keywords=("glob", "search files", "locate", "where is", "by name", "extension"),
    examples=("find all markdown files", "where is the config file", "which files end in .csv"),
    accepts={"glob": "pattern", "name": "pattern", "query": "pattern", "folder": "path", "directory": "path"},
)
async def find_files(
    context: ReadContext,
    pattern: Annotated[str, "Name or glob such as **/*.md"],
    path: Annotated[str, "Path"] = ".",
    limit: Annotated[int, "Limit"] = 200,
) -> ToolResult:
    """Find files by name or glob pattern."""
    hidden = pattern.startswith(".") or "/." in pattern
    found = await context.files.find(pattern, path, hidden=hidden, limit=max(1, min(limit, 1000)))
    lines = entries(found.entries, sizes=False)
    if found.more:
        lines.append(f"[the first {len(lines)}; there are more]")
    if not lines:
        lines.append(f"[nothing matches among {plural(found.searched, 'name', 'names')}]")
    return ToolResult(
        text="\n".join([*lines, *unread(found.unread)]),
        summary=f"{plural(len(found.entries), 'match', 'matches')}{' and more' if found.more else ''}",
    )

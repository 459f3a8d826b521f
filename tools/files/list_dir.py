"""List what a folder holds."""

from __future__ import annotations

from typing import Annotated

from tools import ReadContext, ToolResult, plural, tool
from tools.files._report import entries, unread


@tool(
    reads=True,
    verb="List folder",
    main="path",
    keywords=("ls", "dir", "folder", "directory", "tree", "contents"),
    examples=("what is in this folder", "list the downloads folder", "show the tree two levels deep"),
    accepts={"folder": "path", "directory": "path", "dir": "path"},
)
async def list_dir(
    context: ReadContext,
    path: Annotated[str, "Path"],
    hidden: Annotated[bool, "Hidden"] = False,
    depth: Annotated[int, "Depth"] = 1,
) -> ToolResult:
    """List the files and folders inside a directory."""
    found = await context.files.list(path, depth=max(1, depth), hidden=hidden)
    lines = entries(found.entries, sizes=True)
    if found.more:
        lines.append(f"[the first {len(lines)}; there are more]")
    lines += unread(found.unread)
    folders = sum(entry.kind == "folder" for entry in found.entries)
    files = plural(len(found.entries) - folders, "file", "files")
    return ToolResult(
        text="\n".join(lines) or "[the folder is empty]",
        summary=f"{files}, {plural(folders, 'folder', 'folders')}",
    )

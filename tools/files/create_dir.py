"""Make a folder."""

from __future__ import annotations

from typing import Annotated

from tools import ChangeSet, MakeFolder, ToolContext, ToolResult, tool
from tools.files._report import changed


@tool(
    reads=False,
    verb="Make folder",
    main="path",
    keywords=("mkdir", "new folder", "directory", "create folder"),
    examples=("make a folder called reports", "create the directory src/app/views"),
    accepts={"folder": "path", "directory": "path", "name": "path", "dir": "path"},
)
async def create_dir(
    context: ToolContext, path: Annotated[str, "Path relative to the workspace or absolute"]
) -> ToolResult:
    """Create a new directory, with its parents."""
    return changed(await context.files.change(ChangeSet((MakeFolder(path),))))

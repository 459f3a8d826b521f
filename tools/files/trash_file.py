"""Send a file or a whole folder to the trash."""

from __future__ import annotations

from typing import Annotated

from tools import ChangeSet, ToolContext, ToolResult, Trash, tool
from tools.files._report import changed


@tool(
    reads=False,
    verb="Trash",
    main="path",
    keywords=("delete", "remove", "bin", "recycle", "rm", "get rid of"),
    examples=("delete old.log", "throw the folder build away", "remove the file draft.txt"),
    accepts={"file_path": "path", "file": "path", "filename": "path", "folder": "path"},
)
async def trash_file(
    context: ToolContext, path: Annotated[str, "Path relative to the workspace or absolute"]
) -> ToolResult:
    """Send a file or folder to the trash."""
    return changed(await context.files.change(ChangeSet((Trash(path),))))

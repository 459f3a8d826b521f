"""Bring back what was trashed, or an earlier version of a file."""

from __future__ import annotations

from typing import Annotated

from tools import ChangeSet, Restore, ToolContext, ToolResult, tool
from tools.files._report import changed


@tool(
    reads=False,
    verb="Restore",
    main="path",
    keywords=("undelete", "untrash", "bring back", "recover", "earlier version", "previous version"),
    examples=("bring back notes.txt", "restore the version of app.toml from this morning"),
    accepts={"file_path": "path", "file": "path", "filename": "path", "id": "version"},
)
async def restore_file(
    context: ToolContext,
    path: Annotated[str, "Path relative to the workspace or absolute"],
    version: Annotated[str, "Trash entry or checkpoint id"] = "",
) -> ToolResult:
    """Bring back a trashed file or an earlier version of an edited file."""
    return changed(await context.files.change(ChangeSet((Restore(path, version),))))

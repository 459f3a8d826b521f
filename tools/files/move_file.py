"""Give a file or folder another name or place."""

from __future__ import annotations

from typing import Annotated

from tools import ChangeSet, Move, ToolContext, ToolResult, tool
from tools.files._report import changed


@tool(
    reads=False,
    verb="Move",
    main="source",
    keywords=("rename", "mv", "relocate", "put into folder"),
    examples=("rename draft.md to final.md", "move the pictures into archive/2026"),
    accepts={
        "path": "source",
        "from": "source",
        "src": "source",
        "to": "destination",
        "dest": "destination",
        "target": "destination",
        "new_path": "destination",
        "replace": "overwrite",
    },
)
async def move_file(
    context: ToolContext,
    source: Annotated[str, "Path relative to the workspace or absolute"],
    destination: Annotated[str, "Path relative to the workspace or absolute"],
    overwrite: Annotated[bool, "Replace an existing target"] = False,
) -> ToolResult:
    """Move or rename a file or folder."""
    return changed(await context.files.change(ChangeSet((Move(source, destination, overwrite),))))

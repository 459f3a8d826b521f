"""Copy a file or a whole folder."""

from __future__ import annotations

from typing import Annotated

from tools import ChangeSet, Copy, ToolContext, ToolResult, tool
from tools.files._report import changed


@tool(
    reads=False,
    verb="Copy",
    main="source",
    keywords=("duplicate", "cp", "clone a file", "back up a file"),
    examples=("copy config.toml to config.bak", "duplicate the folder template as site"),
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
async def copy_file(
    context: ToolContext,
    source: Annotated[str, "Path relative to the workspace or absolute"],
    destination: Annotated[str, "Path relative to the workspace or absolute"],
    overwrite: Annotated[bool, "Replace an existing target"] = False,
) -> ToolResult:
    """Copy a file or folder, with its permissions, times and links."""
    return changed(await context.files.change(ChangeSet((Copy(source, destination, overwrite),))))

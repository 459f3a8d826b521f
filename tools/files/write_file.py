"""Write a whole file, new or in place of what it held."""

from __future__ import annotations

from typing import Annotated

from tools import ChangeSet, ToolContext, ToolResult, Write, tool
from tools.files._report import changed


@tool(
    reads=False,
    verb="Write file",
    main="path",
    keywords=("create", "make", "save", "new file", "overwrite"),
    examples=("make a file todo.txt with three lines", "save this as notes.md", "write a hello world script"),
    accepts={
        "file_path": "path",
        "file": "path",
        "filename": "path",
        "text": "content",
        "contents": "content",
    },
)
async def write_file(
    context: ToolContext,
    path: Annotated[str, "Path"],
    content: Annotated[str, "Content"],
) -> ToolResult:
    """Create a new text file or replace a file's whole contents."""
    return changed(await context.files.change(ChangeSet((Write(path, content),))))

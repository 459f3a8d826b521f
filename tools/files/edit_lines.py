"""Put new lines in place of a range of lines."""

from __future__ import annotations

from typing import Annotated

from tools import ChangeSet, ReplaceLines, ToolContext, ToolResult, tool
from tools.files._report import changed


@tool(
    reads=False,
    verb="Edit lines",
    main="path",
    keywords=("replace lines", "line range", "line numbers", "delete lines"),
    examples=("replace lines 10 to 12 of app.py", "delete line 5 in list.txt"),
    accepts={
        "file_path": "path",
        "file": "path",
        "filename": "path",
        "first": "start",
        "last": "end",
        "start_line": "start",
        "end_line": "end",
        "content": "text",
        "new_text": "text",
    },
)
async def edit_lines(
    context: ToolContext,
    path: Annotated[str, "Path"],
    start: Annotated[int, "First line to replace, from 1"],
    end: Annotated[int, "Last line to replace"],
    text: Annotated[str, "Whole new lines; empty deletes the old ones"],
) -> ToolResult:
    """Replace a range of lines of a file, as read_file numbers them."""
    return changed(await context.files.change(ChangeSet((ReplaceLines(path, start, end, text),))))

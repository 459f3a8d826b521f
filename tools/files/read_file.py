"""Read a page of a text file with line numbers, the text of a PDF, or a picture."""

from __future__ import annotations

from typing import Annotated

from tools import FileBytes, FileText, ReadContext, ToolResult, plural, tool
from tools.files._report import size

PAGE = 18_000
"""Characters of one result: below what the app cuts, so that a page ends at a line and says how to go on."""


@tool(
    reads=True,
    verb="Read file",
    main="path",
    keywords=("open", "show", "cat", "view", "contents", "text", "pdf", "image", "lines"),
    examples=("show me notes.txt", "what is in config/settings.toml", "read lines 100 to 200 of app.py"),
    accepts={"file_path": "path", "file": "path", "filename": "path", "start": "offset", "count": "limit"},
)
async def read_file(
    context: ReadContext,
    path: Annotated[str, "Path"],
    offset: Annotated[int, "First line, from 1"] = 1,
    limit: Annotated[int, "Limit"] = 2000,
) -> ToolResult:
    """Read the contents of a text file."""
    found = await context.files.read(path, first=max(1, offset), count=max(1, limit))
    if isinstance(found, FileBytes):
        return _bytes(found, context.cwd)
    return _text(found)


def _text(found: FileText) -> ToolResult:
    if not found.total:
        return ToolResult("[the file is empty]", summary="empty")
    if not found.lines:
        return ToolResult(
            f"[the file has only {plural(found.total, 'line', 'lines')}]", summary="past the end", ok=False
        )
    numbered: list[str] = []
    length = 0
    for number, line in enumerate(found.lines, found.first):
        shown = f"{number}\t{line}"
        if numbered and length + len(shown) > PAGE:
            break
        numbered.append(shown)
        length += len(shown) + 1
    last = found.first + len(numbered) - 1
    notes = [] if found.encoding == "utf-8" else [f"encoding {found.encoding}"]
    if last < found.total or found.first > 1:
        notes.insert(0, f"lines {found.first} to {last} of {found.total}")
    if last < found.total:
        notes.append(f"go on with offset {last + 1}")
    return ToolResult(
        text="\n".join([*numbered, f"[{'; '.join(notes)}]"] if notes else numbered),
        summary=plural(len(numbered), "line", "lines"),
        data={"path": found.path},
    )


def _bytes(found: FileBytes, cwd: str) -> ToolResult:
    what = f"{found.path}: {found.mime or 'binary'}, {size(found.size)}"
    if found.kind != "image":
        return ToolResult(f"[{what}; it is no text and cannot be shown]", summary="not text", ok=False)
    if len(found.data) < found.size:
        return ToolResult(f"[{what}; too large to be shown]", summary="too large", ok=False)
    where = found.path if found.path.startswith("/") or found.path[1:2] == ":" else f"{cwd}/{found.path}"
    return ToolResult(
        f"[{what}; you see it here if you can see pictures, and the person sees it in the window]",
        summary="picture",
        view="image",
        data={"path": where},
        images=(found.data,),
    )

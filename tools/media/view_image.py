"""Show a picture: to the model where it can see, and to the person."""

from __future__ import annotations

from typing import Annotated

from tools import FileBytes, ReadContext, ToolFailed, ToolResult, tool


@tool(
    reads=True,
    verb="View picture",
    main="path",
    keywords=("look at", "photo", "screenshot", "png", "jpg", "what is in the picture", "describe"),
    examples=("look at screenshot.png and say what is wrong", "was ist auf dem Bild foto.jpg zu sehen"),
    accepts={"file": "path", "image": "path", "file_path": "path"},
)
async def view_image(
    context: ReadContext,
    path: Annotated[str, "Path of a picture"],
) -> ToolResult:
    """Look at a picture file and see what it shows."""
    found = await context.files.read(path)
    if not isinstance(found, FileBytes) or found.kind != "image":
        what = (found.mime or "no picture") if isinstance(found, FileBytes) else "text"
        raise ToolFailed(f"{found.path} is no picture ({what}). read_file reads text and documents.")
    if len(found.data) < found.size:
        raise ToolFailed(f"{found.path} has {found.size:,} bytes, more than can be shown.")
    where = (
        found.path if found.path.startswith("/") or found.path[1:2] == ":" else f"{context.cwd}/{found.path}"
    )
    return ToolResult(
        f"[{found.path}: {found.mime}, {found.size:,} bytes; you see it here if you can see pictures, and "
        "the person sees it in the window]",
        "picture",
        view="image",
        data={"path": where},
        images=(found.data,),
    )

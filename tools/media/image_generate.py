"""Have a model draw a picture from words, and save it as a file."""

from __future__ import annotations

from typing import Annotated, Literal

from tools import ToolContext, ToolFailed, ToolResult, tool
from tools.media._made import told

_LONGEST = 4_000


@tool(
    reads=False,
    verb="Draw a picture",
    main="prompt",
    keywords=("draw", "picture", "illustration", "image from text", "logo", "art"),
    examples=("draw a fox in the snow and save it as fox.png", "male ein Schiff im Sturm"),
    accepts={"description": "prompt", "text": "prompt", "file": "path", "output": "path"},
)
async def image_generate(
    context: ToolContext,
    prompt: Annotated[str, "What to show"],
    size: Annotated[Literal["square", "wide", "tall"], "Size"] = "square",
    style: Annotated[str, "Style"] = "",
    path: Annotated[str, "Path relative to the workspace or absolute"] = "",
) -> ToolResult:
    """Generate an image from a text prompt."""
    if context.pictures is None:
        raise ToolFailed("Pictures cannot be made from here.")
    words = f"{prompt.strip()}\n\nStyle: {style.strip()}" if style.strip() else prompt.strip()
    if not prompt.strip() or len(words) > _LONGEST:
        raise ToolFailed(f"Say what the picture shows, in at most {_LONGEST:,} characters.")
    return told(await context.pictures.draw(words, size=size, path=path.strip()), "made")

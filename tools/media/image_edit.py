"""Have a model change a picture, and save the result as a new file."""

from __future__ import annotations

from typing import Annotated

from tools import ToolContext, ToolFailed, ToolResult, tool
from tools.media._made import told

_LONGEST = 4_000


@tool(
    reads=False,
    verb="Change a picture",
    main="picture",
    keywords=("edit photo", "retouch", "remove background", "change picture", "inpaint"),
    examples=("remove the car from street.jpg", "mach den Himmel auf foto.png zum Sonnenuntergang"),
    accepts={"image": "picture", "file": "picture", "input": "picture", "output": "path"},
)
async def image_edit(
    context: ToolContext,
    picture: Annotated[str, "Picture file to change"],
    prompt: Annotated[str, "What to change"],
    mask: Annotated[str, "Picture whose clear parts may change"] = "",
    path: Annotated[str, "Path of the new file"] = "",
) -> ToolResult:
    """Change a picture file as described and save the result as a new file."""
    if context.pictures is None:
        raise ToolFailed("Pictures cannot be changed from here.")
    if not prompt.strip() or len(prompt) > _LONGEST:
        raise ToolFailed(f"Say what to change, in at most {_LONGEST:,} characters.")
    made = await context.pictures.edit(prompt.strip(), picture, mask=mask.strip(), path=path.strip())
    return told(made, "changed")

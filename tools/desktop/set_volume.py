"""Change the volume."""

from __future__ import annotations

from typing import Annotated

from tools import ToolContext, ToolResult, tool
from tools.desktop._report import acting, level as told


@tool(
    reads=False,
    verb="Set volume",
    main="level",
    keywords=("louder", "quieter", "mute", "sound"),
    examples=("turn the volume down", "mute the sound", "mach lauter"),
    accepts={"volume": "level", "percent": "level", "delta": "change"},
)
async def set_volume(
    context: ToolContext,
    level: Annotated[int | None, "Per cent, 0 to 100"] = None,
    change: Annotated[int | None, "Per cent up or, below 0, down"] = None,
    mute: Annotated[bool | None, "Mute or unmute"] = None,
) -> ToolResult:
    """Change, mute or unmute the audio volume."""
    return told(await acting(context.desktop).set_volume(level, change, mute), "Volume")

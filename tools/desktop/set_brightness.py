"""Change the brightness of a screen."""

from __future__ import annotations

from typing import Annotated

from tools import ToolContext, ToolResult, tool
from tools.desktop._report import acting, level as told


@tool(
    reads=False,
    verb="Set brightness",
    main="level",
    keywords=("dim", "brighter", "backlight", "screen light"),
    examples=("dim the screen", "set brightness to 40 percent", "mach den Bildschirm heller"),
    accepts={"brightness": "level", "percent": "level", "delta": "change", "screen": "display"},
)
async def set_brightness(
    context: ToolContext,
    level: Annotated[int | None, "Per cent, 1 to 100"] = None,
    change: Annotated[int | None, "Per cent up or, below 0, down"] = None,
    display: Annotated[str, "Which screen, default the first"] = "",
) -> ToolResult:
    """Change the display brightness."""
    return told(await acting(context.desktop).set_brightness(level, change, display), "Brightness")

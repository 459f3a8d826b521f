"""Take a picture of the screen."""

from __future__ import annotations

from typing import Annotated, Literal

from tools import ChangeSet, ToolContext, ToolResult, WriteBytes, checked, tool
from tools.desktop._report import looking


@tool(
    reads=lambda arguments: not arguments.get("path"),
    verb="Screenshot",
    main="window",
    keywords=("screen capture", "picture of the screen", "what is on my screen"),
    examples=("take a screenshot", "look at my screen", "mach einen Screenshot vom Fenster Firefox"),
    accepts={"file": "path", "output": "path", "title": "window"},
)
async def screenshot(
    context: ToolContext,
    target: Annotated[Literal["screen", "window"], "What to capture"] = "screen",
    window: Annotated[str, "Part of the window's title; the active one without"] = "",
    path: Annotated[str, "PNG file to save it to; without it is only looked at"] = "",
) -> ToolResult:
    """Capture the screen or a window as an image."""
    found = await looking(context.desktop).picture("window" if window else target, window)
    size = f"{found.width} x {found.height}"
    if not path:
        text = f"A picture of {found.of}, {size}; you see it here if you can see pictures."
        return ToolResult(text, size, view="image", images=(found.data,))
    shows = (f"a picture of {found.of}, {size}",)
    saved = await context.files.change(ChangeSet((WriteBytes(path, found.data, shows=shows),)))
    good = bool(saved.files) and all(file.verified for file in saved.files)
    name = saved.files[0].path if saved.files else path
    return ToolResult(
        f"Saved a picture of {found.of}, {size}, as {name}. [{checked(good)}]",
        size,
        good,
        view="image",
        undo=saved.undo,
        images=(found.data,),
    )

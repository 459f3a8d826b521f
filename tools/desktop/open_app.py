"""Open a program of the desktop."""

from __future__ import annotations

from typing import Annotated

from tools import ToolContext, ToolResult, tool
from tools.desktop._report import acting, done


@tool(
    reads=False,
    verb="Open program",
    main="app",
    keywords=("launch", "start program", "focus", "application"),
    examples=("open firefox", "start the calculator", "öffne den Dateimanager"),
    accepts={"name": "app", "application": "app", "arguments": "args", "files": "args"},
)
async def open_app(
    context: ToolContext,
    app: Annotated[str, "Its name"],
    args: Annotated[list[str] | None, "Files or words to give to it"] = None,
) -> ToolResult:
    """Launch or focus a desktop application."""
    return done(await acting(context.desktop).open_app(app, tuple(args or ())), "opened")

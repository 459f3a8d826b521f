"""Show a desktop notification."""

from __future__ import annotations

from typing import Annotated, Literal

from tools import ToolContext, ToolResult, tool
from tools.desktop._report import acting, done


@tool(
    reads=False,
    verb="Notify",
    main="title",
    keywords=("notification", "pop-up", "toast", "tell me when"),
    examples=("show a notification when you are done", "pop up a message", "zeig mir eine Benachrichtigung"),
    accepts={"message": "body", "text": "body", "summary": "title", "priority": "urgency"},
)
async def notify(
    context: ToolContext,
    title: Annotated[str, "Title"],
    body: Annotated[str, "Text"] = "",
    urgency: Annotated[Literal["low", "normal", "critical"], "Urgency"] = "normal",
) -> ToolResult:
    """Show a desktop notification."""
    return done(await acting(context.desktop).notify(title, body, urgency), "shown")

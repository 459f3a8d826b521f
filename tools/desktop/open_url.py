"""Open a link in the browser."""

from __future__ import annotations

from typing import Annotated

from tools import ToolContext, ToolResult, tool
from tools.desktop._report import acting, done


@tool(
    reads=False,
    verb="Open link",
    main="url",
    keywords=("browser", "website", "link", "page"),
    examples=("open example.org in my browser", "show me that page", "öffne den Link im Browser"),
    accepts={"link": "url", "address": "url", "app": "browser"},
)
async def open_url(
    context: ToolContext,
    url: Annotated[str, "http, https or mailto link"],
    browser: Annotated[str, "Another browser than the default one"] = "",
) -> ToolResult:
    """Open a link in the default web browser."""
    return done(await acting(context.desktop).open_url(url, browser), "handed over")

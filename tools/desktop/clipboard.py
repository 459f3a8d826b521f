"""Read or set the clipboard."""

from __future__ import annotations

from typing import Annotated, Literal

from tools import ToolContext, ToolFailed, ToolResult, tool
from tools.desktop._report import acting, done, looking


@tool(
    reads=lambda arguments: arguments.get("action") == "read",
    verb="Clipboard",
    main="text",
    keywords=("copy", "paste", "copied text"),
    examples=(
        "copy this link to my clipboard",
        "what is on the clipboard",
        "kopiere das in die Zwischenablage",
    ),
    accepts={"content": "text", "operation": "action"},
)
async def clipboard(
    context: ToolContext,
    action: Annotated[Literal["read", "write"], "What to do"],
    text: Annotated[str, "Text to copy"] = "",
) -> ToolResult:
    """Read or set the system clipboard."""
    if action == "write":
        return done(await acting(context.desktop).set_clipboard(text), "copied" if text else "emptied")
    if text:
        raise ToolFailed("text goes with action write.")
    found = await looking(context.desktop).read_clipboard()
    if found.kind == "empty":
        return ToolResult("The clipboard is empty.", "empty")
    if found.kind != "text":
        return ToolResult(f"The clipboard holds {found.kind}, which is no text.", found.kind)
    cut = "\n[It goes on; only its beginning was read.]" if found.cut else ""
    return ToolResult(f"{found.text}{cut}", f"{len(found.text):,} characters")

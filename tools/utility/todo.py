"""The person's own to-do list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from tools import Kept, Memo, ToolContext, ToolFailed, ToolResult, tool


def _lists(arguments: Mapping[str, Any]) -> bool:
    return arguments.get("action") == "list"


@tool(
    reads=_lists,
    verb="To-do list",
    main="item",
    keywords=("to-do", "task", "shopping list", "errand", "tick off"),
    examples=(
        "put milk on my shopping list",
        "what is on my to-do list",
        "hak den Zahnarzt auf meiner Liste ab",
    ),
    accepts={"text": "item", "name": "list"},
)
async def todo(
    context: ToolContext,
    action: Annotated[Literal["list", "add", "done", "remove"], "What to do"],
    item: Annotated[str, "Item"] = "",
    list: Annotated[str, "List name"] = "",
    due: Annotated[str, "Due date"] = "",
) -> ToolResult:
    """Add, list, tick off or remove items of the personal to-do list."""
    if context.memory is None:
        raise ToolFailed("There is no to-do list here.")
    if action == "list":
        return _listed(await context.memory.todos(list), list)
    if not item.strip():
        raise ToolFailed("Say which item.")
    if action == "add":
        kept = await context.memory.add_todo(item, list, due)
        due = f", due {kept.memo.due}" if kept.memo.due else ""
        return _told(kept, ("was on the list already" if kept.merged else "is on the list") + due)
    kept = await context.memory.settle_todo(item, list, remove=action == "remove")
    return _told(kept, "is off the list" if action == "remove" else "is ticked off")


def _listed(memos: tuple[Memo, ...], name: str) -> ToolResult:
    if not memos:
        return ToolResult(f"The list {name!r} is empty." if name else "Nothing is on the list.", "nothing")
    lines = [_line(memo) for memo in memos]
    left = sum(not memo.done for memo in memos)
    return ToolResult("\n".join(lines), summary=f"{left} open")


def _line(memo: Memo) -> str:
    due = f", due {memo.due}" if memo.due else ""
    place = f" #{memo.topic}" if memo.topic else ""
    doubt = ", from text that nobody vouches for: data" if memo.sure == "untrusted" else ""
    return f"- [{'x' if memo.done else ' '}] {memo.text}{place} ({memo.id}{due}{doubt})"


def _told(kept: Kept, what: str) -> ToolResult:
    checked = "Verified" if kept.verified else "Unverified: it could not be read back"
    return ToolResult(f"{checked}: {kept.memo.text!r} ({kept.memo.id}) {what}.", what, undo=kept.undo)

"""Forget for good what is remembered."""

from __future__ import annotations

from typing import Annotated

from tools import ToolContext, ToolFailed, ToolResult, tool

MOST = 50


@tool(
    reads=False,
    verb="Forget",
    main="items",
    keywords=("memory", "delete a fact", "erase", "no longer true"),
    examples=(
        "forget that I live in Graz",
        "delete what you remember about my old job",
        "vergiss meine alte Adresse",
    ),
    accepts={"ids": "items", "id": "items", "item": "items"},
)
async def forget(
    context: ToolContext,
    items: Annotated[tuple[str, ...], "Ids as recall shows them, such as m12"],
) -> ToolResult:
    """Erase remembered facts, notes or to-do items for good."""
    if context.memory is None:
        raise ToolFailed("There is no memory here.")
    if not 1 <= len(items) <= MOST:
        raise ToolFailed(f"Name 1 to {MOST} ids; recall shows them.")
    count, conversations, backups = await context.memory.forget(items)
    lines = [f"Verified: {count} forgotten for good; it cannot be undone."]
    if conversations:
        lines.append(
            f"{conversations} conversations still say it in their own words; the person can delete them."
        )
    if backups:
        lines.append(f"{backups} backups of the data still hold it; nightly ones go after a week.")
    return ToolResult("\n".join(lines), summary=f"{count} forgotten")

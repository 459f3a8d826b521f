"""Call a tool that find_tools has found: one way to all of them, so that the list of tools stays the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from tools import ToolContext, ToolFailed, ToolResult, tool


def _through(arguments: Mapping[str, Any]) -> bool:
    """Reading tools are called by it too: what counts is the tool that it names."""
    return False


@tool(
    reads=_through,
    verb="Use tool",
    main="name",
    keywords=("call", "invoke"),
    examples=("call the tool that was found", "run calculate by its name"),
)
async def use_tool(
    context: ToolContext,
    name: Annotated[str, "Name"],
    arguments: Annotated[dict[str, Any], "Arguments"],
) -> ToolResult:
    """Call any tool by name, with the arguments that find_tools showed."""
    raise ToolFailed(f"{name} was not looked up.")  # the call is read as that of the tool it names

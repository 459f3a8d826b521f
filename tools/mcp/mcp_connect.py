"""Connect an MCP server."""

from __future__ import annotations

from typing import Annotated, Any

from tools import ToolContext, ToolFailed, ToolResult, tool
from tools.mcp._report import added


@tool(
    reads=False,
    verb="Connect a server",
    main="name",
    keywords=("mcp server", "integration", "plugin", "connector"),
    examples=("install the github mcp server", "verbinde den MCP-Server für Postgres"),
    accepts={"server": "name", "environment": "env"},
)
async def mcp_connect(
    context: ToolContext,
    name: Annotated[str, "Server name or registry id"],
    command: Annotated[str, "Command to start it"] = "",
    url: Annotated[str, "Remote URL"] = "",
    env: Annotated[dict[str, Any] | None, "Environment"] = None,
) -> ToolResult:
    """Connect or install an MCP server to add external tools."""
    if context.servers is None:
        raise ToolFailed("Servers cannot be connected from here.")
    return added(await context.servers.connect(name, command, url, env or {}))

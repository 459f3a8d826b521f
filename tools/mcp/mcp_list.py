"""List MCP servers."""

from __future__ import annotations

from typing import Annotated

from tools import ReadContext, ToolFailed, ToolResult, tool
from tools.mcp._report import told


@tool(
    reads=True,
    verb="List servers",
    main="server",
    keywords=("mcp servers", "integrations", "plugins", "connected"),
    examples=("which mcp servers do i have", "show the tools of the jira server"),
    accepts={"name": "server"},
)
async def mcp_list(context: ReadContext, server: Annotated[str, "Only this server"] = "") -> ToolResult:
    """List connected MCP servers and the tools they offer."""
    if context.servers is None:
        raise ToolFailed("There are no MCP servers here.")
    found = await context.servers.servers(server)
    ready = sum(one.state == "ready" for one in found)
    return ToolResult(
        text="\n\n".join(map(told, found)) or "No MCP server is set up. mcp_search looks in the registry.",
        summary=f"{ready} of {len(found)} connected" if found else "no servers",
    )

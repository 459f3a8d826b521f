"""A server of the newest protocol, made with the SDK, which grows a tool when told to. Run as a program."""

from __future__ import annotations

from mcp.server.mcpserver import Context, MCPServer

server = MCPServer("modern", version="3.1")


def grown() -> str:
    """Answer that it has grown."""
    return "grown"


@server.tool()
async def grow(ctx: Context) -> str:
    """Grow a tool."""
    server.add_tool(grown)
    await ctx.notify_tools_changed()
    return "growing"


if __name__ == "__main__":
    server.run("stdio")

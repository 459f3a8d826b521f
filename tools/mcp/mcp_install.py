"""Install a server of the official registry."""

from __future__ import annotations

from typing import Annotated, Any

from tools import ToolContext, ToolFailed, ToolResult, tool
from tools.mcp._report import added


@tool(
    reads=False,
    verb="Install a server",
    main="name",
    keywords=("mcp registry", "add a server"),
    examples=(
        "install io.github.example/weather from the registry",
        "installiere den Server io.github.example/wetter aus der Registry",
    ),
    accepts={"server": "name", "fields": "values"},
)
async def mcp_install(
    context: ToolContext,
    name: Annotated[str, "Registry name, as mcp_search gives it"],
    version: Annotated[str, "Exact version, the newest otherwise"] = "",
    values: Annotated[dict[str, Any] | None, "What it takes, by the keys of mcp_search; no secrets"] = None,
) -> ToolResult:
    """Add an entry of the official registry, as mcp_search found it, in one exact version."""
    if context.servers is None:
        raise ToolFailed("Servers cannot be installed from here.")
    return added(await context.servers.install(name, version, values or {}))

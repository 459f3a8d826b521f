"""Search the official registry of MCP servers."""

from __future__ import annotations

from typing import Annotated

from tools import Need, Offer, ReadContext, ToolFailed, ToolResult, tool
from tools.mcp._report import short

_MOST = 20


@tool(
    reads=True,
    verb="Search the registry",
    main="query",
    keywords=("mcp registry", "marketplace", "find a server"),
    examples=("search the mcp registry for postgres", "gibt es in der mcp-registry etwas für kalender"),
)
async def mcp_search(
    context: ReadContext,
    query: Annotated[str, "Plain words, such as a product's name"],
    limit: Annotated[int, "How many at most"] = 8,
) -> ToolResult:
    """Search the official MCP registry for servers that could be installed."""
    if context.servers is None:
        raise ToolFailed("The registry cannot be searched from here.")
    found = await context.servers.offers(query, max(1, min(limit, _MOST)))
    usable = sum(bool(offer.way) for offer in found)
    if not found:
        return ToolResult(f"The registry answered: it has nothing for {query!r}.", "nothing found")
    text = "\n\n".join(map(_told, found))
    more = "\n\nmcp_install takes a name of these; the person is asked first." if usable else ""
    return ToolResult(text + more, f"{len(found)} found, {usable} usable")


def _told(offer: Offer) -> str:
    title = f" ({offer.title})" if offer.title else ""
    old = " DEPRECATED." if offer.deprecated else ""
    lines = [f"{offer.name}{title} {offer.version}:{old} {short(offer.description)}"]
    lines.append(f"  runs as {offer.way}" if offer.way else f"  cannot be used here: {offer.why}")
    return "\n".join([*lines, *map(_need, offer.needs)])


def _need(need: Need) -> str:
    kind = "secret, entered by the person" if need.secret else need.kind
    words = [kind, "required" if need.required else "optional"]
    words += [f"default {need.default}"] if need.default else []
    words += [f"one of {', '.join(need.choices[:12])}"] if need.choices else []
    about = f": {short(need.description)}" if need.description else ""
    return f"  takes {need.key} ({'; '.join(words)}){about}"

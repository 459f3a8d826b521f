"""What the tools of this folder say of a server."""

from __future__ import annotations

from tools import Server, ToolResult, shortened

_TOOLS, _LINE = 60, 160
_WORDS = {
    "off": "is switched off",
    "connecting": "is still connecting",
    "ready": "is connected",
    "failed": "is not connected",
    "sign_in": "waits for the person to sign in",
    "approval": "waits for the person to approve it",
}


def told(server: Server) -> str:
    """Return a server with its tools, one to a line."""
    why = f": {server.reason}" if server.reason else ""
    lines = [f"{server.name} {_WORDS.get(server.state, server.state)}{why}."]
    lines += [f"- {name}: {short(text)}" for name, text in server.tools[:_TOOLS]]
    if len(server.tools) > _TOOLS:
        lines.append(f"- and {len(server.tools) - _TOOLS} more; find_tools finds them.")
    if server.held:
        lines.append(f"{server.held} tools are held back until the person agrees to their new definitions.")
    return "\n".join(lines)


def added(server: Server) -> ToolResult:
    """Return what became of a server that was added or connected."""
    ready = server.state == "ready"
    more = "\nCall them by these names; find_tools gives their schemas." if server.tools else ""
    return ToolResult(
        text=f"Verified: {told(server)}{more}" if ready else f"Unverified: {told(server)}",
        summary=f"{len(server.tools)} tools" if ready else server.state.replace("_", " "),
        ok=ready or server.state in ("sign_in", "connecting"),
    )


def short(text: str) -> str:
    """Return a text on one line of bounded length."""
    return shortened(text, _LINE)

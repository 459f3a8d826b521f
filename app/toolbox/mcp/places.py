"""Where the file of MCP servers and what belongs to them stand; apart, since each start asks for it."""

from __future__ import annotations

from pathlib import Path

from app.platform.paths import Home

NAME = "mcp.json"


def servers_path(settings: Path) -> Path:
    """Return the place of the file, for the place of the settings file."""
    return settings.with_name(NAME)


def servers_folder(home: Home) -> Path:
    """Return where the packages of servers are installed, and where servers work that name no folder."""
    return home.data / "servers"


def texts_folder(home: Home) -> Path:
    """Return where the definitions lie that the person agreed to."""
    return home.data / "mcp"

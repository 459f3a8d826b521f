"""Where the file of MCP servers stands; apart, since each start asks for it."""

from __future__ import annotations

from pathlib import Path

NAME = "mcp.json"


def servers_path(settings: Path) -> Path:
    """Return the place of the file, for the place of the settings file."""
    return settings.with_name(NAME)

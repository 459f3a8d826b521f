"""Where the person's own tools lie, and where it stands which of them were trusted; light to load."""

from __future__ import annotations

from pathlib import Path

from app.platform.paths import Home


def folder(home: Home) -> Path:
    """Return the folder of their files, beside the settings."""
    return home.settings.with_name("tools")


def trust(home: Home) -> Path:
    """Return the file of what was trusted, among our data, which commands do not see."""
    return home.data / "own-tools.json"

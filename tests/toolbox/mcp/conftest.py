"""Real servers from npm for the tests of this folder, installed once from their locked versions."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from tests.servers.npm import installed, node_program

SOURCE = Path(__file__).with_name("npm")
_FOLDER = Path("node_modules") / "@modelcontextprotocol"
EVERYTHING, FILES = (
    _FOLDER / name / "dist" / "index.js" for name in ("server-everything", "server-filesystem")
)


class NpmServers(NamedTuple):
    """The program that runs them, and their files."""

    node: str
    everything: str
    files: str


@pytest.fixture(scope="session")
def npm_servers() -> NpmServers:
    """The servers of npm."""
    node = node_program()
    folder = installed(SOURCE, EVERYTHING, "mcp", node)
    return NpmServers(node, str(folder / EVERYTHING), str(folder / FILES))

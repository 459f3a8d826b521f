"""The independent mock server `@copilotkit/aimock` as a real process, installed once from its locked version.

A conftest that wants it imports both fixtures: `from tests.servers.aimock import aimock, aimock_process`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.servers.foreign import control, started
from tests.servers.npm import installed, node_program

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "tests" / "wires" / "aimock"
SERVER = Path("node_modules") / "@copilotkit" / "aimock" / "dist" / "cli.js"


@dataclass(frozen=True)
class Aimock:
    """A running server: `url` ends in /v1; the rest steers it and tells what it saw."""

    root: str

    @property
    def url(self) -> str:
        """The base URL, the same for each wire."""
        return f"{self.root}/v1"

    def add(self, match: dict[str, Any], response: dict[str, Any], **options: Any) -> None:
        """Add a fixture: first match wins. Options: latency, chunkSize, truncateAfterChunks,
        disconnectAfterMs, chaos.
        """
        self._control("POST", "fixtures", {"fixtures": [{"match": match, "response": response, **options}]})

    def chaos(self, **rates: float) -> None:
        """Set dropRate, malformedRate, disconnectRate, rateLimitRate (0 to 1) or latencyMs for all
        requests.
        """
        self._control("POST", "chaos", rates)

    def journal(self) -> list[dict[str, Any]]:
        """All requests so far, each with method, path, headers, body and the response's status."""
        entries = self._control("GET", "journal")
        found = entries if isinstance(entries, list) else entries["entries"]
        return list(found)

    def reset(self) -> None:
        """Forget fixtures, journal and chaos."""
        self._control("POST", "reset", {})
        self._control("DELETE", "chaos")

    def _control(self, method: str, path: str, body: Any = None) -> Any:
        return control(f"{self.root}/__aimock/{path}", method, body)


@pytest.fixture(scope="session")
def aimock_process() -> Iterator[Aimock]:
    """The server's process, one a session."""
    node = node_program()
    folder = installed(SOURCE, SERVER, "aimock", node)
    command = [node, str(folder / SERVER), "-p", "0", "-f", str(SOURCE / "hello.json"), "--strict"]
    with started(command, r"listening on (\S+)", cwd=folder) as root:
        yield Aimock(root)


@pytest.fixture
def aimock(aimock_process: Aimock) -> Iterator[Aimock]:
    """The server with nothing in it, for one test."""
    aimock_process.reset()
    yield aimock_process
    aimock_process.reset()

"""The independent mock server `llmock` as a real process: it breaks on demand, and judges how its client took
that.

A conftest that wants it imports both fixtures: `from tests.servers.llmock import llmock, llmock_process`.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.servers.foreign import control, started

PLACES = {"chat": "/v1", "responses": "/v1", "messages": "/anthropic"}
"""The base URLs of the wires, as their makers' own clients are given them."""


@dataclass(frozen=True)
class Llmock:
    """A running server."""

    root: str

    def url(self, wire: str) -> str:
        """The base URL for a wire."""
        return self.root + PLACES[wire]

    def will(self, *behaviors: dict[str, Any]) -> None:
        """Queue what becomes of the next requests: {"type": "fail", "status": ...}, {"type": "stream_fault",
        "kind": truncate, disconnect, malformed or stall}, {"type": "tool_fault", "kind": ...}, {"type":
        "reply", "text": ..., "tool_calls": [{"name": ..., "arguments": {...}}]}.
        """
        self._control("POST", "scenario", {"behaviors": list(behaviors)})

    def verdict(self) -> tuple[bool, list[str]]:
        """Whether the client did well since the reset, and the codes of all that it did not."""
        found = self._control("GET", "verdict")
        return found["passed"], [one["code"] for one in found["findings"]]

    def journal(self) -> list[dict[str, Any]]:
        """All requests since the reset."""
        found = self._control("GET", "requests")
        return list(found if isinstance(found, list) else found["requests"])

    def reset(self) -> None:
        """Forget requests and behaviors."""
        self._control("POST", "reset")

    def _control(self, method: str, path: str, body: Any = None) -> Any:
        return control(f"{self.root}/_llmock/{path}", method, body)


@pytest.fixture(scope="session")
def llmock_process() -> Iterator[Llmock]:
    """The server's process, one a session."""
    if importlib.util.find_spec("llmock") is None:
        pytest.skip("this test needs the package llmock")
    command = [sys.executable, "-P", "-m", "llmock.cli", "serve", "--port", "0"]
    environ = {name: value for name, value in os.environ.items() if not name.startswith("LLMOCK")}
    with started(command, r"running on (http://\S+)", env=environ) as root:
        yield Llmock(root)


@pytest.fixture
def llmock(llmock_process: Llmock) -> Iterator[Llmock]:
    """The server with nothing in it, for one test."""
    llmock_process.reset()
    yield llmock_process
    llmock_process.reset()

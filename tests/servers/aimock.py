"""The independent mock server `@copilotkit/aimock` as a real process, installed once from its locked version.

A conftest that wants it imports both fixtures: `from tests.servers.aimock import aimock, aimock_process`.
"""

from __future__ import annotations

import json
import queue
import subprocess
import threading
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.servers.npm import installed, node_program

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "tests" / "wires" / "aimock"
START_SECONDS = 30
SERVER = Path("node_modules") / "@copilotkit" / "aimock" / "dist" / "cli.js"


@dataclass(frozen=True)
class Aimock:
    """A running server: `url` ends in /v1; the rest steers it and tells what it saw."""

    root: str

    @property
    def url(self) -> str:
        """The base URL for a Chat Completions client."""
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
        data = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json"}
        asked = urllib.request.Request(f"{self.root}/__aimock/{path}", data, headers, method=method)
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(asked, timeout=10) as answer:
            return json.load(answer)


@pytest.fixture(scope="session")
def aimock_process() -> Iterator[Aimock]:
    """The server's process, one a session."""
    node = node_program()
    folder = installed(SOURCE, SERVER, "aimock", node)
    command = [node, str(folder / SERVER), "-p", "0", "-f", str(SOURCE / "hello.json"), "--strict"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder
    )
    try:
        yield Aimock(_address(process))
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout:
            process.stdout.close()


@pytest.fixture
def aimock(aimock_process: Aimock) -> Iterator[Aimock]:
    """The server with nothing in it, for one test."""
    aimock_process.reset()
    yield aimock_process
    aimock_process.reset()


def _address(process: subprocess.Popen[str]) -> str:
    """Wait for the line that tells the address, and go on reading so that the process never blocks on its
    output.
    """
    lines: queue.Queue[str] = queue.Queue()

    def read() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line)
        lines.put("")

    threading.Thread(target=read, name="aimock output", daemon=True).start()
    seen = ""
    while line := lines.get(timeout=START_SECONDS):
        seen += line
        if "listening on " in line:
            return line.split("listening on ")[1].strip().rstrip("/")
    raise RuntimeError(f"the mock server did not start: {seen}")

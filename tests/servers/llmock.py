"""The independent mock server `llmock` as a real process: it breaks on demand, and judges how its client took
that.

A conftest that wants it imports both fixtures: `from tests.servers.llmock import llmock, llmock_process`.
"""

from __future__ import annotations

import importlib.util
import json
import os
import queue
import re
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

START_SECONDS = 30


@dataclass(frozen=True)
class Llmock:
    """A running server."""

    root: str

    @property
    def messages_url(self) -> str:
        """The base URL for the Messages wire, as its own clients are given it."""
        return f"{self.root}/anthropic"

    def will(self, *behaviors: dict[str, Any]) -> None:
        """Queue what becomes of the next requests: {"type": "fail", "status": ...}, {"type": "stream_fault",
        "kind": truncate, disconnect, malformed or stall}, {"type": "tool_fault", "kind": ...}.
        """
        self._control("POST", "scenario", {"behaviors": list(behaviors)})

    def verdict(self) -> tuple[bool, list[str]]:
        """Whether the client did well since the reset, and the codes of all that it did not."""
        found = self._control("GET", "verdict")
        return found["passed"], [one["code"] for one in found["findings"]]

    def reset(self) -> None:
        """Forget requests and behaviors."""
        self._control("POST", "reset")

    def _control(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json"}
        asked = urllib.request.Request(f"{self.root}/_llmock/{path}", data, headers, method=method)
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(asked, timeout=10) as answer:
            return json.loads(answer.read() or b"null")


@pytest.fixture(scope="session")
def llmock_process() -> Iterator[Llmock]:
    """The server's process, one a session."""
    if importlib.util.find_spec("llmock") is None:
        pytest.skip("this test needs the package llmock")
    command = [sys.executable, "-P", "-m", "llmock.cli", "serve", "--port", "0"]
    environ = {name: value for name, value in os.environ.items() if not name.startswith("LLMOCK")}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environ, encoding="utf-8"
    )
    try:
        yield Llmock(_address(process))
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
def llmock(llmock_process: Llmock) -> Iterator[Llmock]:
    """The server with nothing in it, for one test."""
    llmock_process.reset()
    yield llmock_process
    llmock_process.reset()


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

    threading.Thread(target=read, name="llmock output", daemon=True).start()
    seen = ""
    while line := lines.get(timeout=START_SECONDS):
        seen += line
        if found := re.search(r"running on (http://\S+)", line):
            return found.group(1)
    raise RuntimeError(f"the mock server did not start: {seen}")

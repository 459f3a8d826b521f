"""The scripted model server (`loopback.py`) in its own process, and what points Bramble at it."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from tests.bench.machine import HERE, end


class Server:
    """A running server; `url` is its base URL."""

    def __init__(self, script: list[dict[str, Any]], folder: Path) -> None:
        path = folder / f"script-{time.monotonic_ns()}.json"
        path.write_text(json.dumps(script), encoding="utf-8")
        command = [sys.executable, "-P", str(HERE / "loopback.py"), str(path)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.url = f"http://127.0.0.1:{int(self.process.stdout.readline())}/v1"
        self._times: dict[str, queue.Queue[float]] = {"first": queue.Queue(), "last": queue.Queue()}
        threading.Thread(target=self._collect, args=(self.process.stdout,), daemon=True).start()

    def _collect(self, lines: TextIO) -> None:
        for line in lines:
            kind, seconds = line.split()
            self._times[kind].put(float(seconds))

    def variables(self, model: str = "loopback") -> dict[str, str]:
        """What makes Bramble talk to this server."""
        return {"BRAMBLE_BASE_URL": self.url, "BRAMBLE_API_KEY": "none", "BRAMBLE_MODEL": model}

    def first_byte(self, seconds: float = 30.0) -> float:
        """Wait for the next request's first byte; returns unix seconds. Raises queue.Empty."""
        return self._times["first"].get(timeout=seconds)

    def last_byte(self, seconds: float = 30.0) -> float:
        """Wait for the next reply's last byte; returns unix seconds. Raises queue.Empty."""
        return self._times["last"].get(timeout=seconds)


@contextmanager
def serving(script: list[dict[str, Any]], folder: Path) -> Iterator[Server]:
    """A server that says what `script` tells it, until the block ends."""
    server = Server(script, folder)
    try:
        yield server
    finally:
        end(server.process)

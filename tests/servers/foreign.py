"""Servers that we did not write, as real processes: each tells its address, and is steered over HTTP."""

from __future__ import annotations

import json
import queue
import re
import subprocess
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

START_SECONDS = 30


@contextmanager
def started(command: list[str], address: str, **options: Any) -> Iterator[str]:
    """Run a server and yield its root URL, the group of the pattern `address` in what it prints. `options` go
    to Popen. It is ended on leaving.
    """
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", **options
    )
    try:
        yield _address(process, address)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout:
            process.stdout.close()


def control(url: str, method: str, body: Any = None) -> Any:
    """Ask a server something about itself, past every proxy; its JSON, None where it says nothing."""
    data = None if body is None else json.dumps(body).encode()
    asked = urllib.request.Request(url, data, {"content-type": "application/json"}, method=method)
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with direct.open(asked, timeout=10) as answer:
        return json.loads(answer.read() or b"null")


def _address(process: subprocess.Popen[str], address: str) -> str:
    """Wait for the line that tells the address, and go on reading so that the process never blocks on its
    output.
    """
    lines: queue.Queue[str] = queue.Queue()

    def read() -> None:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                lines.put(line)
        except ValueError:
            pass  # closed: the test is over
        lines.put("")

    threading.Thread(target=read, name="output of a server", daemon=True).start()
    seen = ""
    while line := lines.get(timeout=START_SECONDS):
        seen += line
        if found := re.search(address, line):
            return found.group(1).rstrip("/")
    raise RuntimeError(f"the server did not start: {seen}")

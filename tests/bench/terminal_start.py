"""How soon the terminal answers: `--version`, and the first byte of a request."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from tests.bench.figures import Number, by_value
from tests.bench.machine import LAUNCH, environment, medians, time_to_end
from tests.bench.server import serving

SMALLEST = "import sys"
"""The least that Python can do: its own start and end."""

PLAIN_REQUEST = """
import sys, httpx
httpx.Client(trust_env=False).post(sys.argv[1], json={"model": "loopback", "messages": []})
"""
"""A request without any program around it."""


def version(folder: Path, rounds: int) -> list[Number]:
    """`--version` beside Python's own start."""
    environ = environment(folder)
    found = medians(
        rounds,
        {
            "python": lambda: time_to_end([sys.executable, "-P", "-c", SMALLEST], environ),
            "version": lambda: time_to_end([*LAUNCH, "--version"], environ),
        },
    )
    return [by_value("--version", found["version"], "ms", found["python"], 100, "python that does nothing")]


def request_leaves(folder: Path, rounds: int) -> list[Number]:
    """Time from the start of `ask` until the first byte of its request reaches a socket of this machine."""
    with serving([{"text": "Hello."}], folder) as server:
        environ = environment(folder / "home", **server.variables())

        def first_byte(command: list[str]) -> float:
            began = time.time()
            process = subprocess.Popen(
                command, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, cwd=folder
            )
            elapsed = (server.first_byte() - began) * 1000
            process.wait(60)
            return elapsed

        found = medians(
            rounds,
            {
                "plain": lambda: first_byte([sys.executable, "-P", "-c", PLAIN_REQUEST, server.url]),
                "ask": lambda: first_byte([*LAUNCH, "ask", "hello"]),
            },
        )
    return [by_value("request leaves", found["ask"], "ms", found["plain"], 350, "a bare httpx request")]

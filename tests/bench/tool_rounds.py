"""What a round of the agent loop costs: from the last byte of an answer to the first of the next request."""

from __future__ import annotations

import os
import sqlite3
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.bench.figures import Number, by_value
from tests.bench.machine import LAUNCH, environment
from tests.bench.server import serving

MEMORY = Path("/dev/shm")
"""A file system without a disk, where the system has one."""


def tool_rounds(folder: Path, rounds: int) -> list[Number]:
    """Each round ends an answer, stores it, reads a file by its call, stores the result and asks again."""
    found = [_number("tool round, model excluded", folder, rounds)]
    if os.access(MEMORY, os.W_OK):
        with tempfile.TemporaryDirectory(dir=MEMORY) as place:
            found.append(_number("tool round, model and disk excluded", Path(place), rounds))
    return found


def _number(name: str, folder: Path, rounds: int) -> Number:
    commit = _commit(folder)
    return by_value(name, _round(folder, rounds), "ms", commit, 3, "one durable commit there")


def _round(folder: Path, rounds: int) -> float:
    """Median milliseconds of a round of a real `ask`."""
    work = folder / "work"
    work.mkdir()
    (work / "notes.txt").write_text("".join(f"line {number}\n" for number in range(rounds + 50)))
    script: list[dict[str, Any]] = [
        {"text": "Reading.", "calls": [_call(number)]} for number in range(rounds)
    ]
    script.append({"text": "Done."})
    with serving(script, folder) as server:
        environ = environment(folder / "home", **server.variables())
        command = [
            *LAUNCH,
            "ask",
            "read it all",
            "--max-rounds",
            str(rounds + 5),
            "--cwd",
            str(work),
            "--json",
        ]
        done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=300)
        if done.returncode:
            raise RuntimeError(f"ask ended with {done.returncode}: {done.stderr[-1000:]}")
        server.first_byte()
        taken = [(-server.last_byte() + server.first_byte()) * 1000 for _ in range(rounds)]
    return statistics.median(taken)


def _call(number: int) -> dict[str, Any]:
    return {"name": "read_file", "arguments": {"path": "notes.txt", "offset": number + 1, "limit": 20}}


def _commit(folder: Path) -> float:
    """Median milliseconds of one commit of 1 KB in the store's own way of writing."""
    db = sqlite3.connect(folder / "commit.db", isolation_level=None)
    db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE t(a TEXT)")
    taken = []
    for _ in range(100):
        began = time.perf_counter()
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT INTO t VALUES (?)", ("x" * 1000,))
        db.execute("COMMIT")
        taken.append((time.perf_counter() - began) * 1000)
    db.close()
    return statistics.median(taken)

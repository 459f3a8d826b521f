"""What a tool round of the agent loop costs without the model: with the store in memory, and on this disk."""

from __future__ import annotations

import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.bench.figures import Number, by_value
from tests.bench.machine import HERE, environment
from tests.bench.server import serving

MEMORY = Path("/dev/shm")
"""A file system without a disk, where the system has one."""


def tool_rounds(folder: Path, rounds: int) -> list[Number]:
    """Each round stores an answer, reads a file by its call, stores the result and asks again."""
    found = []
    if os.access(MEMORY, os.W_OK):
        with tempfile.TemporaryDirectory(dir=MEMORY) as place:
            taken = _turn(Path(place), rounds)
        name, beside = "tool round: loop, store in memory", "a bare httpx request and reply"
        found.append(by_value(name, taken["loop"], "ms", taken["request"], 3, beside))
    taken = _turn(folder, rounds)
    name, beside = "tool round: loop, store on this disk", "one durable commit on this disk"
    return [*found, by_value(name, taken["loop"], "ms", _commit(folder), 3, beside)]


def _turn(folder: Path, rounds: int) -> dict[str, float]:
    work = folder / "work"
    work.mkdir()
    (work / "notes.txt").write_text("".join(f"line {number}\n" for number in range(rounds + 50)))
    script = [{"text": "Reading.", "calls": [_call(number)]} for number in range(rounds)]
    script.append({"text": "Done."})
    with serving(script, folder) as server:
        arguments = [str(folder / "home"), str(work), str(rounds)]
        command = [sys.executable, "-P", str(HERE / "engine_child.py"), *arguments]
        environ = environment(folder / "home", **server.variables())
        done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise RuntimeError(f"the turn failed: {done.stderr[-1000:]}")
    found: dict[str, float] = json.loads(done.stdout)
    return found


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

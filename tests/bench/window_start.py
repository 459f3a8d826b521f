"""Cold start and idle memory of the real window, beside an empty PySide6 window started in turn with it."""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from tests.bench.figures import Number, by_ratio
from tests.bench.machine import HERE, LAUNCH, display, end, environment, memory_mb, read_lines
from tests.bench.samples import fill_home

EMPTY = (sys.executable, "-P", str(HERE / "reference_window.py"))
SETTLE = 3.0
"""Seconds that a window gets to come to rest before its memory is read."""


def window_start(folder: Path, rounds: int) -> list[Number]:
    """Start both windows in turn, `rounds` times, and compare the medians."""
    home = folder / "filled"
    fill_home(home)
    taken: dict[str, list[float]] = {}
    with display() as screen:
        for turn in range(rounds + 1):
            both = {"empty": _start(EMPTY, environment(folder / "none", **screen), "start frame")}
            both["ours"] = _start(LAUNCH, environment(home, **screen), "start session")
            if turn:  # the first round writes byte code and fills the system's caches
                for name, values in both.items():
                    for key, value in values.items():
                        taken.setdefault(f"{name} {key}", []).append(value)
    found = {key: statistics.median(values) for key, values in taken.items()}
    empty, beside = found["empty frame"], "empty PySide6 window"
    return [
        by_ratio("cold start: composer takes keys", found["ours frame"], "ms", empty, 1.6, beside),
        by_ratio("cold start: last session drawn", found["ours session"], "ms", empty, 2.5, beside),
        by_ratio("memory idle, process tree", found["ours memory"], "MB", found["empty memory"], 2.0, beside),
    ]


def _start(command: tuple[str, ...], environ: Mapping[str, str], until: str) -> dict[str, float]:
    """Start a window, wait for its line `until`, let it rest, and read its memory."""
    traced = {**environ, "BRAMBLE_TRACE_START": f"{time.time():.6f}"}
    none, pipe = subprocess.DEVNULL, subprocess.PIPE
    process = subprocess.Popen(command, env=traced, stdin=none, stdout=none, stderr=pipe, text=True)
    try:
        lines = read_lines(process, until)
        # Not a wait for luck: what is measured is the window at rest.
        time.sleep(SETTLE)
        found = {m[1]: float(m[2]) for m in (re.match(r"start (\w+)_ms=(\d+)", line) for line in lines) if m}
        return found | {"memory": memory_mb(process.pid)}
    finally:
        end(process)

"""Cold start and idle memory of the real window, beside an empty PySide6 window started in turn with it."""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.bench.figures import Number, by_ratio
from tests.bench.machine import HERE, LAUNCH, display, end, environment, memory_mb, read_lines
from tests.bench.samples import fill_home

EMPTY = (sys.executable, "-P", str(HERE / "reference_window.py"))
BESIDE = "empty PySide6 window"
SETTLE = 75.0
"""Seconds until a window is idle: what is kept for a minute in case it is needed again is gone by then."""
Started = tuple[subprocess.Popen[str], dict[str, float]]


def window_start(folder: Path, rounds: int) -> list[Number]:
    """Start both windows in turn, `rounds` times, and compare the medians."""
    home = folder / "filled"
    fill_home(home)
    taken: dict[str, list[float]] = {"empty": [], "frame": [], "session": []}
    with display() as screen:
        for turn in range(rounds + 1):
            with _started(EMPTY, environment(folder / "none", **screen), "start frame") as (_, times):
                found = {"empty": times["frame"]}
            with _started(LAUNCH, environment(home, **screen), "start session") as (_, times):
                found |= times
            if turn:  # the first round writes byte code and fills the system's caches
                for name, values in taken.items():
                    values.append(found[name])
    medians = {name: statistics.median(values) for name, values in taken.items()}
    empty = medians["empty"]
    return [
        by_ratio("cold start: composer takes keys", medians["frame"], "ms", empty, 1.6, BESIDE),
        by_ratio("cold start: last session drawn", medians["session"], "ms", empty, 2.5, BESIDE),
    ]


def window_memory(folder: Path, rounds: int) -> list[Number]:
    """Let both windows stand side by side until they are idle, and read the memory of their processes."""
    home = folder / "filled"
    fill_home(home)
    with (
        display() as screen,
        _started(EMPTY, environment(folder / "none", **screen), "start frame") as (empty, _),
        _started(LAUNCH, environment(home, **screen), "start session") as (ours, _),
    ):
        # Not a wait for luck: what is measured is the window at rest.
        time.sleep(SETTLE if rounds > 2 else 3)
        value, beside = memory_mb(ours.pid), memory_mb(empty.pid)
    return [by_ratio("memory idle, process tree", value, "MB", beside, 2.0, BESIDE)]


@contextmanager
def _started(command: tuple[str, ...], environ: Mapping[str, str], until: str) -> Iterator[Started]:
    """A window that has printed its line `until`, with the milliseconds of each step."""
    traced = {**environ, "BRAMBLE_TRACE_START": f"{time.time():.6f}"}
    none, pipe = subprocess.DEVNULL, subprocess.PIPE
    process = subprocess.Popen(command, env=traced, stdin=none, stdout=none, stderr=pipe, text=True)
    try:
        lines = read_lines(process, until)
        steps = (re.match(r"start (\w+)_ms=(\d+)", line) for line in lines)
        yield process, {step[1]: float(step[2]) for step in steps if step}
    finally:
        end(process)

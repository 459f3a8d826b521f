"""The window at work: a long reply, a conversation of 10,000 messages, a diff of 20,000 lines."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.bench.figures import Number, by_ratio, by_value
from tests.bench.machine import HERE, display, environment
from tests.bench.prose import reply
from tests.bench.samples import fill_home, show_first
from tests.bench.server import serving

REPLY_BYTES = 1_000_000
RATE = 1_000
"""Tokens a second, of four characters each."""
QUICK_BYTES = 60_000


def _child(script: str, word: str, environ: Mapping[str, str], seconds: float) -> dict[str, Any]:
    command = [sys.executable, "-P", str(HERE / script), word]
    pipe = subprocess.PIPE
    done = subprocess.run(command, env=environ, stdout=pipe, stderr=pipe, text=True, timeout=seconds)
    if not done.stdout.strip():
        raise RuntimeError(f"the window gave no result: {done.stderr[-2000:]}")
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def long_reply(folder: Path, rounds: int) -> list[Number]:
    """A reply of 1 MB at 1,000 tokens a second over a socket; few rounds stream a short one."""
    size = REPLY_BYTES if rounds > 2 else QUICK_BYTES
    seconds = size / 4 / RATE
    fill_home(folder / "home", count=5)
    with display() as screen, serving([{"text": reply(size), "rate": RATE}], folder) as server:
        beat = _child(
            "window_child.py", "beat", environment(folder / "none", BENCH_SECONDS="10", **screen), 60
        )
        environ = environment(folder / "home", **screen, **server.variables())
        found = _child("window_child.py", "reply", environ, seconds * 3 + 120)
    if found["stop"] != "done":
        raise RuntimeError(f"the turn ended with {found['stop']}")
    tokens = size / 4 / 10
    first, last = (found[name] / tokens * 1e6 for name in ("first", "last"))
    beside = "empty window's timer, no reply"
    return [
        by_value("1 MB reply: stall of the window, p99", found["p99"], "ms", beat["p99"], 16, beside),
        by_ratio("1 MB reply: cost per token, last 10 %", last, "us", first, 1.5, "its first 10 %"),
    ]


def open_session(folder: Path, rounds: int) -> list[Number]:
    """Open a conversation of 10,000 messages in the window, in turn with one of 60."""
    home = folder / "home"
    made = fill_home(home, count=6, length=60, longest=10_000)
    first, short, long = made[0], made[1], made[-1]
    show_first(home, first)
    nowhere = {"BRAMBLE_BASE_URL": "http://127.0.0.1:9/v1", "BRAMBLE_MODEL": "none"}
    order = ",".join([long, short] * (rounds + 1))
    with display() as screen:
        taken = _child(
            "window_child.py", "open", environment(home, BENCH_SESSIONS=order, **nowhere, **screen), 120
        )["taken"]
    ours, beside = (statistics.median(taken[session][1:]) for session in (long, short))
    return [by_value("10,000 messages: first paint", ours, "ms", beside, 150, "a session of 60 messages")]


def diff_shown(folder: Path, rounds: int) -> list[Number]:
    """Work out and paint the changes of a file of 20,000 lines."""
    with display() as screen:
        taken = _child("diff_child.py", str(rounds + 1), environment(folder, **screen), 120)
    ours, beside = (statistics.median(taken[kind][1:]) for kind in ("diff", "plain"))
    plain = "the file in Qt's plain text field"
    return [by_value("diff of 20,000 lines: worked out and painted", ours, "ms", beside, 150, plain)]

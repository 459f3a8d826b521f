"""Measure the diff view: a file of 20,000 lines with 400 edits, from hunks in hand to its first paint."""

from __future__ import annotations

import random
import time

from PySide6.QtWidgets import QApplication

from app.changes.diff import file_diff
from ui.window.diff import DiffView
from ui.window.theme import make_theme


def big_change(lines: int = 20_000, edits: int = 400, seed: int = 1) -> tuple[bytes, bytes]:
    """Return the file before and after, as bytes."""
    chance = random.Random(seed)
    old = [
        f"    value_{n} = compute(path, limit={n % 97}) if flag else {{'key': 'text'}}\n"
        for n in range(lines)
    ]
    new = list(old)
    for _ in range(edits):
        new[chance.randrange(len(new))] = "    value = evaluate(path)\n    extra = None\n"
    return "".join(old).encode(), "".join(new).encode()


def diff_20000() -> dict[str, float]:
    """Return milliseconds of `diff` (bytes to hunks), `paint` (hunks to the first paint) and `frame`
    (scrolling, p95).
    """
    before, after = big_change()
    began = time.perf_counter()
    file = file_diff("/w/big.py", "big.py", before, after)
    compared = time.perf_counter()
    view = DiffView(make_theme("light"))
    view.resize(1200, 760)
    view.show_file(file)
    view.show()
    view.viewport().repaint()
    painted = time.perf_counter()
    bar, frames = view.verticalScrollBar(), []
    for _ in range(200):
        start = time.thread_time()
        bar.setValue(bar.value() + 45)
        view.viewport().repaint()
        frames.append((time.thread_time() - start) * 1000)
    view.close()
    frame = sorted(frames)[190]
    return {"diff": (compared - began) * 1000, "paint": (painted - compared) * 1000, "frame": frame}


if __name__ == "__main__":
    application = QApplication([])
    make_theme("light").apply(application)
    print(diff_20000())

"""Measure the transcript on the thread's CPU time: a long stream, a long session, scrolling through it.

Each function needs a QApplication; offscreen will do. Times are in milliseconds.
"""

from __future__ import annotations

import random
import statistics
import time

from PySide6.QtWidgets import QApplication

from app.events import RequestSent, TextStreamed
from app.records import Message
from tests.bench.prose import block, reply, sentence
from ui.window.theme import make_theme
from ui.window.transcript.view import TranscriptView

SIZE = (900, 700)
TOKEN = 4
"""Characters of a token; 1,000 of them a second are 33 in each flush."""


def conversation(count: int, seed: int = 7) -> list[Message]:
    """Return short questions and longer answers in turn."""
    rng = random.Random(seed)
    found = []
    for number in range(count):
        mine = number % 2 == 0
        text = sentence(rng, 12) if mine else "\n\n".join(block(rng) for _ in range(rng.randrange(2, 8)))
        found.append(
            Message(
                id=f"m{number:06}",
                session="s",
                parent=None,
                turn=f"t{number // 2}",
                role="user" if mine else "assistant",
                created=float(number),
                text=text,
            )
        )
    return found


def application() -> QApplication:
    """Return the application, made if there is none."""
    found = QApplication.instance()
    return found if isinstance(found, QApplication) else QApplication([])


def shown_view(theme: str = "light") -> TranscriptView:
    """Return a view on the screen."""
    application()
    view = TranscriptView(make_theme(theme))
    view.resize(*SIZE)
    view.show()
    application().processEvents()
    return view


def stream(text: str) -> list[float]:
    """Stream `text` at 1,000 tokens a second; return the time of each flush with its paint, in order."""
    view = shown_view()
    view.apply(RequestSent(session="s", turn="t", round=1, message="a", model="m"))
    times = []
    step = TOKEN * 33
    for at in range(0, len(text), step):
        before = time.thread_time()
        chunk = text[at : at + step]
        for part in range(0, len(chunk), TOKEN):
            view.apply(TextStreamed(session="s", turn="t", message="a", text=chunk[part : part + TOKEN]))
        view.flush()
        application().processEvents()
        times.append((time.thread_time() - before) * 1000)
    view.close()
    view.deleteLater()
    return times


def stream_1mb(size: int = 1_000_000, text: str = "") -> dict[str, float]:
    """Return the longest stall (p99, max) and the cost of a token in the first and last tenth."""
    times = stream(text or reply(size))
    tenth = max(1, len(times) // 10)
    return {
        "p99_stall_ms": statistics.quantiles(times, n=100)[98],
        "max_stall_ms": max(times),
        "cost_first": statistics.mean(times[:tenth]) / 33,
        "cost_last": statistics.mean(times[-tenth:]) / 33,
    }


def open_10000(count: int = 10_000) -> float:
    """Return how long it takes from the messages to their first paint."""
    messages = conversation(count)
    view = shown_view()
    before = time.thread_time()
    view.load(messages)
    application().processEvents()
    took = (time.thread_time() - before) * 1000
    view.close()
    view.deleteLater()
    return took


def scroll(count: int = 2_000, steps: int = 400) -> dict[str, float]:
    """Return the time of a frame while scrolling up by a wheel's notch, and when jumping anywhere."""
    view, rng = shown_view(), random.Random(3)
    view.load(conversation(count))
    application().processEvents()
    bar = view.verticalScrollBar()
    times: dict[str, list[float]] = {"notch": [], "jump": []}
    for number in range(steps):
        kind = "jump" if number % 8 == 7 else "notch"
        target = rng.randrange(bar.maximum()) if kind == "jump" else bar.value() - 120
        before = time.thread_time()
        bar.setValue(target)
        application().processEvents()
        times[kind].append((time.thread_time() - before) * 1000)
    view.close()
    view.deleteLater()
    return {
        "scroll_p50_ms": statistics.median(times["notch"]),
        "scroll_p95_ms": statistics.quantiles(times["notch"], n=20)[18],
        "jump_p95_ms": statistics.quantiles(times["jump"], n=20)[18],
    }

"""Interrupts: the first one stops the turn in good order, the second one leaves at once."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from ui.terminal import exits

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


@contextmanager
def interrupts(stop: Callable[[], None]) -> Iterator[None]:
    """While inside, an interrupt calls `stop` in the running loop; a second one ends the process with 130.

    Handlers of Python's own, not the loop's: they also run while a write is blocked by a slow reader.
    """
    loop = asyncio.get_running_loop()
    seen: list[int] = []

    def handle(number: int, frame: FrameType | None) -> None:
        seen.append(number)
        if len(seen) > 1:
            os._exit(exits.INTERRUPTED)
        loop.call_soon_threadsafe(stop)

    numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    before = {number: signal.signal(number, handle) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

"""The seconds until a provider that asked to wait is asked again, told afresh each second."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable

from ui.words import _, wait


class Countdown:
    """Counts down in the running loop; `changed` is called when `text` is another one."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._until = 0.0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def text(self) -> str:
        """The words for what is left, "" while nothing is waited for."""
        if self._timer is None:
            return ""
        left = max(1, math.ceil(self._until - asyncio.get_running_loop().time()))
        return _("Next try in {time}.").replace("{time}", wait(left))

    def begin(self, seconds: float) -> None:
        """Count down from `seconds`."""
        self.end()
        self._until = asyncio.get_running_loop().time() + seconds
        self._tick()

    def end(self) -> None:
        """Stop counting: something came, or nothing is waited for any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _tick(self) -> None:
        loop = asyncio.get_running_loop()
        left = self._until - loop.time()
        self._timer = loop.call_later(left - math.floor(left) or 1.0, self._tick) if left > 0.01 else None
        self._changed()

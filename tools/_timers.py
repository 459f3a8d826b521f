"""What a tool may do with timers: set one, list them, cancel one. They last over a restart."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable


class Timer(NamedTuple):
    """A timer that runs. `due` in unix seconds, `when` the same as the person's clock shows it."""

    id: str
    label: str
    due: float
    when: str
    left: float
    """Seconds until then, below 0 for one that rang and was not seen yet."""


@runtime_checkable
class ReadTimers(Protocol):
    """The timers of the person, only to look at."""

    async def running_timers(self) -> tuple[Timer, ...]: ...


@runtime_checkable
class Timers(ReadTimers, Protocol):
    """The timers of the person. Raises ToolError bad_arguments with words for the model."""

    async def start_timer(self, after: str, at: str, label: str) -> Timer:
        """Set a timer `after` a duration (90s, 1h30m, 10 minutes) or `at` a clock time or date (07:30,
        tomorrow 9:00, 2026-12-24 18:00).
        """
        ...

    async def cancel_timer(self, which: str) -> tuple[Timer, ...]:
        """Take away the timer with that id or label ("all" for every one); return what was taken away."""
        ...

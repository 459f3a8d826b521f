"""Helpers: bounded conversations that do a part of the work and report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol


class HelperReport(NamedTuple):
    """What a helper came to. `session` is its conversation, `ok` false where it ended early."""

    session: str
    task: str
    text: str
    ok: bool
    rounds: int


class Helpers(Protocol):
    """Starts helpers of the conversation that the call belongs to."""

    async def run(
        self, tasks: Sequence[str], tools: Sequence[str] = (), rounds: int = 40
    ) -> tuple[HelperReport, ...]:
        """Run one for each task side by side and return their reports in the order of the tasks. Without
        `tools` each has all that the conversation has.
        """

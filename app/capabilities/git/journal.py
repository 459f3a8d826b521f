"""Keep what Git changes in files, so that it can be taken back, as what commands change is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from app.capabilities.gate import Permit
from app.changes.snapshot import Ran, Settled, Snapshots
from app.errors import ToolError


class Journaling:
    """Snapshots of work trees for one call; without snapshots nothing can be taken back."""

    def __init__(self, snapshots: Snapshots | None, session: str, turn: str, tool: str) -> None:
        self._snapshots = snapshots
        self._session = session
        self._turn = turn
        self._tool = tool

    async def holds(self, places: Sequence[str]) -> bool:
        """Whether it may be promised that changes of these files and folders can be taken back."""
        if self._snapshots is None:
            return False
        return all([await self._snapshots.holds(place) for place in places])

    async def begin(self, places: Sequence[str], gate: Permit) -> Ran | None:
        """Take a snapshot of files and folders, None where they hold too much. Raises ToolError disk_full."""
        if self._snapshots is None or not places:
            return None
        try:
            return await self._snapshots.take(self._session, self._turn, places, gate.origin, self._tool)
        except OSError as error:
            words = f"What Git changes could not be kept for undo ({error.strerror}). Nothing was done."
            raise ToolError("disk_full", words, detail=str(error)) from error

    async def settle(self, ran: Ran | None) -> Settled:
        """Write down what has changed since; also when the call was cancelled meanwhile."""
        if self._snapshots is None or ran is None:
            return Settled()
        settling = asyncio.ensure_future(self._snapshots.settle(ran))
        try:
            return await asyncio.shield(settling)
        except asyncio.CancelledError:
            await settling
            raise

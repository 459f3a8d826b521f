"""A session's one owner across all processes while a turn runs: a lease row with a heartbeat."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from app.errors import BrambleError
from app.events import Noticed, SessionChanged
from app.platform.ids import new_id
from app.records import Problem, Queued
from app.store import leases, queue, sessions

if TYPE_CHECKING:
    from app.conversation.means import Means

log = logging.getLogger(__name__)

LEASE_SECONDS = 30.0
"""A session's owner is taken for dead after so long without a beat; it beats three times as often."""
BUSY_LOOK_SECONDS = 0.25
"""How often a waiting process looks whether the session is free."""


class Ownership:
    """Of one session. `lost` is called when another process has taken it over, since this one slept."""

    def __init__(
        self,
        means: Means,
        session: str,
        show_queue: Callable[[], Awaitable[None]],
        lost: Callable[[], None],
    ) -> None:
        self.means, self.session, self.show_queue, self.lost = means, session, show_queue, lost

    @asynccontextmanager
    async def held_now(self) -> AsyncIterator[Queued | None]:
        """Hold the session for something that nobody waits in line for. Raises BrambleError session_busy."""
        name = leases.session_name(self.session)
        if not await self._acquire(name):
            raise BrambleError("session_busy", "The conversation is busy.", session=self.session)
        async with self._beating(name):
            yield None

    @asynccontextmanager
    async def held(self, text: str) -> AsyncIterator[Queued | None]:
        """Hold the session; yields what is to be said first, None when the person took it back while it
        waited.
        """
        name = leases.session_name(self.session)
        now = Queued(id="", session=self.session, text=text)
        first = now if await self._acquire(name) else await self._wait_in_queue(name, text)
        async with self._beating(name):
            yield first

    @asynccontextmanager
    async def _beating(self, name: str) -> AsyncIterator[None]:
        store = self.means.store
        beat = asyncio.create_task(self._beat(name), name=f"lease of {self.session}")
        try:
            yield
        finally:
            beat.cancel()
            await asyncio.gather(beat, return_exceptions=True)
            try:
                await asyncio.shield(store.write(leases.release, name, store.owner))
                info = await store.read(sessions.get, self.session)  # no longer marked as running
                self.means.emit(SessionChanged(session=self.session, info=info))
            except BrambleError as error:
                log.warning("lease of %s not released: %s", self.session, error)  # it expires by itself

    async def _acquire(self, name: str) -> bool:
        store = self.means.store
        return bool(
            await store.write(
                leases.acquire, name, store.owner, self.means.clock(), LEASE_SECONDS, os.getpid()
            )
        )

    async def _wait_in_queue(self, name: str, text: str) -> Queued | None:
        """Another process runs a turn here: keep `text` in the queue as ours, where it is safe, until the
        session is free.

        Only this process may say it, since the rights it was given (`--yes`, the mode) are ours.
        """
        item = Queued(id=new_id(self.means.clock()), session=self.session, text=text)
        await self.means.store.write(queue.add, item, self.means.store.owner)
        await self.show_queue()
        self.means.emit(
            Noticed(
                session=self.session, problem=Problem(code="session_busy", fields={"session": self.session})
            )
        )
        try:
            while not await self._acquire(name):
                await asyncio.sleep(BUSY_LOOK_SECONDS)
        except asyncio.CancelledError:
            await asyncio.shield(self._take_back(item))
            raise
        return await self.means.store.read(queue.get, item.id)

    async def _take_back(self, item: Queued) -> None:
        await self.means.store.write(queue.remove, item.id)
        await self.show_queue()

    async def _beat(self, name: str) -> None:
        """Prolong the lease; when another process has it (this one slept too long) the turn must end."""
        store = self.means.store
        while True:
            await asyncio.sleep(LEASE_SECONDS / 3)
            try:
                held = await store.write(leases.beat, name, store.owner, self.means.clock(), LEASE_SECONDS)
            except BrambleError as error:
                log.warning("lease of %s not prolonged: %s", self.session, error)
                continue  # the turn's own writes fail too, and say so
            if not held:
                self.lost()
                return

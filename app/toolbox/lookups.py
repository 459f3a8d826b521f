"""What became of searches for tools: counters, and the misses that show which words are lacking."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from app.errors import StoreError
from app.logs import without_keys
from app.records import LookupCounts, MissedSearch
from app.store import lookups
from app.store.database import Store

log = logging.getLogger(__name__)

LONGEST = 500
"""Characters that are kept of a search."""


class Lookups:
    """Facade over the counters. Nothing of it leaves the machine."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock

    async def searched(self, query: str, names: Sequence[str], session: str = "") -> None:
        """Count a search that named these tools; the words of one that named none are kept, without keys.

        A store that cannot be written loses the count, never the answer.
        """
        words = " ".join(without_keys(query[: 2 * LONGEST]).split())[:LONGEST]
        await self._count(lookups.searched, words, tuple(names), self._clock())

    async def called(self, name: str, session: str = "") -> None:
        """Count a call of a tool that was loaded when it was needed; a lost count is no error here either."""
        await self._count(lookups.called, name)

    async def counts(self) -> LookupCounts:
        """Return the counters, in all and for each tool. Raises StoreError."""
        return await self._store.read(lookups.counts)

    async def misses(self) -> tuple[MissedSearch, ...]:
        """Return the searches that found nothing, the newest first, at most 500. Raises StoreError."""
        return await self._store.read(lookups.misses)

    async def clear(self) -> None:
        """Forget counters and misses. Raises StoreError."""
        await self._store.write(lookups.clear)

    async def put_back(self, counts: LookupCounts, misses: Sequence[MissedSearch]) -> None:
        """Add what was cleared to what was counted since. Raises StoreError."""
        await self._store.write(lookups.put_back, counts, tuple(misses))

    async def _count(self, work: Callable[..., None], *values: object) -> None:
        try:
            await self._store.write(work, *values)
        except StoreError as error:
            log.warning("a search for tools was not counted: %s", error)

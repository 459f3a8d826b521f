"""What a front end can do with the store as a whole: copy it, put a copy back, check and salvage it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.records import Problem
from app.store.backup import free_path
from app.store.database import Store


class Copies:
    """Facade over the one file of all conversations and its backups in the folder `backups`."""

    def __init__(self, store: Store, backups: Path, clock: Callable[[], float]) -> None:
        self._store = store
        self._backups = backups
        self._clock = clock

    async def make(self, path: str = "") -> str:
        """Copy all conversations into a new file at `path`, by default among the backups; return where it is.
        Raises StoreError (file_exists, store_full, ...).
        """
        target = Path(path) if path else free_path(self._backups, "manual", self._clock())
        return str(await self._store.backup(target))

    async def restore(self, path: str) -> str:
        """Put a backup in the place of all conversations; return where those that were here are kept.
        Raises StoreError: not_found, store_corrupt, store_newer; then nothing has changed.
        """
        return str(await self._store.restore(Path(path)))

    async def check(self) -> Problem | None:
        """Look at every page of the store; return its problem, None when it is sound."""
        if self._store.problem is None:
            await self._store.check()
        return self._store.problem

    async def salvage(self) -> str:
        """Write what can be read of a damaged store to a new backup, for `restore`; return where it is.

        Raises StoreError store_corrupt when nothing of it can be read.
        """
        return str((await self._store.salvage()).path)

"""A memory over a real store, with a clock that the test holds."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.memory.memory import Memory, Places
from app.memory_records import MemoryItem, Remembered
from app.store.database import Store


class Desk:
    """An open store with its memory; `now` is the time."""

    def __init__(self, home: Path) -> None:
        self.now = 1_790_000_000.0
        self.home = home
        self.path = home / "data" / "bramble.db"
        self.told = 0
        self.store = Store(self.path, lambda: self.now, backups=home / "backups")
        places = Places(home=home, scratch=home / "scratch", backups=home / "backups")
        self.memory = Memory(self.store, lambda: self.now, self._tell, places)

    def _tell(self) -> None:
        self.told += 1

    async def fact(self, text: str, **fields: object) -> Remembered:
        """Remember a fact of the person."""
        return await self.memory.remember(MemoryItem(text=text, **fields))  # type: ignore[arg-type]

    def bytes_on_disk(self) -> bytes:
        """Return all that stands in the database and beside it."""
        files = sorted(self.path.parent.glob(f"{self.path.name}*"))
        return b"".join(file.read_bytes() for file in files)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    made = Desk(tmp_path)
    await made.store.open()
    try:
        yield made
    finally:
        await made.store.close()

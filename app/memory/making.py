"""Put memory together over a store and a home."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.events import Event, MemoryChanged
from app.memory.memory import Memory, Places
from app.platform.paths import Home
from app.store.database import Store


def make_memory(
    store: Store, home: Home, clock: Callable[[], float], emit: Callable[[Event], None]
) -> Memory:
    """Return the memory of a home."""
    places = Places(home=Path.home(), scratch=home.scratch, backups=home.backups)
    return Memory(store, clock, lambda: emit(MemoryChanged()), places)

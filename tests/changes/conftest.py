"""A journal over a real store, for the tests of changes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.changes.journal import Journal
from app.changes.undo import Undo
from app.store.database import Store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder to work in, without links in its path."""
    made = tmp_path.resolve() / "work"
    made.mkdir()
    return made


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[Journal]:
    """An empty journal."""
    store = Store(tmp_path / "data" / "bramble.db")
    await store.open()
    yield Journal(store, tmp_path / "data" / "journal")
    await store.close()


@pytest.fixture
def undo(journal: Journal) -> Undo:
    """What takes changes of the journal back."""
    return Undo(journal)

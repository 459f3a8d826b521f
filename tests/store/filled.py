"""A store with a session of fifty messages, and what holds of it in any trouble."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from app.errors import StoreError
from app.records import Message, Problem, SessionInfo
from app.store import messages, search, sessions
from app.store.database import Store

Make = Callable[..., SessionInfo]
MakeMessage = Callable[..., Message]


async def fill(path: Path, session: Make, message: MakeMessage, count: int = 50) -> None:
    store = Store(path)
    await store.open()
    await store.write(sessions.create, session())
    for number in range(count):
        parent = f"m{number - 1}" if number else None
        await store.write(messages.add, message(f"m{number}", parent, f"word{number} " * 200))
    await store.close()


async def refused(store: Store, code: str) -> Problem:
    with pytest.raises(StoreError) as caught:
        await store.write(sessions.rename, "s", "new title")
    assert caught.value.code == code
    return caught.value.problem


async def readable(store: Store) -> None:
    assert len(await store.read(messages.branch, "s")) == 50
    assert [hit.message for hit in await store.read(search.search, "word7")] == ["m7"]

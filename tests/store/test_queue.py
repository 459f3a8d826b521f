"""Waiting messages: order, edits, and taking them once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

from app.records import Queued, SessionInfo
from app.store import queue, sessions
from app.store.database import Store

Make = Callable[..., SessionInfo]


async def test_order_edits_and_removal(store: Store, session: Make) -> None:
    await store.write(sessions.create, session())
    kinds: dict[str, Literal["steer", "next"]] = {"a": "next", "b": "steer", "c": "next", "d": "next"}
    for name, kind in kinds.items():
        await store.write(queue.add, Queued(id=name, session="s", text=f"text {name} \ud800\0", kind=kind))
    assert await store.write(queue.edit, "c", "other")
    assert await store.write(queue.remove, "d")
    assert not await store.write(queue.remove, "d")
    assert not await store.write(queue.edit, "d", "x")
    assert [(one.id, one.text) for one in await store.read(queue.waiting, "s")] == [
        ("a", "text a \ud800\0"),
        ("b", "text b \ud800\0"),
        ("c", "other"),
    ]
    assert [one.id for one in await store.write(queue.take, "s", "steer")] == ["b"]
    assert await store.write(queue.take, "s", "steer") == []
    assert [one.id for one in await store.write(queue.take, "s", "next", 1)] == ["a"]
    assert await store.read(queue.get, "a") is None
    found = await store.read(queue.get, "c")
    assert found is not None and found.text == "other"


async def test_what_waits_survives_the_process(tmp_path: Path, session: Make) -> None:
    first = Store(tmp_path / "b.db")
    await first.open()
    await first.write(sessions.create, session())
    await first.write(queue.add, Queued(id="a", session="s", text="later"))
    await first.close()
    second = Store(tmp_path / "b.db")
    await second.open()
    assert [one.text for one in await second.read(queue.waiting, "s")] == ["later"]
    await second.write(sessions.purge, "s")
    assert await second.read(queue.waiting, "s") == []
    await second.close()


async def test_taking_is_undone_with_the_write_that_it_is_part_of(store: Store, session: Make) -> None:
    await store.write(sessions.create, session())
    await store.write(queue.add, Queued(id="a", session="s", text="later"))

    def take_and_fail(db: object) -> None:
        queue.take(db, "s", "next")  # type: ignore[arg-type]
        raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        await store.write(take_and_fail)
    assert [one.id for one in await store.read(queue.waiting, "s")] == ["a"]

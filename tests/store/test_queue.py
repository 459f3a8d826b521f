"""Waiting messages: order, edits, and taking them once."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

from app.errors import StoreError
from app.records import Message, Queued, SessionInfo
from app.store import messages, queue, sessions
from app.store.database import Store

Make = Callable[..., SessionInfo]
Child = Callable[..., subprocess.Popen[str]]


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
    assert [one.id for one in await store.read(queue.due, "s", "steer")] == ["b"]
    assert [one.id for one in await store.read(queue.due, "s", "next")] == ["a", "c"]
    await store.write(queue.say, message("m1", "s"), "a")
    assert await store.read(queue.get, "a") is None
    assert [one.id for one in await store.read(messages.branch, "s")] == ["m1"]
    found = await store.read(queue.get, "c")
    assert found is not None and found.text == "other"


async def test_the_first_words_may_name_the_session(store: Store, session: Make) -> None:
    await store.write(sessions.create, session(title=""))
    assert await store.write(queue.say, message("m1", "s"), "", "Feed the cat")
    assert await store.write(queue.say, message("m2", "s"))
    info = await store.read(sessions.get, "s")
    assert info is not None and (info.title, info.head) == ("Feed the cat", "m2")


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


async def test_saying_is_undone_whole_when_the_message_does_not_fit(store: Store, session: Make) -> None:
    await store.write(sessions.create, session())
    await store.write(queue.add, Queued(id="a", session="s", text="later"))
    with pytest.raises(StoreError):
        await store.write(queue.say, message("m", "no such session"), "a")
    assert [one.id for one in await store.read(queue.waiting, "s")] == ["a"]


async def test_a_text_with_an_owner_is_left_to_it_while_it_lives(tmp_path: Path, session: Make) -> None:
    mine, other = Store(tmp_path / "b.db"), Store(tmp_path / "b.db")
    await mine.open()
    await other.open()
    await mine.write(sessions.create, session())
    await other.write(queue.add, Queued(id="a", session="s", text="with their rights"), other.owner)
    assert await mine.read(queue.due, "s", "next") == []
    assert [one.id for one in await other.read(queue.due, "s", "next")] == ["a"]
    assert [one.id for one in await mine.read(queue.waiting, "s")] == ["a"]
    await other.close()
    assert [one.id for one in await mine.read(queue.due, "s", "next")] == ["a"]
    await mine.close()


def message(id: str, session: str) -> Message:
    return Message(id=id, session=session, parent=None, turn="t", role="user", created=1.0, text="x")


async def test_a_text_of_a_killed_process_is_for_all(store: Store, session: Make, child: Child) -> None:
    script = """
        import asyncio, os
        from pathlib import Path
        from app.records import Queued
        from app.store import queue
        from app.store.database import Store

        async def main():
            store = Store(Path(sys.argv[1]))
            await store.open()
            await store.write(queue.add, Queued(id="a", session="s", text="left behind"), store.owner)
            print("added", flush=True)
            sys.stdin.read()

        asyncio.run(main())
    """
    await store.write(sessions.create, session())
    process = child(script, store.path)
    assert process.stdout is not None and process.stdout.readline() == "added\n"
    assert await store.read(queue.due, "s", "next") == []
    process.kill()
    process.wait()
    assert [one.id for one in await store.read(queue.due, "s", "next")] == ["a"]

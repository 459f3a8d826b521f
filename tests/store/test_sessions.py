"""The session list: order, changes, delete with undo, and who runs."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable

import pytest

from app.errors import StoreError
from app.records import Message, SessionInfo
from app.store import kept, leases, messages, search, sessions
from app.store.database import Store

Make = Callable[..., SessionInfo]
MakeMessage = Callable[..., Message]


async def test_the_list_is_by_newest_message_and_looking_changes_nothing(
    store: Store, session: Make, message: MakeMessage
) -> None:
    for name, updated in (("old", 1.0), ("new", 3.0), ("middle", 2.0)):
        await store.write(sessions.create, session(name, updated=updated))
    assert [one.id for one in await store.read(sessions.list_sessions)] == ["new", "middle", "old"]
    await store.read(sessions.get, "old")
    await store.write(sessions.update, "old", title="renamed", pinned=True)
    assert [one.id for one in await store.read(sessions.list_sessions)] == ["new", "middle", "old"]
    await store.write(messages.add, message("m", session="old", created=9.0))
    assert [one.id for one in await store.read(sessions.list_sessions)] == ["old", "new", "middle"]
    assert len(await store.read(sessions.list_sessions, limit=2)) == 2


async def test_fields_change_and_unknown_ones_are_refused(store: Store, session: Make) -> None:
    await store.write(sessions.create, session())
    changed = await store.write(sessions.update, "s", mode="plan", model="p/m", cwd="/else", archived=True)
    assert changed == session(mode="plan", model="p/m", cwd="/else", archived=True)
    with pytest.raises(TypeError):
        await store.write(sessions.update, "s", id="other")
    with pytest.raises(StoreError) as caught:
        await store.write(sessions.rename, "nobody", "x")
    assert caught.value.code == "no_session"


async def test_deleting_can_be_undone_until_it_is_purged(
    store: Store, session: Make, message: MakeMessage
) -> None:
    await store.write(sessions.create, session(title="holiday"))
    await store.write(messages.add, message("m", None, "the words inside"))
    await store.write(sessions.delete, "s")
    assert await store.read(sessions.list_sessions) == []
    assert [one.id for one in await store.read(sessions.list_sessions, deleted=True)] == ["s"]
    assert await store.read(search.search, "words") == []
    await store.write(sessions.restore, "s")
    assert [one.id for one in await store.read(sessions.list_sessions)] == ["s"]
    assert [hit.session for hit in await store.read(search.search, "words")] == ["s"]
    await store.write(sessions.delete, "s")
    assert await store.write(sessions.purge_deleted, time.time() - 60) == 0
    assert await store.write(sessions.purge_deleted, time.time() + 60) == 1
    assert await store.read(sessions.get, "s") is None
    assert await store.read(messages.get, "m") is None
    count = "SELECT (SELECT count(*) FROM message_words WHERE message_words MATCH 'words')"
    assert await store.read(lambda db: db.execute(count).fetchone()[0]) == 0


async def test_archived_ones_are_listed_on_request(store: Store, session: Make) -> None:
    await store.write(sessions.create, session("a", archived=True))
    assert await store.read(sessions.list_sessions) == []
    assert len(await store.read(sessions.list_sessions, archived=True)) == 1


async def test_a_session_runs_while_somebody_holds_its_lease(store: Store, session: Make) -> None:
    await store.write(sessions.create, session())
    name = leases.session_name("s")
    await store.write(leases.acquire, name, store.owner, time.time(), 30.0, os.getpid())
    assert [one.running for one in await store.read(sessions.list_sessions)] == [True]
    await store.write(leases.beat, name, store.owner, time.time() - 100, 30.0)
    assert [one.running for one in await store.read(sessions.list_sessions)] == [False]


async def test_what_is_kept_beside_a_session_goes_with_it(store: Store, session: Make) -> None:
    await store.write(kept.put, "s", "system", b"of a session that is not there")
    await store.write(sessions.create, session())
    assert await store.read(kept.get, "s", "system") is None
    await store.write(kept.put, "s", "system", b"first")
    await store.write(kept.put, "s", "system", b"then \xff")
    assert await store.read(kept.get, "s", "system") == b"then \xff"
    assert await store.read(kept.keys, "s") == ["system"]
    await store.write(sessions.purge, "s")
    assert await store.read(kept.get, "s", "system") is None


async def test_a_list_of_500_out_of_2000_takes_milliseconds(store: Store, session: Make) -> None:
    def fill(db: sqlite3.Connection) -> None:
        for number in range(2000):
            sessions.create(db, session(f"s{number}", updated=float(number), summary="a line of words" * 5))

    await store.write(fill)

    def measure(db: sqlite3.Connection) -> float:
        begun = time.perf_counter()
        assert len(sessions.list_sessions(db)) == 500
        return time.perf_counter() - begun

    assert min([await store.read(measure) for _ in range(3)]) < 0.03

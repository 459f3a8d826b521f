"""A damaged or foreign file: what is sound in it is read, a way out is offered, nothing is made worse."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from app.errors import StoreError
from app.records import Message, Problem, SessionInfo
from app.store import messages, search, sessions, writer
from app.store.database import Store
from tests.store.filled import readable, refused

Make = Callable[..., SessionInfo]
MakeMessage = Callable[..., Message]
Child = Callable[..., subprocess.Popen[str]]
OWN_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


# --- damage -------------------------


def _damage(path: Path, kind: str) -> None:
    size = path.stat().st_size
    with open(path, "r+b") as file:
        if kind == "header":
            file.write(b"not a database at all" * 10)
        elif kind == "page":
            file.seek(size // 2 // 4096 * 4096)
            file.write(os.urandom(8192))
        elif kind == "most":
            file.seek(2 * 4096)
            file.write(os.urandom(size - 2 * 4096))
        else:
            file.truncate(0)
            file.write(b"\xff" * 10_000)


@pytest.mark.parametrize("kind", ["header", "noise"])
async def test_a_file_that_is_no_database_any_more_offers_the_newest_backup(
    opened: Callable[[], Store], filled: Path, kind: str
) -> None:
    first = Store(filled)
    await first.open()
    copy = await first.nightly()
    await first.close()
    _damage(filled, kind)
    damaged = filled.read_bytes()
    store = opened()
    await store.open()
    assert store.problem is not None and store.problem.code == "store_corrupt"
    assert store.problem.fields["backup"] == str(copy) and float(store.problem.fields["made"]) > 1e9
    await refused(store, "store_corrupt")
    assert await store.read(sessions.list_sessions) == []
    assert filled.read_bytes() == damaged, "nothing touches the damaged file"
    assert copy is not None
    aside = await store.restore(copy)
    assert aside.read_bytes() == damaged, "what was there is kept"
    assert store.problem is None
    await readable(store)
    await store.write(sessions.rename, "s", "works again")


async def test_a_damaged_page_seals_the_store_and_the_rest_is_read(filled: Path) -> None:
    _damage(filled, "page")
    told: asyncio.Queue[Problem | None] = asyncio.Queue()
    store = Store(filled, failed=told.put_nowait)
    await store.open()
    try:
        # The check at the start runs beside the work: "once a day" is due here, after its grace.
        problem = store.problem or await asyncio.wait_for(told.get(), 20)
        assert problem is not None and problem.code == "store_corrupt"
        await refused(store, "store_corrupt")
        info = await store.read(sessions.get, "s")
        assert info is None or info.title == "Title"
        readable = 0
        for number in range(50):
            try:
                readable += await store.read(messages.get, f"m{number}") is not None
            except StoreError as error:
                assert error.code == "store_corrupt"
        assert readable > 0
    finally:
        await store.close()


async def test_damage_that_a_read_meets_seals_the_store(opened: Callable[[], Store], filled: Path) -> None:
    store = opened()
    await store.open()
    _damage(filled, "most")
    with pytest.raises(StoreError) as caught:
        for number in range(50):
            await store.read(messages.get, f"m{number}")
        await store.read(messages.tree, "s")
    assert caught.value.code == "store_corrupt"
    assert store.problem is not None and store.problem.code == "store_corrupt"
    await refused(store, "store_corrupt")


async def test_a_foreign_database_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "bramble.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE theirs(x)")
    other.close()
    store = Store(path)
    await store.open()
    assert store.problem is not None and store.problem.code == "store_corrupt"
    await store.close()
    other = sqlite3.connect(path)
    assert [row[0] for row in other.execute("SELECT name FROM sqlite_master")] == ["theirs"]
    other.close()


async def test_a_store_that_could_not_be_opened_heals_when_it_can(
    tmp_path: Path, session: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").write_text("a file in the way")
    store = Store(tmp_path / "data" / "bramble.db")
    await store.open()
    assert store.problem is not None and store.problem.code == "store_readonly"
    await refused(store, "store_readonly")
    (tmp_path / "data").unlink()
    monkeypatch.setattr(writer, "HEAL_SECONDS", 0.0)
    await store.write(sessions.create, session())
    assert store.problem is None
    assert await store.read(sessions.get, "s") == session()
    await store.close()


async def test_a_damaged_index_is_made_anew_and_stops_nobody(
    opened: Callable[[], Store], filled: Path, message: MakeMessage
) -> None:
    store = opened()
    await store.open()
    await store.write(lambda db: db.execute("DELETE FROM message_words_data WHERE id > 10"))
    store = opened()
    await store.open()
    assert [hit.message for hit in await store.read(search.search, "word7 ")] == ["m7"], "by a scan"
    assert store.problem is None
    assert not await store.write(search.verify)
    assert await store.write(search.verify)
    await store.write(messages.put, message("m7", "m6", "another text"))
    assert [hit.message for hit in await store.read(search.search, "another")] == ["m7"]
    assert [hit.message for hit in await store.read(search.search, "word8")] == ["m8"]


async def test_an_sqlite_without_full_text_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def without(db: sqlite3.Connection) -> None:
        db.execute("CREATE VIRTUAL TABLE words USING fts9(text)")

    monkeypatch.setattr("app.store.migrations.migrate.__defaults__", ((without,),))
    store = Store(tmp_path / "bramble.db")
    with pytest.raises(StoreError) as caught:
        await store.open()
    assert caught.value.code == "internal" and "fts9" in caught.value.problem.detail
    await store.close()


async def test_closing_beside_a_writer_that_holds_on_does_not_hang(
    opened: Callable[[], Store], filled: Path
) -> None:
    store = opened()
    await store.open()
    await store.write(sessions.rename, "s", "x")
    other = sqlite3.connect(filled, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    await asyncio.wait_for(store.close(), 4)
    other.execute("ROLLBACK")
    other.close()
    await Store(filled).close()


def _spoil(path: Path, message: str, column: str, value: bytes) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        kind = "CAST(? AS TEXT)" if column == "text" else "?"
        changed = db.execute(f"UPDATE messages SET {column} = {kind} WHERE id = ?", (value, message))
        assert changed.rowcount == 1


async def test_a_text_with_broken_letters_is_shown_as_far_as_it_goes_and_told(
    opened: Callable[[], Store], filled: Path
) -> None:
    """A damaged overflow page: SQLite sees nothing wrong, the text is no UTF-8 any more."""
    _spoil(filled, "m3", "text", b"half \xff\xff of it")
    store = opened()
    await store.open()
    shown = await store.read(messages.branch, "s")
    assert len(shown) == 50 and shown[3].text == "half \ufffd\ufffd of it"
    assert store.problem is not None and store.problem.code == "store_corrupt"
    await refused(store, "store_corrupt")


@pytest.mark.parametrize("body", [b"{half", b"\xff\xff", b"{}", b"\x01{"])
async def test_a_row_that_holds_no_record_is_damage(
    opened: Callable[[], Store], filled: Path, body: bytes
) -> None:
    _spoil(filled, "m3", "body", body)
    store = opened()
    await store.open()
    with pytest.raises(StoreError) as caught:
        await store.read(messages.branch, "s")
    assert caught.value.code == "store_corrupt"
    assert store.problem is not None and store.problem.code == "store_corrupt"
    assert [one.id for one in await store.read(sessions.list_sessions)] == ["s"]


async def test_a_file_that_was_emptied_is_no_new_store_where_there_are_backups(
    opened: Callable[[], Store], filled: Path
) -> None:
    first = Store(filled)
    await first.open()
    copy = await first.nightly()
    await first.close()
    os.truncate(filled, 0)
    os.utime(filled, (1_000, 1_000))
    store = opened()
    await store.open()
    assert store.problem is not None and store.problem.code == "store_corrupt"
    assert store.problem.fields["backup"] == str(copy)
    assert filled.stat().st_size == 0, "what is there is left as it is"
    assert copy is not None
    await store.restore(copy)
    await readable(store)


async def test_an_empty_file_is_a_new_store_where_there_are_none(tmp_path: Path) -> None:
    """As a kill between making the file and filling it leaves one."""
    path = tmp_path / "bramble.db"
    path.touch()
    os.utime(path, (1_000, 1_000))
    store = Store(path)
    await store.open()
    assert store.problem is None and await store.read(sessions.list_sessions) == []
    await store.close()

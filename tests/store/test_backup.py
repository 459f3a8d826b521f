"""Backups: whole while others write, seven nights, restored beside other processes, and salvage."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from app.errors import StoreError
from app.records import Message, SessionInfo
from app.store import backup, leases, messages, search, sessions
from app.store.database import Store
from app.store.schema import STEPS

Make = Callable[..., SessionInfo]
MakeMessage = Callable[..., Message]
DAY = 86400.0
NIGHT = 1_760_000_000.0


async def test_a_backup_is_one_private_sound_file(store: Store, session: Make, tmp_path: Path) -> None:
    await store.write(sessions.create, session())
    target = await store.backup(tmp_path / "out" / "copy.db")
    assert [file.name for file in target.parent.iterdir()] == ["copy.db"]
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert backup.check(target) == len(STEPS)
    with pytest.raises(StoreError) as caught:
        await store.backup(target)
    assert caught.value.code == "file_exists"


async def test_a_backup_made_amid_writes_holds_one_moment(
    store: Store, session: Make, message: MakeMessage, tmp_path: Path
) -> None:
    await store.write(sessions.create, session())

    async def write() -> None:
        for number in range(100):
            parent = f"m{number - 1}" if number else None
            await store.write(messages.add, message(f"m{number}", parent, "x" * 2000))

    writing = asyncio.create_task(write())
    copies = [await store.backup(tmp_path / f"{number}.db") for number in range(5)]
    await writing
    for copy in copies:
        db = sqlite3.connect(copy)
        names = [row[0] for row in db.execute("SELECT id FROM messages ORDER BY seq")]
        assert names == [f"m{number}" for number in range(len(names))]
        assert db.execute("SELECT head FROM sessions").fetchone()[0] == (names[-1] if names else None)
        db.close()


async def test_one_copy_a_night_and_seven_kept(store: Store, session: Make, tmp_path: Path) -> None:
    await store.write(sessions.create, session())
    folder = tmp_path / "backups"
    for night in range(10):
        assert backup.nightly(store.path, folder, NIGHT + night * DAY) is not None
        assert backup.nightly(store.path, folder, NIGHT + night * DAY + 3600) is None
    copies = backup.found(folder)
    assert [copy.made for copy in copies] == [NIGHT + night * DAY for night in range(9, 2, -1)]
    assert {copy.kind for copy in copies} == {"night"}
    assert backup.nightly(store.path, folder, NIGHT) is not None, "a clock set back does not stop backups"


async def test_restoring_replaces_everything_and_keeps_what_was_there(
    store: Store, session: Make, message: MakeMessage, tmp_path: Path
) -> None:
    await store.write(sessions.create, session(title="then"))
    await store.write(messages.add, message("m", None, "old words"))
    await store.write(leases.acquire, leases.session_name("s"), "somebody", 1e12, 30.0, os.getpid())
    copy = await store.backup(tmp_path / "copy.db")
    await store.write(sessions.rename, "s", "now")
    await store.write(messages.add, message("n", "m", "new words"))
    other = Store(store.path)
    await other.open()
    before = await store.restore(copy)
    assert [one.id for one in await store.read(messages.branch, "s")] == ["m"]
    assert [hit.message for hit in await store.read(search.search, "words")] == ["m"]
    info = await store.read(sessions.get, "s")
    assert info is not None and (info.title, info.running) == ("then", False)
    assert [row.kind for row in await other.changes_since_last()] == ["missed"]
    info = await other.read(sessions.get, "s")
    assert info is not None and info.title == "then"
    assert [row.kind for row in await store.changes_since_last()] == ["missed"], "so does who restored"
    await other.write(sessions.rename, "s", "by the other")
    assert [row.kind for row in await store.changes_since_last()] == ["session"]
    await other.close()
    await store.restore(before)
    assert [one.id for one in await store.read(messages.branch, "s")] == ["m", "n"], (
        "a restore can be taken back"
    )


async def test_another_process_follows_a_restore_over_a_damaged_file(
    tmp_path: Path, session: Make, message: MakeMessage
) -> None:
    path = tmp_path / "bramble.db"
    first, second = Store(path), Store(path)
    await first.open()
    await first.write(sessions.create, session(title="saved"))
    await second.open()
    assert len(await second.read(sessions.list_sessions)) == 1
    copy = await first.backup(tmp_path / "copy.db")
    await first.close()
    path.write_bytes(b"damaged" * 2000)
    Path(f"{path}-wal").unlink(missing_ok=True)
    third = Store(path)
    await third.open()
    assert third.problem is not None and third.problem.code == "store_corrupt"
    await third.restore(copy)
    await second.write(sessions.rename, "s", "after")
    info = await third.read(sessions.get, "s")
    assert info is not None and info.title == "after"
    await third.close()
    await second.close()


async def test_what_is_no_backup_is_refused_and_nothing_changes(
    store: Store, session: Make, tmp_path: Path
) -> None:
    await store.write(sessions.create, session())
    good = await store.backup(tmp_path / "good.db")
    (tmp_path / "text.db").write_text("hello" * 1000)
    (tmp_path / "cut.db").write_bytes(good.read_bytes()[: good.stat().st_size // 2])
    sqlite3.connect(tmp_path / "empty.db").close()
    newer = tmp_path / "newer.db"
    newer.write_bytes(good.read_bytes())
    db = sqlite3.connect(newer)
    db.execute("PRAGMA user_version = 99")
    db.close()
    for name, code in (
        ("missing.db", "not_found"),
        ("text.db", "bad_backup"),
        ("cut.db", "bad_backup"),
        ("empty.db", "bad_backup"),
        ("newer.db", "store_newer"),
    ):
        with pytest.raises(StoreError) as caught:
            await store.restore(tmp_path / name)
        assert caught.value.code == code, name
    assert store.problem is None
    assert [one.id for one in await store.read(sessions.list_sessions)] == ["s"]


async def test_salvage_takes_out_what_can_be_read(
    tmp_path: Path, session: Make, message: MakeMessage
) -> None:
    path = tmp_path / "bramble.db"
    store = Store(path)
    await store.open()
    await store.write(sessions.create, session())
    for number in range(300):
        parent = f"m{number - 1}" if number else None
        await store.write(messages.add, message(f"m{number}", parent, f"word{number} " * 150))
    await store.close()
    size = path.stat().st_size
    with open(path, "r+b") as file:
        for page in range(40, size // 4096, 25):
            file.seek(page * 4096)
            file.write(os.urandom(4096))
    store = Store(path)
    await store.open()
    found = await store.salvage()
    assert found.sessions == 1 and found.messages > 150
    await store.restore(found.path)
    assert store.problem is None
    saved = await store.read(messages.tree, "s")
    assert len(saved) == found.messages
    for one in saved:
        assert one.text == f"word{one.id[1:]} " * 150, "what is there is whole"
    info = await store.read(sessions.get, "s")
    assert info is not None and info.head == saved[-1].id
    assert [hit.message for hit in await store.read(search.search, f"word{saved[-1].id[1:]}")] == [
        saved[-1].id
    ]
    await store.write(messages.add, message("after", info.head))
    await store.close()

"""Opening, writing and reading one database from one process."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from app.errors import StoreError
from app.records import SessionInfo
from app.store import sessions
from app.store.database import Store

Make = Callable[..., SessionInfo]
ROOT = Path(__file__).parents[2]


def _pragma(db: sqlite3.Connection, name: str) -> object:
    return db.execute(f"PRAGMA {name}").fetchone()[0]


async def test_the_settings_that_the_design_asks_for(store: Store) -> None:
    def look(db: sqlite3.Connection) -> list[object]:
        return [_pragma(db, name) for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")]

    assert await store.write(look) == ["wal", 2, 1, 5000]
    assert await store.read(look) == ["wal", 2, 1, 5000]
    assert await store.write(lambda db: db.in_transaction)


async def test_files_are_for_the_owner_alone_and_the_end_is_clean(tmp_path: Path, session: Make) -> None:
    store = Store(tmp_path / "data" / "bramble.db")
    await store.open()
    await store.write(sessions.create, session())
    for file in (tmp_path / "data").iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
    await store.close()
    assert [file.name for file in (tmp_path / "data").iterdir()] == ["bramble.db"]


async def test_a_write_that_raises_is_undone_whole(store: Store, session: Make) -> None:
    def half(db: sqlite3.Connection) -> None:
        sessions.create(db, session("one"))
        raise KeyError("stop")

    with pytest.raises(KeyError):
        await store.write(half)
    assert await store.read(sessions.get, "one") is None
    await store.write(sessions.create, session("one"))
    assert await store.read(sessions.get, "one") == session("one")


async def test_reading_refuses_to_write_and_goes_on(store: Store, session: Make) -> None:
    with pytest.raises(StoreError) as caught:
        await store.read(sessions.create, session())
    assert caught.value.code == "store_readonly"
    assert await store.read(sessions.list_sessions) == []
    assert store.problem is None


async def test_writes_come_in_the_order_in_which_they_were_asked(store: Store, session: Make) -> None:
    await asyncio.gather(*(store.write(sessions.create, session(f"s{number}")) for number in range(30)))
    found = await store.read(sessions.list_sessions)
    assert [info.id for info in reversed(found)] == [f"s{number}" for number in range(30)]


async def test_a_cancelled_caller_leaves_a_whole_write(store: Store, session: Make) -> None:
    running, go = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow(db: sqlite3.Connection) -> None:
        sessions.create(db, session("a"))
        loop.call_soon_threadsafe(running.set)
        asyncio.run_coroutine_threadsafe(go.wait(), loop).result(10)
        sessions.create(db, session("b"))

    task = asyncio.create_task(store.write(slow))
    await running.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go.set()
    await store.write(lambda db: None)
    assert {info.id for info in await store.read(sessions.list_sessions)} == {"a", "b"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
async def test_a_forked_child_is_refused_before_it_can_do_harm(store: Store, session: Make) -> None:
    await store.write(sessions.create, session())
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # 3.12 warns of forks beside threads: the case at hand
        pid = os.fork()
    if pid == 0:
        try:
            step = store.write(sessions.create, session("child"))
            step.send(None)
            os.write(write, b"went on")
        except RuntimeError as error:
            os.write(write, str(error).encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        assert "fork" in answer.read()
    os.waitpid(pid, 0)
    assert [info.id for info in await store.read(sessions.list_sessions)] == ["s"]


async def test_a_store_that_was_never_opened_says_so(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):
        await Store(tmp_path / "b.db").read(sessions.list_sessions)


async def test_opening_again_takes_a_few_milliseconds(tmp_path: Path, session: Make) -> None:
    store = Store(tmp_path / "b.db")
    await store.open()
    await store.write(sessions.create, session())
    await store.close()
    times = []
    for _ in range(5):
        again = Store(tmp_path / "b.db")
        begun = time.perf_counter()
        await again.open()
        await again.read(sessions.list_sessions)
        times.append(time.perf_counter() - begun)
        await again.close()
    assert min(times) < 0.03


def test_the_module_pulls_in_nothing_heavy() -> None:
    code = (
        "import sys; sys.path.insert(0, '.'); import app.store.database; "
        "heavy = ('httpx', 'keyring', 'psutil', 'markdown_it', 'platformdirs', 'html', 'tempfile'); "
        "print([name for name in heavy if name in sys.modules])"
    )
    found = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"

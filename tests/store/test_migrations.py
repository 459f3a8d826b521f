"""Migrations: a backup first, a rehearsal on a copy, one process at a time, and a kind no to newer stores."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from app.errors import StoreError
from app.records import Message, SessionInfo
from app.store import backup, leases, messages, migrations, schema, sessions, writer
from app.store.connection import connect, transact
from app.store.database import Store
from app.store.schema import STEPS, Step

Make = Callable[..., SessionInfo]
MakeMessage = Callable[..., Message]


def _add_column(db: sqlite3.Connection) -> None:
    db.execute("ALTER TABLE sessions ADD COLUMN colour TEXT NOT NULL DEFAULT 'green'")


def _break(db: sqlite3.Connection) -> None:
    db.execute("DELETE FROM sessions")
    db.execute("INSERT INTO nowhere VALUES (1)")


def _orphan(db: sqlite3.Connection) -> None:
    db.execute("INSERT INTO kept(session, key, value) VALUES ('nobody', 'k', 'v')")


@pytest.fixture
async def old(tmp_path: Path, session: Make) -> Path:
    """A closed database of today's version with one session."""
    store = Store(tmp_path / "bramble.db")
    await store.open()
    await store.write(sessions.create, session())
    await store.close()
    return store.path


def _migrate(path: Path, steps: Sequence[Step]) -> Path | None:
    db = connect(path, "me", time.time)
    try:
        return migrations.migrate(db, path, path.parent / "backups", "me", time.time, steps)
    finally:
        db.close()


def _look(path: Path, query: str) -> object:
    db = sqlite3.connect(path)
    try:
        return db.execute(query).fetchone()[0]
    finally:
        db.close()


def test_an_upgrade_keeps_the_data_and_a_backup_of_before(old: Path) -> None:
    saved = _migrate(old, (*STEPS, _add_column))
    assert saved is not None and saved.exists()
    assert _look(old, "SELECT colour FROM sessions WHERE id = 's'") == "green"
    assert _look(old, "PRAGMA user_version") == len(STEPS) + 1
    assert _look(saved, "PRAGMA user_version") == len(STEPS)
    assert [copy.kind for copy in backup.found(old.parent / "backups")] == [
        f"before-version-{len(STEPS) + 1}"
    ]
    assert [file.name for file in (old.parent / "backups").iterdir()] == [saved.name], (
        "the rehearsal is cleared away"
    )
    assert _look(old, "SELECT count(*) FROM leases") == 0
    assert _migrate(old, (*STEPS, _add_column)) is None, "a second time there is nothing to do"


@pytest.mark.parametrize("step", [_break, _orphan])
def test_a_step_that_fails_its_rehearsal_changes_nothing(old: Path, step: Step) -> None:
    before = _look(old, "SELECT count(*) FROM sessions")
    with pytest.raises(StoreError) as caught:
        _migrate(old, (*STEPS, step))
    assert caught.value.code == "internal"
    assert Path(caught.value.problem.fields["backup"]).exists()
    assert _look(old, "PRAGMA user_version") == len(STEPS)
    assert _look(old, "SELECT count(*) FROM sessions") == before
    assert _look(old, "SELECT count(*) FROM leases") == 0


async def test_a_newer_store_is_refused_kindly_and_left_alone(old: Path) -> None:
    _migrate(old, (*STEPS, _add_column))
    store = Store(old)
    with pytest.raises(StoreError) as caught:
        await store.open()
    assert caught.value.code == "store_newer"
    known = len(STEPS)
    assert caught.value.problem.fields == {"path": str(old), "found": str(known + 1), "known": str(known)}
    await store.close()
    assert _look(old, "SELECT colour FROM sessions") == "green"


async def test_a_program_that_runs_while_a_newer_one_migrates_writes_no_more(old: Path) -> None:
    store = Store(old)
    await store.open()
    await store.write(sessions.rename, "s", "before")
    _migrate(old, (*STEPS, _add_column))
    with pytest.raises(StoreError) as caught:
        await store.write(sessions.rename, "s", "after")
    assert caught.value.code == "store_newer"
    info = await store.read(sessions.get, "s")
    assert info is not None and info.title == "before"
    await store.close()


async def test_what_only_a_newer_program_can_read_is_no_damage(old: Path, message: MakeMessage) -> None:
    store = Store(old)
    await store.open()
    await store.write(messages.add, message("m"))
    _migrate(old, (*STEPS, _add_column))
    db = sqlite3.connect(old)
    db.execute("UPDATE messages SET role = 'oracle', body = replace(CAST(body AS TEXT), 'user', 'oracle')")
    db.commit()
    db.close()
    with pytest.raises(StoreError) as caught:
        await store.read(messages.branch, "s")
    assert caught.value.code == "store_newer"
    assert store.problem is None and await store.read(sessions.get, "s") is not None
    await store.close()


async def test_two_processes_that_start_at_once_migrate_once(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = (*STEPS, _add_column)
    for module in (migrations, writer, schema):
        monkeypatch.setattr(module, "STEPS", steps)
    monkeypatch.setattr(migrations.migrate, "__defaults__", (steps,))
    stores = [Store(old) for _ in range(3)]
    await asyncio.gather(*(store.open() for store in stores))
    assert [store.problem for store in stores] == [None] * 3
    assert len(backup.found(old.parent / "backups")) == 1
    for store in stores:
        await store.write(sessions.rename, "s", store.owner)
    for store in stores:
        await store.close()


async def test_a_new_store_opened_by_several_at_once_is_made_once(tmp_path: Path, session: Make) -> None:
    stores = [Store(tmp_path / "new" / "bramble.db") for _ in range(4)]
    await asyncio.gather(*(store.open() for store in stores))
    for number, store in enumerate(stores):
        assert store.problem is None
        await store.write(sessions.create, session(f"s{number}"))
    assert len(await stores[0].read(sessions.list_sessions)) == 4
    for store in stores:
        await store.close()


def test_the_lease_of_a_dead_migration_is_taken_over(old: Path) -> None:
    db = connect(old, "dead", time.time)
    transact(db, lambda db: leases.acquire(db, migrations.LEASE, "dead", time.time(), 1e6, 2**22 + 1))
    db.close()
    assert _migrate(old, (*STEPS, _add_column)) is not None

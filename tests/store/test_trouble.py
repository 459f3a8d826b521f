"""What cannot be written is told by one of a few codes, loses nothing, and can still be read."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from app.errors import StoreError
from app.records import Message, Problem, SessionInfo
from app.store import messages, search, sessions, writer
from app.store.database import Store

Make = Callable[..., SessionInfo]
MakeMessage = Callable[..., Message]
Child = Callable[..., subprocess.Popen[str]]
OWN_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


async def _fill(path: Path, session: Make, message: MakeMessage, count: int = 50) -> None:
    store = Store(path)
    await store.open()
    await store.write(sessions.create, session())
    for number in range(count):
        parent = f"m{number - 1}" if number else None
        await store.write(messages.add, message(f"m{number}", parent, f"word{number} " * 200))
    await store.close()


@pytest.fixture
async def filled(tmp_path: Path, session: Make, message: MakeMessage) -> Path:
    """The path of a closed database with one session of fifty messages."""
    await _fill(tmp_path / "data" / "bramble.db", session, message)
    return tmp_path / "data" / "bramble.db"


@pytest.fixture
async def opened(filled: Path) -> AsyncIterator[Callable[[], Store]]:
    """Makes stores on the filled database, closed in the end."""
    made: list[Store] = []

    def make() -> Store:
        made.append(Store(filled))
        return made[-1]

    yield make
    for store in made:
        await store.close()


async def _refused(store: Store, code: str) -> Problem:
    with pytest.raises(StoreError) as caught:
        await store.write(sessions.rename, "s", "new title")
    assert caught.value.code == code
    return caught.value.problem


async def _readable(store: Store) -> None:
    assert len(await store.read(messages.branch, "s")) == 50
    assert [hit.message for hit in await store.read(search.search, "word7")] == ["m7"]


# --- a folder that cannot be written -------------------------

READ_ONLY = """
    import asyncio
    from pathlib import Path
    from app.errors import StoreError
    from app.store import messages, search, sessions
    from app.store.database import Store
    import app.store.rescue

    async def main():
        store = Store(Path(sys.argv[1]))
        await store.open()
        assert store.problem.code == "store_readonly", store.problem
        try:
            await store.write(sessions.rename, "s", "x")
        except StoreError as error:
            assert error.code == "store_readonly"
        else:
            raise AssertionError("it was written")
        print(len(await store.read(messages.branch, "s")), len(await store.read(search.search, "word7")))
        assert await store.changes_since_last() == ()
        await store.close()

    asyncio.run(main())
"""


def _as_somebody(child: Child, script: str, *arguments: object) -> str:
    """Run a script without root's rights, which no mode of a file stops."""
    # What is loaded late is loaded first, since the libraries may stand where nobody else can read.
    drop = (
        "import encodings.utf_16_le, os, random, shutil, tempfile\n"
        "    os.setgroups([]); os.setgid(65534); os.setuid(65534)\n    "
    )
    process = child(script.replace("asyncio.run", (drop if OWN_ROOT else "") + "asyncio.run"), *arguments)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 0, err
    return out.strip()


@pytest.fixture
def shared(filled: Path) -> Path:
    """The filled database where another person may read it."""
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="bramble-test-"))
    for file in filled.parent.iterdir():
        if file.is_file():
            shutil.copy(file, folder / file.name)
            (folder / file.name).chmod(0o444)
    folder.chmod(0o555)
    yield folder / filled.name
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_a_read_only_folder_is_read(shared: Path, child: Child) -> None:
    before = sorted(path.name for path in shared.parent.iterdir())
    assert _as_somebody(child, READ_ONLY, shared) == "50 1"
    assert sorted(path.name for path in shared.parent.iterdir()) == before


def test_a_read_only_folder_after_a_crash_shows_what_only_the_log_holds(
    filled: Path, shared: Path, child: Child
) -> None:
    # Kill a writer before its log is in the main file, and take both as they stand.
    script = """
        import asyncio, os
        from pathlib import Path
        from app.store import messages
        from app.store.database import Store
        from app.records import Message

        async def main():
            store = Store(Path(sys.argv[1]))
            await store.open()
            last = Message(id="last", session="s", parent="m49", turn="t", role="user", created=3.0,
                text="only in the log")
            await store.write(messages.add, last)
            os.kill(os.getpid(), 9)

        asyncio.run(main())
    """
    child(script, filled).wait()
    shared.parent.chmod(0o755)
    shutil.copy(filled, shared)
    shutil.copy(f"{filled}-wal", f"{shared}-wal")
    for file in shared.parent.iterdir():
        file.chmod(0o444)
    shared.parent.chmod(0o555)
    assert _as_somebody(child, READ_ONLY, shared) == "51 1"


def test_a_read_only_home_without_a_database_is_an_empty_store(child: Child, shared: Path) -> None:
    assert _as_somebody(child, READ_ONLY, shared.parent / "none.db") == "0 0"
    assert _as_somebody(child, READ_ONLY, shared.parent / "below" / "none.db") == "0 0"


# --- a full disk -------------------------


def _fill_up(store: Store, session: Make) -> Callable[[sqlite3.Connection], None]:
    def work(db: sqlite3.Connection) -> None:
        sessions.create(db, session("big", title="x" * 5_000_000))

    return work


async def test_a_full_database_refuses_the_write_and_goes_on(
    opened: Callable[[], Store], session: Make
) -> None:
    store = opened()
    await store.open()

    def limit(db: sqlite3.Connection) -> None:
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages + 4}")

    await store.write(limit)
    with pytest.raises(StoreError) as caught:
        await store.write(_fill_up(store, session))
    assert caught.value.code == "store_full"
    assert store.problem is not None and store.problem.code == "store_full"
    await _readable(store)
    await store.write(sessions.rename, "s", "a small write has room")
    assert store.problem is None, "the problem is gone with the first write that succeeds"
    assert await store.read(sessions.get, "big") is None


FULL_DISK = """
    import asyncio, os, resource, signal
    from pathlib import Path
    from app.errors import StoreError
    from app.records import Message, SessionInfo
    from app.store import messages, sessions
    from app.store.database import Store

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    async def main():
        told = []
        store = Store(Path(sys.argv[1]), failed=told.append)
        await store.open()
        sizes = resource.getrlimit(resource.RLIMIT_FSIZE)
        if sys.argv[2] == "limit":
            resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, sizes[1]))
        written, parent = [], None
        try:
            for number in range(10_000):
                name = f"n{number}"
                message = Message(id=name, session="s", parent=parent, turn="t", role="user", created=3.0,
                    text=f"{number} " * 1000)
                await store.write(messages.add, message)
                written.append(name)
                parent = name
        except StoreError as error:
            code = error.code
        assert [one.id for one in await store.read(messages.branch, "s")] == written, "what was told is there"
        assert store.problem.code == code
        if sys.argv[2] == "limit":
            resource.setrlimit(resource.RLIMIT_FSIZE, sizes)
        else:
            os.remove(sys.argv[3])
        after = Message(id="after", session="s", parent=parent, turn="t", role="user", created=4.0)
        await store.write(messages.add, after)
        await asyncio.sleep(0)
        assert store.problem is None
        print(code, [problem.code if problem else None for problem in told])
        await store.close()

    asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="this system has no limits on file size")
async def test_a_limit_on_file_size_is_a_full_disk(tmp_path: Path, session: Make, child: Child) -> None:
    path = tmp_path / "bramble.db"
    store = Store(path)
    await store.open()
    await store.write(sessions.create, session())
    await store.close()
    out, err = child(FULL_DISK, path, "limit").communicate(timeout=60)
    assert out == "store_full ['store_full', None]\n", err


async def test_a_full_disk(tmp_path: Path, session: Make, child: Child) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("mounting a small disk needs root")
    try:
        store = Store(folder / "bramble.db")
        await store.open()
        await store.write(sessions.create, session())
        await store.close()
        (folder / "ballast").write_bytes(b"x" * 600_000)
        out, err = child(FULL_DISK, folder / "bramble.db", "disk", folder / "ballast").communicate(timeout=60)
        assert out == "store_full ['store_full', None]\n", err
        (folder / "ballast").write_bytes(b"")
        with open(folder / "ballast", "wb", buffering=0) as ballast:
            while shutil.disk_usage(folder).free:
                ballast.write(b"x" * min(4096, shutil.disk_usage(folder).free))
        again = Store(folder / "bramble.db")
        await again.open()
        assert again.problem is not None and again.problem.code == "store_full"
        found = await again.read(messages.branch, "s")
        assert found and found[-1].id == "after", "all is read even when no log can be made beside the file"
        await again.close()
    finally:
        subprocess.run(["umount", str(folder)], check=True)


# --- a locked database -------------------------


async def test_a_locked_database_is_told_and_the_write_succeeds_later(
    opened: Callable[[], Store], filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.store import connection

    monkeypatch.setattr(connection, "BUSY_SECONDS", 0.05)
    store = opened()
    await store.open()
    other = sqlite3.connect(filled, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    problem = await _refused(store, "store_locked")
    assert problem.fields["path"] == str(filled)
    await _readable(store)
    other.execute("ROLLBACK")
    other.close()
    await store.write(sessions.rename, "s", "later")
    assert store.problem is None


async def test_a_write_waits_for_the_other_to_finish(opened: Callable[[], Store], filled: Path) -> None:
    store = opened()
    await store.open()
    other = sqlite3.connect(filled, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    waiting = asyncio.create_task(store.write(sessions.rename, "s", "waited"))
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(asyncio.shield(waiting), 0.2)
    other.execute("ROLLBACK")
    other.close()
    assert (await waiting).title == "waited"


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
    await _refused(store, "store_corrupt")
    assert await store.read(sessions.list_sessions) == []
    assert filled.read_bytes() == damaged, "nothing touches the damaged file"
    assert copy is not None
    aside = await store.restore(copy)
    assert aside.read_bytes() == damaged, "what was there is kept"
    assert store.problem is None
    await _readable(store)
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
        await _refused(store, "store_corrupt")
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
    await _refused(store, "store_corrupt")


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
    await _refused(store, "store_readonly")
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

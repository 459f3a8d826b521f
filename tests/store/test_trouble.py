"""What cannot be written is told by one of a few codes, loses nothing, and can still be read."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.errors import StoreError
from app.records import Message, SessionInfo
from app.store import messages, sessions
from app.store.database import Store
from tests.store.filled import readable, refused

Make = Callable[..., SessionInfo]
MakeMessage = Callable[..., Message]
Child = Callable[..., subprocess.Popen[str]]
OWN_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


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
    await readable(store)
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
    problem = await refused(store, "store_locked")
    assert problem.fields["path"] == str(filled)
    await readable(store)
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

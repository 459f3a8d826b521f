"""When a check is due, and that a stop interrupts it."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

from app.records import SessionInfo
from app.store import integrity, sessions
from app.store.database import Store

Make = Callable[..., SessionInfo]
Child = Callable[..., subprocess.Popen[str]]


async def test_a_check_is_due_once_a_day_and_after_an_unclean_stop(
    store: Store, session: Make, child: Child
) -> None:
    now = time.time()
    assert await store.read(integrity.delay, now) == integrity.START_UP_SECONDS
    await store.write(integrity.note, now)
    assert await store.read(integrity.delay, now + 60) is None
    assert await store.read(integrity.delay, now + integrity.DAY + 1) == integrity.START_UP_SECONDS
    assert await store.read(integrity.delay, now - 1000) == integrity.START_UP_SECONDS, "a clock set back"
    script = """
        import asyncio, os
        from pathlib import Path
        from app.store import feed
        from app.store.database import Store

        async def main():
            store = Store(Path(sys.argv[1]))
            await store.open()
            await store.write(feed.append, "settings")
            os.kill(os.getpid(), 9)

        asyncio.run(main())
    """
    child(script, store.path).wait()
    assert await store.read(integrity.delay, now + 60) == 0.0
    await store.write(integrity.note, now + 60)
    assert await store.read(integrity.delay, now + 61) is None


async def test_an_unclean_stop_is_checked_at_the_next_start(
    tmp_path: Path, session: Make, child: Child
) -> None:
    path = tmp_path / "bramble.db"
    script = """
        import asyncio, os
        from pathlib import Path
        from app.records import SessionInfo
        from app.store import integrity, sessions
        from app.store.database import Store

        async def main():
            store = Store(Path(sys.argv[1]))
            await store.open()
            await store.write(integrity.note, 5.0)
            info = SessionInfo(id="s", title="", cwd="", created=1.0, updated=1.0)
            await store.write(sessions.create, info)
            os.kill(os.getpid(), 9)

        asyncio.run(main())
    """
    child(script, path).wait()
    store = Store(path)
    await store.open()
    (check,) = store._tasks
    await check
    query = "SELECT value FROM meta WHERE key = 'checked'"
    checked = await store.read(lambda db: db.execute(query).fetchone()[0])
    assert checked > time.time() - 60
    assert await store.read(integrity.delay, time.time()) is None
    await store.close()


async def test_closing_stops_a_check(store: Store, session: Make) -> None:
    await store.write(
        lambda db: [sessions.create(db, session(f"s{n}", title="x" * 500)) for n in range(2000)]
    )
    stop = threading.Event()
    assert integrity.examine(store.path, stop) == ""
    stop.set()
    assert integrity.examine(store.path, stop) is None


async def test_commands_that_only_read_write_nothing(tmp_path: Path, session: Make) -> None:
    path = tmp_path / "bramble.db"
    store = Store(path)
    await store.open()
    await store.write(sessions.create, session())
    await store.close()
    before = path.read_bytes()
    again = Store(path)
    await again.open()
    await again.read(sessions.list_sessions)
    await again.close()
    assert path.read_bytes() == before

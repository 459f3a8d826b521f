"""News from other processes: within a second, each once, and never silently lost."""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from app.records import Message, SessionInfo
from app.store import feed, messages, sessions
from app.store.database import Store
from app.store.feed import FeedRow

Make = Callable[..., SessionInfo]
MakeMessage = Callable[..., Message]
Child = Callable[..., subprocess.Popen[str]]


@pytest.fixture
async def other(store: Store) -> AsyncIterator[Store]:
    """A second store on the same file."""
    opened = Store(store.path)
    await opened.open()
    yield opened
    await opened.close()


async def test_each_sees_what_the_other_wrote_once_and_not_its_own(
    store: Store, other: Store, session: Make, message: MakeMessage
) -> None:
    await store.write(sessions.create, session())
    await store.write(messages.add, message("m"))
    assert await store.changes_since_last() == ()
    rows = await other.changes_since_last()
    assert [(row.kind, row.session, row.ref, row.owner) for row in rows] == [
        ("session", "s", "", store.owner),
        ("message", "s", "m", store.owner),
    ]
    assert await other.changes_since_last() == ()
    await other.write(sessions.rename, "s", "new")
    assert [row.kind for row in await store.changes_since_last()] == ["session"]


async def test_a_write_of_another_process_arrives_within_a_second(
    store: Store, session: Make, child: Child
) -> None:
    script = """
        import asyncio, time
        from pathlib import Path
        from app.store import sessions
        from app.store.database import Store

        async def main():
            store = Store(Path(sys.argv[1]))
            await store.open()
            print("up", flush=True)
            for line in sys.stdin:
                await store.write(sessions.rename, "s", line.strip())
                print(time.time(), flush=True)
            await store.close()

        asyncio.run(main())
    """
    await store.write(sessions.create, session())
    process = child(script, store.path)
    assert process.stdin is not None and process.stdout is not None
    assert process.stdout.readline() == "up\n"
    arrived: asyncio.Queue[tuple[float, tuple[FeedRow, ...]]] = asyncio.Queue()
    store.watch(lambda rows: arrived.put_nowait((time.time(), rows)))
    for number in range(3):
        print(f"title {number}", file=process.stdin, flush=True)
        when, rows = await asyncio.wait_for(arrived.get(), 10)
        written = float(process.stdout.readline())
        assert [(row.kind, row.session) for row in rows] == [("session", "s")]
        assert when - written < 1.0
        info = await store.read(sessions.get, "s")
        assert info is not None and info.title == f"title {number}"


async def test_who_falls_too_far_behind_is_told_to_read_everything(
    store: Store, other: Store, session: Make
) -> None:
    await store.write(sessions.create, session())
    assert len(await other.changes_since_last()) == 1
    many = feed.KEPT + 600
    await store.write(lambda db: [feed.append(db, "message", "s", str(number)) for number in range(many)])
    assert [row.kind for row in await other.changes_since_last()] == ["missed"]
    kept = await store.read(lambda db: db.execute("SELECT count(*) FROM feed").fetchone()[0])
    assert kept <= feed.KEPT + 256
    await store.write(sessions.rename, "s", "x")
    assert [row.kind for row in await other.changes_since_last()] == ["session"]


async def test_a_write_that_was_undone_is_no_news(store: Store, other: Store, session: Make) -> None:
    def half(db: object) -> None:
        sessions.create(db, session())  # type: ignore[arg-type]
        raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        await store.write(half)
    await store.write(sessions.create, session("t"))
    assert [row.session for row in await other.changes_since_last()] == ["t"]


async def test_looking_without_news_costs_microseconds(store: Store) -> None:
    await store.changes_since_last()
    begun = time.process_time()
    for _ in range(100):
        await store.changes_since_last()
    assert (time.process_time() - begun) / 100 < 0.002


async def test_opening_starts_at_now(store: Store, session: Make, tmp_path: Path) -> None:
    await store.write(sessions.create, session())
    late = Store(store.path)
    await late.open()
    assert await late.changes_since_last() == ()
    await late.close()

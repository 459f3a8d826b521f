"""Several processes on one store for a while: nothing lost, nothing locked (product.md section 11)."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from app.records import SessionInfo
from app.store import leases, messages, search, sessions
from app.store.database import Store

Child = Callable[..., subprocess.Popen[str]]
Make = Callable[..., SessionInfo]

WRITER = """
    import asyncio, json, os, random, time
    from pathlib import Path
    from app.records import Message, SessionInfo
    from app.store import leases, messages, search, sessions
    from app.store.database import Store

    async def main():
        path, me, seconds, seed = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
        dice = random.Random(seed)
        store = Store(path)
        await store.open()
        own = f"own-{me}"
        await store.write(sessions.create, SessionInfo(id=own, title=own, cwd="/", created=1.0, updated=1.0))
        count, shared, heard, slowest, head = 0, 0, 0, 0.0, None
        store.watch(lambda rows: None)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            begun = time.monotonic()
            name = f"{me}-{count}"
            message = Message(id=name, session=own, parent=head, turn="t", role="user", created=begun,
                text=f"words {me} {count} " * dice.randrange(1, 200))
            await store.write(messages.add, message)
            head, count = name, count + 1
            mine = "session:shared", store.owner
            if await store.write(leases.acquire, *mine, time.time(), 30.0, os.getpid()):
                # Whoever holds the lease appends to the shared branch; two at once would fork it.
                info = await store.read(sessions.get, "shared")
                message = Message(id=f"shared-{name}", session="shared", parent=info.head, turn="t",
                    role="user", created=begun, text="shared")
                await store.write(messages.add, message)
                shared += 1
                await store.write(leases.release, *mine)
            slowest = max(slowest, time.monotonic() - begun)
            if count % 10 == 0:
                await store.read(search.search, f"words {me}")
                heard += len(await store.read(sessions.list_sessions))
        problem = store.problem
        await store.close()
        problem = problem and problem.code
        print(json.dumps({"count": count, "shared": shared, "slowest": slowest, "problem": problem}))

    asyncio.run(main())
"""


@pytest.mark.proof("store-writers", small=2, full=60)
async def test_four_processes_write_at_once(
    tmp_path: Path, session: Make, child: Child, count: int, seed: int
) -> None:
    store = Store(tmp_path / "bramble.db")
    await store.open()
    await store.write(sessions.create, session("shared"))
    started = [child(WRITER, store.path, number, count, seed + number) for number in range(4)]
    answers = []
    for process in started:
        out, err = process.communicate(timeout=count + 60)
        assert process.returncode == 0, err
        assert "locked" not in err
        answers.append(json.loads(out))
    assert [answer["problem"] for answer in answers] == [None] * 4
    for number, answer in enumerate(answers):
        branch = await store.read(messages.branch, f"own-{number}")
        assert [one.id for one in branch] == [f"{number}-{place}" for place in range(answer["count"])]
        assert answer["count"] > 0 and answer["slowest"] < 5.0
    shared = await store.read(messages.branch, "shared")
    assert len(shared) == sum(answer["shared"] for answer in answers)
    assert len(shared) == len(await store.read(messages.tree, "shared")), (
        "the lease kept the branch in one line"
    )
    hits = await store.read(search.search, "words", 100_000)
    assert len(hits) == sum(answer["count"] for answer in answers), "every message is in the index"
    assert await store.read(leases.holder, "session:shared", 0.0) is None
    await store.close()
    db = sqlite3.connect(store.path)
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert db.execute("SELECT count(*) FROM processes").fetchone() == (0,)
    db.close()

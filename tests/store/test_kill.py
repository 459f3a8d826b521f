"""kill -9 of a writer at any moment loses no message that was told to be stored (product.md section 11)."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from app.records import Message
from app.store import messages, queue, sessions
from app.store.database import Store

Child = Callable[..., subprocess.Popen[str]]

WRITER = """
    import asyncio
    from pathlib import Path
    from app.records import Message, Queued, SessionInfo
    from app.store import messages, queue, sessions
    from app.store.database import Store

    async def main():
        store = Store(Path(sys.argv[1]))
        await store.open()
        if not await store.read(sessions.get, "s"):
            info = SessionInfo(id="s", title="t", cwd="/", created=1.0, updated=1.0)
            await store.write(sessions.create, info)
        head = (await store.read(sessions.get, "s")).head
        number = len(await store.read(messages.tree, "s"))
        while True:
            # As in a turn: the answer streams, is replaced by the whole, and something is queued beside it.
            name = f"m{number}"
            message = Message(id=name, session="s", parent=head, turn="t", role="assistant", created=2.0,
                state="streaming")
            await store.write(messages.add, message)
            print("added", name, flush=True)
            for part in range(3):
                await store.write(messages.append_text, name, f"part {part} of {name}. " * 20)
                print("streamed", name, part, flush=True)
            whole = Message(id=name, session="s", parent=head, turn="t", role="assistant", created=2.0,
                text=f"whole {name} " * 300)
            await store.write(messages.put, whole)
            print("whole", name, flush=True)
            await store.write(queue.add, Queued(id=f"q{number}", session="s", text=name))
            print("queued", name, flush=True)
            head, number = name, number + 1

    asyncio.run(main())
"""


def _run_and_kill(child: Child, path: Path, seconds: float) -> list[list[str]]:
    """Let a writer run, kill it in the midst of it, and return what it said was stored."""
    process = child(WRITER, path)
    assert process.stdout is not None
    said = [process.stdout.readline()]  # the clock starts with the first write that is on disk
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        said.append(process.stdout.readline())
    process.kill()
    said += process.stdout.readlines()
    # A line that the kill cut in two says nothing.
    return [line.split() for line in said if line.endswith("\n")]


@pytest.mark.proof("store-kill", small=3, full=50)
async def test_what_was_told_is_there_after_a_kill(
    tmp_path: Path, child: Child, count: int, seed: int
) -> None:
    dice = random.Random(seed)
    path = tmp_path / "bramble.db"
    told: list[list[str]] = []
    for _ in range(count):
        told += _run_and_kill(child, path, dice.uniform(0.05, 0.6))
        store = Store(path)
        await store.open()
        assert store.problem is None
        found = {one.id: one for one in await store.read(messages.tree, "s")}
        waiting = {one.text for one in await store.read(queue.waiting, "s")}
        _compare(told, found, waiting)
        branch = await store.read(messages.branch, "s")
        assert [one.id for one in branch] == [f"m{number}" for number in range(len(found))], (
            "one unbroken branch"
        )
        info = await store.read(sessions.get, "s")
        assert info is not None and info.head == branch[-1].id
        await store.close()
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    db.execute("INSERT INTO message_words(message_words, rank) VALUES ('integrity-check', 1)")
    db.close()


def _compare(told: list[list[str]], found: dict[str, Message], waiting: set[str]) -> None:
    for what, name, *part in told:
        assert name in found
        text = found[name].text
        if what == "streamed" and found[name].state == "streaming":
            assert f"part {part[0]} of {name}. " * 20 in text
        if what == "whole":
            assert text == f"whole {name} " * 300
        if what == "queued":
            assert name in waiting

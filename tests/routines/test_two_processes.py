"""Two real processes on one store, killed with -9 at random points: no slot runs twice, none is lost (C9)."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.routine_records import RoutineInfo
from app.routines import slots
from app.routines.schedule import slots_between
from app.store import routines
from app.store.database import Store
from tests.routines.conftest import BERLIN, at, schedule

ROOT = Path(__file__).parents[2]
Start = Callable[..., subprocess.Popen[str]]

RUNNER = """
    import asyncio, os
    from pathlib import Path
    from app.routines import slots
    from app.store import leases
    from app.store.database import Store

    async def main(path, clock, log):
        now = lambda: float(Path(clock).read_text())
        store = Store(Path(path), now)
        await store.open()
        me, pid = store.owner, os.getpid()
        runs = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        print("up", flush=True)
        while True:
            if not await store.write(leases.acquire, slots.RUNNER, me, now(), leases.TTL, pid):
                await asyncio.sleep(0.002)
                continue
            await store.write(slots.recover, now())
            await store.write(slots.settle, now(), "Europe/Berlin")
            for line in await store.write(slots.claim, now(), me, 3):
                os.write(runs, f"{line.routine} {line.slot}\\n".encode())
                await asyncio.sleep(0.001)
                await store.write(slots.finish, line, me, "done", now())
            await asyncio.sleep(0.001)

    asyncio.run(main(*sys.argv[1:]))
"""


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts runners on one store, all by one held clock; what still runs in the end is ended."""
    started: list[subprocess.Popen[str]] = []
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n" + textwrap.dedent(RUNNER)

    def begin() -> subprocess.Popen[str]:
        names = [str(tmp_path / name) for name in ("bramble.db", "clock", "runs")]
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", code, *names], cwd=ROOT, text=True, stdout=subprocess.PIPE
        )
        started.append(process)
        assert process.stdout is not None and process.stdout.readline() == "up\n"
        return process

    yield begin
    for process in started:
        with process:
            process.kill()


def _hold(tmp_path: Path, now: int) -> None:
    (tmp_path / "next").write_text(str(now))
    os.replace(tmp_path / "next", tmp_path / "clock")


@pytest.mark.proof("routines-kill", small=8, full=1_000)
async def test_no_slot_twice_and_none_lost(tmp_path: Path, start: Start, count: int, seed: int) -> None:
    dice = random.Random(seed)
    begin = now = at("2026-11-30 08:00")
    _hold(tmp_path, now)
    store = Store(tmp_path / "bramble.db", lambda: float(now))
    await store.open()
    words = ("*/10 * * * *", "every 30 minutes", "7 * * * *", "every day at 9")
    for number, text in enumerate(words):
        info = RoutineInfo(id=f"r{number}", name=text, schedule=schedule(text, now))
        await store.write(slots.add, info, float(now), "Europe/Berlin")
    processes = [start(), start()]
    for _ in range(count):
        now += dice.choice((600, 600, 1800, 3600, 5 * 3600))
        _hold(tmp_path, now)
        time.sleep(dice.uniform(0, 0.05))  # the random point at which the kill falls
        place = dice.randrange(2)
        processes[place].kill()
        processes[place].wait()
        processes[place] = start()
    for process in processes:
        process.kill()
        process.wait()
    await store.write(slots.recover, float(now))
    await store.write(slots.settle, float(now), "Europe/Berlin")
    ran = Counter((tmp_path / "runs").read_text().splitlines() if (tmp_path / "runs").exists() else [])
    assert not ran or max(ran.values()) == 1, "no slot ran twice"
    states: Counter[str] = Counter()
    for number, text in enumerate(words):
        lines = await store.read(routines.timeline, 0, 2**40, f"r{number}", 10**6)
        right = list(slots_between(schedule(text, begin), begin, now, BERLIN))
        assert sorted(line.slot for line in lines) == right, text
        states.update(line.state for line in lines)
        for line in lines:
            if line.state in ("done", "done_late"):
                assert ran[f"r{number} {line.slot}"] == 1, "success only for what ran"
    assert states["done"] + states["done_late"] + states["interrupted"] > 0
    assert states.keys() <= {"done", "done_late", "skipped", "missed", "interrupted", "due"}
    assert not await store.read(routines.claimed)
    await store.close()

"""Proof "edit-kill": a change killed between any two system calls leaves the old or the new, never less."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app.changes.journal import Journal
from app.changes.undo import Undo
from app.store import journal as rows
from app.store.database import Store

ROOT = Path(__file__).parents[2]
Content = dict[str, bytes | None]


class Scene:
    """Files before and after a change, in a folder of their own."""

    def __init__(self, folder: Path, rng: random.Random) -> None:
        folder.mkdir(parents=True)
        self.data = folder / "data"
        self.work = folder / "work"
        self.work.mkdir()
        self.before: Content = {}
        self.after: Content = {}
        for number in range(rng.choice([1, 1, 2, 4])):
            self._add(number, rng)
        if rng.random() < 0.3:
            path = str(self.work / "file0")
            os.link(path, self.work / "linked") if self.before[path] is not None else None

    def _add(self, number: int, rng: random.Random) -> None:
        path = str(self.work / f"file{number}")
        old = b"" if number and rng.random() < 0.3 else b"old line\n" * rng.randrange(1, 40_000)
        new = f"new line {number}\n" * rng.randrange(1, 40_000)
        self.before[path] = old or None
        self.after[path] = None if old and number and rng.random() < 0.3 else new.encode()
        if old:
            Path(path).write_bytes(old)

    def run(self, last: int) -> subprocess.CompletedProcess[str]:
        wanted = {path: None if data is None else data.decode() for path, data in self.after.items()}
        return subprocess.run(
            [sys.executable, "-P", "-c", f"import sys, runpy; sys.path.insert(0, {str(ROOT)!r}); "
             "runpy.run_module('tests.changes.killed_child', run_name='__main__')"],
            input=json.dumps({"data": str(self.data), "wanted": wanted, "last": last}),
            capture_output=True,
            text=True,
            timeout=120,
        )  # fmt: skip

    def now(self) -> Content:
        return {path: Path(path).read_bytes() if os.path.exists(path) else None for path in self.before}

    def check_each(self) -> None:
        """Every file is old or new at once; one with several links is healed at the next start."""
        for path, data in self.now().items():
            if not os.path.exists(path) or os.stat(path).st_nlink == 1:
                assert data in (self.before[path], self.after[path]), path

    async def check_whole(self) -> bool:
        """After the next start all files are old, or all are new and can be taken back; return which."""
        store = Store(self.data / "bramble.db")
        await store.open()
        journal = Journal(store, self.data / "journal")
        await journal.recover()
        made = self.now() == self.after
        assert made or self.now() == self.before
        changes = await store.read(rows.changes)
        assert len(changes) == int(made)
        names = {Path(path).name for path, data in self.now().items() if data is not None} | {"linked"}
        assert set(os.listdir(self.work)) <= names
        if made:
            await Undo(journal).one(changes[0].id)
            assert self.now() == self.before
        await store.close()
        return made


@pytest.mark.skipif(sys.platform == "win32", reason="kills as POSIX does")
@pytest.mark.proof("edit-kill", small=3, full=100)
async def test_a_killed_change_is_old_or_new(tmp_path: Path, count: int, seed: int) -> None:
    rng = random.Random(seed)
    for number in range(count):
        scene_seed = rng.randrange(1 << 30)
        whole = Scene(tmp_path / f"{number}-whole", random.Random(scene_seed))
        finished = whole.run(0)
        assert finished.returncode == 0, finished.stderr
        calls = int(finished.stdout)
        assert await whole.check_whole()

        scene = Scene(tmp_path / f"{number}-cut", random.Random(scene_seed))
        last = rng.randrange(1, calls + 1)
        killed = scene.run(last)
        assert killed.returncode == -signal.SIGKILL, (number, last, killed.stderr)
        scene.check_each()
        await scene.check_whole()

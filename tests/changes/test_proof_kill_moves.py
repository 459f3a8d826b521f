"""Proof "move-kill": an operation on whole files and folders, or its undo, that is killed between any two
system calls leaves the old or the new, and after the next start nothing else.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.changes.journal import Journal
from app.changes.undo import Undo
from app.platform import trash
from app.store import journal as rows
from app.store.database import Store

ROOT = Path(__file__).parents[2]
Tree = dict[str, tuple[Any, ...]]

PATCH = (
    "--- a/one.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n"
    "--- /dev/null\n+++ b/fresh/new.txt\n@@ -0,0 +1 @@\n+new\n"
    "--- a/folder/two.txt\n+++ b/folder/two.txt\n@@ -1 +1 @@\n-two\n+TWO\n"
)
OPERATIONS: dict[str, list[list[Any]]] = {
    "trash a folder": [["trash", "folder"]],
    "trash a file": [["trash", "one.txt"]],
    "trash a link": [["trash", "link"]],
    "move a folder": [["move", "folder", "new/place"]],
    "move over another": [["move", "one.txt", "folder/two.txt", True]],
    "copy a folder": [["copy", "folder", "twin"]],
    "copy over another": [["copy", "one.txt", "folder/two.txt", True]],
    "make folders": [["folder", "a/b/c"]],
    "patch with a deletion": [["patch", PATCH]],
    "pack": [["pack", "all.tar.gz", "folder", "one.txt"]],
    "extract": [["pack", "all.zip", "folder"], ["unpack", "all.zip", "out"]],
    "extract beside others": [
        ["pack", "a.zip", "folder"],
        ["trash", "folder"],
        ["folder", "folder"],
        ["unpack", "a.zip", "."],
    ],
    "restore": [["trash", "folder"], ["restore", "folder"]],
}


def tree(folder: Path) -> Tree:
    """Everything below a folder that matters to its owner."""
    found: Tree = {}
    for path in sorted(folder.rglob("*")):
        name, mode = str(path.relative_to(folder)), path.lstat().st_mode & 0o7777
        if path.is_symlink():
            found[name] = ("link", os.readlink(path))
        elif path.is_dir():
            found[name] = ("folder", mode)
        elif path.suffix in (".gz", ".zip"):  # they hold times
            found[name] = ("file", mode)
        else:
            found[name] = ("file", mode, path.read_bytes())
    return found


class Scene:
    """A working folder, and beside it the data of the app with its trash."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.work = folder, folder / "work"
        (self.work / "folder" / "empty").mkdir(parents=True)
        (self.work / "one.txt").write_text("one\n")
        (self.work / "folder" / "two.txt").write_text("two\n")
        (self.work / "folder" / "two.txt").chmod(0o640)
        os.link(self.work / "folder" / "two.txt", self.work / "folder" / "again")
        (self.work / "link").symlink_to("one.txt")

    def run(self, todo: list[list[Any]], last: int) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-P", "-c", f"import sys, runpy; sys.path.insert(0, {str(ROOT)!r}); "
             "runpy.run_module('tests.changes.moved_child', run_name='__main__')"],
            input=json.dumps({"folder": str(self.folder), "todo": todo, "last": last}),
            capture_output=True,
            text=True,
            timeout=120,
        )  # fmt: skip

    async def recovered(self) -> tuple[Tree, int]:
        """Start anew; return what stands there and how many changes are written down."""
        store = Store(self.folder / "data" / "bramble.db")
        await store.open()
        journal = Journal(store, self.folder / "data" / "journal")
        await journal.recover()
        assert not list((journal.folder / "begun").glob("*"))
        changes = await store.read(rows.changes)
        self.check_trash(journal.trash)
        await store.close()
        return tree(self.work), len(changes)

    def check_trash(self, folder: str) -> None:
        """What lies in the trash is told by an info file, and no info file tells of nothing."""
        if os.path.isdir(os.path.join(folder, "info")):  # the last of it that is made
            files, info = (set(os.listdir(os.path.join(folder, part))) for part in ("files", "info"))
            assert {f"{name}.trashinfo" for name in files} == info
            assert len(trash.items(folder)) == len(files)

    async def taken_back(self) -> Tree:
        store = Store(self.folder / "data" / "bramble.db")
        await store.open()
        journal = Journal(store, self.folder / "data" / "journal")
        newest = next(one for one in await store.read(rows.changes) if not one.undone)
        await Undo(journal).one(newest.id)
        await store.close()
        return tree(self.work)


@pytest.mark.skipif(sys.platform != "linux", reason="kills as POSIX does, and moves to the trash by a rename")
@pytest.mark.proof("move-kill", small=3, full=156)
async def test_a_killed_move_is_old_or_new(tmp_path: Path, count: int, seed: int) -> None:
    rng = random.Random(seed)
    names = list(OPERATIONS)
    rng.shuffle(names)
    seen = {"old": 0, "new": 0}
    wholes: dict[tuple[str, bool], tuple[Tree, Tree, int]] = {}
    for number in range(count):
        name = names[number % len(names)]
        undone = (number // len(names) + rng.randrange(2)) % 2 == 1
        todo = [*OPERATIONS[name], *([["undo"]] if undone else [])]
        folder = tmp_path / str(number)
        if (name, undone) not in wholes:
            wholes[name, undone] = await _whole(folder / "whole", todo, name)
        before, after, calls = wholes[name, undone]
        scene = Scene(folder / "cut")
        last = rng.randrange(1, calls + 1)
        killed = scene.run(todo, last)
        where = f"{name}, {'undo' if undone else 'done'}, call {last} of {calls}: {killed.stderr}"
        # another run may need a few calls less, and then is over before it can be killed
        assert killed.returncode == -signal.SIGKILL or (last > calls - 20 and not killed.returncode), where
        found, changes = await scene.recovered()
        assert found in (before, after), where
        assert changes == len(todo) - (found == before != after), where
        seen["new" if found == after else "old"] += 1
        if found == after:
            assert await scene.taken_back() == before, where
        shutil.rmtree(folder)
    assert count < 20 or all(seen.values())


async def _whole(folder: Path, todo: list[list[Any]], name: str) -> tuple[Tree, Tree, int]:
    """Let it all happen; return what stood before the last step and after it, and the calls of that."""
    scene = Scene(folder)
    if todo[:-1]:
        assert scene.run(todo[:-1], 0).returncode == 0
    before, _ = await scene.recovered()
    shutil.rmtree(folder)
    scene = Scene(folder)
    finished = scene.run(todo, 0)
    assert finished.returncode == 0, (name, finished.stderr)
    after, changes = await scene.recovered()
    assert changes == len(todo)
    assert before != after
    return before, after, int(finished.stdout)

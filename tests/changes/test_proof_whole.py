"""Proof "whole-bytes": random trees and random operations of every file tool; the rest of the tree stays,
undo gives back every byte, mode and link, undo of undo too, and a whole turn comes back at once.

The oracle does the same with the plain functions of Python in a twin of the folder.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.capabilities.files import Files, FileWorld
from app.changes.journal import Journal
from app.changes.undo import Undo
from app.errors import ToolError
from tests.capabilities.test_files_moving import tree
from tests.changes.moved_child import Yes
from tools import ChangeSet, Copy, MakeFolder, Move, Operation, Patch, ReplaceLines, Restore, Trash, Write

CONTENTS = (
    b"one\ntwo\nthree\n",
    b"\xef\xbb\xbfmark\r\nand ends\r\n",
    "größer\nStraße\n".encode("cp1252"),
    "日本\r\nzwei\r\n".encode("utf-16"),
    b"mixed\r\nends\nno newline",
    bytes(range(256)) * 4,
    b"",
)
NAMES = ("a", "b b", "ü", "c.txt", "d", "-e", "f$x")
Step = tuple[Operation, Callable[[Path], object]]


def _grow(folder: Path, rng: random.Random) -> None:
    """Fill a folder with files of all kinds, folders, links and hard links."""
    folders = [folder]
    files: list[Path] = []
    for number in range(rng.randrange(4, 14)):
        place = rng.choice(folders) / f"{rng.choice(NAMES)}{number}"
        kind = rng.choice(("file", "file", "file", "folder", "link", "hard"))
        if kind == "folder":
            place.mkdir()
            folders.append(place)
        elif kind == "link":
            place.symlink_to(rng.choice(("nowhere", "..", str(folder))))
        elif kind == "hard" and files:
            os.link(rng.choice(files), place)
        else:
            place.write_bytes(rng.choice(CONTENTS))
            place.chmod(rng.choice((0o644, 0o600, 0o755, 0o440)))
            files.append(place)


def _some(folder: Path, rng: random.Random, *kinds: str) -> str:
    """Return the name of something below a folder, "" where there is nothing of the kind."""
    found = [name for name, (kind, _, _) in tree(folder).items() if kind in kinds]
    return rng.choice(found) if found else ""


def _fresh(folder: Path, rng: random.Random, number: int) -> str:
    """Return a name that is free, perhaps in folders that are not there yet."""
    above = rng.choice(("", "", _some(folder, rng, "folder"), f"new{number}/deep"))
    return os.path.join(above, f"{rng.choice(NAMES)}-{number}")


def _step(work: Path, rng: random.Random, number: int) -> Step | None:
    """Return an operation and what the oracle does for it in the twin."""
    any_one, fresh = _some(work, rng, "file", "folder", "link"), _fresh(work, rng, number)
    file, second = _some(work, rng, "file"), _some(work, rng, "file")
    kind = rng.choice(("trash", "move", "over", "copy", "folder", "write", "lines", "delete", "restore"))
    if kind == "folder":
        return MakeFolder(fresh), lambda twin: os.makedirs(twin / fresh)
    if kind == "write":
        return Write(fresh, "new\n"), lambda twin: (_above(twin / fresh), (twin / fresh).write_text("new\n"))
    if kind == "trash" and any_one:
        return Trash(any_one), lambda twin: _gone(twin / any_one)
    if kind == "move" and any_one and not f"{fresh}/".startswith(f"{any_one}/"):
        return Move(any_one, fresh), lambda twin: (
            _above(twin / fresh),
            os.rename(twin / any_one, twin / fresh),
        )
    if kind == "copy" and any_one and not f"{fresh}/".startswith(f"{any_one}/"):
        return Copy(any_one, fresh), lambda twin: (
            _above(twin / fresh),
            _copied(twin / any_one, twin / fresh),
        )
    if kind == "over" and file and second and file != second:
        return Move(file, second, True), lambda twin: _over(twin / file, twin / second)
    if kind in ("lines", "delete") and file:
        return _edited(work, kind, file)
    if kind == "restore" and any_one:
        return Restore(any_one), lambda twin: None
    return None


def _edited(work: Path, kind: str, file: str) -> Step | None:
    data = (work / file).read_bytes()
    if data != CONTENTS[0]:
        return None
    if kind == "lines":
        return ReplaceLines(file, 2, 2, "TWO"), lambda twin: _inside(twin / file, b"one\nTWO\nthree\n")
    patch = f"--- a/{file}\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-one\n-two\n-three\n"
    return Patch(patch), lambda twin: _gone(twin / file)


def _above(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)


def _gone(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def _copied(path: Path, target: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.copytree(path, target, symlinks=True)
    else:
        shutil.copy2(path, target, follow_symlinks=False)


def _over(path: Path, target: Path) -> None:
    target.unlink()
    os.rename(path, target)


def _inside(path: Path, data: bytes) -> None:
    with open(path, "r+b") as file:  # keeps its other names
        file.write(data)


def _links(folder: Path) -> list[tuple[str, ...]]:
    """Return the names that are one file, together."""
    same: dict[int, list[str]] = {}
    for name, (kind, _, _) in tree(folder).items():
        if kind == "file":
            same.setdefault((folder / name).stat().st_ino, []).append(name)
    return sorted(tuple(sorted(names)) for names in same.values() if len(names) > 1)


@pytest.mark.skipif(sys.platform != "linux", reason="links and a trash as Linux has them")
@pytest.mark.proof("whole-bytes", small=12, full=150)
async def test_every_operation_changes_only_what_it_says_and_comes_back(
    folder: Path, journal: Journal, undo: Undo, count: int, seed: int
) -> None:
    rng = random.Random(seed)
    world = FileWorld(journal, lambda event: None, environ=dict(os.environ))
    tried: dict[str, int] = {}
    for number in range(count):
        work, twin = folder / str(number) / "work", folder / str(number) / "twin"
        work.mkdir(parents=True)
        _grow(work, rng)
        start, linked = tree(work), _links(work)
        files = Files(world, Yes(), str(work), session="s", turn=f"turn {number}", tool="t")
        made, steps = 0, []
        for attempt in range(12):
            step = _step(work, rng, attempt)
            if step is None:
                continue
            shutil.rmtree(twin, ignore_errors=True)
            _twin(work, twin)
            before = tree(work)
            where = f"case {number}, step {attempt}: {step[0]}"
            if isinstance(step[0], Restore):
                if not await _restores(files, step[0], work, before):
                    continue
            else:
                done = await files.change(ChangeSet((step[0],)))
                assert all(file.verified for file in done.files), where
                step[1](twin)
                after = tree(work)
                assert after == tree(twin), where
                back = await undo.one(done.undo)
                assert tree(work) == before, where
                await undo.one(back)
                assert tree(work) == after, where
            made += 1
            steps.append(str(step[0]))
            tried[type(step[0]).__name__] = tried.get(type(step[0]).__name__, 0) + 1
            if made == 4:
                break
        if made:
            try:
                await undo.turn(f"turn {number}")
            except ToolError as error:
                raise AssertionError(f"case {number}: {steps}, {linked}, {start}: {error}") from error
            assert (tree(work), _links(work)) == (start, linked), f"case {number}: the whole turn: {steps}"
        shutil.rmtree(folder / str(number))
    assert len(tried) >= min(count // 2, 8), tried


def _twin(work: Path, twin: Path) -> None:
    """Copy the folder, its hard links too."""
    shutil.copytree(work, twin, symlinks=True)
    for names in _links(work):
        for name in names[1:]:
            (twin / name).unlink()
            os.link(twin / names[0], twin / name)


async def _restores(files: Files, operation: Restore, work: Path, before: dict[str, object]) -> bool:
    """Trash something and bring it back by the tool: all is as it was."""
    await files.change(ChangeSet((Trash(operation.path),)))
    assert tree(work) != before
    await files.change(ChangeSet((operation,)))
    assert tree(work) == before
    return True

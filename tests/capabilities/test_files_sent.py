"""The trash of macOS and Windows, which does not tell where a thing went: the journal keeps a copy instead.

Run here with another folder as that trash, since the way there is the system's own.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.changes import sending
from app.errors import ToolError
from app.platform import trash, trees
from tests.capabilities.files_desk import Desk, open_desk
from tests.capabilities.test_files_moving import fill, tree
from tools import ChangeSet, Move, Restore, Trash


@pytest.fixture
async def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Desk]:
    away = tmp_path / "system trash"
    away.mkdir()
    monkeypatch.setattr(trash, "told", lambda: False)
    monkeypatch.setattr(trash, "send", lambda path: os.rename(path, away / f"{len(os.listdir(away))}"))
    async with open_desk(tmp_path) as opened:
        yield opened


async def test_a_folder_comes_back_from_the_copy_in_the_journal(desk: Desk) -> None:
    fill(desk.folder / "project")
    before = tree(desk.folder)
    made = await desk.files(desk.gate("trash_file")).change(ChangeSet((Trash("project"),)))
    assert desk.shown().undoable and tree(desk.folder) == {} and made.files[0].verified
    back = await desk.undo.one(made.undo)
    assert tree(desk.folder) == before
    assert (desk.folder / "project" / "second name").samefile(desk.folder / "project" / "sub" / "a.bin")
    again = await desk.undo.one(back)
    assert tree(desk.folder) == {}
    await desk.undo.one(again)
    assert tree(desk.folder) == before


async def test_a_file_comes_back_by_undo_and_by_its_tool(desk: Desk) -> None:
    path = desk.write("x", b"x\0")
    path.chmod(0o640)
    desk.write("y", "y")
    files = desk.files(desk.gate("move_file"))
    made = await files.change(ChangeSet((Move("y", "x", overwrite=True),)))
    await desk.undo.one(made.undo)
    assert tree(desk.folder) == {"x": ("file", 0o640, b"x\0"), "y": ("file", 0o644, b"y")}
    await files.change(ChangeSet((Trash("x"),)))
    await files.change(ChangeSet((Restore("x"),)))
    assert tree(desk.folder)["x"] == ("file", 0o640, b"x\0")


async def test_what_is_too_large_to_be_kept_is_said_before(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "KEPT", 10)
    desk.write("x", "more than ten bytes")
    made = await desk.files(desk.gate("trash_file")).change(ChangeSet((Trash("x"),)))
    assert not desk.shown().undoable
    with pytest.raises(ToolError) as caught:
        await desk.undo.one(made.undo)
    assert caught.value.code == "not_found" and "trash of the system" in str(caught.value)


async def test_a_change_that_fails_after_it_is_taken_back_from_the_copy(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write("old.d", "old")
    desk.write("new", "new")
    before = tree(desk.folder)

    def no_rename(source: str, target: str) -> None:
        raise OSError(28, "No space left on device", target)

    monkeypatch.setattr(trees, "rename", no_rename)
    with pytest.raises(ToolError) as caught:
        await desk.files(desk.gate("move_file")).change(ChangeSet((Move("new", "old.d", overwrite=True),)))
    assert caught.value.code == "disk_full"
    assert tree(desk.folder) == before

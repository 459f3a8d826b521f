"""What changes while a question waits, and places that do not take a change: nothing is half done."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from app.errors import ToolError
from app.platform import trees
from app.records import Answer, Effect
from tests.capabilities.files_desk import Desk, open_desk
from tests.capabilities.test_files_moving import fill, trashed, tree
from tools import ChangeSet, Copy, MakeFolder, Move, Operation, Pack, Patch, Trash, Unpack, Write

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="links, mounts and a trash as Linux has them")


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path) as opened:
        yield opened


def _at(desk: Desk, number: int, act: Callable[[], object]) -> None:
    """Do something while question `number` waits."""

    def answer(effect: Effect) -> Answer:
        if len(desk.asked) == number:
            act()
        return Answer(decision="allow")

    desk.answer = answer


GONE: dict[str, Operation] = {
    "trash": Trash("project"),
    "move": Move("project", "elsewhere"),
    "copy": Copy("project", "elsewhere"),
    "pack": Pack("a.tar", ("project",)),
}


@pytest.mark.parametrize("name", GONE)
async def test_what_vanished_is_not_acted_on(desk: Desk, name: str) -> None:
    fill(desk.folder / "project")
    _at(desk, 1, lambda: os.rename(desk.folder / "project", desk.folder / "away"))
    with pytest.raises(ToolError) as caught:
        await desk.files().change(ChangeSet((GONE[name],)))
    assert caught.value.code == "changed_since"
    assert os.listdir(desk.folder) == ["away"] and trashed(desk) == []


APPEARED: dict[str, Operation] = {
    "move": Move("project", "taken"),
    "copy": Copy("project", "taken"),
    "folder": MakeFolder("taken"),
    "pack": Pack("taken.tar", ("project",)),
    "unpack": Unpack("ready.tar", "taken"),
}


@pytest.mark.parametrize("name", APPEARED)
async def test_what_appeared_meanwhile_is_not_replaced(desk: Desk, name: str) -> None:
    (desk.folder / "project").mkdir()
    desk.write("project/a", "a")
    await desk.files(desk.gate(yes=True)).change(ChangeSet((Pack("ready.tar", ("project",)),)))
    taken = desk.folder / ("taken.tar" if name == "pack" else "taken")
    _at(desk, 1, lambda: taken.write_text("theirs"))
    with pytest.raises(ToolError) as caught:
        await desk.files().change(ChangeSet((APPEARED[name],)))
    assert caught.value.code in ("changed_since", "bad_arguments")
    assert taken.read_text() == "theirs"
    assert sorted(os.listdir(desk.folder)) == sorted({"project", "ready.tar", taken.name})
    assert (desk.folder / "project" / "a").exists()


@pytest.mark.parametrize("operation", [Trash("a/b"), Move("a/b", "c"), Move("c", "a/c"), Write("a/b", "x")])
async def test_a_link_that_is_put_in_the_way_leads_nowhere(desk: Desk, operation: Operation) -> None:
    """facts 2.2 no. 22: the path was resolved for the question; what is opened must still be that."""
    elsewhere = desk.folder.parent / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "b").write_text("theirs")
    desk.write("a/b", "b")
    if operation == Move("c", "a/c"):
        desk.write("c", "c")

    def swap() -> None:
        os.rename(desk.folder / "a", desk.folder / "was-a")
        (desk.folder / "a").symlink_to(elsewhere)

    _at(desk, 1, swap)
    try:
        await desk.files().change(ChangeSet((operation,)))
    except ToolError:
        assert len(desk.asked) == 1
    else:
        assert len(desk.asked) == 2, "asked anew, with where it really leads"
        return
    assert tree(elsewhere) == {"b": ("file", 0o644, b"theirs")}


async def test_a_folder_that_never_rests_is_given_up(desk: Desk) -> None:
    fill(desk.folder / "project")

    def answer(effect: Effect) -> Answer:
        desk.write(f"project/{len(desk.asked)}", "more")
        return Answer(decision="allow")

    desk.answer = answer
    with pytest.raises(ToolError) as caught:
        await desk.files().change(ChangeSet((Trash("project"),)))
    assert caught.value.code == "changed_since" and len(desk.asked) == 3 and trashed(desk) == []


@pytest.fixture
def small(desk: Desk) -> Iterator[Path]:
    """A small drive of its own below the working folder."""
    place = desk.folder / "drive"
    place.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(place)], capture_output=True
    )
    if done.returncode:
        pytest.skip("nothing can be mounted here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


async def test_another_drive_has_a_trash_of_its_own(desk: Desk, small: Path) -> None:
    fill(small / "project")
    before = tree(small)
    made = await desk.files().change(ChangeSet((Trash("drive/project"),)))
    own = small / f".Trash-{os.getuid()}"
    assert os.listdir(own / "files") == ["project"] and own.stat().st_mode & 0o777 == 0o700
    assert "Path=project\n" in (own / "info" / "project.trashinfo").read_text(), "from the top of the drive"
    await desk.undo.one(made.undo)
    assert {name: value for name, value in tree(small).items() if not name.startswith(".Trash")} == before


async def test_over_drives_a_move_is_a_copy_and_the_trash(desk: Desk, small: Path) -> None:
    fill(desk.folder / "project")
    before = tree(desk.folder / "project")
    made = await desk.files().change(ChangeSet((Move("project", "drive/project"),)))
    assert tree(small / "project") == before and trashed(desk) == ["project"]
    assert not (desk.folder / "project").exists() and "another drive" in made.files[0].note
    back = await desk.undo.one(made.undo)
    assert tree(desk.folder / "project") == before and not (small / "project").exists()
    await desk.undo.one(back)
    assert tree(small / "project") == before and not (desk.folder / "project").exists()


async def test_a_disk_that_fills_up_in_the_middle_leaves_nothing(desk: Desk, small: Path) -> None:
    for number in range(6):
        desk.write(f"project/{number}", os.urandom(40_000))
    (small / "much").write_bytes(bytes(100_000))
    real = trees.copy
    for operation in (
        Copy("project", "drive/project"),
        Move("project", "drive/project"),
        Pack("drive/a.tar", ("project",)),
    ):
        with pytest.raises(ToolError) as caught:
            await desk.files().change(ChangeSet((operation,)))
        assert caught.value.code == "disk_full"
        assert os.listdir(small) == ["much"] and len(os.listdir(desk.folder / "project")) == 6
    assert trashed(desk) == [] and real is trees.copy


async def test_a_drive_that_cannot_be_written(desk: Desk, small: Path) -> None:
    (small / "x").write_text("x")
    (small / "d").mkdir()
    subprocess.run(["mount", "-o", "remount,ro", str(small)], check=True)
    before = tree(small)
    patch = "--- a/drive/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\\ No newline at end of file\n"
    for operation in (
        Trash("drive/x"),
        Trash("drive/d"),
        Patch(patch),
        Move("drive/x", "y"),
        MakeFolder("drive/n"),
    ):
        with pytest.raises(ToolError) as caught:
            await desk.files().change(ChangeSet((operation,)))
        assert caught.value.code in ("no_trash", "no_permission"), operation
        assert tree(small) == before and os.listdir(desk.folder) == ["drive"]


async def test_a_mounted_drive_is_never_moved_away(desk: Desk, small: Path) -> None:
    for path in ("drive", "."):
        with pytest.raises(ToolError) as caught:
            await desk.files().change(ChangeSet((Trash(path),)))
        assert caught.value.code == "protected" and not desk.asked

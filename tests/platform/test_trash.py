"""The trash as freedesktop.org describes it: where it is, what its info files say, and what is refused."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

from app.platform import trash
from app.platform.trash import NoTrash, Slot

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the trash of Linux desktops")


def test_where_the_home_trash_is(tmp_path: Path) -> None:
    real = str(tmp_path.resolve())
    assert trash.home_trash({"BRAMBLE_HOME": real, "XDG_DATA_HOME": "/data"}) == f"{real}/Trash"
    assert trash.home_trash({"XDG_DATA_HOME": real, "HOME": "/h"}) == f"{real}/Trash"
    assert trash.home_trash({"XDG_DATA_HOME": "relative", "HOME": real}) == f"{real}/.local/share/Trash"


@pytest.mark.parametrize("name", ["plain.txt", "a b", "ü 日本", "50%", "new\nline", "=[x]", "odd \udcff"])
def test_any_name_is_found_again(tmp_path: Path, name: str) -> None:
    home, path = str(tmp_path.resolve() / "Trash"), str(tmp_path.resolve() / "work" / name)
    os.mkdir(os.path.dirname(path))
    Path(path).write_text("x")
    folder = trash.folder_for(path, home)
    slot = next(trash.free_slots(folder, name))
    trash.reserve(slot, trash.info_text(path, folder, 0.0))
    os.rename(path, slot.place)
    head, where, date = Path(slot.info).read_text().splitlines()
    assert head == "[Trash Info]" and where.startswith("Path=/") and where.isascii()
    assert unquote(where[5:], errors="surrogateescape") == path
    assert date.startswith("DeletionDate=19")
    (item,) = trash.items(folder)
    assert (item.path, item.slot) == (path, slot)
    assert stat.S_IMODE(os.stat(slot.info).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700


def test_names_do_not_collide_and_stay_short_enough(tmp_path: Path) -> None:
    folder = trash.folder_for(str(tmp_path.resolve() / "x"), str(tmp_path.resolve() / "Trash"))
    names = []
    for name in ("a.txt", "a.txt", "a.txt", "x" * 255, "ü" * 127, "n." + "e" * 250):
        slot = next(trash.free_slots(folder, name))
        trash.reserve(slot, "[Trash Info]\n")
        Path(slot.place).write_text("")
        names.append(slot.name)
        assert len(os.fsencode(os.path.basename(slot.info))) <= 255
    assert names[:3] == ["a.txt", "a.2.txt", "a.3.txt"] and len(set(names)) == 6


def test_a_name_is_taken_by_one_alone(tmp_path: Path) -> None:
    folder = trash.folder_for(str(tmp_path.resolve() / "x"), str(tmp_path.resolve() / "Trash"))
    slot, won = Slot(folder, "a"), []

    def take(number: int) -> None:
        try:
            trash.reserve(slot, f"[Trash Info]\n{number}")
        except FileExistsError:
            return
        won.append(number)

    threads = [threading.Thread(target=take, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    trash.forget(slot, "[Trash Info]\nsomebody else's")
    assert os.path.exists(slot.info)
    trash.forget(slot, f"[Trash Info]\n{won[0]}")
    assert not os.path.exists(slot.info)


def test_info_files_that_say_nothing_useful_are_left_out(tmp_path: Path) -> None:
    folder = trash.folder_for(str(tmp_path.resolve() / "x"), str(tmp_path.resolve() / "Trash"))
    said = {
        "no": b"",
        "head": b"[Other]\nPath=/a\n",
        "bare": b"[Trash Info]\n",
        "bytes": b"\xff\0" * 9,
        "gone": b"[Trash Info]\nPath=/gone\n",
        "good": b"[Trash Info]\nPath=/a/../b%20c\nPath=/second\n",
    }
    for name, data in said.items():
        Path(Slot(folder, name).info).write_bytes(data)
        if name != "gone":
            Path(Slot(folder, name).place).write_text("")
    assert [(item.slot.name, item.path) for item in trash.items(folder)] == [("good", "/b c")]


@pytest.fixture
def drive(tmp_path: Path) -> Iterator[Path]:
    """A drive of its own."""
    place = tmp_path.resolve() / "drive"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "none", str(place)], capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_the_shared_trash_of_a_drive_is_used_only_where_it_is_safe(drive: Path, tmp_path: Path) -> None:
    home, user = str(tmp_path.resolve() / "Trash"), os.getuid()
    path = str(drive / "x")
    assert trash.folder_for(path, home, make=False) == str(drive / f".Trash-{user}")
    assert os.listdir(drive) == [], "looking makes nothing"
    shared = drive / ".Trash"
    shared.mkdir()
    assert trash.folder_for(path, home) == str(drive / f".Trash-{user}"), "without the sticky bit"
    shared.chmod(0o1777)
    assert trash.folder_for(path, home) == str(shared / str(user))
    shared.rename(drive / "real")
    shared.symlink_to("real")
    assert trash.folder_for(path, home) == str(drive / f".Trash-{user}"), "a link"
    slot = Slot(str(shared / str(user)), "x")
    assert trash.info_text(path, slot.folder, 0.0).splitlines()[1] == "Path=x"
    assert set(trash.trashes(path, home)) == {str(drive / f".Trash-{user}"), str(shared / str(user))}


def test_no_trash_where_something_else_stands(drive: Path, tmp_path: Path) -> None:
    (drive / f".Trash-{os.getuid()}").symlink_to(tmp_path)
    with pytest.raises(NoTrash):
        trash.folder_for(str(drive / "x"), str(tmp_path.resolve() / "Trash"))


def test_a_bind_mount_is_another_drive(drive: Path, tmp_path: Path) -> None:
    inner = drive / "inner"
    inner.mkdir()
    (tmp_path / "source").mkdir()
    if subprocess.run(
        ["mount", "--bind", str(tmp_path / "source"), str(inner)], capture_output=True
    ).returncode:
        pytest.skip("nothing can be bound here")
    try:
        assert trash.mount_of(str(inner)) == str(inner)
        assert trash.mount_of(str(drive / "not there" / "x")) == str(drive)
    finally:
        subprocess.run(["umount", "-l", str(inner)], check=True)

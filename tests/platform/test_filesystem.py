"""Files are read and written at the very place that was checked, and never over one that is not ours."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.platform import filesystem


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder without links in its path."""
    return tmp_path.resolve()


def _leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob(".bramble-*")]


def test_a_file_that_appeared_meanwhile_is_not_overwritten(folder: Path) -> None:
    path = folder / "x"
    prepared = filesystem.prepare(str(path), b"ours", ".bramble-t-0.tmp")
    path.write_bytes(b"theirs")
    with pytest.raises(FileExistsError):
        prepared.put()
    prepared.drop()
    assert path.read_bytes() == b"theirs"
    assert _leftovers(folder) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_kinds_are_told(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    os.symlink("nowhere", folder / "link")
    (folder / "file").write_bytes(b"")
    kinds = {name: filesystem.status(str(folder / name)).kind for name in ("pipe", "link", "file", "none")}
    assert kinds == {"pipe": "fifo", "link": "link", "file": "file", "none": "missing"}
    assert filesystem.status("/dev/full").kind == "device"
    assert filesystem.status(str(folder)).kind == "folder"
    with pytest.raises(OSError):
        filesystem.read(str(folder / "pipe"))


def test_a_read_stops_at_its_limit(folder: Path) -> None:
    (folder / "x").write_bytes(b"abcdef")
    assert filesystem.read(str(folder / "x"), 4) == b"abcd"
    assert filesystem.read(str(folder / "x")) == b"abcdef"


def test_folders_are_made_and_named_outermost_first(folder: Path) -> None:
    assert filesystem.make_folders(str(folder / "a" / "b")) == [str(folder / "a"), str(folder / "a" / "b")]
    assert filesystem.make_folders(str(folder / "a" / "b")) == []
    (folder / "file").write_bytes(b"")
    with pytest.raises(OSError):
        filesystem.make_folders(str(folder / "file" / "below"))


def test_a_move_overwrites_nothing(folder: Path) -> None:
    (folder / "x").write_bytes(b"x")
    (folder / "y").write_bytes(b"y")
    with pytest.raises(FileExistsError):
        filesystem.move(str(folder / "x"), str(folder / "y"))
    filesystem.move(str(folder / "x"), str(folder / "z"))
    assert sorted(os.listdir(folder)) == ["y", "z"]


def test_writing_into_the_file_itself_keeps_it(folder: Path) -> None:
    path = folder / "x"
    path.write_bytes(b"long content")
    number = path.stat().st_ino
    filesystem.write_in_place(str(path), b"short")
    assert (path.read_bytes(), path.stat().st_ino) == (b"short", number)

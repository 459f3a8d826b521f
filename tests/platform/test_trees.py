"""Whole folders: looked at without following links, renamed where nothing stands, copied with all in them."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest

from app.platform import trees

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and modes of POSIX")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path.resolve() / "work"
    (made / "a" / "empty").mkdir(parents=True)
    (made / "a" / "x").write_bytes(b"12345")
    (made / "a" / "link").symlink_to("/")
    return made


def test_a_survey_counts_what_is_there_and_follows_nothing(folder: Path) -> None:
    found = trees.survey(str(folder / "a"))
    assert (found.kind, found.items, found.size, found.sample) == ("folder", 2, 5, ("link", "x"))
    assert trees.survey(str(folder / "a" / "link")).kind == "link"
    assert trees.survey(str(folder / "nothing")).kind == "missing"


@pytest.mark.parametrize("change", ["content", "mode", "name", "link", "folder", "nothing"])
def test_the_print_changes_with_anything_in_it(folder: Path, change: str) -> None:
    before = trees.survey(str(folder / "a")).print
    if change == "content":
        (folder / "a" / "x").write_bytes(b"54321")
    elif change == "mode":
        (folder / "a" / "x").chmod(0o700)
    elif change == "name":
        (folder / "a" / "x").rename(folder / "a" / "y")
    elif change == "link":
        (folder / "a" / "link").unlink()
        (folder / "a" / "link").symlink_to("/etc")
    elif change == "folder":
        (folder / "a" / "empty").rmdir()
    assert (trees.survey(str(folder / "a")).print == before) is (change == "nothing")


def test_a_single_file_is_told_by_its_content_not_its_time(folder: Path) -> None:
    """anthropics/claude-code#7443."""
    path = folder / "a" / "x"
    before = trees.survey(str(path)).print
    os.utime(path, ns=(1, 1))
    assert trees.survey(str(path)).print == before == trees.content_print(b"12345")


def test_a_rename_replaces_nothing(folder: Path) -> None:
    (folder / "b").mkdir()
    (folder / "file").write_text("kept")
    for target in ("b", "file"):
        with pytest.raises(FileExistsError):
            trees.rename(str(folder / "a"), str(folder / target))
    number = (folder / "a").stat().st_ino
    trees.rename(str(folder / "a"), str(folder / "c"))
    assert (folder / "c").stat().st_ino == number and (folder / "file").read_text() == "kept"


def test_a_rename_without_the_call_of_linux_replaces_nothing_either(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trees, "_renameat2", lambda: None)
    test_a_rename_replaces_nothing(folder)


def test_what_is_no_file_cannot_be_copied(folder: Path) -> None:
    os.mkfifo(folder / "a" / "pipe")
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(os.path.relpath(folder / "a" / "sock"))
    listening.close()
    assert trees.survey(str(folder / "a")).special == ("pipe", "sock")
    with pytest.raises(OSError, match="cannot be copied"):
        trees.copy(str(folder / "a"), str(folder / "b"))
    trees.remove(str(folder / "b"))
    assert not (folder / "b").exists() and (folder / "a" / "x").exists()


def test_a_copy_of_folders_that_may_not_be_written(folder: Path) -> None:
    (folder / "a" / "empty").chmod(0o555)
    (folder / "a").chmod(0o555)
    try:
        trees.copy(str(folder / "a"), str(folder / "b"))
        assert (folder / "b").stat().st_mode & 0o777 == 0o555
        trees.remove(str(folder / "b"))
        assert not (folder / "b").exists()
    finally:
        (folder / "a").chmod(0o755)


def test_a_copy_that_is_stopped(folder: Path) -> None:
    with pytest.raises(OSError, match="stopped"):
        trees.copy(str(folder / "a"), str(folder / "b"), lambda: True)

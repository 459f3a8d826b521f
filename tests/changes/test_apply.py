"""Changes reach the disk whole or not at all, and files keep what makes them that file."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from app.changes.apply import ChangedSince, RollBackFailed, Step, carry_out
from app.platform import filesystem

linux = pytest.mark.skipif(sys.platform != "linux", reason="extended attributes as Linux has them")
posix = pytest.mark.skipif(sys.platform == "win32", reason="modes and owners of POSIX")


def _leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob(".bramble-*")]


def test_a_new_file_gets_the_usual_mode_and_folders(folder: Path) -> None:
    path = folder / "a" / "b" / "new.txt"
    assert carry_out([Step(str(path), None, b"x\n")], "t") == (True,)
    assert path.read_bytes() == b"x\n"
    umask = os.umask(0)
    os.umask(umask)
    if sys.platform != "win32":
        assert path.stat().st_mode & 0o777 == 0o666 & ~umask
    assert _leftovers(folder) == []


@posix
@pytest.mark.parametrize("mode", [0o644, 0o600, 0o755, 0o4755, 0o444])
def test_mode_stays(folder: Path, mode: int) -> None:
    path = folder / "x"
    path.write_bytes(b"old")
    path.chmod(mode)
    carry_out([Step(str(path), b"old", b"new", mode)], "t")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o7777 == mode


@posix
@pytest.mark.skipif(os.name != "nt" and os.geteuid() != 0, reason="needs the right to give files away")
def test_owner_stays(folder: Path) -> None:
    path = folder / "x"
    path.write_bytes(b"old")
    os.chown(path, 12345, 23456)
    carry_out([Step(str(path), b"old", b"new")], "t")
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 23456)


@linux
def test_extended_attributes_stay(folder: Path) -> None:
    path = folder / "x"
    path.write_bytes(b"old")
    try:
        os.setxattr(path, "user.note", b"mine")
    except OSError:
        pytest.skip("this file system keeps no attributes")
    carry_out([Step(str(path), b"old", b"new")], "t")
    assert os.getxattr(path, "user.note") == b"mine"


def test_hard_links_stay_one_file(folder: Path) -> None:
    path, other = folder / "x", folder / "y"
    path.write_bytes(b"old and longer")
    os.link(path, other)
    carry_out([Step(str(path), b"old and longer", b"new")], "t")
    assert other.read_bytes() == b"new"
    assert path.samefile(other)


def test_a_rename_moves_the_very_file(folder: Path) -> None:
    source, target = folder / "x", folder / "sub" / "y"
    source.write_bytes(b"same")
    number = source.stat().st_ino
    steps = [
        Step(str(target), None, b"same", None, 0o644, str(source)),
        Step(str(source), b"same", None, 0o644),
    ]
    assert carry_out(steps, "t") == (True, True)
    assert not source.exists()
    assert target.stat().st_ino == number


@posix
def test_a_rename_with_an_edit_keeps_the_mode(folder: Path) -> None:
    source, target = folder / "x", folder / "y"
    source.write_bytes(b"old")
    source.chmod(0o750)
    carry_out(
        [Step(str(target), None, b"new", None, None, str(source)), Step(str(source), b"old", None)], "t"
    )
    assert (target.read_bytes(), target.stat().st_mode & 0o777, source.exists()) == (b"new", 0o750, False)


def test_when_one_file_fails_none_changes(folder: Path) -> None:
    """The second step cannot be made: a folder stands where its file should be."""
    first, blocked = folder / "a", folder / "b"
    first.write_bytes(b"old")
    blocked.mkdir()
    (blocked / "inside").write_bytes(b"")
    new = folder / "made" / "c"
    steps = [Step(str(new), None, b"c"), Step(str(first), b"old", b"new"), Step(str(blocked), None, b"x")]
    with pytest.raises(OSError):
        carry_out(steps, "t")
    assert first.read_bytes() == b"old"
    assert not new.parent.exists()
    assert _leftovers(folder) == []


def test_a_link_put_in_the_way_is_not_followed(folder: Path) -> None:
    """A folder is replaced by a link after the path was resolved (CVE-2025-53109 and its kin)."""
    inside, outside = folder / "inside", folder / "outside"
    outside.mkdir()
    os.symlink(outside, inside, target_is_directory=True)
    with pytest.raises(OSError):
        carry_out([Step(str(inside / "x"), None, b"x")], "t")
    assert list(outside.iterdir()) == []
    (outside / "secret").write_bytes(b"s")
    with pytest.raises(OSError):
        filesystem.read(str(inside / "secret"))


def test_what_changed_since_is_named(folder: Path) -> None:
    path = folder / "x"
    path.write_bytes(b"theirs")
    steps = [Step(str(path), b"old", b"new"), Step(str(folder / "y"), None, b"new")]
    with pytest.raises(ChangedSince) as caught:
        carry_out(steps, "t")
    assert caught.value.paths == (str(path),)
    assert (path.read_bytes(), os.listdir(folder)) == (b"theirs", ["x"])


@posix
def test_a_folder_that_takes_no_new_file_still_lets_its_file_be_written(folder: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    path = folder / "x"
    path.write_bytes(b"old")
    folder.chmod(0o555)
    try:
        assert carry_out([Step(str(path), b"old", b"new")], "t") == (True,)
        assert path.read_bytes() == b"new"
    finally:
        folder.chmod(0o755)


def test_when_not_even_the_way_back_works_the_paths_are_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk goes read-only in the middle: two files of three cannot be put back."""
    paths = [folder / name for name in "abc"]
    for path in paths:
        path.write_bytes(b"old")
    replace, made = os.replace, []

    def failing(source: str, target: str, **held: int) -> None:
        if len(made) == 2:
            raise OSError(errno.EROFS, "Read-only file system", target)
        made.append(target)
        replace(source, target, **held)

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(RollBackFailed) as caught:
        carry_out([Step(str(path), b"old", b"new") for path in paths], "t")
    assert caught.value.paths == (str(paths[1]), str(paths[0]))
    assert caught.value.cause.errno == errno.EROFS

"""The small file of what a person chose: whole, also behind a link, with two names, and after a kill."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import msgspec
import pytest

from app.record import Record
from app.toolbox.mcp.pins import Texts
from app.toolbox.own.start import write
from app.toolbox.private_file import PrivateFile

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links of POSIX")


class Chosen(Record, kw_only=True):
    """What was chosen."""

    names: tuple[str, ...] = ()


@pytest.fixture
def behind(tmp_path: Path) -> Path:
    """A home that is reached over a link."""
    (tmp_path / "real").mkdir()
    (tmp_path / "home").symlink_to(tmp_path / "real")
    return tmp_path / "home"


def chosen(path: Path) -> PrivateFile[Chosen]:
    return PrivateFile(path, Chosen, "nothing is chosen")


def put(file: PrivateFile[Chosen], *names: str) -> None:
    file.change(lambda before: msgspec.structs.replace(before, names=(*before.names, *names)))


def test_a_home_behind_a_link_keeps_everything(behind: Path, tmp_path: Path) -> None:
    put(chosen(behind / "data" / "chosen.json"), "a")
    assert chosen(tmp_path / "real" / "data" / "chosen.json").read().names == ("a",)
    texts = Texts(behind / "mcp")
    texts.write("one", {"tool": "text"})
    assert texts.read("one") == Texts(tmp_path / "real" / "mcp").read("one") == {"tool": "text"}
    assert write(behind / "tools", "mine").is_file()


def test_a_file_that_is_a_link_stays_one_and_one_with_two_names_is_never_torn(tmp_path: Path) -> None:
    file, real = chosen(tmp_path / "chosen.json"), tmp_path / "elsewhere.json"
    file.path.symlink_to(real)
    put(file, "a")
    os.link(real, tmp_path / "second.json")
    before = real.stat().st_ino
    put(file, "b")
    assert file.path.is_symlink() and file.read().names == ("a", "b") and real.stat().st_ino != before
    assert chosen(tmp_path / "second.json").read().names == ("a",)


def test_a_damaged_file_is_kept_aside_where_it_lies(tmp_path: Path) -> None:
    file, real = chosen(tmp_path / "chosen.json"), tmp_path / "elsewhere.json"
    real.write_text("{")
    file.path.symlink_to(real)
    put(file, "a")
    assert file.read().names == ("a",) and (tmp_path / "elsewhere.json.damaged").read_text() == "{"


def test_what_killed_processes_left_goes_once_it_is_old(tmp_path: Path) -> None:
    file = chosen(tmp_path / "chosen.json")
    old, young = tmp_path / ".chosen.json.new-old", tmp_path / ".chosen.json.new-young"
    for path in (old, young):
        path.write_text("half")
    os.utime(old, (1, 1))
    put(file, "a")
    assert not old.exists() and young.exists() and file.path.stat().st_mode & 0o777 == 0o600

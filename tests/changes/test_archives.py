"""Archives: made byte for byte, taken apart whole or not at all, and refused where they would do harm."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from app.changes import archives, members
from app.errors import Refused, ToolError
from app.records import Answer
from tests.capabilities.files_desk import Desk, open_desk
from tests.capabilities.test_files_moving import fill, trashed, tree
from tools import ChangeSet, Pack, Unpack


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path) as opened:
        yield opened


async def _unpack(desk: Desk, archive: str, destination: str = "out") -> str:
    made = await desk.files(desk.gate("archive")).change(ChangeSet((Unpack(archive, destination),)))
    assert all(file.verified for file in made.files)
    return made.undo


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tar.gz", "a.tgz", "a.tar.bz2", "a.tar.xz"])
async def test_there_and_back_again(desk: Desk, name: str) -> None:
    fill(desk.folder / "project")
    os.unlink(desk.folder / "project" / "broken")  # it leads out, which extracting refuses
    if name.endswith("zip"):
        os.unlink(desk.folder / "project" / "odd \udcff name")
    before = tree(desk.folder / "project")
    made = await desk.files(desk.gate("archive")).change(ChangeSet((Pack(name, ("project",)),)))
    shown = desk.shown().files[0]
    assert (shown.kind, shown.note, shown.items) == (
        "new",
        "archive",
        len([v for v in before.values() if v[0] != "folder"]),
    )
    listed = await desk.reader().members(name)
    assert {entry.path for entry in listed.entries} == {"project", *(f"project/{name}" for name in before)}
    undo = await _unpack(desk, name)
    after = tree(desk.folder / "out" / "project")
    assert {key: value for key, value in after.items() if value[0] != "folder"} == {
        key: value for key, value in before.items() if value[0] != "folder"
    }
    assert after.keys() == before.keys()
    back = await desk.undo.one(undo)
    assert not (desk.folder / "out").exists() and trashed(desk) == ["out"]
    await desk.undo.one(back)
    assert tree(desk.folder / "out" / "project") == after
    await desk.undo.one(made.undo)
    assert not (desk.folder / name).exists()
    with pytest.raises(ToolError):
        await desk.files(desk.gate("archive")).change(ChangeSet((Pack("project", ("project",)),)))


async def test_nothing_is_replaced_and_what_is_new_goes_beside(desk: Desk) -> None:
    _zip(desk.folder / "a.zip", {"src/new.txt": b"n", "src/sub/x": b"x", "top": b"t"})
    mine = desk.write("out/src/mine.txt", "mine")
    undo = await _unpack(desk, "a.zip")
    assert [file.shown for file in desk.shown().files] == ["out/top", "out/src/new.txt", "out/src/sub"]
    assert tree(desk.folder / "out").keys() == {
        "src", "src/mine.txt", "src/new.txt", "src/sub", "src/sub/x", "top"
    }  # fmt: skip
    await desk.undo.one(undo)
    assert tree(desk.folder / "out").keys() == {"src", "src/mine.txt"}
    (desk.folder / "out" / "top").write_text("in the way")
    with pytest.raises(ToolError) as caught:
        await _unpack(desk, "a.zip")
    assert caught.value.code == "bad_arguments" and mine.read_text() == "mine"
    assert tree(desk.folder / "out").keys() == {"src", "src/mine.txt", "top"}


def _zip(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def _tar(path: Path, *entries: tuple[str, bytes, str]) -> Path:
    """entries: name, type, target."""
    with tarfile.open(path, "w") as archive:
        for name, kind, target in entries:
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, target
            archive.addfile(info, io.BytesIO(b""))
    return path


def _link(path: Path, name: str, target: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        info = zipfile.ZipInfo(name)
        info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, target)
    return path


def _twice(path: Path) -> Path:
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a", b"1")
        archive.writestr("a", b"2")
    return path


def _encrypted(path: Path) -> Path:
    data = bytearray(_zip(path, {"a": b"secret"}).read_bytes())
    for mark, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(mark) + place] |= 1
    path.write_bytes(bytes(data))
    return path


def _broken(path: Path) -> Path:
    data = bytearray(_zip(path, {"a": os.urandom(5_000)}).read_bytes())
    data[1_000] ^= 0xFF
    path.write_bytes(bytes(data))
    return path


def _lies(path: Path) -> Path:
    """A zip whose directory says that an entry is smaller than it is."""
    data = bytearray(_zip(path, {"a": b"x" * 50_000}).read_bytes())
    at = data.index(b"PK\1\2") + 24
    data[at : at + 4] = (10).to_bytes(4, "little")
    path.write_bytes(bytes(data))
    return path


TAR = tarfile
HARM: dict[str, tuple[Callable[[Path], Path], str]] = {
    "up.zip": (lambda path: _zip(path, {"../x": b""}), "outside"),
    "up2.zip": (lambda path: _zip(path, {"a/../../x": b""}), "outside"),
    "root.zip": (lambda path: _zip(path, {"/etc/x": b""}), "outside"),
    "drive.zip": (lambda path: _zip(path, {"C:/x": b""}), "outside"),
    "link.zip": (lambda path: _link(path, "a/l", "../../x"), "outside"),
    "link2.zip": (lambda path: _link(path, "l", "/etc/passwd"), "outside"),
    "twice.zip": (_twice, "bad_arguments"),
    "encrypted.zip": (_encrypted, "bad_arguments"),
    "broken.zip": (_broken, "bad_arguments"),
    "lies.zip": (_lies, "bad_arguments"),
    "none.zip": (lambda path: _written(path, b"no zip at all"), "bad_arguments"),
    "empty.tar.gz": (lambda path: _written(path, b""), "bad_arguments"),
    "cut.tar.gz": (lambda path: _written(path, gzip.compress(os.urandom(4_000))[:900]), "bad_arguments"),
    "within.zip": (lambda path: _zip(path, {"a": b"", "a/b": b""}), "outside"),
    "device.tar": (lambda path: _tar(path, ("d", TAR.CHRTYPE, "")), "bad_arguments"),
    "fifo.tar": (lambda path: _tar(path, ("d", TAR.FIFOTYPE, "")), "bad_arguments"),
    "through.tar": (lambda path: _tar(path, ("l", TAR.SYMTYPE, "."), ("l/x", TAR.REGTYPE, "")), "outside"),
    "out.tar": (lambda path: _tar(path, ("a/l", TAR.SYMTYPE, "../../x")), "outside"),
    "hard.tar": (lambda path: _tar(path, ("h", TAR.LNKTYPE, "/etc/passwd")), "outside"),
    "hard2.tar": (lambda path: _tar(path, ("h", TAR.LNKTYPE, "nowhere")), "outside"),
    "up.tar": (lambda path: _tar(path, ("../x", TAR.REGTYPE, "")), "outside"),
    "long.tar": (lambda path: _tar(path, ("x" * 300, TAR.REGTYPE, "")), "bad_arguments"),
}


def _written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("name", HARM)
async def test_harm_is_refused_and_leaves_nothing(desk: Desk, name: str) -> None:
    make, code = HARM[name]
    make(desk.folder / name)
    with pytest.raises(ToolError) as caught:
        await _unpack(desk, name)
    assert caught.value.code == code, str(caught.value)
    assert os.listdir(desk.folder) == [name]
    assert not (desk.folder.parent / "x").exists()


def _bomb(kind: str) -> bytes:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        info = tarfile.TarInfo("zeros")
        info.size = 100 * 1024 * 1024
        archive.addfile(info, io.BytesIO(bytes(info.size)))
    pack = {"gz": zlib.compress, "bz2": bz2.compress, "xz": lzma.compress}
    return gzip.compress(plain.getvalue(), 1) if kind == "gz" else pack[kind](plain.getvalue())


@pytest.mark.parametrize("kind", ["gz", "bz2"])
async def test_a_bomb_is_stopped_while_it_grows(desk: Desk, kind: str) -> None:
    (desk.folder / f"bomb.tar.{kind}").write_bytes(_bomb(kind))
    if kind == "gz":  # gzip at its lowest level stays below the ratio: honest, and the cap on bytes holds
        assert len((await desk.reader().members("bomb.tar.gz")).entries) == 1
        return
    with pytest.raises(ToolError) as caught:
        await _unpack(desk, f"bomb.tar.{kind}")
    assert caught.value.code == "too_large" and not (desk.folder / "out").exists()


async def test_too_many_entries(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "ENTRIES", 5)
    _zip(desk.folder / "a.zip", {str(number): b"" for number in range(6)})
    _tar(desk.folder / "a.tar", *((str(number), TAR.REGTYPE, "") for number in range(6)))
    for name in ("a.zip", "a.tar"):
        with pytest.raises(ToolError) as caught:
            await _unpack(desk, name)
        assert caught.value.code == "too_large"


async def test_names_of_old_and_new_zips(desk: Desk) -> None:
    path = desk.folder / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("grün.txt", b"marked")
        info = zipfile.ZipInfo("xx.txt")
        archive.writestr(info, b"bare")
        dos = zipfile.ZipInfo("d")
        dos.create_system = 0
        archive.writestr(dos, b"dos")
    data = path.read_bytes().replace(b"xx.txt", "ü.txt".encode())
    path.write_bytes(data)
    await _unpack(desk, "a.zip")
    assert set(os.listdir(desk.folder / "out")) == {"grün.txt", "ü.txt", "d"}


async def test_dangerous_modes_are_not_taken_over(desk: Desk) -> None:
    with tarfile.open(desk.folder / "a.tar", "w") as archive:
        info = tarfile.TarInfo("run")
        info.mode = 0o6755
        archive.addfile(info)
    await _unpack(desk, "a.tar")
    assert (desk.folder / "out" / "run").stat().st_mode & 0o7777 == 0o755


async def test_what_steers_programs_is_named_and_asked_about_under_a_rule(desk: Desk) -> None:
    _zip(desk.folder / "a.zip", {"p/.git/hooks/post-checkout": b"#!/bin/sh", "p/x": b""})
    gate = desk.gate("archive", allow=["archive(*)"], yes=True, attended=False)
    with pytest.raises(Refused):
        await desk.files(gate).change(ChangeSet((Unpack("a.zip", "out"),)))
    assert gate.refused is not None and gate.refused.reason == "protected"
    denied = desk.gate("archive", deny=["write_file(out/p/x)"], yes=True)
    with pytest.raises(Refused):
        await desk.files(denied).change(ChangeSet((Unpack("a.zip", "out"),)))
    assert not (desk.folder / "out").exists()


async def test_what_is_packed_must_be_what_was_shown(desk: Desk) -> None:
    desk.write("docs/a", "one")

    def answer(effect: object) -> Answer:
        desk.write(f"docs/{len(desk.asked)}", "more")
        return Answer(decision="allow")

    desk.answer = answer
    with pytest.raises(ToolError) as caught:
        await desk.files(desk.gate("archive")).change(ChangeSet((Pack("a.zip", ("docs",)),)))
    assert caught.value.code == "changed_since" and len(desk.asked) == 3
    assert os.listdir(desk.folder) == ["docs"]


async def test_a_secret_that_is_packed_is_asked_about_with_yes_too(desk: Desk) -> None:
    desk.write("app/.env", "KEY=1")
    gate = desk.gate("archive", yes=True, attended=False)
    with pytest.raises(Refused):
        await desk.files(gate).change(ChangeSet((Pack("a.zip", ("app",)),)))
    assert gate.refused is not None and gate.refused.reason == "secret_path"


def test_the_caps_are_what_the_modules_say() -> None:
    assert members.ENTRIES == 20_000 and members.RATIO == 250 and archives.SHOWN == 50

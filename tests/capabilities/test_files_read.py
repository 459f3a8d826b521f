"""Reading, listing and finding: any encoding, any size, what is secret only when asked."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import zlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.capabilities import files_pages
from app.errors import Refused, ToolError
from app.records import Answer, Effect, ReadEffect
from tests.capabilities.files_desk import Desk, open_desk
from tools import FileBytes, FileText, ReadFiles

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path) as opened:
        yield opened


async def _text(desk: Desk, name: str, first: int = 1, count: int = 2000) -> FileText:
    found = await desk.reader().read(name, first=first, count=count)
    assert isinstance(found, FileText)
    return found


async def test_pages_and_numbers(desk: Desk) -> None:
    assert isinstance(desk.reader(), ReadFiles)
    desk.write("x", "".join(f"{number}\n" for number in range(1, 101)))
    found = await _text(desk, "x", 11, 3)
    assert (found.lines, found.first, found.total, found.cut) == (("11", "12", "13"), 11, 100, True)
    assert not (await _text(desk, "x", 98, 10)).cut
    assert (await _text(desk, "x", 200)).lines == ()
    assert desk.asked == []


@pytest.mark.parametrize(
    ("data", "lines", "encoding"),
    [
        (b"a\tb\r\n\tc\n", ("a\tb", "\tc"), "utf-8"),
        (b"", (), "utf-8"),
        (b"no end", ("no end",), "utf-8"),
        (b"\xef\xbb\xbfh\xc3\xa9\n", ("hé",), "utf-8 with BOM"),
        ("hé\r\n".encode("utf-16"), ("hé",), "utf-16-le"),
        (b"# caf\xe9\n", ("# café",), "cp1252"),
        ("設定ファイル\n".encode("shift_jis"), ("設定ファイル",), "cp932"),
        (b"a\rb\r", ("a", "b"), "utf-8"),
    ],
)
async def test_texts(desk: Desk, data: bytes, lines: tuple[str, ...], encoding: str) -> None:
    desk.write("x", data)
    found = await _text(desk, "x")
    assert (found.lines, found.encoding, found.size) == (lines, encoding, len(data))


async def test_text_that_is_hostile_does_no_harm(desk: Desk) -> None:
    desk.write("x", b"\xff\x00 nul\n")
    assert isinstance(await desk.reader().read("x"), FileBytes)
    desk.write("y", b"\xed\xa0\x80 half\x1b[31m\n" + "\u202eabc\n".encode())
    assert len((await _text(desk, "y")).lines) == 2
    desk.write("z", b"x" * 5_000_000 + b"\nend\n")
    found = await _text(desk, "z")
    assert (len(found.lines[0]) < 3000, found.lines[1], found.cut) == (True, "end", True)


async def test_a_large_file_is_walked(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files_pages, "WHOLE", 1000)
    monkeypatch.setattr(files_pages, "_CHUNK", 700)
    desk.write("x", "".join(f"line {number} ü\r\n" for number in range(1, 5001)).encode("latin-1") + b"last")
    for first, count in ((1, 3), (2500, 4), (4999, 10), (5001, 1), (6000, 2)):
        found = await _text(desk, "x", first, count)
        wanted = [f"line {n} ü" if n <= 5000 else "last" for n in range(first, first + count) if n <= 5001]
        assert (list(found.lines), found.total) == (wanted, 5001), first
        assert found.cut == (first - 1 + len(wanted) < 5001 and bool(wanted)) or not wanted


async def test_pictures_and_other_bytes(desk: Desk) -> None:
    desk.write("p.png", PNG)
    desk.write("j", b"\xff\xd8\xff\xe0" + b"\0" * 20)
    desk.write("b", b"\x7fELF\0\0")
    picture, photo, binary = [await desk.reader().read(name) for name in ("p.png", "j", "b")]
    assert isinstance(picture, FileBytes) and isinstance(photo, FileBytes) and isinstance(binary, FileBytes)
    assert (picture.kind, picture.mime, picture.data) == ("image", "image/png", PNG)
    assert (photo.mime, binary.kind, binary.data) == ("image/jpeg", "binary", b"")


def _pdf(*pages: str) -> bytes:
    """Return a small PDF with one line of text a page, written by hand."""
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b""]
    kids = []
    for text in pages:
        stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
        number = len(objects) + 1
        kids.append(f"{number} 0 R")
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R"
            b"/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>" % (number + 1)
        )
        objects.append(b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream))
    objects[1] = f"<</Type/Pages/Count {len(pages)}/Kids[{' '.join(kids)}]>>".encode()
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    return bytes(out + b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, start))


async def test_the_text_of_a_pdf(desk: Desk) -> None:
    desk.write("paper.pdf", _pdf("First page here", "And the second"))
    found = await _text(desk, "paper.pdf")
    assert found.encoding == "pdf"
    assert found.lines == ("[page 1 of 2]", "First page here", "", "[page 2 of 2]", "And the second", "")
    assert (await _text(desk, "paper.pdf", 5, 1)).lines == ("And the second",)


@pytest.mark.parametrize(
    "data", [b"%PDF-1.4\nnothing else", b"%PDF-1.7\n" + zlib.compress(b"x" * 900), _pdf("")]
)
async def test_a_broken_pdf_says_so(desk: Desk, data: bytes) -> None:
    desk.write("paper.pdf", data)
    with pytest.raises(ToolError) as caught:
        await desk.reader().read("paper.pdf")
    assert caught.value.code == "not_text"


@pytest.mark.parametrize(
    ("name", "code"),
    [("missing", "not_found"), ("sub", "bad_arguments"), ("nul\0", "bad_arguments"), ("", "bad_arguments")],
)
async def test_what_cannot_be_read(desk: Desk, name: str, code: str) -> None:
    (desk.folder / "sub").mkdir()
    with pytest.raises(ToolError) as caught:
        await desk.reader().read(name)
    assert caught.value.code == code


async def test_a_near_name_is_proposed(desk: Desk) -> None:
    desk.write("readme.md", "x")
    with pytest.raises(ToolError) as caught:
        await desk.reader().read("readme.me")
    assert "readme.md" in str(caught.value)


@pytest.mark.skipif(sys.platform == "win32", reason="kinds of files of POSIX")
async def test_a_pipe_does_not_hold_the_call(desk: Desk) -> None:
    os.mkfifo(desk.folder / "pipe")
    with pytest.raises(ToolError) as caught:
        await asyncio.wait_for(desk.reader().read("pipe"), 5)
    assert caught.value.code == "not_text"
    assert (await desk.reader().list(".")).entries[0].kind == "other"


async def test_reading_elsewhere_and_secrets_ask(desk: Desk, tmp_path: Path) -> None:
    other = tmp_path.resolve() / "work-evil"
    other.mkdir()
    (other / "x").write_bytes(b"x\n")
    desk.write(".env", "TOKEN=1\n")
    desk.write("deploy.pem", "-----BEGIN RSA PRIVATE KEY-----\nMII\n")
    os.symlink(other / "x", desk.folder / "link")
    await _text(desk, "../work-evil/x")
    await _text(desk, "link")
    await _text(desk, ".env")
    await _text(desk, "deploy.pem")
    assert desk.asked == [
        ReadEffect(path=str(other / "x")),
        ReadEffect(path=str(other / "x")),
        ReadEffect(path=str(desk.folder / ".env"), secret=True),
        ReadEffect(path=str(desk.folder / "deploy.pem"), secret=True),
    ]


async def test_no_answer_nothing_read(desk: Desk) -> None:
    desk.write(".env", "TOKEN=1\n")
    desk.write("key", "-----BEGIN PRIVATE KEY-----\nMII\n")
    yes = desk.gate("read_file", yes=True, attended=False)
    for name in (".env", "key", "/etc/shadow"):
        with pytest.raises(Refused):
            await desk.reader(yes).read(name)
    desk.answer = lambda effect: Answer(decision="deny")
    with pytest.raises(Refused) as caught:
        await desk.reader().read("/nowhere/at/all")
    assert "no such" not in str(caught.value).lower()


async def test_a_deny_rule_holds_in_the_workspace(desk: Desk) -> None:
    desk.write("private/x", "x\n")
    gate = desk.gate("read_file", deny=["read_file(private/**)"])
    with pytest.raises(Refused):
        await desk.reader(gate).read("sub/../private/x")


async def test_whole_outputs_of_ours_are_open_and_our_data_is_secret(desk: Desk, tmp_path: Path) -> None:
    root = tmp_path.resolve()
    (root / "spill" / "s").mkdir()
    (root / "spill" / "s" / "call.txt").write_bytes(b"all of it\n")
    await _text(desk, str(root / "spill" / "s" / "call.txt"))
    assert desk.asked == []
    await desk.reader().read(str(root / "data" / "bramble.db"))
    assert desk.asked == [ReadEffect(path=str(root / "data" / "bramble.db"), secret=True)]


async def test_list(desk: Desk) -> None:
    desk.write("b.txt", "12345")
    desk.write("a/inner/deep.txt", "")
    desk.write(".hidden", "")
    desk.write(".ssh/id_rsa", "")
    os.symlink("b.txt", desk.folder / "link")
    plain = await desk.reader().list(".")
    assert [(entry.path, entry.kind) for entry in plain.entries] == [
        ("a", "folder"),
        ("b.txt", "file"),
        ("link", "link"),
    ]
    assert plain.entries[1].size == 5
    assert plain.entries[2].target == "b.txt"
    deep = await desk.reader().list(".", depth=3, hidden=True)
    assert [entry.path for entry in deep.entries] == [
        ".hidden", ".ssh", "a", "a/inner", "a/inner/deep.txt", "b.txt", "link",
    ]  # fmt: skip
    few = await desk.reader().list(".", limit=2)
    assert (len(few.entries), few.more) == (2, True)
    with pytest.raises(ToolError):
        await desk.reader().list("b.txt")


async def test_find(desk: Desk) -> None:
    for name in ("src/main.py", "src/deep/util.py", "build/out.py", "notes.md", ".git/x.py", ".hidden/y.py"):
        desk.write(name)
    desk.write(".gitignore", "build/\n")
    reader = desk.reader()

    async def names(pattern: str, **options: bool) -> list[str]:
        return [entry.path for entry in (await reader.find(pattern, **options)).entries]

    assert await names("*.py") == ["src/deep/util.py", "src/main.py"]
    assert await names("*.py", hidden=True) == [".hidden/y.py", "src/deep/util.py", "src/main.py"]
    assert await names("src/*.py") == ["src/main.py"]
    assert await names("SRC") == ["src"]
    assert await names("deep/") == ["src/deep"]
    assert await names(f"{desk.folder}/**/util.*") == ["src/deep/util.py"]
    assert (await reader.find("*", limit=1)).more


async def test_find_does_not_look_into_secret_folders(desk: Desk) -> None:
    desk.write(".ssh/id_rsa")
    found = await desk.reader().find("id_*", hidden=True)
    assert found.entries == ()
    assert desk.asked == []

    def deny(effect: Effect) -> Answer:
        return Answer(decision="deny")

    desk.answer = deny
    with pytest.raises(Refused):
        await desk.reader().find("id_*", ".ssh")


async def test_folders_that_cannot_be_looked_into_are_counted_and_not_called_empty(desk: Desk) -> None:
    """Deeper than the system's longest path, which holds for root too."""
    (desk.folder / "deep").mkdir()
    here = os.open(desk.folder / "deep", os.O_RDONLY)
    for _ in range(30):
        os.mkdir("d" * 200, dir_fd=here)
        below = os.open("d" * 200, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(os.open("needle.txt", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)
    found = await desk.reader().find("needle.txt")
    assert (found.entries, found.unread) == ((), 1)
    subprocess.run(["rm", "-rf", desk.folder / "deep"], check=True)  # pytest's own way stops at such depths


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read anything")
async def test_a_closed_folder_is_not_empty(desk: Desk) -> None:
    (desk.folder / "closed").mkdir(mode=0)
    for asking in (desk.reader().list("closed"), desk.reader().find("*", "closed")):
        with pytest.raises(ToolError) as caught:
            await asking
        assert caught.value.code == "no_permission"
    assert (await desk.reader().list(".", depth=2)).unread == 1

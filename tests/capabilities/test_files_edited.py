"""A proposal that the person edits: the file keeps its encoding, mark, line ends and final newline."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.capabilities.files_proposal import TEXT_CAP
from app.errors import ToolError
from app.records import Answer, Effect, FilesEffect
from tests.capabilities.files_desk import Desk, open_desk
from tools import ChangeSet, Replace, Trash, Write


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path) as opened:
        yield opened


FILES: dict[str, tuple[bytes, bytes]] = {
    "crlf": (b"one\r\ntwo\r\nthree\r\n", b"ONE\r\ntwo\r\nmine\r\nand more\r\n"),
    "latin-1": (
        "größer\nzwei one\nthree\n".encode("latin-1"),
        "größer\nzwei ONE\nmine\nand more\n".encode("latin-1"),
    ),
    "utf-16": (
        "one\r\nzwei 日本\r\nthree".encode("utf-16"),
        "ONE\r\nzwei 日本\r\nmine\r\nand more".encode("utf-16"),
    ),
    "mark": (b"\xef\xbb\xbfone\nthree\n", b"\xef\xbb\xbfONE\nmine\nand more\n"),
    "mixed": (b"a\r\none\nb\r\nthree\nlast\r\n", b"a\r\nONE\nb\r\nmine\nand more\r\nlast\r\n"),
    "no final newline": (b"one\nthree", b"ONE\nmine\nand more"),
    "old mac": (b"one\rtwo\rthree\r", b"ONE\rtwo\rmine\rand more\r"),
}


@pytest.mark.parametrize("name", FILES)
async def test_an_edited_proposal_keeps_what_the_file_is(desk: Desk, name: str) -> None:
    old, right = FILES[name]
    path = desk.write("x", old)

    def answer(effect: Effect) -> Answer:
        (file,) = desk.shown().files
        assert file.text is not None and "ONE" in file.text and "three" in file.text
        text = file.text.replace("three", "mine\nand more").replace("\r\n", "\n").replace("\r", "\n")
        return Answer(decision="allow", edited={str(path): text})

    desk.answer = answer
    made = await desk.files().change(ChangeSet((Replace("x", (("one", "ONE"),)),)))
    assert path.read_bytes() == right
    assert "+mine" in made.files[0].note
    await desk.undo.one(made.undo)
    assert path.read_bytes() == old


async def test_text_that_the_encoding_cannot_hold_is_asked_about_again(desk: Desk) -> None:
    path = desk.write("x", "größer\none\n".encode("latin-1"))
    mine = "größer\n日本 mine\n"

    def answer(effect: Effect) -> Answer:
        (file,) = desk.shown().files
        if len(desk.asked) == 1:
            return Answer(decision="allow", edited={str(path): mine})
        assert (file.text, file.note) == (mine, "cannot_hold"), "what the person wrote is not lost"
        return Answer(decision="allow", edited={str(path): mine.replace("日本", "é")})

    desk.answer = answer
    await desk.files().change(ChangeSet((Replace("x", (("one", "two"),)),)))
    assert path.read_bytes() == "größer\né mine\n".encode("latin-1") and len(desk.asked) == 2


async def test_text_that_never_fits_is_refused(desk: Desk) -> None:
    path = desk.write("x", b"gr\xf6\xdfer\none\n")
    desk.answer = lambda effect: Answer(decision="allow", edited={str(path): "日本\n"})
    with pytest.raises(ToolError) as caught:
        await desk.files().change(ChangeSet((Replace("x", (("one", "two"),)),)))
    assert caught.value.code == "encoding" and len(desk.asked) == 2
    assert path.read_bytes() == b"gr\xf6\xdfer\none\n"


async def test_only_text_of_a_size_that_can_be_edited_is_carried(desk: Desk) -> None:
    desk.write("gone", "gone\n")
    desk.write("bytes", b"\0\1")
    desk.write("junk", b"\x81\x8d\xff one\n")
    half = "x\n" * (TEXT_CAP // 4 + 10)
    writes = (Write("a", half), Write("b", half), Write("c", "small\n"), Write("bytes", "x\n"))
    await desk.files().change(ChangeSet((*writes, Replace("junk", (("one", "two"),)))))
    texts = {file.shown: file.text for file in desk.shown().files}
    assert texts == {"a": half, "b": None, "c": "small\n", "bytes": None, "junk": None}
    await desk.files().change(ChangeSet((Trash("gone"),)))
    assert [file.text for file in desk.shown().files] == [None]
    found = await desk.world.journal.store.read(_changes)
    assert all(file.text is None and not file.hunks for change in found for file in change.files)


def _changes(db: object) -> list[object]:
    from app.store import journal as rows

    return rows.changes(db)  # type: ignore[arg-type,return-value]


async def test_a_new_file_that_is_edited_is_utf_8(desk: Desk) -> None:
    path = desk.folder / "new"
    desk.answer = lambda effect: Answer(decision="allow", edited={str(path): "日本\nmine"})
    await desk.files().change(ChangeSet((Write("new", "one\n"),)))
    assert path.read_bytes() == "日本\nmine".encode()
    assert isinstance(desk.asked[0], FilesEffect)

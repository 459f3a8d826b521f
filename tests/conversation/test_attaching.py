"""Attached files: text, documents and folders become parts of the message, pictures are kept and named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PIL import Image

from app.conversation.attaching import MOST_PICTURES, attach, attached_marks, own_words, pictures_of
from app.errors import BrambleError
from tests.documents.test_documents import pdf, sheet, slides, word


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "pictures"


def put(path: Path, data: bytes) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return str(path)


def picture(path: Path, width: int = 30, height: int = 20) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (width, height), (width % 256, height % 256, 7)).save(path)
    return str(path)


@pytest.mark.parametrize(
    ("name", "data", "holds"),
    [
        ("a.docx", word(), "# Costs"),
        ("a.xlsx", sheet(), "| May | 0.3 |"),
        ("a.pptx", slides(), "Notes: Say hello"),
        ("a.pdf", pdf(), "[page 2 of 2]"),
        ("a.csv", "Größe;3\n".encode("latin-1"), "Größe;3"),
        ("wrong-name.txt", word(), "# Costs"),
    ],
)
async def test_a_document_becomes_its_text(
    tmp_path: Path, kept: Path, name: str, data: bytes, holds: str
) -> None:
    path = put(tmp_path / name, data)
    text = await attach(kept, "Look", [path])
    assert text.startswith(f"Look\n\nAttached file `{path}`:\n\n```\n") and holds in text
    assert own_words(text).strip() == "Look"


async def test_a_long_document_is_cut_and_says_so(tmp_path: Path, kept: Path) -> None:
    from docx import Document

    document = Document()
    for number in range(3_000):
        document.add_paragraph(f"{number} " + "x" * 100)
    path = tmp_path / "long.docx"
    document.save(str(path))
    text = await attach(kept, "", [str(path)])
    assert len(text) < 260 * 1024 and "more lines are left out]" in text


async def test_a_folder_becomes_a_list(tmp_path: Path, kept: Path) -> None:
    put(tmp_path / "f" / "b.txt", b"12345")
    put(tmp_path / "f" / "sub" / "deep" / "c.txt", b"1")
    put(tmp_path / "f" / "sub" / "d.txt", b"1")
    put(tmp_path / "f" / ".git" / "config", b"1")
    text = await attach(kept, "See", [str(tmp_path / "f")])
    lines = text.splitlines()
    assert lines[2] == f"Attached folder `{tmp_path / 'f'}`:"
    assert lines[5:-1] == ["b.txt (5 bytes)", "sub/d.txt (1 bytes)", "sub/deep/"]
    assert own_words(text).strip() == "See"


async def test_a_picture_is_kept_shrunk_and_found_again(tmp_path: Path, kept: Path) -> None:
    large, small = picture(tmp_path / "a.png", 4000, 400), picture(tmp_path / "b.png")
    text = await attach(kept, "What is this?", [large, small, small])
    first, second = pictures_of(text)
    assert (first.media, first.width, first.height, first.name) == ("image/png", 1568, 157, large)
    assert (second.width, second.height) == (30, 20)
    assert {path.name for path in kept.iterdir()} == {first.id, second.id}
    assert (kept / second.id).read_bytes() == Path(small).read_bytes()
    assert oct((kept / second.id).stat().st_mode & 0o777) == "0o600"
    assert own_words(text).strip() == "What is this?"
    outside = {mark.name for mark in await attached_marks(text, str(tmp_path / "work"))}
    assert outside == {large, small}


async def test_what_a_person_only_writes_is_no_picture(tmp_path: Path) -> None:
    assert pictures_of("Attached picture `x` (image/png, 3 x 4, nothing)") == ()
    assert pictures_of("see Attached picture `x` (image/png, 3 x 4, 0123456789abcdef)") == ()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (pdf(password="secret"), "attachment_locked"),
        (pdf(text=False), "attachment_empty"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "attachment_locked"),
        (word()[:900], "attachment_unknown"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "attachment_unknown"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" * 9, "attachment_unknown"),
        (b"PK\x03\x04" + b"\0" * 90, "attachment_unknown"),
    ],
)
async def test_what_cannot_be_read_is_refused_by_name(
    tmp_path: Path, kept: Path, data: bytes, code: str
) -> None:
    path = put(tmp_path / "file", data)
    with pytest.raises(BrambleError) as raised:
        await attach(kept, "Look", [path])
    assert (raised.value.code, raised.value.problem.fields["path"]) == (code, path)


async def test_what_is_no_file_is_refused(tmp_path: Path, kept: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, code in (("none", "not_found"), ("pipe", "attachment_unknown")):
        with pytest.raises(BrambleError) as raised:
            await attach(kept, "", [str(tmp_path / path)])
        assert raised.value.code == code


async def test_more_pictures_than_a_message_holds(tmp_path: Path, kept: Path) -> None:
    paths = [picture(tmp_path / f"{number}.png", 10 + number) for number in range(MOST_PICTURES + 1)]
    with pytest.raises(BrambleError) as raised:
        await attach(kept, "", paths)
    assert raised.value.code == "too_many_pictures"


async def test_nothing_hidden_goes_along_with_a_file(tmp_path: Path, kept: Path) -> None:
    from docx import Document

    tags = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
    document = Document()
    document.add_paragraph(f"plain{tags} \u202etext")
    document.save(str(tmp_path / "a.docx"))
    path = put(tmp_path / "a.txt", f"plain{tags} \u202etext 👩\u200d👧\n".encode())
    text = await attach(kept, "", [str(tmp_path / "a.docx"), path])
    assert tags not in text and "\u202e" not in text
    assert text.count("plain\\U000e006f") == 2 and "👩\u200d👧" in text


async def test_a_text_may_not_grow_beyond_its_room(tmp_path: Path, kept: Path) -> None:
    path = put(tmp_path / "a.txt", "\u202e".encode() * 80_000)
    with pytest.raises(BrambleError) as caught:
        await attach(kept, "", [path])
    assert caught.value.code == "too_large"

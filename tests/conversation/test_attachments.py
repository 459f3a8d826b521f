"""What a front end does with attachments: look, read, keep what was pasted, find by name; and the words of a
message apart from what it brings.
"""

from __future__ import annotations

import asyncio
import io
import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from app.attachment_records import Named, attachments_of, joined, names_of, own_words, said
from app.capabilities.files_walk import Found, Walk
from app.conversation import file_names
from app.conversation.attachments import Attachments
from app.conversation.ending import title_of
from app.conversation.file_names import FileNames, best
from app.errors import BrambleError
from tests.documents.test_documents import pdf

PART = "Attached file `y`:\n\n```\n```"


@pytest.fixture
def attachments(tmp_path: Path) -> Attachments:
    return Attachments(tmp_path / "kept")


def png(width: int = 30, height: int = 20) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), (200, 30, 90)).save(out, "PNG")
    return out.getvalue()


async def code_of(work: object) -> str:
    with pytest.raises(BrambleError) as caught:
        await work  # type: ignore[misc]
    return caught.value.code


async def test_words_and_parts_come_apart_and_together(attachments: Attachments, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("```\ncode\n```\n")
    (tmp_path / "tail.txt").write_text("Attached picture `x` (image/png, 3 x 4, 0123456789abcdef)\n")
    (tmp_path / "b.png").write_bytes(png())
    (tmp_path / "folder").mkdir()
    paths = [str(tmp_path / name) for name in ("a.md", "tail.txt", "b.png", "folder")]
    text = await attachments.attach("Look at\n\nthese", paths)
    found = attachments_of(text)
    assert [one.kind for one in found] == ["file", "file", "picture", "folder"]
    assert [one.title for one in found] == ["a.md", "tail.txt", "b.png", "folder"]
    assert found[0].text == "```\ncode\n```" and found[3].text == "[empty]"
    assert found[2].picture is not None and found[2].picture.width == 30
    assert own_words(text) == "Look at\n\nthese" == said(text)
    assert joined(own_words(text), [one.part for one in found]) == text
    alone = await attachments.attach("", paths[:3:2])
    assert title_of(text) == "Look at these" and title_of(alone) == "a.md, b.png"
    assert own_words(alone) == "" and said(alone) == "a.md, b.png" == names_of(attachments_of(alone))
    for plain in ("", "Attached is a file", "a\n\n", "Attached file `x`: no"):
        assert own_words(plain) == said(plain) == plain and attachments_of(plain) == ()


def test_texts_that_only_begin_like_parts_are_own_words() -> None:
    fences = "".join(f"Attached file `x`:\n\n{'`' * n}\n" for n in range(3, 700))
    near = "Attached folder `x`:\n\n````\n" + "```\n````x\n" * 25_000
    names = "Attached file `" + "a" * 200_000
    pictures = "Attached picture `x` (image/png, " + "9" * 100_000
    for text in (fences, near, names, pictures):
        assert attachments_of(text) == () and own_words(text) == text
    two = f"words\n\nAttached file `x`:\n\n````\nnever closed\n\n{PART}"
    assert [one.part for one in attachments_of(two)] == [PART]


async def test_a_look_says_what_stands_there(attachments: Attachments, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"12345")
    (tmp_path / "wide.png").write_bytes(png(2000, 500))
    text = await attachments.look(str(tmp_path / "a.txt"))
    assert (text.kind, text.size, text.thumbnail) == ("file", 5, b"")
    assert (await attachments.look(str(tmp_path))).kind == "folder"
    picture = await attachments.look(str(tmp_path / "wide.png"))
    small = Image.open(io.BytesIO(picture.thumbnail))
    assert (picture.kind, small.size) == ("picture", (192, 48))
    assert not (tmp_path / "kept").exists(), "a look keeps nothing"


async def test_what_cannot_be_attached_says_why(attachments: Attachments, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "nothing.png").write_bytes(b"")
    (tmp_path / "photo.heic").write_bytes(b"\0\0\0\x18ftypheic" + b"\0" * 200)
    (tmp_path / "locked.pdf").write_bytes(pdf(password="secret"))
    (tmp_path / "long.txt").write_text("x" * 300 * 1024)
    codes = {
        "pipe": "attachment_unknown",
        "nothing.png": "attachment_empty",
        "photo.heic": "attachment_unknown",
        "gone.txt": "not_found",
        "locked.pdf": "attachment_locked",
        "long.txt": "too_large",
    }
    for name, code in codes.items():
        assert await code_of(attachments.part(str(tmp_path / name))) == code, name
    for name in ("pipe", "nothing.png", "photo.heic", "gone.txt"):
        assert await code_of(attachments.look(str(tmp_path / name))) == codes[name], name
    (tmp_path / "drawing.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    assert "<svg" in await attachments.part(str(tmp_path / "drawing.svg")), "SVG is text, and never drawn"


async def test_a_picture_of_20_000_pixels_is_shrunk(attachments: Attachments, tmp_path: Path) -> None:
    path = tmp_path / "large.png"
    Image.new("1", (20_000, 20_000)).save(path)
    part = await attachments.part(str(path))
    picture = attachments_of(part)[0].picture
    assert picture is not None and (picture.width, picture.height) == (1568, 1568)


async def test_a_pasted_picture_is_kept_under_its_name(attachments: Attachments) -> None:
    part = await attachments.keep_picture(png(), "Pasted `picture`\n1")
    kept = attachments_of(part)[0]
    assert kept.name == "Pasted 'picture' 1" and kept.picture is not None
    assert await attachments.picture(kept.picture.id) == png()
    assert await code_of(attachments.keep_picture(b"no picture", "x")) == "attachment_unknown"
    for id_ in ("../kept", "0" * 16, "", "/etc/passwd"):
        assert await code_of(attachments.picture(id_)) == "not_found"


@pytest.mark.parametrize("name", ["two\nlines.txt", 'it\'s `quoted` "so".txt', "\u202etxt.exe.txt", "-rf"])
async def test_a_strange_name_stays_one_part(attachments: Attachments, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("words")
    text = await attachments.attach("Hm", [str(path)])
    (part,) = attachments_of(text)
    assert part.text == "words" and own_words(text) == "Hm"
    assert not set(part.name) & set("\n`\u202e")


async def test_a_folder_of_many_files_is_listed_in_part(attachments: Attachments, tmp_path: Path) -> None:
    many = tmp_path / "many"
    many.mkdir()
    for number in range(3_000):
        (many / f"{number:05}").touch()
    text = attachments_of(await attachments.part(str(many)))[0].text
    assert text.startswith("00000 (0 bytes)\n") and text.endswith("00499 (0 bytes)\n[more is left out]")


def test_the_best_names_come_first() -> None:
    names = ["src/notes/a.py", "docs/notes.md", "notes.md", "src/my_notes.py", "other.txt", "Notes/b.md"]
    assert best(names, "notes", 9) == (
        "notes.md", "Notes/b.md", "docs/notes.md", "src/my_notes.py", "src/notes/a.py",
    )  # fmt: skip
    assert best(names, "src/", 9) == ("src/my_notes.py", "src/notes/a.py")
    assert best(names, "", 2) == ("notes.md", "other.txt")
    assert best(names, "absent", 9) == ()


async def test_names_that_git_ignores_are_left_out(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_text("*.log\nbuild/\n")
    (tmp_path / "build").mkdir()
    for name in ("a.txt", "a.log", "build/a.o"):
        (tmp_path / name).touch()
    now = [0.0]
    names = FileNames(lambda: now[0])
    assert (await names.find(str(tmp_path), "a")).paths == ("a.txt",)
    (tmp_path / "ab.txt").touch()
    assert (await names.find(str(tmp_path), "a")).paths == ("a.txt",), "known a moment ago"
    now[0] = 60.0
    assert (await names.find(str(tmp_path), "a")).paths == ("a.txt", "ab.txt")
    first = asyncio.create_task(names.find(str(tmp_path / "build"), "a"))
    await asyncio.sleep(0)
    first.cancel()
    assert (await names.find(str(tmp_path / "build"), "")).paths == ("a.o",), (
        "a key that ends the call before"
    )
    names.close()


async def test_a_large_folder_answers_before_all_of_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").touch()
    (tmp_path / "b.txt").touch()
    go = threading.Event()

    class Slow(Walk):
        def __iter__(self) -> Iterator[Found]:
            for one in super().__iter__():
                yield one
                go.wait(20)

    monkeypatch.setattr(file_names, "Walk", Slow)
    names = FileNames()
    assert await names.find(str(tmp_path), "") == Named(paths=("a.txt",), whole=False)
    go.set()
    while not (found := await names.find(str(tmp_path), "")).whole:
        await asyncio.sleep(0.01)
    assert found.paths == ("a.txt", "b.txt")
    names.close()

"""Files that nobody should read as they are, attached in one conversation: each is refused by its name,
nothing of it is kept, and the next message is answered; so is one with a picture that had to be shrunk.
"""

from __future__ import annotations

import base64
import io
from pathlib import Path

import pytest
from PIL import Image

from tests.documents import bombs
from tests.documents.test_documents import bomb, pdf, word
from tests.documents.test_pictures import header_of
from tests.servers.scripted import says
from tests.terminal.conftest import Bramble
from tests.terminal.model_server import ModelServer

OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
FILES = {
    "no-pixels.png": (lambda: header_of(0, 10), "attachment_unknown"),
    "nothing.png": (lambda: b"", "attachment_empty"),
    "half.png": (lambda: header_of(20_000, 20_000), "attachment_unknown"),
    "gigantic.png": (lambda: header_of(60_000, 60_000), "too_large"),
    "locked.pdf": (lambda: pdf(password="secret"), "attachment_locked"),
    "locked.docx": (lambda: OFFICE + "EncryptedPackage".encode("utf-16-le"), "attachment_locked"),
    "bomb.docx": (bomb, "too_large"),
    "half.docx": (lambda: word()[:900], "attachment_unknown"),
    "bomb.pdf": (bombs.unpacks_to_gibibytes, "too_large"),
    "twice.pdf": (bombs.packed_twice, "too_large"),
    "circle.pdf": (bombs.in_a_circle, "attachment_unknown"),
    "deep.pdf": (bombs.deep, "attachment_unknown"),
}


def test_each_is_refused_by_name_and_the_conversation_goes_on(
    bramble: Bramble, server: ModelServer, work: Path, home: Path
) -> None:
    server.answers = [says("Well.")]
    session = bramble("ask", "--json", "Hello").value["session"]
    for number, (name, (make, code)) in enumerate(FILES.items(), 1):
        (work / name).write_bytes(make())
        refused = bramble("ask", "--json", "--session", session, "--attach", name, "Read this").sound()
        error = refused.value["error"]
        assert (refused.code, error["code"]) == (2, code), name
        assert name in error["message"] + error["detail"]
        assert len(server.requests) == number, "nothing was asked"
        again = bramble("ask", "--json", "--session", session, f"Message {number}").sound()
        assert (again.code, again.value["text"]) == (0, "Well."), name
    said = [one["content"] for one in server.requests[-1]["messages"] if one["role"] == "user"]
    assert len(said) == len(FILES) + 1 and not any("Read this" in text for text in said)
    assert not list((home / "data").rglob("pictures/*"))


@pytest.mark.parametrize(("mode", "size"), [("1", (20_000, 20_000)), ("RGB", (20_000, 3))])
def test_a_picture_of_20_000_pixels_reaches_the_model_shrunk(
    bramble: Bramble, server: ModelServer, work: Path, mode: str, size: tuple[int, int]
) -> None:
    Image.new(mode, size).save(work / "large.png")
    server.answers = [says("Black.")]
    ran = bramble("ask", "--json", "--attach", "large.png", "What is it?").sound()
    assert (ran.code, ran.value["text"]) == (0, "Black."), ran.err
    parts = server.requests[0]["messages"][-1]["content"]
    (picture,) = [part for part in parts if part["type"] == "image_url"]
    data = base64.b64decode(picture["image_url"]["url"].partition(",")[2])
    shown = Image.open(io.BytesIO(data))
    assert max(shown.size) == 1568 and min(shown.size) == max(1, 1568 * size[1] // size[0])

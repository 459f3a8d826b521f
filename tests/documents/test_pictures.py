"""Pictures at a size that models take: small ones untouched, large ones shrunk, odd ones turned into what is
known.
"""

from __future__ import annotations

import io
import random
import struct
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from app.documents.failing import Unreadable
from app.documents.kinds import media_of
from app.documents.pictures import LONGEST_SIDE, MOST_BYTES, fitted


def packed(picture: Any, kind: str, **options: Any) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def noise(width: int, height: int) -> Any:
    chance = random.Random(7)
    return Image.frombytes("RGB", (width, height), chance.randbytes(width * height * 3))


@pytest.mark.parametrize(
    ("kind", "media"), [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("WEBP", "image/webp")]
)
def test_one_that_fits_keeps_its_bytes(kind: str, media: str) -> None:
    data = packed(Image.new("RGB", (40, 30), "red"), kind)
    found = fitted(data)
    assert (found.data, found.media, found.width, found.height) == (data, media, 40, 30)


def test_a_large_one_is_shrunk_in_its_shape() -> None:
    found = fitted(packed(Image.new("RGB", (4000, 1000), "red"), "JPEG"))
    assert (found.width, found.height, found.original) == (LONGEST_SIDE, LONGEST_SIDE // 4, (4000, 1000))
    assert Image.open(io.BytesIO(found.data)).size == (found.width, found.height)


def test_a_heavy_one_is_packed_tighter() -> None:
    found = fitted(packed(noise(1500, 1500), "PNG"))
    assert len(found.data) <= MOST_BYTES and found.media == "image/jpeg"


def test_a_photo_is_turned_upright_and_tells_no_place() -> None:
    notes = Image.Exif()
    notes[0x0112] = 6
    notes[0x010F] = "Camera of Anna"
    found = fitted(packed(Image.new("RGB", (60, 20), "red"), "JPEG", exif=notes))
    assert (found.width, found.height) == (20, 60) and b"Camera of Anna" not in found.data


def test_what_is_see_through_stays_so() -> None:
    found = fitted(packed(Image.new("RGBA", (3000, 10), (255, 0, 0, 10)), "PNG"))
    assert found.media == "image/png" and Image.open(io.BytesIO(found.data)).mode == "RGBA"


@pytest.mark.parametrize("kind", ["BMP", "TIFF", "PPM"])
def test_formats_that_no_model_takes_are_turned_into_one(kind: str) -> None:
    found = fitted(packed(Image.new("RGB", (40, 40), "blue"), kind))
    assert found.media in ("image/png", "image/jpeg") and found.width == 40


CASES = Path(__file__).parent / "cases"


def test_a_photo_of_an_iphone_is_turned_into_what_models_take_and_tells_no_place() -> None:
    """60 x 40, red on the left, blue on the right, with the notes of a camera."""
    assert b"Camera" in (CASES / "photo.heic").read_bytes()
    found = fitted((CASES / "photo.heic").read_bytes())
    assert (found.media, found.width, found.height) == ("image/png", 60, 40)
    assert b"Camera" not in found.data
    seen = Image.open(io.BytesIO(found.data)).convert("RGB")
    left, right = seen.getpixel((8, 20)), seen.getpixel((52, 20))
    assert isinstance(left, tuple) and isinstance(right, tuple)
    assert left[0] > 200 > left[2] and right[2] > 200 > right[0]
    assert not seen.getexif()


def test_a_large_photo_of_an_iphone_is_shrunk() -> None:
    found = fitted((CASES / "large.heic").read_bytes())
    assert found.original == (2400, 1600) and (found.width, found.height) == (LONGEST_SIDE, 1045)


def test_where_heic_cannot_be_read_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pi_heif", None)
    with pytest.raises(Unreadable) as raised:
        fitted((CASES / "photo.heic").read_bytes())
    assert raised.value.why == "unknown" and "save it as JPEG" in raised.value.detail


def test_a_damaged_photo_of_an_iphone_is_refused() -> None:
    data = (CASES / "large.heic").read_bytes()
    for broken in (data[:400], data[:12] + b"\xff" * 60 + data[72:]):
        with pytest.raises(Unreadable):
            fitted(broken)


@pytest.mark.parametrize("kind", ["AVIF", "WEBP"])
def test_newer_formats_are_sent_as_models_take_them(kind: str) -> None:
    found = fitted(packed(Image.new("RGB", (40, 40), "blue"), kind))
    assert found.media == ("image/webp" if kind == "WEBP" else "image/png") and found.width == 40


def test_of_a_document_of_pictures_the_first_page_counts() -> None:
    pages = [Image.new("RGB", (30, 10 * number), "red") for number in (1, 2)]
    found = fitted(packed(pages[0], "TIFF", save_all=True, append_images=pages[1:]))
    assert (found.width, found.height) == (30, 10)


@pytest.mark.parametrize(
    ("data", "media"),
    [
        ((CASES / "large.heic").read_bytes(), "image/heic"),
        (b"\0\0\0\x1cftypmif1\0\0\0\0mif1heicmiaf", "image/heic"),
        (b"\0\0\0\x20ftypmif1\0\0\0\0avifmif1miaf", "image/avif"),
        (packed(Image.new("RGB", (8, 8)), "AVIF"), "image/avif"),
        (b"\0\0\0\x18ftypisom\0\0\0\0isommp42", ""),
        (b"\0\0\0\x18ftypqt  \0\0\0\0qt  ", ""),
        (b"\0\0\0\0ftyp", ""),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", ""),
    ],
)
def test_pictures_are_told_from_films_in_the_same_container(data: bytes, media: str) -> None:
    assert media_of(data) == media


def test_of_a_moving_one_the_first_picture_counts() -> None:
    frames = [Image.new("P", (9, 9), colour) for colour in range(3)]
    found = fitted(packed(frames[0], "GIF", save_all=True, append_images=frames[1:]))
    assert getattr(Image.open(io.BytesIO(found.data)), "n_frames", 1) == 1


def header_of(width: int, height: int) -> bytes:
    """A PNG that says that it is so large."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "unknown"),
        (b"no picture", "unknown"),
        (header_of(30_000, 30_000), "too_large"),
        (packed(Image.new("RGB", (3000, 3000), "red"), "JPEG")[:400], "broken"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "unknown"),
    ],
)
def test_what_is_no_whole_picture_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(Unreadable) as raised:
        fitted(data)
    assert raised.value.why == why


def test_one_without_pixels_is_refused() -> None:
    with pytest.raises(Unreadable):
        fitted(header_of(0, 10))

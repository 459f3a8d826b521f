"""Make a picture fit what models take: turned upright, at most so wide and heavy, in a format they know."""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping
from typing import Any

from app.documents.failing import BROKEN, Unreadable, broken
from app.documents.kinds import media_of
from app.record import Record

LONGEST_SIDE = 1_568
"""Pixels. Larger ones are shrunk by the providers themselves, at the sender's cost (Anthropic's own limit;
the others take more).
"""
MOST_BYTES = 3_500_000
"""So that base64 of it stays below 5 MB, the smallest limit of a provider."""
MOST_PIXELS = 400_000_000
"""20,000 x 20,000; what is larger is refused before it is unpacked."""
_TAKEN = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp", "GIF": "image/gif"}


class Fitted(Record, kw_only=True):
    """A picture as it is sent, and the size that it had."""

    data: bytes
    media: str
    width: int
    height: int
    original: tuple[int, int]


def fitted(data: bytes, longest: int = LONGEST_SIDE, most: int = MOST_BYTES) -> Fitted:
    """Return the picture so that a model takes it; one that fits already keeps its bytes.

    What cameras write beside it (place, owner) is left out wherever it is written anew. Raises Unreadable
    (broken, too_large, empty, unknown).
    """
    from PIL import Image, ImageOps, UnidentifiedImageError

    Image.MAX_IMAGE_PIXELS = None  # our own limit below stands for it
    if media_of(data) == "image/heic":
        _read_heic()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            picture = Image.open(io.BytesIO(data))
            original = picture.size
            if original[0] * original[1] > MOST_PIXELS:
                raise Unreadable("too_large", f"It has {original[0]} x {original[1]} pixels.")
            if 0 in original:
                raise Unreadable("empty", "It has no pixels.")
            kind = picture.format or ""
            upright = picture.getexif().get(0x0112, 1) == 1
            if (
                kind in _TAKEN
                and max(original) <= longest
                and len(data) <= most
                and upright
                and _plain(picture)
            ):
                picture.load()  # what is cut off or damaged shows only now
                return Fitted(
                    data=data,
                    media=_TAKEN[kind],
                    width=original[0],
                    height=original[1],
                    original=original,
                )
            picture.draft("RGB", (longest, longest))  # JPEG is unpacked small at once
            picture.seek(0)
            shown: Any = ImageOps.exif_transpose(picture)
            shown.thumbnail((longest, longest))
            return _packed(shown, original, most)
    except UnidentifiedImageError:
        raise Unreadable("unknown", "It is no picture that can be read.") from None
    except BROKEN as error:
        raise broken(error) from None


def _read_heic() -> None:
    """Let Pillow read the pictures of iPhones, turned upright, by libheif, which is not everywhere. Raises
    Unreadable unknown.
    """
    try:
        from pi_heif import register_heif_opener
    except ImportError as error:
        raise Unreadable("unknown", "HEIC pictures cannot be read here: save it as JPEG.") from error
    register_heif_opener()


def that_fit(pictures: Mapping[str, bytes]) -> list[str]:
    """Return the names of those that models take as they are, each of them unpacked to see that."""
    found = []
    for name, data in pictures.items():
        try:
            if len(data) <= MOST_BYTES and fitted(data).data == data:
                found.append(name)
        except Unreadable:
            continue
    return found


def _plain(picture: Any) -> bool:
    """Whether it carries no place, owner or other notes of a camera."""
    return not picture.getexif() and not picture.info.get("xmp") and getattr(picture, "n_frames", 1) == 1


def _packed(picture: Any, original: tuple[int, int], most: int) -> Fitted:
    """Pack as PNG where it has few colours or is see-through, else as JPEG; smaller until it fits."""
    see_through = picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info
    picture = picture.convert("RGBA" if see_through else "RGB")
    while True:
        for kind, options in _ways(picture, see_through):
            out = io.BytesIO()
            picture.save(out, kind, **options)
            if out.tell() <= most:
                width, height = picture.size
                return Fitted(
                    data=out.getvalue(), media=_TAKEN[kind], width=width, height=height, original=original
                )
        picture = picture.resize((max(1, picture.width // 2), max(1, picture.height // 2)))


def _ways(picture: Any, see_through: bool) -> list[tuple[str, dict[str, Any]]]:
    png: tuple[str, dict[str, Any]] = ("PNG", {"optimize": True})
    few = picture.getcolors(4096) is not None
    jpeg: list[tuple[str, dict[str, Any]]] = [("JPEG", {"quality": 85}), ("JPEG", {"quality": 60})]
    return [png] if see_through else [png, *jpeg] if few else jpeg

"""Tells what kind of file some bytes are, by how they begin and what they hold; a name alone decides
nothing.
"""

from __future__ import annotations

import io
import re
import zipfile
from typing import Literal

Kind = Literal[
    "text", "pdf", "word", "sheet", "slides", "open document", "rich text", "book", "html", "mail",
    "picture", "archive", "old office", "binary",
]  # fmt: skip
"""`html` and `mail` are texts to `kind_of`, since their bytes tell nothing for sure: see `named_kind`."""

_PICTURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
)
_AVIF = frozenset((b"avif", b"avis"))
_HEIC = frozenset((b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"))
"""Brands of pictures in one container (ISO/IEC 23008-12): AV1 inside, and HEVC or something else."""
_PARTS: tuple[tuple[str, Kind], ...] = (
    ("word/document.xml", "word"),
    ("xl/workbook.xml", "sheet"),
    ("ppt/presentation.xml", "slides"),
    ("META-INF/container.xml", "book"),
)
_HTML = re.compile(rb"\s*(?:<!doctype html|<html\b)", re.IGNORECASE)
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The container of .doc, .xls, .ppt, and of newer files that a password locks."""
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
"""The name of the stream in that container that holds a newer file which a password locks (MS-OFFCRYPTO)."""
_PACKED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"\x28\xb5\x2f\xfd")


def media_of(data: bytes) -> str:
    """Return the media type of a picture by its first bytes, "" for anything else."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    if data[4:8] == b"ftyp" and (brands := _brands(data)) & (_AVIF | _HEIC):
        return "image/avif" if brands & _AVIF else "image/heic"
    if data.startswith(b"BM") and b"\0" in data[:64] and len(data) > 14:  # else it is a text that begins so
        return "image/bmp"
    return next((media for start, media in _PICTURES if data.startswith(start)), "")


def _brands(data: bytes) -> set[bytes]:
    """Return what a file says that it is, in the container that films have too (ISO/IEC 14496-12)."""
    end = min(int.from_bytes(data[:4], "big"), 256, len(data))
    return {data[8:12], *(data[at : at + 4] for at in range(16, end - 3, 4))}


def kind_of(data: bytes) -> Kind:
    """Return the kind of a whole file. What cannot be told from its bytes is `text` when it holds no NUL."""
    if media_of(data):
        return "picture"
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if data.startswith(b"PK\x03\x04"):
        return _of_zip(data)
    if data.startswith(_OLD_OFFICE):
        return "old office"
    if data.startswith(_PACKED):
        return "archive"
    if data.startswith(b"{\\rtf"):
        return "rich text"
    return "text"


def named_kind(data: bytes, name: str) -> Kind:
    """Return the kind of a whole file, by its name where it is a text that may be more than that."""
    found, name = kind_of(data), name.lower()
    if found != "text":
        return found
    if name.endswith((".html", ".htm", ".xhtml")) or _HTML.match(data[:1024]):
        return "html"
    return "mail" if name.endswith((".eml", ".mht", ".mhtml")) else "text"


def _of_zip(data: bytes) -> Kind:
    try:
        names = set(zipfile.ZipFile(io.BytesIO(data)).namelist())
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return "archive"
    if "mimetype" in names and "META-INF/manifest.xml" in names and "content.xml" in names:
        return "open document"
    return next((kind for part, kind in _PARTS if part in names), "archive")

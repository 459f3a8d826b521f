"""What a drop or a paste brings: files of this computer, a picture without a file, or only text.

Nothing is read from a disk or a network here: an address of somewhere else stays text, and a file on another
computer would be fetched by looking at it.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import QImage

_PICTURES = ("image/png", "image/jpeg", "image/webp", "image/gif", "image/bmp", "image/tiff")
_OF_QT = "application/x-qt-image"


class Incoming(NamedTuple):
    """What was brought. A picture comes as its bytes, or as Qt has it where there are none."""

    paths: tuple[str, ...] = ()
    data: bytes = b""
    image: QImage | None = None


def holds(source: QMimeData) -> bool:
    """Whether a drop or a paste brings more than text."""
    return bool(files(source)) or _is_picture(source)


def taken(source: QMimeData) -> Incoming:
    """Return what is brought: files first, then a picture."""
    paths = files(source)
    if paths or not _is_picture(source):
        return Incoming(paths)
    for kind in _PICTURES:
        data = bytes(source.data(kind).data()) if source.hasFormat(kind) else b""
        if data:
            return Incoming(data=data)
    image = source.imageData()
    return Incoming(image=image if isinstance(image, QImage) else None)


def files(source: QMimeData) -> tuple[str, ...]:
    """Return the paths of files and folders of this computer."""
    local = (_path_of(url) for url in source.urls() if _is_here(url))
    return tuple(dict.fromkeys(path for path in local if path and "\0" not in path))


def _is_here(url: QUrl) -> bool:
    return url.isLocalFile() and url.host() in ("", "localhost")


def _path_of(url: QUrl) -> str:
    here = QUrl(url)
    here.setHost("")
    return here.toLocalFile()


def _is_picture(source: QMimeData) -> bool:
    """Tables and documents bring a picture of themselves beside their text; there the text is meant."""
    if source.hasFormat("text/plain"):
        return False
    return source.hasFormat(_OF_QT) or any(source.hasFormat(kind) for kind in _PICTURES)

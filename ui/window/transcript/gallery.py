"""The pictures of messages: asked for when they are first seen, unpacked off the GUI thread, kept while they
are likely to be seen again.
"""

from __future__ import annotations

from collections import OrderedDict

from PySide6.QtCore import QBuffer, QByteArray, QObject, QRunnable, QSize, Qt, QThreadPool, Signal
from PySide6.QtGui import QImage, QImageReader

from app.records import Picture

LONGEST = 640
"""Pixels of the longer side of what is kept: enough for a thumbnail on a screen of two pixels a point."""
KEPT = 48
FORMATS = {"image/png": b"png", "image/jpeg": b"jpeg", "image/webp": b"webp", "image/gif": b"gif"}


class Gallery(QObject):
    """Gives out images by the id of their picture. Whoever hears `wanted` answers with `take` or `miss`."""

    wanted = Signal(object)
    """A Picture whose bytes are needed."""
    ready = Signal(str)
    """The picture with this id can be drawn now, or never."""
    _unpacked = Signal(str, QImage)

    def __init__(self, longest: int = LONGEST) -> None:
        super().__init__()
        self._longest = longest
        self._images: OrderedDict[str, QImage | None] = OrderedDict()
        self._asked: dict[str, Picture] = {}
        self._unpacked.connect(self._keep, Qt.ConnectionType.QueuedConnection)

    def image(self, picture: Picture) -> QImage | None:
        """Return the picture, None while it is not there; it is asked for then."""
        if picture.id in self._images:
            self._images.move_to_end(picture.id)
            return self._images[picture.id]
        if picture.id not in self._asked:
            self._asked[picture.id] = picture
            self.wanted.emit(picture)
        return None

    def take(self, id: str, data: bytes) -> None:
        """Take the bytes of a picture that was wanted."""
        picture = self._asked.get(id)
        if picture is not None:
            form = FORMATS.get(picture.media, b"")
            QThreadPool.globalInstance().start(_Unpacking(self, id, data, form, self._longest))

    def miss(self, id: str) -> None:
        """A picture that was wanted is not there."""
        self._keep(id, QImage())

    def _keep(self, id: str, image: QImage) -> None:
        self._asked.pop(id, None)
        self._images[id] = None if image.isNull() else image
        while len(self._images) > KEPT:
            self._images.popitem(last=False)
        self.ready.emit(id)


class _Unpacking(QRunnable):
    def __init__(self, gallery: Gallery, id: str, data: bytes, form: bytes, longest: int) -> None:
        super().__init__()
        self._gallery, self._id, self._data, self._form = gallery, id, data, form
        self._longest = longest

    def run(self) -> None:
        image = unpacked(self._data, self._form, self._longest)
        try:
            self._gallery._unpacked.emit(self._id, image)
        except RuntimeError:
            return  # the window is gone


def unpacked(data: bytes, form: bytes, longest: int) -> QImage:
    """Return a picture at most so many pixels long, a null image for anything broken. `form` is the only
    format that is tried: others have readers of their own that nothing here should reach.
    """
    if not form:
        return QImage()
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QBuffer.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(form))
    reader.setAutoDetectImageFormat(False)
    size = reader.size()
    if size.isValid() and max(size.width(), size.height()) > longest:
        reader.setScaledSize(size.scaled(QSize(longest, longest), Qt.AspectRatioMode.KeepAspectRatio))
    return reader.read()

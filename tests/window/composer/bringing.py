"""What the tests of attachments share: what is dropped, and what the chips say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PIL import Image
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget

from tests.window.furnished import Furnished


def urls(*paths: Path | str) -> QMimeData:
    """What a file manager gives."""
    found = QMimeData()
    found.setUrls([QUrl(path) if isinstance(path, str) else QUrl.fromLocalFile(str(path)) for path in paths])
    return found


def drop(target: QWidget, mime: QMimeData) -> bool:
    """Drag something over a widget and let it go there, as Qt delivers it; tell whether it was taken."""
    at, none = QPoint(20, 10), Qt.KeyboardModifier.NoModifier
    left, copy = Qt.MouseButton.LeftButton, Qt.DropAction.CopyAction
    enter = QDragEnterEvent(at, copy, mime, left, none)
    QApplication.sendEvent(target, enter)
    if not enter.isAccepted():
        return False
    QApplication.sendEvent(target, QDropEvent(QPointF(at), copy, mime, left, none))
    return True


def chips(furnished: Furnished) -> Any:
    return furnished.life.rest.attaching


def words(furnished: Furnished) -> list[str]:
    """What the chips say."""
    found = [chips(furnished).chips.chip(thing) for thing in chips(furnished).things]
    return [chip.accessibleName() for chip in found]


def sent(server: Any) -> str:
    """The newest message that the model got."""
    content = server.requests[-1].json["messages"][-1]["content"]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def picture(path: Path, width: int = 300, height: int = 200) -> Path:
    Image.new("RGB", (width, height), (122, 46, 93)).save(path)
    return path

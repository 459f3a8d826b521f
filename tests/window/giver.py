"""Another program on the desk, started by tests: lets files be dragged out of its window, or puts a picture
or files on the clipboard. Says READY on its output once it can.

Usage: giver.py drag|copy|picture [PATH ...]
"""

from __future__ import annotations

import sys

from PySide6.QtCore import QMimeData, QPoint, Qt, QTimer, QUrl
from PySide6.QtGui import QDrag, QImage, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel


def files(paths: list[str]) -> QMimeData:
    """What a file manager gives: addresses of files, to be copied or moved."""
    found = QMimeData()
    found.setUrls([QUrl.fromLocalFile(path) for path in paths])
    return found


class Handle(QLabel):
    """A small window; what is dragged out of it are the files."""

    def __init__(self, paths: list[str]) -> None:
        super().__init__("files")
        self._paths = paths
        self.setWindowFlags(Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint)
        self.setGeometry(600, 200, 80, 60)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        drag = QDrag(self)
        drag.setMimeData(files(self._paths))
        drag.setHotSpot(QPoint(0, 0))
        both = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
        done = drag.exec(both, Qt.DropAction.MoveAction)
        print("GAVE", done.name, flush=True)
        self.hide()


def main() -> None:
    """Give until the test ends this program."""
    app = QApplication(sys.argv)
    how, paths = sys.argv[1], sys.argv[2:]
    if how == "drag":
        handle = Handle(paths)
        handle.show()
    elif how == "copy":
        QApplication.clipboard().setMimeData(files(paths))
    else:
        image = QImage(320, 200, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.darkCyan)
        QApplication.clipboard().setImage(image)
    QTimer.singleShot(200, lambda: print("READY", flush=True))
    app.exec()


if __name__ == "__main__":
    main()

"""A layout that puts parts into lines as words are, from the side where people begin to read."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QStyle, QWidget


class Flow(QLayout):
    """Its height follows from its width."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._lay_out(QRect(0, 0, width, 0), place=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._lay_out(rect, place=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        sizes = [item.minimumSize() for item in self._items if not item.isEmpty()]
        return QSize(
            max((size.width() for size in sizes), default=0), max((s.height() for s in sizes), default=0)
        )

    def _lay_out(self, rect: QRect, *, place: bool) -> int:
        """Put the parts in their places, if wanted; return the height that they take."""
        x, y, tall, gap = rect.x(), rect.y(), 0, max(0, self.spacing())
        parent = self.parentWidget()
        direction = parent.layoutDirection() if parent else Qt.LayoutDirection.LeftToRight
        for item in self._items:
            if item.isEmpty():  # hidden
                continue
            size = item.sizeHint()
            wide = min(size.width(), rect.width())
            if x > rect.x() and x + wide > rect.right() + 1:
                x, y, tall = rect.x(), y + tall + gap, 0
            if place:
                where = QRect(x, y, wide, size.height())
                item.setGeometry(QStyle.visualRect(direction, rect, where))
            x += wide + gap
            tall = max(tall, size.height())
        return y + tall - rect.y()

"""A button whose words stand in as many lines as they need."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStyle, QStyleOptionButton

_WRAPPED = int(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextWordWrap)


class Example(QPushButton):
    """A request that a click tries; the style sheet says what stands around its words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._words = ""
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setText(text)

    def text(self) -> str:
        return self._words

    def setText(self, text: str) -> None:
        self._words = text
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        around = self._around()
        room = QRect(0, 0, max(1, width - around.width()), 1 << 20)
        return self.fontMetrics().boundingRect(room, _WRAPPED, self._words).height() + around.height()

    def sizeHint(self) -> QSize:
        line, around = self.fontMetrics().horizontalAdvance(self._words) + 2, self._around()
        return QSize(line + around.width(), self.fontMetrics().height() + around.height())

    def minimumSizeHint(self) -> QSize:
        around = self._around()
        return QSize(around.width() * 3, self.fontMetrics().height() + around.height())

    def changeEvent(self, event: QEvent) -> None:
        """Ask for other room when the style sheet has brought its own font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        around, painter = self._around(), QPainter(self)
        across, down = around.width() // 2, around.height() // 2
        painter.setPen(self.palette().buttonText().color())
        painter.drawText(self.rect().adjusted(across, down, -across, -down), _WRAPPED, self._words)

    def _around(self) -> QSize:
        """Return what the style sheet puts around the words."""
        option, inside = QStyleOptionButton(), QSize(100, 100)
        self.initStyleOption(option)
        whole = self.style().sizeFromContents(QStyle.ContentsType.CT_PushButton, option, inside, self)
        return whole - inside

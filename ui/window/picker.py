"""A list that narrows as one types: the command palette, the list of models, the list of conversations to
go to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPainterPath, QPaintEvent, QRegion, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from ui.language import _
from ui.window.sessions.model import Index
from ui.window.theme import Theme

ENTRY = Qt.ItemDataRole.UserRole


class Entry(NamedTuple):
    """One choice. `note` stands at the end (keys, price); `words` are searched too but not shown."""

    value: str
    title: str
    line: str = ""
    note: str = ""
    icon: str = ""
    enabled: bool = True
    words: str = ""


def fits(entry: Entry, text: str) -> bool:
    """Tell whether every word that was typed stands somewhere in the entry."""
    where = f"{entry.title} {entry.line} {entry.value} {entry.words}".casefold()
    return all(word in where for word in text.casefold().split())


class EntryDelegate(QStyledItemDelegate):
    """Paints a choice: icon, title, a quieter line below it, a note at its end."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        entry: Entry = index.data(ENTRY)
        return QSize(0, self._theme.px(48 if entry.line else 36))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, entry = self._theme, index.data(ENTRY)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colors.accent_soft)
            painter.drawRoundedRect(option.rect, theme.r_control, theme.r_control)
        room = option.rect.adjusted(theme.s12, 0, -theme.s12, 0)
        mirrored = option.direction == Qt.LayoutDirection.RightToLeft
        if entry.icon:
            room = self._paint_icon(painter, room, entry, mirrored)
        self._paint_words(painter, room, entry, mirrored)
        painter.restore()

    def _paint_icon(self, painter: QPainter, room: QRect, entry: Entry, mirrored: bool) -> QRect:
        theme, side = self._theme, self._theme.px(16)
        device = painter.device()
        ratio = device.devicePixelRatioF() if device else 1.0
        left = room.right() - side + 1 if mirrored else room.left()
        top = room.center().y() - side // 2
        painter.drawPixmap(QPoint(left, top), theme.pixmap(entry.icon, "muted", 16, ratio))
        gap = side + theme.s12
        return room.adjusted(0, 0, -gap, 0) if mirrored else room.adjusted(gap, 0, 0, 0)

    def _paint_words(self, painter: QPainter, room: QRect, entry: Entry, mirrored: bool) -> None:
        theme = self._theme
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        painter.setFont(theme.font(12))
        painter.setPen(theme.colors.muted)
        painter.drawText(room, middle | int(Qt.AlignmentFlag.AlignTrailing), entry.note)
        used = painter.fontMetrics().horizontalAdvance(entry.note) + theme.s12 if entry.note else 0
        room = room.adjusted(used, 0, 0, 0) if mirrored else room.adjusted(0, 0, -used, 0)
        elide, start = Qt.TextElideMode.ElideRight, middle | int(Qt.AlignmentFlag.AlignLeading)
        if entry.line:
            lower = QRect(room.left(), room.center().y() + theme.px(2), room.width(), theme.px(18))
            line = painter.fontMetrics().elidedText(entry.line, elide, room.width())
            painter.drawText(lower, start, line)
            room = QRect(room.left(), room.center().y() - theme.px(19), room.width(), theme.px(20))
        painter.setFont(theme.font(14))
        painter.setPen(theme.colors.text if entry.enabled else theme.colors.muted)
        painter.drawText(room, start, painter.fontMetrics().elidedText(entry.title, elide, room.width()))


class Picker(QFrame):
    """Opens over a window; Enter or a click takes a choice, Esc or a click elsewhere leaves."""

    taken = Signal(str)

    def __init__(self, parent: QWidget, theme: Theme, hint: str) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme = theme
        self._entries: list[Entry] = []
        self.field = QLineEdit()
        self.field.setPlaceholderText(hint)
        self.field.setAccessibleName(hint)
        self.field.textChanged.connect(self._narrow)
        self.field.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName(_("Choices"))
        self.list.setItemDelegate(EntryDelegate(theme, self.list))
        self.list.setMouseTracking(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemEntered.connect(self.list.setCurrentItem)
        self.list.itemClicked.connect(self._take)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.s8, theme.s8, theme.s8, theme.s8)
        column.setSpacing(theme.s8)
        column.addWidget(self.field)
        column.addWidget(self.list, 1)
        self.setAccessibleName(hint)

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Show these choices; the text that was typed keeps narrowing them."""
        self._entries = list(entries)
        self._narrow(self.field.text())

    def open_at(self, corner: QPoint, width: int, height: int) -> None:
        """Open with this lower or upper left corner (global), `width` and at most `height` wide and high."""
        self.resize(width, height)
        self.move(corner)
        self.show()
        self.field.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut the corners off: where nothing composes the screen, a see-through corner would be black."""
        super().resizeEvent(event)
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(self.rect()), self._theme.r_card, self._theme.r_card)
        self.setMask(QRegion(shape.toFillPolygon().toPolygon()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}
        if event.key() in steps:
            self._step(steps[Qt.Key(event.key())])
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.list.currentItem() is not None:
                self._take(self.list.currentItem())
            return True
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._theme.colors.line)
        painter.setBrush(self._theme.colors.surface)
        radius = self._theme.r_card
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)

    def _narrow(self, text: str) -> None:
        self.list.clear()
        for entry in self._entries:
            if fits(entry, text):
                item = QListWidgetItem()
                item.setData(ENTRY, entry)
                spoken = ", ".join(part for part in (entry.title, entry.line, entry.note) if part)
                item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
                self.list.addItem(item)
        self.list.setCurrentRow(0)

    def _step(self, by: int) -> None:
        last = self.list.count() - 1
        self.list.setCurrentRow(min(max(self.list.currentRow() + by, 0), last))

    def _take(self, item: QListWidgetItem) -> None:
        entry: Entry = item.data(ENTRY)
        if entry.enabled:
            self.close()
            self.taken.emit(entry.value)

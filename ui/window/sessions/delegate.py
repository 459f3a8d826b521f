"""Paints the rows of the list, and the field that renames one."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from ui.language import _
from ui.window.sessions.model import ROW, Index, Row
from ui.window.theme import Theme

_ROW, _HEADING = 53, 34
_EDGE = 10
"""Room between the row's edge and its words."""


class SessionDelegate(QStyledItemDelegate):
    """Two lines to a conversation, one to a heading."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: Row = index.data(ROW)
        return QSize(0, self.theme.px(_ROW if row.session else _HEADING))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(ROW)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.session:
            self._paint_session(painter, option, row)
        else:
            self._paint_heading(painter, option, row)
        painter.restore()

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        field = QLineEdit(parent)
        field.setAccessibleName(_("Title"))
        field.setFrame(False)
        return field

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        editor.setGeometry(option.rect.adjusted(2, self.theme.px(6), -2, -self.theme.px(6)))

    def _paint_heading(self, painter: QPainter, option: QStyleOptionViewItem, row: Row) -> None:
        theme = self.theme
        painter.setFont(theme.font(11, 600))
        painter.setPen(theme.colors.muted)
        where = option.rect.adjusted(theme.px(_EDGE), theme.px(10), -theme.px(_EDGE), 0)
        painter.drawText(where, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading), row.title)

    def _paint_session(self, painter: QPainter, option: QStyleOptionViewItem, row: Row) -> None:
        theme, where = self.theme, option.rect
        self._paint_ground(painter, option, where)
        room = where.adjusted(theme.px(_EDGE), 0, -theme.px(_EDGE), 0)
        right_to_left = option.direction == Qt.LayoutDirection.RightToLeft
        if row.running or row.waits or row.pinned:
            room = self._paint_state(painter, room, row, right_to_left)
        middle = where.top() + theme.px(19)
        title = QRect(room.left(), middle - theme.px(11), room.width(), theme.px(22))
        if not row.line.strip():  # nothing came of it yet: the title stands alone
            title.moveTop(where.center().y() - theme.px(10))
        _line(painter, title, row.title, theme.font(14))
        painter.setPen(theme.colors.muted)
        line = QRect(room.left(), middle + theme.px(8), room.width(), theme.px(20))
        if "\u2068" in row.line:
            self._paint_snippet(painter, line, row.line)
        else:
            _line(painter, line, row.line, theme.font(12))

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, where: QRect) -> None:
        theme, state = self.theme, option.state
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        focused = bool(state & QStyle.StateFlag.State_HasFocus)
        painter.setPen(Qt.PenStyle.NoPen)
        if chosen:
            painter.setPen(QPen(theme.colors.accent if focused else theme.colors.line, 1))
            painter.setBrush(theme.colors.surface)
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.setBrush(theme.colors.hover)
        else:
            painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(
            where.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), theme.r_control, theme.r_control
        )
        painter.setPen(theme.colors.text)

    def _paint_state(self, painter: QPainter, room: QRect, row: Row, right_to_left: bool) -> QRect:
        """Paint what the conversation is doing at the end of its first line; return the room that is left."""
        theme, side = self.theme, self.theme.px(14)
        icon = (
            ("clock", "caution")
            if row.waits
            else ("loader-circle", "accent")
            if row.running
            else ("pin", "muted")
        )
        left = room.left() if right_to_left else room.right() - side + 1
        device = painter.device()
        drawn = theme.pixmap(icon[0], icon[1], 14, device.devicePixelRatioF() if device else 1.0)
        painter.drawPixmap(QPoint(left, room.top() + theme.px(12)), drawn)
        gap = side + theme.s4
        return room.adjusted(gap, 0, 0, 0) if right_to_left else room.adjusted(0, 0, -gap, 0)

    def _paint_snippet(self, painter: QPainter, where: QRect, snippet: str) -> None:
        """Paint the words that were found in the text's own colour, the rest muted, cut at the end of the
        line."""
        theme, left = self.theme, where.left()
        for at, part in enumerate(" ".join(snippet.split()).replace("\u2069", "\u2068").split("\u2068")):
            found = at % 2 == 1
            font = theme.font(12, 500 if found else 400)
            painter.setPen(theme.colors.text if found else theme.colors.muted)
            rest = QRect(left, where.top(), max(0, where.right() - left), where.height())
            _line(painter, rest, part, font)
            left += QFontMetrics(font).horizontalAdvance(part)


def _line(painter: QPainter, where: QRect, text: str, font: QFont) -> None:
    painter.setFont(font)
    shown = QFontMetrics(font).elidedText(text.replace("\0", ""), Qt.TextElideMode.ElideRight, where.width())
    painter.drawText(where, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading), shown)

"""The files of a change at the left of the dialog: name, what happens to it, lines added and removed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.records import FileDiff
from ui.notes import cautions
from ui.window.approvals.wording import kind_text
from ui.window.theme import Theme
from ui.window.transcript.legible import legible
from ui.words import _

ICONS = {"new": "file-plus", "changed": "file-pen", "deleted": "file-x", "renamed": "file"}
ROW = 38


class FileList(QListWidget):
    """Shows the files; the chosen one is drawn in the diff."""

    picked = Signal(int)

    def __init__(self, theme: Theme, files: Sequence[FileDiff]) -> None:
        super().__init__()
        self.setAccessibleName(_("Files"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(_FileRow(theme, self))
        for file in files:
            item = QListWidgetItem()
            item.setData(Qt.ItemDataRole.UserRole, file)
            words = f"{legible(file.shown)}, {kind_text(file)}, +{file.added} \u2212{file.removed}"
            said = cautions(file)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, " ".join((words, *said)))
            item.setToolTip("\n".join((legible(file.path), kind_text(file), *said)))
            self.addItem(item)
        self.currentRowChanged.connect(self.picked)

    def set_theme(self, theme: Theme) -> None:
        """Draw in another palette or size."""
        self.setItemDelegate(_FileRow(theme, self))


class _FileRow(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(self._theme.px(160), self._theme.px(ROW))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme, colors, file = self._theme, self._theme.colors, index.data(Qt.ItemDataRole.UserRole)
        rect: QRect = option.rect.adjusted(theme.s8, 1, -theme.s8, -1)
        state = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & QStyle.StateFlag.State_Selected:
            painter.setBrush(colors.surface)
            painter.setPen(colors.accent if state & QStyle.StateFlag.State_HasFocus else colors.line)
            painter.drawRoundedRect(rect, theme.r_control, theme.r_control)
        inner = rect.adjusted(theme.px(10), 0, -theme.px(10), 0)
        side = theme.px(16)
        icon = theme.pixmap(ICONS[file.kind], "muted", 16, painter.device().devicePixelRatio())
        mirrored = option.direction == Qt.LayoutDirection.RightToLeft
        left = inner.right() - side + 1 if mirrored else inner.left()
        painter.drawPixmap(left, inner.center().y() - side // 2, icon)
        taken = self._counts(painter, file, inner, mirrored) + theme.s8
        painter.setFont(theme.font(13))
        painter.setPen(colors.text)
        before, behind = (taken, side + theme.s8) if mirrored else (side + theme.s8, taken)
        room = inner.adjusted(before, 0, -behind, 0)
        name = painter.fontMetrics().elidedText(
            legible(file.shown), Qt.TextElideMode.ElideMiddle, room.width()
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, name)
        painter.restore()

    def _counts(self, painter: QPainter, file: FileDiff, inner: QRect, mirrored: bool) -> int:
        """Draw +n and \u2212n at the end; return the width they take."""
        painter.setFont(self._theme.font(12, mono=True))
        taken = 0
        for count, mark, role in ((file.removed, "\u2212", "danger"), (file.added, "+", "good")):
            if count:
                words = f"{mark}{count}"
                painter.setPen(self._theme.color(role))
                where = inner.adjusted(taken, 0, 0, 0) if mirrored else inner.adjusted(0, 0, -taken, 0)
                end = Qt.AlignmentFlag.AlignLeft if mirrored else Qt.AlignmentFlag.AlignRight
                flags = Qt.AlignmentFlag.AlignVCenter | end | Qt.AlignmentFlag.AlignAbsolute
                painter.drawText(where, int(flags), f"\u2066{words}\u2069")  # the sign stands in front
                taken += painter.fontMetrics().horizontalAdvance(words) + self._theme.s8
        return taken

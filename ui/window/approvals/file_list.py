"""The files of a change at the left of the dialog: name, what happens to it, what was made of it."""

from __future__ import annotations

from typing import NamedTuple

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
from ui.window.approvals.proposal import Proposal
from ui.window.approvals.wording import amount_text, kind_text
from ui.window.kinds import icon_of
from ui.window.parts import plain_tip
from ui.window.theme import Theme
from ui.window.transcript.legible import legible
from ui.words import _

ROW = 38
FADED = 0.45


class Entry(NamedTuple):
    """One row: the file as it would be written, whether its text was edited, whether all of it is left
    out."""

    file: FileDiff
    edited: bool
    left_out: bool


class FileList(QListWidget):
    """Shows the files; the chosen one is drawn in the diff."""

    picked = Signal(int)

    def __init__(self, theme: Theme, proposal: Proposal) -> None:
        super().__init__()
        self._proposal = proposal
        self.setAccessibleName(_("Files"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(_FileRow(theme, self))
        for index in range(len(proposal.files)):
            self.addItem(QListWidgetItem())
            self.update_file(index)
        self.currentRowChanged.connect(self.picked)

    def update_file(self, index: int) -> None:
        """Show what became of a file."""
        proposal, item = self._proposal, self.item(index)
        file = proposal.file(index)
        left_out = set(proposal.pieces(index)) <= proposal.left_out(index)
        item.setData(Qt.ItemDataRole.UserRole, Entry(file, proposal.edited(index), left_out))
        words = [
            legible(file.shown),
            kind_text(file),
            f"+{file.added} \u2212{file.removed}",
            amount_text(file),
        ]
        words += [_("edited by you")] if proposal.edited(index) else []
        words += [_("left out")] if left_out else []
        said = cautions(file)
        spoken = ", ".join(filter(None, words))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, " ".join((spoken, *said)))
        told = (legible(file.path), kind_text(file), amount_text(file), *said)
        item.setToolTip(plain_tip("\n".join(filter(None, told))))

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
        theme, colors = self._theme, self._theme.colors
        entry: Entry = index.data(Qt.ItemDataRole.UserRole)
        rect: QRect = option.rect.adjusted(theme.s8, 1, -theme.s8, -1)
        state = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & QStyle.StateFlag.State_Selected:
            painter.setBrush(colors.surface)
            painter.setPen(colors.accent if state & QStyle.StateFlag.State_HasFocus else colors.line)
            painter.drawRoundedRect(rect, theme.r_control, theme.r_control)
        inner = rect.adjusted(theme.px(10), 0, -theme.px(10), 0)
        mirrored = option.direction == Qt.LayoutDirection.RightToLeft
        painter.setOpacity(FADED if entry.left_out else 1.0)
        self._icon(painter, icon_of(entry.file), "muted", inner, at_end=mirrored, px=16)
        self._words(painter, entry, inner, mirrored)
        painter.restore()

    def _words(self, painter: QPainter, entry: Entry, inner: QRect, mirrored: bool) -> None:
        theme, side = self._theme, self._theme.px(16)
        taken = self._counts(painter, entry.file, inner, mirrored) + theme.s8
        if entry.edited:
            free = inner.adjusted(taken, 0, 0, 0) if mirrored else inner.adjusted(0, 0, -taken, 0)
            self._icon(painter, "pencil", "accent", free, at_end=not mirrored, px=13)
            taken += theme.px(13) + theme.s4
        painter.setFont(theme.font(13))
        painter.setPen(theme.colors.text)
        before, behind = (taken, side + theme.s8) if mirrored else (side + theme.s8, taken)
        room = inner.adjusted(before, 0, -behind, 0)
        name = painter.fontMetrics().elidedText(
            legible(entry.file.shown), Qt.TextElideMode.ElideLeft, room.width()
        )  # the end of a path tells files apart
        painter.drawText(
            room, Qt.AlignmentFlag.AlignVCenter, f"\u2066{name}\u2069"
        )  # a path reads left to right

    def _icon(self, painter: QPainter, name: str, role: str, room: QRect, *, at_end: bool, px: int) -> None:
        theme, side = self._theme, self._theme.px(px)
        icon = theme.pixmap(name, role, px, painter.device().devicePixelRatio())
        left = room.right() - side + 1 if at_end else room.left()
        painter.drawPixmap(left, room.center().y() - side // 2, icon)

    def _counts(self, painter: QPainter, file: FileDiff, inner: QRect, mirrored: bool) -> int:
        """Draw +n and \u2212n at the end, or how many files a folder has; return the width they take."""
        painter.setFont(self._theme.font(12, mono=True))
        taken = 0
        counts = ((file.items, "", "muted"),) if file.items else ()
        counts = counts or ((file.removed, "\u2212", "danger"), (file.added, "+", "good"))  # type: ignore[assignment]
        for count, mark, role in counts:
            if count:
                words = f"{mark}{count}"
                painter.setPen(self._theme.color(role))
                where = inner.adjusted(taken, 0, 0, 0) if mirrored else inner.adjusted(0, 0, -taken, 0)
                end = Qt.AlignmentFlag.AlignLeft if mirrored else Qt.AlignmentFlag.AlignRight
                flags = Qt.AlignmentFlag.AlignVCenter | end | Qt.AlignmentFlag.AlignAbsolute
                painter.drawText(where, int(flags), f"\u2066{words}\u2069")  # the sign stands in front
                taken += painter.fontMetrics().horizontalAdvance(words) + self._theme.s8
        return taken

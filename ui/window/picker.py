"""A list that narrows as one types: the command palette, the list of models, the list of conversations to
go to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPixmap, QRegion, QResizeEvent
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
from ui.window.parts import plain_tip
from ui.window.sessions.model import Index
from ui.window.theme import Theme

ENTRY = Qt.ItemDataRole.UserRole
HEADING = Qt.ItemDataRole.UserRole + 1


class Entry(NamedTuple):
    """One choice. `note` stands at the end (keys, price); `words` are searched too but not shown."""

    value: str
    title: str
    line: str = ""
    note: str = ""
    icon: str = ""
    enabled: bool = True
    words: str = ""
    group: str = ""
    """The heading that it stands below, "" for none; entries of a group stand together."""
    aside: str = ""
    """What stands at the end of that heading."""
    signs: tuple[tuple[str, str], ...] = ()
    """Small icons at the end, each with its words."""
    chosen: bool | None = None
    """Whether it is the one that holds now, None where none does: then no room is kept for a mark."""
    tip: str = ""


def fits(entry: Entry, text: str) -> bool:
    """Tell whether every word that was typed stands somewhere in the entry."""
    signs = " ".join(words for _icon, words in entry.signs)
    where = f"{entry.title} {entry.line} {entry.value} {entry.words} {entry.group} {signs}".casefold()
    return all(word in where for word in text.casefold().split())


def shown_note(entry: Entry) -> str:
    """Return the note as it is drawn: two prices, or keys, keep their order among right-to-left words."""
    return f"\u2066{entry.note}\u2069" if any(sign in entry.note for sign in "/+") else entry.note


def spoken(entry: Entry) -> str:
    """Return an entry as it is read aloud."""
    chosen = _("chosen") if entry.chosen else ""
    signs = (words for _icon, words in entry.signs)
    return ", ".join(filter(None, (entry.title, chosen, entry.line, *signs, entry.note, entry.group)))


class EntryDelegate(QStyledItemDelegate):
    """Paints a choice: icon, title, a quieter line below it, a note at its end."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        entry: Entry = index.data(ENTRY)
        if index.data(HEADING):
            return QSize(0, self._theme.px(34))
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
        if index.data(HEADING):
            self._paint_heading(painter, room, entry)
        else:
            icon = "check" if entry.chosen else entry.icon
            if icon or entry.chosen is not None:
                room = self._paint_icon(painter, room, icon, mirrored)
            self._paint_words(painter, self._paint_signs(painter, room, entry, mirrored), entry, mirrored)
        painter.restore()

    def _paint_heading(self, painter: QPainter, room: QRect, entry: Entry) -> None:
        theme = self._theme
        painter.setPen(theme.colors.muted)
        painter.setFont(theme.font(12, 600))
        low, end = Qt.AlignmentFlag.AlignBottom, Qt.AlignmentFlag.AlignTrailing
        room = room.adjusted(0, 0, 0, -theme.s4)
        painter.drawText(room, low | Qt.AlignmentFlag.AlignLeading, entry.group)
        painter.setFont(theme.font(11))
        painter.drawText(room, low | end, entry.aside)

    def _pixmap(self, painter: QPainter, icon: str) -> QPixmap:
        device = painter.device()
        ratio = device.devicePixelRatioF() if device else 1.0
        return self._theme.pixmap(icon, "muted", 16, ratio)

    def _paint_icon(self, painter: QPainter, room: QRect, icon: str, mirrored: bool) -> QRect:
        theme, side = self._theme, self._theme.px(16)
        left = room.right() - side + 1 if mirrored else room.left()
        if icon:
            painter.drawPixmap(QPoint(left, room.center().y() - side // 2), self._pixmap(painter, icon))
        gap = side + theme.s12
        return room.adjusted(0, 0, -gap, 0) if mirrored else room.adjusted(gap, 0, 0, 0)

    def _paint_signs(self, painter: QPainter, room: QRect, entry: Entry, mirrored: bool) -> QRect:
        """Paint the signs at the end of the lower line, in their order; the words keep the rest of it."""
        theme, side = self._theme, self._theme.px(16)
        step = side + theme.s4
        for at, (icon, _words) in enumerate(reversed(entry.signs)):
            left = room.left() + at * step if mirrored else room.right() + 1 - side - at * step
            painter.drawPixmap(QPoint(left, room.center().y() + theme.px(2)), self._pixmap(painter, icon))
        return room

    def _paint_words(self, painter: QPainter, room: QRect, entry: Entry, mirrored: bool) -> None:
        theme = self._theme
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        painter.setFont(theme.font(12))
        painter.setPen(theme.colors.muted)
        elide, start = Qt.TextElideMode.ElideRight, middle | int(Qt.AlignmentFlag.AlignLeading)
        if entry.line:
            lower = QRect(room.left(), room.center().y() + theme.px(2), room.width(), theme.px(18))
            lower = _less(lower, len(entry.signs) * theme.px(20) + (theme.s8 if entry.signs else 0), mirrored)
            line = painter.fontMetrics().elidedText(entry.line, elide, lower.width())
            painter.drawText(lower, start, line)
            room = QRect(room.left(), room.center().y() - theme.px(19), room.width(), theme.px(20))
        painter.drawText(room, middle | int(Qt.AlignmentFlag.AlignTrailing), shown_note(entry))
        used = painter.fontMetrics().horizontalAdvance(entry.note) + theme.s12 if entry.note else 0
        room = _less(room, used, mirrored)
        painter.setFont(theme.font(14))
        painter.setPen(theme.colors.text if entry.enabled else theme.colors.muted)
        painter.drawText(room, start, painter.fontMetrics().elidedText(entry.title, elide, room.width()))


def _less(room: QRect, used: int, mirrored: bool) -> QRect:
    """Return what is left of a room whose end is used."""
    return room.adjusted(used, 0, 0, 0) if mirrored else room.adjusted(0, 0, -used, 0)


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
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(theme.s8, theme.s8, theme.s8, theme.s8)
        self.column.setSpacing(theme.s8)
        self.column.addWidget(self.field)
        self.column.addWidget(self.list, 1)
        self.setAccessibleName(hint)

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Show these choices; the text that was typed keeps narrowing them."""
        self._entries = list(entries)
        said = (f"{entry.title}, {entry.line}".strip(", ") for entry in entries if not entry.enabled)
        self.field.setAccessibleDescription(". ".join(said))  # what cannot be gone to is read aloud here
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
        says = [entry for entry in self._entries if not entry.enabled]  # it holds whatever is typed
        found = [entry for entry in self._entries if entry.enabled and fits(entry, text)]
        if not found and len(says) < len(self._entries):
            says.append(Entry("", _("Nothing fits these words."), enabled=False))
        group = ""
        for entry in [*says, *found]:
            if entry.group != group:
                group = entry.group
                self._add(entry, heading=True)
            self._add(entry)
        rows = range(self.list.count())
        chosen = [at for at in rows if self._stands(at) and self.list.item(at).data(ENTRY).chosen]
        first = next(iter(chosen if not text else ()), next(filter(self._stands, rows), -1))
        self.list.setCurrentRow(first)
        if chosen and not text:
            self.list.scrollToItem(self.list.item(first), QListWidget.ScrollHint.PositionAtCenter)
        else:
            self.list.scrollToTop()

    def _add(self, entry: Entry, *, heading: bool = False) -> None:
        item = QListWidgetItem()
        item.setData(ENTRY, entry)
        if heading:
            item.setData(HEADING, True)
            item.setFlags(Qt.ItemFlag.NoItemFlags)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, entry.group if heading else spoken(entry))
        item.setToolTip("" if heading else plain_tip(entry.tip) if entry.tip else "")
        self.list.addItem(item)

    def _stands(self, at: int) -> bool:
        """Whether a row can be gone to: headings, and what only says something, cannot."""
        item = self.list.item(at)
        return not item.data(HEADING) and bool(item.data(ENTRY).enabled)

    def _step(self, by: int) -> None:
        """Go `by` choices on, headings not counted."""
        rows = [at for at in range(self.list.count()) if self._stands(at)]
        if rows:
            here = rows.index(self.list.currentRow()) if self.list.currentRow() in rows else 0
            at = min(max(here + by, 0), len(rows) - 1)
            self.list.setCurrentRow(rows[at])
            if at == 0:
                self.list.scrollToTop()

    def _take(self, item: QListWidgetItem) -> None:
        entry: Entry = item.data(ENTRY)
        if entry.enabled and not item.data(HEADING):
            self.close()
            self.taken.emit(entry.value)

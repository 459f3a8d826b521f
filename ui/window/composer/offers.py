"""A short list above the composer of what the text may become; the caret stays in the field."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from ui.window.composer.composer import side_margin
from ui.window.composer.editor import Editor
from ui.window.parts import box
from ui.window.picker import ENTRY, Entry, EntryDelegate
from ui.window.theme import Theme

MOST = 6
"""Rows that are shown at once."""


class Offers(QWidget):
    """Up and Down go through them, Tab and Enter take one, Esc hides them. What is offered and what becomes
    of it is said by the class of each kind.
    """

    def __init__(self, theme: Theme, editor: Editor, name: str) -> None:
        super().__init__()
        self._theme, self._editor = theme, editor
        self._card = box("card")
        self.list = QListWidget()
        self.list.setAccessibleName(name)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setMouseTracking(True)
        self.list.itemEntered.connect(self.list.setCurrentItem)
        self.list.itemClicked.connect(lambda item: self._take_current())
        inside = QVBoxLayout(self._card)
        inside.setContentsMargins(theme.s4, theme.s4, theme.s4, theme.s4)
        inside.addWidget(self.list)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._card)
        editor.installEventFilter(self)
        self.set_theme(theme)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self.list.setItemDelegate(EntryDelegate(theme, self.list))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        margin = side_margin(self._theme, self.width())
        self._column.setContentsMargins(margin, self._theme.s8, margin, 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent) or self.isHidden():
            return False
        key = event.key()
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            by = 1 if key == Qt.Key.Key_Down else -1
            self.list.setCurrentRow((self.list.currentRow() + by) % self.list.count())
        elif key == Qt.Key.Key_Escape:
            self.leave()
        elif key in (Qt.Key.Key_Tab, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                return False
            self._take_current(entered=key != Qt.Key.Key_Tab)
        else:
            return False
        return True

    def offer(self, entries: Sequence[tuple[Entry, str]]) -> None:
        """Show entries, each with what it is called for screen readers; none hides the list."""
        self.list.clear()
        for entry, spoken in entries:
            item = QListWidgetItem()
            item.setData(ENTRY, entry)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.list.setFixedHeight(self._theme.px(36) * min(MOST, len(entries)))
        self.setVisible(bool(entries))

    def leave(self) -> None:
        """The person does not want them."""
        self.hide()

    def take(self, entry: Entry) -> None:
        """Make the text what was taken."""
        raise NotImplementedError

    def enter(self, entry: Entry) -> None:
        """Take what was chosen with Enter."""
        self.take(entry)

    def _take_current(self, *, entered: bool = False) -> None:
        item = self.list.currentItem()
        if item is not None:
            (self.enter if entered else self.take)(item.data(ENTRY))

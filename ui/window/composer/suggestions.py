"""The slash commands that fit what is being typed, above the composer; the caret stays in the field."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from ui import slash
from ui.language import _
from ui.window.composer.composer import side_margin
from ui.window.composer.editor import Editor
from ui.window.parts import box
from ui.window.picker import ENTRY, Entry, EntryDelegate
from ui.window.theme import Theme

MOST = 6
"""Rows that are shown at once."""


def fitting(text: str) -> list[slash.Slash]:
    """Return the commands that `text` may become: it is a slash and the beginning of a name."""
    if not text.startswith("/") or not (text[1:].isalpha() or text == "/"):
        return []
    return [command for command in slash.COMMANDS if command.name.startswith(text[1:].lower())]


class Suggestions(QWidget):
    """Up and Down go through them, Tab takes one, Enter takes one that is not written out yet, Esc hides
    them."""

    taken = Signal(str)
    """A command that needs no argument was taken; carries "/NAME"."""

    def __init__(self, theme: Theme, editor: Editor) -> None:
        super().__init__()
        self._theme, self._editor = theme, editor
        self._left = ""
        self._card = box("card")
        self.list = QListWidget()
        self.list.setAccessibleName(_("Commands"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setMouseTracking(True)
        self.list.itemEntered.connect(self.list.setCurrentItem)
        self.list.itemClicked.connect(lambda item: self._take())
        inside = QVBoxLayout(self._card)
        inside.setContentsMargins(theme.s4, theme.s4, theme.s4, theme.s4)
        inside.addWidget(self.list)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._card)
        editor.textChanged.connect(self._follow)
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
            self._left = self._editor.toPlainText()
            self.hide()
        elif key in (Qt.Key.Key_Tab, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                return False
            self._take()
        else:
            return False
        return True

    def _follow(self) -> None:
        text = self._editor.toPlainText()
        found = fitting(text) if text != self._left else []
        if not text:
            self._left = ""
        self.list.clear()
        for command in found:
            words = (
                f"/{command.name} {_(command.argument)}".strip() if command.argument else f"/{command.name}"
            )
            item = QListWidgetItem()
            item.setData(ENTRY, Entry(command.name, words, note=_(command.description)))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{words}: {_(command.description)}")
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.list.setFixedHeight(self._theme.px(36) * min(MOST, len(found)))
        self.setVisible(bool(found))

    def _take(self) -> None:
        entry: Entry = self.list.currentItem().data(ENTRY)
        command = next(one for one in slash.COMMANDS if one.name == entry.value)
        if command.argument:
            self._editor.replace(f"/{command.name} ")
        else:
            self._editor.replace("")
            self.taken.emit(f"/{command.name}")

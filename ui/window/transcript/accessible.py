"""The transcript for screen readers: a list of messages with their text, and in them what can be pressed."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtGui import (
    QAccessible,
    QAccessibleActionInterface,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QAccessibleInterface,
    QWindow,
)
from PySide6.QtWidgets import QAccessibleWidget

from ui.words import _

if TYPE_CHECKING:
    from ui.window.transcript.blocks import Block
    from ui.window.transcript.painting import Part
    from ui.window.transcript.rows import Row
    from ui.window.transcript.view import TranscriptView

LONGEST_NAME = 4_000
"""Characters of a message that are read out at once."""


class _Item(QAccessibleInterface):
    """What messages and parts have in common: neither is an object of Qt."""

    def __init__(self, view: TranscriptView) -> None:
        super().__init__()
        self.view = view

    def object(self) -> QObject:
        return cast(QObject, None)

    def window(self) -> QWindow:
        return self.view.window().windowHandle()

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Nothing here can be set."""

    def childAt(self, x: int, y: int) -> QAccessibleInterface:
        for index in range(self.childCount()):
            child = self.child(index)
            if child is not None and child.rect().contains(x, y):
                return child
        return cast(QAccessibleInterface, None)

    def _on_screen(self, rect: QRect) -> QRect:
        return (
            QRect(self.view.viewport().mapToGlobal(rect.topLeft()), rect.size()) if rect.isValid() else rect
        )


class MessageItem(_Item):
    """One message."""

    def __init__(self, view: TranscriptView, row: Row) -> None:
        super().__init__(view)
        self.row = row
        self._parts: dict[tuple[str, str, int], PartItem] = {}

    def isValid(self) -> bool:
        rows = self.view.story.rows
        at = self.view.story.index(self.row) if rows else -1
        return 0 <= at < len(rows) and rows[at] is self.row

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem

    def state(self) -> QAccessible.State:
        state = QAccessible.State()
        state.readOnly = True
        state.offscreen = not any(shown.row is self.row for shown in self.view.shown)
        return state

    def text(self, kind: QAccessible.Text) -> str:
        if kind != QAccessible.Text.Name:
            return ""
        who = _("You") if self.row.mine and not self.row.by_model else _("Bramble")
        words = [self.row.said, *(block.text() for block in self.row.blocks if not block.length)]
        return f"{who}: " + "\n".join(filter(None, words))[:LONGEST_NAME]

    def parent(self) -> QAccessibleInterface:
        return QAccessible.queryAccessibleInterface(self.view)

    def _pressable(self) -> list[tuple[Block, Part]]:
        """Only of blocks that are laid out: the others are not in sight."""
        return [(block, part) for block in self.row.blocks if block.width > 0 for part in block.parts()]

    def childCount(self) -> int:
        return len(self._pressable())

    def child(self, index: int) -> QAccessibleInterface:
        parts = self._pressable()
        if not 0 <= index < len(parts):
            return cast(QAccessibleInterface, None)
        block, part = parts[index]
        item = self._parts.get(part.key)
        if item is not None and item.block is not block:
            forget(self._parts.pop(part.key))
            item = None
        if item is None:
            item = self._parts[part.key] = PartItem(self, block, part)
            QAccessible.registerAccessibleInterface(item)
        item.part = part
        return item

    def made(self) -> list[QAccessibleInterface]:
        """Return the children that were asked for, and give them up."""
        found: list[QAccessibleInterface] = list(self._parts.values())
        self._parts = {}
        return found

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        keys = [part.key for _block, part in self._pressable()]
        return keys.index(child.part.key) if isinstance(child, PartItem) and child.part.key in keys else -1

    def rect(self) -> QRect:
        rect = QRect()
        for shown in self.view.shown:
            if shown.row is self.row:
                rect = rect.united(self.view.rect_of(shown.row, shown.number))
        return self._on_screen(rect)


class PartItem(_Item, QAccessibleActionInterface):
    """A button or link in a message."""

    def __init__(self, message: MessageItem, block: Block, part: Part) -> None:
        _Item.__init__(self, message.view)
        QAccessibleActionInterface.__init__(self)
        self.message, self.block, self.part = message, block, part

    def isValid(self) -> bool:
        return self.message.isValid() and any(block is self.block for block in self.message.row.blocks)

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.Link if self.part.act == "link" else QAccessible.Role.Button

    def state(self) -> QAccessible.State:
        state = QAccessible.State()
        state.focusable = True
        focus = self.view.keys.focus
        state.focused = focus is not None and focus[0] is self.block and focus[1].key == self.part.key
        return state

    def text(self, kind: QAccessible.Text) -> str:
        if kind == QAccessible.Text.Name:
            return self.part.name
        return self.part.value if kind == QAccessible.Text.Description and self.part.act == "link" else ""

    def parent(self) -> QAccessibleInterface:
        return self.message

    def childCount(self) -> int:
        return 0

    def child(self, index: int) -> QAccessibleInterface:
        return cast(QAccessibleInterface, None)

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return -1

    def rect(self) -> QRect:
        row = self.message.row
        whole = self.view.rect_of(row, row.index_of(self.block))
        return self._on_screen(self.part.rect.translated(whole.topLeft())) if whole.isValid() else whole

    def actionInterface(self) -> QAccessibleActionInterface:
        return self

    def actionNames(self) -> list[str]:
        return [QAccessibleActionInterface.pressAction()]

    def doAction(self, name: str) -> None:
        self.view.keys.activate(self.block, self.part)

    def keyBindingsForAction(self, name: str) -> list[str]:
        return []


class TranscriptItem(QAccessibleWidget):
    """The list of the messages."""

    def __init__(self, view: TranscriptView) -> None:
        super().__init__(view, QAccessible.Role.List, view.accessibleName())
        self.view = view
        self._items: dict[str, MessageItem] = {}
        self._story = view.story

    def childCount(self) -> int:
        return len(self.view.story.rows)

    def child(self, index: int) -> QAccessibleInterface:
        rows = self.view.story.rows
        if self._story is not self.view.story:  # another conversation
            self._story = self.view.story
            for gone in self.made():
                forget(gone)
        if not 0 <= index < len(rows):
            return cast(QAccessibleInterface, None)
        item = self._items.get(rows[index].key)
        if item is None:
            item = self._items[rows[index].key] = MessageItem(self.view, rows[index])
            QAccessible.registerAccessibleInterface(item)
        return item

    def made(self) -> list[QAccessibleInterface]:
        """Return the children that were asked for, and give them up."""
        found: list[QAccessibleInterface] = list(self._items.values())
        self._items = {}
        return found

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return self.view.story.index(child.row) if isinstance(child, MessageItem) and child.isValid() else -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface:
        found = self.view.at(self.view.viewport().mapFromGlobal(QPoint(x, y)))
        if found is None:
            return cast(QAccessibleInterface, None)
        return self.child(self.view.story.index(found[0].row))


def tell_focus(view: TranscriptView, row: Row, block: Block, part: Part) -> None:
    """Tell screen readers that this part has the keyboard now."""
    if not QAccessible.isActive():
        return
    message = QAccessible.queryAccessibleInterface(view).child(view.story.index(row))
    for index in range(message.childCount()):
        item = message.child(index)
        if isinstance(item, PartItem) and item.block is block and item.part.key == part.key:
            QAccessible.updateAccessibility(QAccessibleEvent(item, QAccessible.Event.Focus))
            return


def announce(view: TranscriptView, text: str) -> None:
    """Have screen readers say this, without moving them."""
    if text and QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(view, text[:LONGEST_NAME]))


def forget(item: QAccessibleInterface) -> None:
    """Let Qt delete what was made for it. Python must not do so first, since Qt would delete it again."""
    for child in item.made() if isinstance(item, TranscriptItem | MessageItem) else []:
        forget(child)
    QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(item))


@cache
def _kept() -> list[QAccessibleInterface]:
    """What Qt may hold to the very end of the process, after it has let go of the factory itself."""
    return []


def _make(key: str, watched: QObject) -> QAccessibleInterface | None:
    """Qt asks this for every object, also while the program ends: so it imports nothing."""
    if key != "TranscriptView":
        return None
    _kept().append(TranscriptItem(cast("TranscriptView", watched)))
    return _kept()[-1]


@cache  # Qt has one list of factories for the whole process
def install() -> None:
    """Tell Qt how to make these."""
    QAccessible.installFactory(_make)

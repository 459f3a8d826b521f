"""The keyboard in the transcript: scrolling, going from part to part, pressing them, copying."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence

from ui.window.transcript.accessible import tell_focus
from ui.window.transcript.attached import Attached
from ui.window.transcript.blocks import Block
from ui.window.transcript.code import Code
from ui.window.transcript.legible import encodable
from ui.window.transcript.painting import Part
from ui.window.transcript.result_head import ResultHead
from ui.window.transcript.result_table import TableStrip
from ui.window.transcript.selection import Place
from ui.window.transcript.tool_rows import Pane

if TYPE_CHECKING:
    from ui.window.transcript.rows import Row
    from ui.window.transcript.view import TranscriptView

COPIED_MS = 1500
REACH = 40
"""How many blocks out of sight Tab looks at for the next part."""


class Keys:
    """Takes the key events of the view; `focus` is the part that has the keyboard."""

    def __init__(self, view: TranscriptView) -> None:
        self.view = view
        self.focus: tuple[Block, Part] | None = None

    def focus_in(self, block: Block) -> tuple[str, str, int] | None:
        """Return the key of the part of a block that has the keyboard."""
        return self.focus[1].key if self.focus is not None and self.focus[0] is block else None

    def press(self, event: QKeyEvent) -> bool:
        """Take a key; False when it means nothing here."""
        view, key = self.view, event.key()
        if event.matches(QKeySequence.StandardKey.Copy):
            self.put(view.selected_text())
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            view.select_all()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self.focus is not None:
            self.activate(*self.focus)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and self.focus is not None:
            step = self.view.sheet.theme.px(40)
            self.focus[0].scroll(step if key == Qt.Key.Key_Right else -step)
            view.viewport().update()
        else:
            return self._scroll(key)
        return True

    def _scroll(self, key: int) -> bool:
        bar = self.view.verticalScrollBar()
        step, page = 2 * bar.singleStep(), int(bar.pageStep() * 0.9)
        if key == Qt.Key.Key_End:
            self.view.jump_to_newest()
            return True
        moves = {
            Qt.Key.Key_Up: bar.value() - step,
            Qt.Key.Key_Down: bar.value() + step,
            Qt.Key.Key_PageUp: bar.value() - page,
            Qt.Key.Key_PageDown: bar.value() + page,
            Qt.Key.Key_Space: bar.value() + page,
            Qt.Key.Key_Home: 0,
        }
        if key not in moves:
            return False
        bar.setValue(moves[Qt.Key(key)])
        return True

    def tab(self, *, backward: bool) -> bool:
        """Go to the next part; at the last one the focus leaves the view, as False says."""
        for row, index, part in self._parts_from(backward=backward):
            block = row.blocks[index]
            self.focus = (block, part)
            self._show(row, index, part)
            tell_focus(self.view, row, block, part)
            return True
        self.focus = None
        self.view.viewport().update()
        return False

    def _parts_from(self, *, backward: bool) -> Iterator[tuple[Row, int, Part]]:
        """Return the parts after the one that has the keyboard, or from what is in sight on."""
        shown = self.view.shown
        if not shown:
            return
        if self.focus is not None and not any(s.block is self.focus[0] for s in shown):
            self.focus = None  # it is gone, or was scrolled away
        begin = shown[-1 if backward else 0]
        at, passed = (begin.row, begin.number), self.focus is None
        if self.focus is not None:
            at = next(((s.row, s.number) for s in shown if s.block is self.focus[0]), at)
        for row, index in self._blocks_from(*at, backward=backward):
            block = row.blocks[index]
            row.measure(index, self.view.sheet.width)
            keys: list[tuple[str, str, int]] = []
            for part in reversed(block.parts()) if backward else block.parts():
                if part.key in keys:
                    continue  # the further lines of a link
                keys.append(part.key)
                if passed:
                    yield row, index, part
                elif self.focus is not None and self.focus[0] is block and self.focus[1].key == part.key:
                    passed = True
            passed = passed or self.focus is None or self.focus[0] is block

    def _blocks_from(self, row: Row, index: int, *, backward: bool) -> Iterator[tuple[Row, int]]:
        rows, step = self.view.story.rows, -1 if backward else 1
        at, left = self.view.story.index(row), REACH
        seen = {id(s.block) for s in self.view.shown}
        while 0 <= at < len(rows) and left:
            row = rows[at]
            row.make()
            index = (len(row.blocks) - 1 if backward else 0) if index < 0 else index
            while 0 <= index < len(row.blocks) and left:
                yield row, index
                left -= id(row.blocks[index]) not in seen
                index += step
            at, index = at + step, -1

    def _show(self, row: Row, index: int, part: Part) -> None:
        """Scroll so that the whole part is in sight, with a little around it."""
        view = self.view
        view.story.heights[view.story.index(row)] = row.height
        rect = view.rect_of(row, index)
        if rect.isNull():
            view.reveal(Place(row.order, index, 0))
            rect = view.rect_of(row, index)
        top, bottom = rect.top() + part.rect.top() - 8, rect.top() + part.rect.bottom() + 8
        bar = view.verticalScrollBar()
        if top < 0:
            bar.setValue(bar.value() + top)
        elif bottom > view.viewport().height():
            bar.setValue(bar.value() + bottom - view.viewport().height())
        view.viewport().update()

    def activate(self, block: Block, part: Part) -> None:
        """Do what a part is for."""
        view = self.view
        row = next((shown.row for shown in view.shown if shown.block is block), None)
        if row is None:
            return
        signals = {
            "review": view.review_requested,
            "deny": view.deny_requested,
            "undo": view.undo_requested,
            "remedy": view.remedy_requested,
            "link": view.link_activated,
            "helper": view.helper_requested,
        }
        if part.act == "attachment" and isinstance(block, Attached):
            view.attachment_requested.emit(block.attachment(part))
        elif part.act in signals:
            signals[part.act].emit(part.value)
        elif part.act == "copy" and isinstance(block, Code | Pane | ResultHead):
            self.put(block.source())
            self._say_copied(block)
        else:
            self._unfold(row, block, part)

    def _unfold(self, row: Row, block: Block, part: Part) -> None:
        """Open or close a row, or show more of an output, with the pressed part where it is."""
        view = self.view
        view.selection.clear()
        view.hold(row, row.index_of(block))
        if part.act == "more" and isinstance(block, Pane | TableStrip):
            block.more()
            row.refresh()
        else:
            row.toggle(part.value)
        view.story.heights[view.story.index(row)] = row.height
        view.settle()
        view.relaxed()
        view.viewport().update()

    def _say_copied(self, block: Block) -> None:
        if isinstance(block, Code | Pane | ResultHead):
            block.copied = True
            self.view.viewport().update()
            QTimer.singleShot(COPIED_MS, block.sheet.highlighter, lambda: self._unsay(block))

    def _unsay(self, block: Code | Pane | ResultHead) -> None:
        block.copied = False
        self.view.viewport().update()

    def put(self, text: str) -> None:
        """Put text on the clipboard, unless there is none."""
        if text:
            QGuiApplication.clipboard().setText(encodable(text))

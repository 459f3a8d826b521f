"""The pointer in the transcript: pressing parts, selecting text, scrolling at the edges, the context menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QHelpEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QMenu, QToolTip

from ui.window.transcript.blocks import Block
from ui.window.transcript.legible import legible
from ui.window.transcript.painting import Part
from ui.window.transcript.selection import Place
from ui.words import _

if TYPE_CHECKING:
    from ui.window.transcript.rows import Row
    from ui.window.transcript.view import TranscriptView

EDGE_MS = 30


class Pointer:
    """Takes the mouse events of the view."""

    def __init__(self, view: TranscriptView) -> None:
        self.view = view
        self.hover: tuple[Block, Part] | None = None
        self.pressed = False
        self._armed: tuple[Block, Part] | None = None
        self._selecting = False
        self._unit = 1
        """1 selects characters, 2 words, 3 paragraphs."""
        self._origin: tuple[Place, Place] | None = None
        self._last_double = QPoint(-100, -100)
        self._point = QPoint()
        self._third = QTimer(view, singleShot=True)
        self._edge = QTimer(view, interval=EDGE_MS)
        self._edge.timeout.connect(self._scroll_on)

    def hover_in(self, block: Block) -> tuple[str, str, int] | None:
        """Return the key of the part of a block that the pointer is over."""
        return self.hover[1].key if self.hover is not None and self.hover[0] is block else None

    def part_at(self, point: QPoint) -> tuple[Block, Part] | None:
        """Return the part under a point of the viewport."""
        found = self.view.at(point)
        if found is None:
            return None
        shown, local = found
        for part in shown.block.parts():
            if part.rect.contains(local):
                return shown.block, part
        return None

    def place_at(self, point: QPoint) -> Place | None:
        """Return the position in the text nearest to a point."""
        found = self.view.at(point)
        if found is None:
            return None
        shown, local = found
        if not shown.block.length:
            return Place(shown.row.order, shown.number, 0)
        return Place(shown.row.order, shown.number, shown.block.position(local.x(), local.y()))

    def press(self, event: QMouseEvent) -> None:
        """Press what is there, or begin to select."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        point = event.position().toPoint()
        if self.view.newest.contains(point):
            self.view.jump_to_newest()
            return
        self.view.setFocus(Qt.FocusReason.MouseFocusReason)
        near = (point - self._last_double).manhattanLength() < QApplication.startDragDistance()
        if self._third.isActive() and near:
            self._begin(point, 3)
            return
        self._armed = self.part_at(point)
        if self._armed is not None and self._armed[1].act != "link":
            self.pressed = True
            self.view.viewport().update()
            return
        anchor = self.view.selection.anchor
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and anchor is not None:
            self._origin, self._unit, self._selecting = (anchor, anchor), 1, True
            self._extend(point)
        else:
            self._begin(point, 1)

    def double(self, event: QMouseEvent) -> None:
        """Select a word; a further press selects the paragraph."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._last_double = event.position().toPoint()
            self._begin(self._last_double, 2)
            self._third.start(QApplication.doubleClickInterval())

    def _begin(self, point: QPoint, unit: int) -> None:
        place = self.place_at(point)
        self._unit, self._selecting, self._origin = unit, place is not None, None
        self.view.selection.clear()
        if place is not None:
            self._origin = self._around(place)
            self.view.selection.set(*self._origin)
        self.view.viewport().update()

    def _around(self, place: Place) -> tuple[Place, Place]:
        """Return the character, word or paragraph at a place."""
        if self._unit == 1:
            return place, place
        block = self._row(place).blocks[place.block]
        start, end = (block.word if self._unit == 2 else block.paragraph)(place.position)
        return place._replace(position=start), place._replace(position=end)

    def _row(self, place: Place) -> Row:
        rows = self.view.story.rows
        return rows[place.order - rows[0].order]

    def _extend(self, point: QPoint) -> None:
        place = self.place_at(point)
        if place is None or self._origin is None:
            return
        start, end = self._around(place)
        first, last = self._origin
        if start < first:
            self.view.selection.set(last, start)
        else:
            self.view.selection.set(first, max(end, last))
        self.view.viewport().update()

    def move(self, event: QMouseEvent) -> None:
        """Select up to here, or show what could be pressed."""
        point = self._point = event.position().toPoint()
        if self._selecting and event.buttons() & Qt.MouseButton.LeftButton:
            self._extend(point)
            outside = not 0 <= point.y() < self.view.viewport().height()
            if outside != self._edge.isActive():
                self._edge.start() if outside else self._edge.stop()
            return
        self._set_hover(self.part_at(point))

    def _scroll_on(self) -> None:
        """While the pointer is dragged over an edge, scroll the faster the farther it is."""
        height, bar = self.view.viewport().height(), self.view.verticalScrollBar()
        over = self._point.y() if self._point.y() < 0 else max(0, self._point.y() - height)
        bar.setValue(bar.value() + over // 2)
        self._extend(QPoint(self._point.x(), max(0, min(self._point.y(), height - 1))))

    def release(self, event: QMouseEvent) -> None:
        """Do what the part is for that was pressed, if it is still under the pointer."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        point = event.position().toPoint()
        self._edge.stop()
        armed, self._armed, self.pressed, self._selecting = self._armed, None, False, False
        under = self.part_at(point)
        same = (
            armed is not None and under is not None and armed[0] is under[0] and armed[1].key == under[1].key
        )
        if same and armed is not None and self.view.selection.ends is None:
            self.view.keys.activate(*armed)
        self.view.viewport().update()

    def _set_hover(self, found: tuple[Block, Part] | None) -> None:
        shape = Qt.CursorShape.PointingHandCursor if found else Qt.CursorShape.IBeamCursor
        at = self.view.at(self._point)
        if self.view.newest.contains(self._point):
            found, shape = None, Qt.CursorShape.PointingHandCursor
        elif found is None and (at is None or not at[0].block.length):
            shape = Qt.CursorShape.ArrowCursor
        self.view.viewport().setCursor(shape)
        if found != self.hover:
            self.hover = found
            self.view.viewport().update()

    def leave(self) -> None:
        """The pointer is gone."""
        self._set_hover(None)

    def wheel(self, event: QWheelEvent) -> bool:
        """Scroll wide content sideways; False leaves the event to the scroll bar."""
        delta = event.pixelDelta() if not event.pixelDelta().isNull() else event.angleDelta() / 2
        sideways = delta.x()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and not sideways:
            sideways = delta.y()
        found = self.view.at(event.position().toPoint())
        if not sideways or abs(sideways) < abs(delta.y()) or found is None:
            return False
        if found[0].block.scroll(-sideways):
            self.view.viewport().update()
        return True

    def tooltip(self, event: QHelpEvent) -> None:
        """Say where a link leads, or the whole path of what was attached."""
        found = self.part_at(event.pos())
        if self.view.newest.contains(event.pos()):
            QToolTip.showText(event.globalPos(), _("Jump to newest"))
        elif found is not None and found[1].act in ("link", "attachment"):
            target = legible(found[1].value)
            QToolTip.showText(event.globalPos(), target if len(target) <= 200 else target[:199] + "\u2026")
        else:
            QToolTip.hideText()

    def menu(self, point: QPoint) -> QMenu:
        """Return the context menu for a point of the viewport."""
        view, menu = self.view, QMenu(self.view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chosen = view.selection.ends is not None
        copy = menu.addAction(_("Copy"), lambda: view.keys.put(view.selected_text()))
        copy.setEnabled(chosen)
        plain = menu.addAction(
            _("Copy as plain text"), lambda: view.keys.put(view.selected_text(marks=False))
        )
        plain.setEnabled(chosen)
        found, part = view.at(point), self.part_at(point)
        if found is not None:
            row = found[0].row
            menu.addAction(_("Copy message"), lambda: view.keys.put(row.markdown()))
            if row.mine:
                menu.addAction(_("Edit message"), lambda: view.edit_requested.emit(row.key))
            if row.text.strip():
                menu.addAction(_("Pin message"), lambda: view.pin_requested.emit(row.key))
        if part is not None and part[1].act == "link":
            menu.addAction(_("Copy link"), lambda: view.keys.put(part[1].value))
        menu.addSeparator()
        menu.addAction(_("Select all"), view.select_all)
        return menu

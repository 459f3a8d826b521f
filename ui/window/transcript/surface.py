"""The painted surface: what is in sight is laid out and drawn, and what is being read keeps its place."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from ui.window.transcript.blocks import Block
from ui.window.transcript.painting import Sheet, Sight, draw_icon, fill_card
from ui.window.transcript.rows import Row
from ui.window.transcript.selection import Place, Selection
from ui.window.transcript.story import Story
from ui.window.viewport import own_viewport

if TYPE_CHECKING:
    from ui.window.transcript.find import Finder
    from ui.window.transcript.keys import Keys
    from ui.window.transcript.pointer import Pointer

NARROWEST, WIDEST, MARGIN = 600, 760, 28
"""Of the reading column, and the least margin beside it, in pixels of the design."""
ABOVE, BELOW = -8, 24
"""Space over the first and under the last row; a row of the person brings 28 of its own."""
KEPT_BLOCKS = 60
"""Blocks out of sight whose layout is kept, so that going back and forth costs nothing."""


class Shown(NamedTuple):
    """A block in sight, and how far below the top of the viewport it begins."""

    row: Row
    number: int
    y: int
    block: Block


class Surface(QAbstractScrollArea):
    """Scrolls, lays out and paints the rows of a story."""

    older_wanted = Signal()
    """The top is near: older messages may be given to `prepend`."""

    def __init__(self, sheet: Sheet, story: Story, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        own_viewport(self).setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # so that it can be shifted
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.sheet, self.story = sheet, story
        self.selection = Selection()
        self.finder: Finder | None = None
        self.pointer: Pointer | None = None
        self.keys: Keys | None = None
        self.shown: list[Shown] = []
        self.top = 0
        """How far the content is scrolled."""
        self._stuck = True
        """It stays at the end while that grows."""
        self._anchor: tuple[Row, Block, int] | None = None
        """The block that keeps its place: its row, itself, and its distance from the top of the viewport."""
        self._settling = False
        self._measured: set[int] = set()
        """Ids of the blocks that were laid out by the last `settle`."""
        self._alive: OrderedDict[int, Block] = OrderedDict()
        self.newest = QRect()
        """Where the button stands that jumps to the newest, empty when that is in sight. It is painted,
        since a widget over the viewport would keep it from being shifted."""
        self.verticalScrollBar().valueChanged.connect(self._scrolled)

    def begin(self, story: Story) -> None:
        """Show another story from its end."""
        self.story = story
        self.selection.clear()
        self._alive.clear()
        self.shown, self._anchor, self._stuck = [], None, True
        self.changed()

    def changed(self) -> None:
        """Lay out and paint anew."""
        self.settle()
        for shown in self.shown:
            shown.block.changed_from()  # all of it is painted now
        self.viewport().update()

    def moved(self) -> None:
        """Lay out anew and paint what is new: what only moved is shifted as it is."""
        before = {id(shown.block): shown.y for shown in self.shown}
        self.settle()
        fresh = [self._fresh(shown.block, before) for shown in self.shown]
        moves = {
            shown.y - before[id(shown.block)] for shown, start in zip(self.shown, fresh, strict=True) if start
        }
        if len(moves) != 1:
            self.viewport().update()
            return
        move, view = moves.pop(), self.viewport()
        if move:
            view.scroll(0, move)
            view.update(self.newest.translated(0, move))
            view.update(self.newest)
        dirty = self._dirty_from(fresh, move)
        if dirty < view.height():
            view.update(0, dirty - 8, view.width(), view.height() - dirty + 8)

    def _fresh(self, block: Block, before: dict[int, int]) -> int:
        """Return how far from its top a block must be painted anew; more than its height when nowhere."""
        if id(block) not in before:
            return 0
        return block.changed_from() if id(block) in self._measured else 1 << 30

    def _dirty_from(self, fresh: Sequence[int], move: int) -> int:
        """Return from where on the viewport must be painted, after what it shows was moved."""
        height, last = self.viewport().height(), self.shown[-1]
        dirty = min(height, max(last.y + last.block.height, 0))
        for shown, start in zip(self.shown, fresh, strict=True):
            top, bottom = shown.y - shown.row.gaps[shown.number], shown.y + shown.block.height
            in_strip = bottom <= move or top >= height + min(move, 0)  # which scrolled in
            if start <= shown.block.height and not in_strip:
                dirty = min(dirty, shown.y + start if start else top)
        return dirty

    def restyle(self) -> None:
        """Take the colours and sizes of the sheet's theme."""
        theme = self.sheet.theme
        for row in self.story.rows:
            for block in row.blocks:
                block.change()
            row.refresh()
        self.verticalScrollBar().setSingleStep(theme.px(20))
        self.changed()

    def column(self, width: int) -> tuple[int, int]:
        """Return left edge and width of the reading column in a view this wide, clear of the scroll bar."""
        theme, bar = self.sheet.theme, self.verticalScrollBar().sizeHint().width()
        margin = max(bar, theme.px(MARGIN) if width > theme.px(480) else theme.px(12))
        wide = max(40, min(width - 2 * margin, theme.px(WIDEST)))
        return (width - wide) // 2 - self.viewport().x(), wide

    @property
    def content_height(self) -> int:
        """Height of everything, guessed where nothing was seen yet."""
        return self.story.heights.total + self.sheet.theme.px(ABOVE) + self.sheet.theme.px(BELOW)

    def settle(self) -> None:
        """Lay out what is in sight, with the anchor, or the end of the text, where it was."""
        width = self.column(self.width())[1]
        height = self.viewport().height()
        self.sheet.fit(width)
        self._measured.clear()
        for _round in range(30):  # each round measures at least one more block of the few in sight
            self.top = self._wanted_top(height)
            if not self._lay_out(self.top, self.top + height, width):
                break
        if self._anchor is None:
            self._hold()
        self._let_go()
        bar = self.verticalScrollBar()
        self._settling = True
        bar.setRange(0, max(0, self.content_height - height))
        bar.setPageStep(height)
        bar.setValue(self.top)
        self._settling = False
        self._place_button()
        if self.top < height and self.story.rows:
            self.older_wanted.emit()

    def _wanted_top(self, height: int) -> int:
        most = max(0, self.content_height - height)
        if self._stuck or self._anchor is None:
            return most if self._stuck else min(self.top, most)
        row, block, offset = self._anchor
        index = row.index_of(block)
        y = self._row_y(row) + (row.heights.above(index) + row.gaps[index] if index >= 0 else 0)
        return max(0, min(y - offset, most))

    def _row_y(self, row: Row) -> int:
        """Return where the blocks of a row begin, under its gap."""
        above = self.story.heights.above(self.story.index(row))
        return self.sheet.theme.px(ABOVE) + above + row.space

    def _lay_out(self, top: int, bottom: int, width: int) -> bool:
        """Measure from `top` to `bottom` of the content; tell whether any height was not as expected."""
        story, changed = self.story, False
        self.shown = []
        if not story.rows:
            return False
        at = story.heights.at(top - self.sheet.theme.px(ABOVE))
        y = self.sheet.theme.px(ABOVE) + story.heights.above(at)
        while at < len(story.rows) and y < bottom:
            row = story.rows[at]
            row.make()
            for index, place in self._lay_out_row(row, y + row.space, top, bottom, width):
                self.shown.append(Shown(row, index, place - top, row.blocks[index]))
            changed |= story.heights[at] != row.height
            story.heights[at] = row.height
            y += row.height
            at += 1
        return changed

    def _lay_out_row(self, row: Row, y: int, top: int, bottom: int, width: int) -> Iterator[tuple[int, int]]:
        if not row.blocks:
            return
        index = row.heights.at(top - y)
        y += row.heights.above(index)
        while index < len(row.blocks) and y < bottom:
            if row.blocks[index].width != width:
                self._measured.add(id(row.blocks[index]))
                row.measure(index, width)
            yield index, y + row.gaps[index]
            y += row.heights[index]
            index += 1

    def _let_go(self) -> None:
        """Drop the layout of blocks that were not in sight for a while."""
        for shown in self.shown:
            block = shown.block
            self._alive.pop(id(block), None)
            self._alive[id(block)] = block
        while len(self._alive) > len(self.shown) + KEPT_BLOCKS:
            self._alive.popitem(last=False)[1].drop()

    def _scrolled(self, value: int) -> None:
        if self._settling:
            return
        self._stuck = value >= self.verticalScrollBar().maximum() - 2
        self._hold(value - self.top)
        self.top = value
        if self.pointer is not None and self.pointer.hover is not None:
            self.pointer.leave()
        self.moved()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """See QAbstractScrollArea, which would paint everything; `_scrolled` does what is needed."""

    def _hold(self, moved: int = 0) -> None:
        """Choose the block that keeps its place: one that was in sight before and still is."""
        height = self.viewport().height()
        self._anchor = None
        for shown in self.shown:
            y = shown.y - moved
            if y + shown.block.height > 0 and y < height:
                self._anchor = (shown.row, shown.block, y)
                return

    def hold(self, row: Row, index: int) -> None:
        """Keep this block where it is in what comes next, also at the end of the text."""
        y = next((shown.y for shown in self.shown if shown.row is row and shown.number == index), 0)
        self._anchor, self._stuck = (row, row.blocks[index], y), False

    def relaxed(self) -> None:
        """After a change that a block was held for: stick to the end again when it is in sight."""
        self._stuck = self.top >= self.verticalScrollBar().maximum() - 2

    def jump_to_newest(self) -> None:
        """Go to the end and stay there."""
        self._stuck = True
        self.changed()

    def reveal(self, place: Place, *, end: int | None = None) -> None:
        """Scroll so that a place is in sight."""
        row = self.story.rows[place.order - self.story.rows[0].order]
        row.make()
        block = row.blocks[place.block]
        row.measure(place.block, self.sheet.width)
        self.story.heights[self.story.index(row)] = row.height
        upper, lower = block.extent(place.position)
        shown = next((s for s in self.shown if s.row is row and s.number == place.block), None)
        height = self.viewport().height()
        if shown is not None and shown.y + upper >= 0 and shown.y + lower <= height:
            return
        self._stuck = False
        self._anchor = (row, block, height // 3 - upper)
        self.changed()
        self._hold()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # each text tells its own
        painter.fillRect(event.rect(), self.sheet.theme.colors.ground)
        left, width = self.column(self.width())
        for shown in self.shown:
            whole = QRect(
                left - 8, shown.y - 4, width + 16, shown.block.height + 8
            )  # with rings around parts
            part = event.region().intersected(whole).boundingRect()
            if not part.isEmpty():
                painter.save()
                painter.translate(left, shown.y)
                shown.block.paint(self._sight(painter, shown, part))
                painter.restore()
        if self.newest.intersects(event.rect()):
            self._draw_button(painter)

    def _sight(self, painter: QPainter, shown: Shown, part: QRect) -> Sight:
        block, order = shown.block, shown.row.order
        sight = Sight(painter, part.top() - shown.y, part.bottom() + 1 - shown.y)
        if self.selection.ends is not None:
            sight.selection = self.selection.span(order, shown.number, block.length)
        if self.finder is not None:
            sight.marks = self.finder.marks(order, shown.number, block)
        if self.pointer is not None:
            sight.hover, sight.pressed = self.pointer.hover_in(block), self.pointer.pressed
        if self.keys is not None and self.hasFocus():
            sight.focus = self.keys.focus_in(block)
        return sight

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.changed()

    def _place_button(self) -> None:
        view, theme, before = self.viewport(), self.sheet.theme, self.newest
        far = self.content_height - view.height() - self.top > theme.px(80)
        size = theme.px(36)
        place = QRect((view.width() - size) // 2, view.height() - size - theme.s12, size, size)
        self.newest = place if far and not self._stuck else QRect()
        if self.newest != before:
            view.update(before.united(self.newest))

    def _draw_button(self, painter: QPainter) -> None:
        theme, colors = self.sheet.theme, self.sheet.theme.colors
        fill_card(painter, self.newest, colors.surface, colors.line, self.newest.width() / 2)
        inset = (self.newest.width() - theme.px(18)) // 2
        draw_icon(
            painter, self.sheet, "arrow-down", "text", self.newest.adjusted(inset, inset, -inset, -inset)
        )

    def at(self, point: QPoint) -> tuple[Shown, QPoint] | None:
        """Return the block nearest to a point of the viewport, and the point in it."""
        left = self.column(self.width())[0]
        found = None
        for shown in self.shown:
            if found is None or shown.y - shown.row.gaps[shown.number] // 2 <= point.y():
                found = shown
        return None if found is None else (found, QPoint(point.x() - left, point.y() - found.y))

    def rect_of(self, row: Row, index: int) -> QRect:
        """Return where a block stands in the viewport, empty when it is out of sight."""
        left, width = self.column(self.width())
        for shown in self.shown:
            if shown.row is row and shown.number == index:
                return QRect(left, shown.y, width, shown.block.height)
        return QRect()

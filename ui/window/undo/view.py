"""The painted three-way view: before, what was made, what stands now, side by side."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from app.records import FileConflict
from ui.notes import without_lines
from ui.window.diff.colours import drawn
from ui.window.diff.line_painter import LinePainter
from ui.window.theme import Theme
from ui.window.undo.three import Cell, Line, three_ways
from ui.window.viewport import own_viewport
from ui.words import _

ROW, HEAD, TITLE = 22, 28, 30
"""Heights in pixels of the design."""
DIGITS = 4


class ThreeView(QAbstractScrollArea):
    """Shows one file; the keys scroll it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        own_viewport(self)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # files read so everywhere
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._rows: list[Line] = []
        self._tops: list[int] = [0]
        self._words = ""
        self.set_theme(theme)

    def show_conflict(self, conflict: FileConflict) -> None:
        """Show the three versions of a file."""
        self._rows = three_ways(conflict.ours.hunks, conflict.since.hunks)
        self._words = "" if self._rows else without_lines(conflict.since)
        self.setAccessibleName(_("Three versions of {file}").replace("{file}", conflict.path))
        self.setAccessibleDescription(self._spoken())
        self._painter.forget()
        self._rebuild()
        self.verticalScrollBar().setValue(0)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self._mono = theme.font(12, mono=True)
        self._advance = QFontMetricsF(self._mono).horizontalAdvance("0")
        self._painter = LinePainter(theme, self._mono, self._advance)
        self._rebuild()

    def _spoken(self) -> str:
        """Return what differs, in words, for who cannot see the colours."""
        parts = []
        for row in self._rows[:200]:
            for name, cell in ((_("before"), row.before), (_("made"), row.made), (_("now"), row.now)):
                if cell is not None and cell.kind != " ":
                    parts.append(f"{name}: {drawn(cell)}")
        return "\n".join(parts)

    def _rebuild(self) -> None:
        top, self._tops = 0, [0]
        for row in self._rows:
            top += self._theme.px(HEAD if row.head else ROW)
            self._tops.append(top)
        cells = [cell for row in self._rows for cell in (row.before, row.made, row.now) if cell]
        longest = max(cells, key=lambda cell: len(cell.text), default=None)
        self._widest = self._painter.width(longest) if longest else 0.0
        self._fit()

    def _fit(self) -> None:
        down, across = self.verticalScrollBar(), self.horizontalScrollBar()
        down.setRange(0, max(0, self._tops[-1] - self.viewport().height()))
        down.setPageStep(self.viewport().height())
        down.setSingleStep(self._theme.px(ROW))
        room = self.viewport().width() / 3 - self._gutter() - self._theme.s8
        across.setRange(0, max(0, round(self._widest - room)))
        across.setPageStep(max(1, round(room)))
        self.update()
        self.viewport().update()

    def _gutter(self) -> float:
        return self._advance * (DIGITS + 3)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.verticalScrollBar()
        if event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End):
            bar.setValue(0 if event.key() == Qt.Key.Key_Home else bar.maximum())
        else:
            super().keyPressEvent(event)

    # --- painting ------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self.viewport()), self._theme
        painter.fillRect(event.rect(), theme.colors.surface)
        top, third = self.verticalScrollBar().value(), self.viewport().width() / 3
        if self._words:
            painter.setFont(theme.font(13))
            painter.setPen(theme.colors.muted)
            flags = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
            painter.drawText(self.viewport().rect(), flags, self._words)
        first = max(0, bisect_right(self._tops, top) - 1)
        last = min(len(self._rows), bisect_left(self._tops, top + self.viewport().height()))
        for index in range(first, last):
            row, y = self._rows[index], self._tops[index] - top
            height = self._tops[index + 1] - self._tops[index]
            if row.head:
                self._paint_head(painter, row, QRectF(0, y, 3 * third, height))
                continue
            for at, cell in enumerate((row.before, row.made, row.now)):
                self._paint_cell(painter, cell, QRectF(at * third, y, third, height))
        painter.setPen(theme.colors.line)
        for at in (1, 2):
            painter.drawLine(round(at * third), 0, round(at * third), self.viewport().height())

    def _paint_head(self, painter: QPainter, row: Line, area: QRectF) -> None:
        theme = self._theme
        painter.fillRect(area, theme.colors.panel)
        painter.setFont(theme.font(12))
        painter.setPen(theme.colors.muted)
        words = _("From line {n}").replace("{n}", str(row.head))
        painter.drawText(area.adjusted(theme.s12, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, words)

    def _paint_cell(self, painter: QPainter, cell: Cell, area: QRectF) -> None:
        theme, colors = self._theme, self._theme.colors
        if cell is None:
            painter.fillRect(area, colors.panel)
            return
        if cell.kind != " ":
            painter.fillRect(area, colors.added if cell.kind == "+" else colors.removed)
        painter.save()
        painter.setClipRect(area)
        painter.setFont(theme.font(11, mono=True))
        painter.setPen(colors.muted)
        numbers = QRectF(area.x(), area.y(), self._advance * DIGITS, area.height())
        end = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
        painter.drawText(numbers, end, str(cell.new or cell.old))
        painter.setFont(self._mono)
        painter.setPen(colors.text)
        if cell.kind != " ":
            mark = QRectF(area.x() + self._advance * (DIGITS + 1), area.y(), self._advance, area.height())
            painter.drawText(mark, Qt.AlignmentFlag.AlignVCenter, "+" if cell.kind == "+" else "\u2212")
        room = area.adjusted(self._gutter(), 0, 0, 0)
        painter.setClipRect(room)
        shifted = room.translated(-self.horizontalScrollBar().value(), 0)
        self._painter.paint(painter, cell, [], None, shifted, colors.text)
        painter.restore()


class Titles(QWidget):
    """The names of the three columns, above the view."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self.setFixedHeight(theme.px(TITLE))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.fillRect(self.rect(), theme.colors.panel)
        painter.setFont(theme.font(12, 600))
        painter.setPen(theme.colors.muted)
        third = self.width() / 3
        for at, words in enumerate((_("Before"), _("What Bramble made"), _("What stands now"))):
            room = QRectF(at * third + theme.s12, 0, third - theme.s12, self.height())
            line = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, int(room.width()))
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, line)

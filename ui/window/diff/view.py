"""The diff of one file as a painted view: only the rows in sight are laid out, however long the file is."""

from __future__ import annotations

from itertools import accumulate

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from app.records import DiffLine, FileDiff
from ui.notes import without_lines
from ui.window.diff.colours import Colours, drawn
from ui.window.diff.line_painter import LinePainter
from ui.window.diff.piece_choice import PieceChoice
from ui.window.diff.rows import Row, side_by_side, unified
from ui.window.theme import Theme
from ui.window.transcript.highlight import Highlighter
from ui.window.transcript.legible import encodable
from ui.window.viewport import own_viewport
from ui.words import _

ROW, HEAD = 22, 32
"""Heights in pixels of the design: a line (1.6 of its 13 px, with air), the head of a piece."""
NUMBER_DIGITS = 4
FADED = 0.45
"""Opacity of a rejected piece."""


class DiffView(QAbstractScrollArea):
    """Shows a FileDiff. Space flips the piece at hand, Alt+Up and Alt+Down go through the pieces."""

    past = Signal(int)
    """Alt and an arrow went beyond the last piece (1) or the first (-1)."""
    flipped = Signal(int, bool)
    """A piece and whether it is rejected now."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        own_viewport(self)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # files and line numbers read so everywhere
        self.setObjectName("diff")
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._file: FileDiff | None = None
        self._rejected: frozenset[int] = frozenset()
        self._columns = 1
        self._rows: list[Row] = []
        self._tops: list[int] = [0]
        self._current = 0
        self._anchor = self._head = -1
        self._widest = 0.0
        self._choosable = True
        self._choices: list[PieceChoice] = []
        self._highlighter = Highlighter(self)
        self._highlighter.ready.connect(self.viewport().update)
        self._colours = Colours(self._highlighter)
        self.set_theme(theme)

    # --- what is shown -------------------------------------------------------------------------------------

    def show_file(self, file: FileDiff, rejected: frozenset[int] = frozenset()) -> None:
        """Show a file from its first piece."""
        self._file, self._rejected, self._current = file, rejected, 0
        self._anchor = self._head = -1
        self._painter.forget()
        self._colours.load(file.hunks, file.language)
        self.setAccessibleName(_("Changes in {file}").format(file=file.shown))
        self._rebuild()
        self.verticalScrollBar().setValue(0)
        self.horizontalScrollBar().setValue(0)

    def end(self) -> None:
        """End the process that makes the colours; it starts again at need."""
        self._highlighter.close()

    def set_rejected(self, rejected: frozenset[int]) -> None:
        """Show which pieces are left out."""
        self._rejected = rejected
        self._place_choices()
        self.viewport().update()

    def set_choosable(self, on: bool) -> None:
        """Give each piece its two buttons, or none where there is nothing to choose."""
        self._choosable = on
        self._place_choices()

    def set_side_by_side(self, on: bool) -> None:
        """Show old and new in two columns, or in one."""
        self._columns = 2 if on else 1
        self._rebuild()

    def content_height(self) -> int:
        """Return how high all rows are, in pixels, with the bar that moves long lines."""
        bar = self.horizontalScrollBar()
        return self._tops[-1] + (bar.sizeHint().height() if self._widest > self._column_width() else 0)

    @property
    def piece(self) -> int:
        """The piece at hand."""
        return self._current

    def set_theme(self, theme: Theme) -> None:
        """Draw in another palette or size."""
        self._theme = theme
        self._mono = theme.font(13, mono=True)
        self._small = theme.font(12)
        self._advance = QFontMetricsF(self._mono).horizontalAdvance("0")
        self._painter = LinePainter(theme, self._mono, self._advance)
        for choice in self._choices:
            choice.set_theme(theme)
        self._rebuild()

    def _rebuild(self) -> None:
        hunks = self._file.hunks if self._file else ()
        self._rows = side_by_side(hunks) if self._columns == 2 else unified(hunks)
        row, head = self._theme.px(ROW), self._theme.px(HEAD)
        self._tops = list(accumulate((head if one.head else row for one in self._rows), initial=0))
        longest = max(
            (line for hunk in hunks for line in hunk.lines), key=lambda line: len(line.text), default=None
        )
        self._widest = self._painter.width(longest) if longest else 0.0
        self._fit()

    def _fit(self) -> None:
        """Set the ranges of the scroll bars for the size at hand."""
        down, across = self.verticalScrollBar(), self.horizontalScrollBar()
        down.setRange(0, max(0, self._tops[-1] - self.viewport().height()))
        down.setPageStep(self.viewport().height())
        down.setSingleStep(self._theme.px(ROW))
        room = self._column_width() - self._gutter() - self._theme.s8
        across.setRange(0, max(0, round(self._widest - room)))
        across.setPageStep(max(1, round(room)))
        self._place_choices()
        self.viewport().update()

    def _column_width(self) -> int:
        return self.viewport().width() // self._columns

    def _gutter(self) -> int:
        """The width of numbers and mark before the text."""
        highest = (
            max((self._file.hunks[-1].new_start, self._file.hunks[-1].old_start), default=0)
            if self._file and self._file.hunks
            else 0
        )
        digits = max(NUMBER_DIGITS, len(str(highest)) + 1)
        numbers = 2 if self._columns == 1 else 1
        return round(numbers * (digits + 1) * self._advance + 3 * self._advance)

    # --- painting ------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # its own default is that of the program
        painter.fillRect(event.rect(), self._theme.colors.surface)
        if self._file is not None and not self._rows:
            self._paint_empty(painter)
        top = self.verticalScrollBar().value()
        first, last = self._in_sight()
        for index in range(first, last):
            row = self._rows[index]
            area = QRectF(
                0, self._tops[index] - top, self.viewport().width(), self._tops[index + 1] - self._tops[index]
            )
            painter.setOpacity(FADED if row.hunk in self._rejected and not row.head else 1.0)
            if row.head:
                self._paint_head(painter, row, area)
            elif self._columns == 1:
                self._paint_line(painter, row, row.new or row.old, area, index)
            else:
                half = area.width() / 2
                self._paint_half(
                    painter, row, row.old, row.new, QRectF(0, area.y(), half, area.height()), index
                )
                self._paint_half(
                    painter, row, row.new, row.old, QRectF(half, area.y(), half, area.height()), index
                )
        painter.setOpacity(1.0)
        if self._columns == 2:
            painter.setPen(self._theme.colors.line)
            painter.drawLine(
                self.viewport().width() // 2, 0, self.viewport().width() // 2, self.viewport().height()
            )

    def _paint_empty(self, painter: QPainter) -> None:
        assert self._file is not None
        painter.setFont(self._theme.font(13))
        painter.setPen(self._theme.colors.muted)
        flags = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
        painter.drawText(self.viewport().rect(), flags, without_lines(self._file))

    def _paint_head(self, painter: QPainter, row: Row, area: QRectF) -> None:
        assert self._file is not None
        hunk, colors = self._file.hunks[row.hunk], self._theme.colors
        painter.fillRect(area, colors.panel)
        painter.setPen(colors.line)
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        if row.hunk:
            painter.drawLine(area.topLeft(), area.topRight())
        if row.hunk == self._current and len(self._file.hunks) > 1:
            painter.fillRect(QRectF(0, area.y(), self._theme.px(3), area.height()), colors.accent)
        painter.setFont(self._small)
        painter.setPen(colors.muted)
        first, count = (
            (hunk.new_start, hunk.new_count) if hunk.new_count else (hunk.old_start, hunk.old_count)
        )
        text = _("Lines {first} to {last}").format(first=first, last=first + count - 1)
        painter.drawText(area.adjusted(self._theme.s12 + 2, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_line(
        self, painter: QPainter, row: Row, line: DiffLine | None, area: QRectF, index: int
    ) -> None:
        assert line is not None
        self._ground(painter, line, area, index)
        gutter, half = self._gutter(), (self._gutter() - 3 * self._advance) / 2
        self._number(painter, line.old, QRectF(area.x(), area.y(), half, area.height()))
        self._number(painter, line.new, QRectF(area.x() + half, area.y(), half, area.height()))
        self._text(painter, row, line, row.other, area, gutter)

    def _paint_half(
        self,
        painter: QPainter,
        row: Row,
        line: DiffLine | None,
        other: DiffLine | None,
        area: QRectF,
        index: int,
    ) -> None:
        if line is None:
            painter.fillRect(area, self._theme.colors.panel)
            return
        self._ground(painter, line, area, index)
        gutter = self._gutter()
        number = line.old if area.x() == 0 else line.new
        self._number(painter, number, QRectF(area.x(), area.y(), gutter - 3 * self._advance, area.height()))
        self._text(painter, row, line, other if line.kind != " " else None, area, gutter)

    def _ground(self, painter: QPainter, line: DiffLine, area: QRectF, index: int) -> None:
        colors = self._theme.colors
        if line.kind != " ":
            painter.fillRect(area, colors.added if line.kind == "+" else colors.removed)
        if min(self._anchor, self._head) <= index <= max(self._anchor, self._head) and self._anchor >= 0:
            painter.fillRect(area, colors.pressed)

    def _number(self, painter: QPainter, number: int, area: QRectF) -> None:
        if number:
            painter.setFont(self._theme.font(12, mono=True))
            painter.setPen(self._theme.colors.muted)
            painter.drawText(
                area, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), str(number)
            )

    def _text(
        self, painter: QPainter, row: Row, line: DiffLine, other: DiffLine | None, area: QRectF, gutter: int
    ) -> None:
        painter.save()
        painter.setFont(self._mono)
        painter.setPen(self._theme.colors.text)
        mark = QRectF(area.x() + gutter - 2 * self._advance, area.y(), self._advance, area.height())
        if line.kind != " ":
            painter.drawText(mark, Qt.AlignmentFlag.AlignVCenter, line.kind if line.kind == "+" else "\u2212")
        room = area.adjusted(gutter, 0, 0, 0)
        painter.setClipRect(room)
        shifted = room.translated(-self.horizontalScrollBar().value(), 0)
        self._painter.paint(
            painter, line, self._colours.of(line, row.hunk), other, shifted, self._theme.colors.text
        )
        painter.restore()

    # --- moving --------------------------------------------------------------------------------------------

    def _in_sight(self) -> tuple[int, int]:
        from bisect import bisect_left, bisect_right

        top = self.verticalScrollBar().value()
        first = max(0, bisect_right(self._tops, top) - 1)
        return first, min(len(self._rows), bisect_left(self._tops, top + self.viewport().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self._place_choices()
        self.viewport().update()

    def go_to(self, piece: int) -> None:
        """Make a piece the one at hand and bring its head into sight."""
        if self._file is None or not 0 <= piece < len(self._file.hunks):
            return
        self._current = piece
        index = next(i for i, row in enumerate(self._rows) if row.hunk == piece)
        bar, top = self.verticalScrollBar(), self._tops[index]
        if not bar.value() <= top <= bar.value() + self.viewport().height() - 3 * self._theme.px(ROW):
            bar.setValue(top)
        self.viewport().update()

    def _step(self, by: int) -> None:
        """Go to the piece before or behind; beyond the last one there may be another file."""
        if self._file is not None and not 0 <= self._current + by < len(self._file.hunks):
            self.past.emit(by)
        else:
            self.go_to(self._current + by)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, bar = event.key(), self.verticalScrollBar()
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if alt and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._step(1 if key == Qt.Key.Key_Down else -1)
        elif key == Qt.Key.Key_Space and self._choosable and self._file is not None and self._file.hunks:
            self.flipped.emit(self._current, self._current not in self._rejected)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            bar.setValue(0 if key == Qt.Key.Key_Home else bar.maximum())
        elif event.modifiers() == Qt.KeyboardModifier.ControlModifier and key == Qt.Key.Key_C:
            QGuiApplication.clipboard().setText(encodable(self.selected_text()))
        elif event.modifiers() == Qt.KeyboardModifier.ControlModifier and key == Qt.Key.Key_A:
            self._anchor, self._head = 0, len(self._rows) - 1
            self.viewport().update()
        else:
            super().keyPressEvent(event)

    # --- selection of whole lines --------------------------------------------------------------------------

    def _row_at(self, point: QPoint | QPointF) -> int:
        from bisect import bisect_right

        index = bisect_right(self._tops, int(point.y()) + self.verticalScrollBar().value()) - 1
        return max(0, min(index, len(self._rows) - 1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._rows and event.button() == Qt.MouseButton.LeftButton:
            self._anchor = self._head = self._row_at(event.position())
            self._current = self._rows[self._anchor].hunk
            self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._rows and self._anchor >= 0:
            self._head = self._row_at(event.position())
            self.viewport().update()

    def selected_text(self) -> str:
        """Return the selected lines as in a unified diff, their marks in front."""
        if self._anchor < 0:
            return ""
        first, last = sorted((self._anchor, self._head))
        lines = []
        for row in self._rows[first : last + 1]:
            pair = [row.new] if row.old is row.new else [row.old, row.new]
            lines += [f"{line.kind}{drawn(line)}" for line in pair if line is not None]
        return "\n".join(lines)

    # --- the buttons of pieces -----------------------------------------------------------------------------

    def _place_choices(self) -> None:
        """Put a pair of buttons on each head in sight."""
        heads = []
        if self._file is not None and self._choosable:
            first, last = self._in_sight()
            heads = [index for index in range(first, last) if self._rows[index].head]
        while len(self._choices) < len(heads):
            choice = PieceChoice(self._theme, self.viewport())
            choice.chosen.connect(self.flipped)
            self._choices.append(choice)
        for choice in self._choices[len(heads) :]:
            choice.hide()
        for choice, index in zip(self._choices, heads, strict=False):
            choice.show_piece(self._rows[index].hunk, self._rows[index].hunk in self._rejected)
            size = choice.sizeHint()
            y = (
                self._tops[index]
                - self.verticalScrollBar().value()
                + (self._theme.px(HEAD) - choice.height()) // 2
            )
            choice.setGeometry(
                self.viewport().width() - size.width() - self._theme.s12, y, size.width(), choice.height()
            )
            choice.show()

"""A table that a tool returned: columns in line, long cells cut, its first rows, more of them on request."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter

from ui.result_views import TableSeen
from ui.window.transcript.legible import legible
from ui.window.transcript.painting import Part, Sheet, Sight, draw_parts, draw_text, width_of
from ui.window.transcript.tool_rows import FURTHER_LINES, InCard
from ui.words import plural

FIRST_ROWS = 10
WIDEST, NARROWEST = 280, 24
"""Between which widths a column stands, in pixels of the design."""
_NUMBER = re.compile(r"[-+\u2212]?[\d.,' ]*\d(?: ?(?:%|[kMGTP]?i?B|s|ms))?")


class TableStrip(InCard):
    """Scrolls sideways where its columns are wider than the card. Only rows in sight are painted."""

    kind = "pane"

    def __init__(self, sheet: Sheet, table: TableSeen) -> None:
        super().__init__(sheet)
        self.table = table
        self.most = FIRST_ROWS
        self._shift = 0
        self._columns: list[tuple[int, bool]] = []
        """Width of each column that is not empty, and whether it holds numbers."""
        self.height = self._lay_out(0)

    @property
    def shown(self) -> tuple[tuple[str, ...], ...]:
        """The rows that are shown."""
        return self.table.rows[: self.most]

    def more(self) -> None:
        """Show further rows."""
        self.most += FURTHER_LINES
        self.width, self._columns, self.height = -1, [], self._lay_out(0)

    def _row(self) -> int:
        return self.sheet.theme.px(26)

    def _left(self) -> int:
        return max(0, len(self.table.rows) - self.most)

    def _lay_out(self, width: int) -> int:
        theme = self.sheet.theme
        if width:
            self._columns = self._fitted()
            self.scroll(0)
        rows = (1 + len(self.shown)) * self._row()
        return rows + (theme.px(36) if self._left() else theme.px(12))

    def _fitted(self) -> list[tuple[int, bool]]:
        """Return how wide the columns are: as their widest cell, within bounds."""
        theme, found = self.sheet.theme, []
        text, head = QFontMetrics(self.sheet.font(12)), QFontMetrics(self.sheet.font(11, 500))
        least, most = theme.px(NARROWEST), theme.px(WIDEST)
        for at, name in enumerate(self.table.columns):
            cells = [_line(row[at]) for row in self.shown]
            wide = max(head.horizontalAdvance(_line(name)), *(text.horizontalAdvance(cell) for cell in cells))
            numbers = any(cells) and all(_NUMBER.fullmatch(cell) for cell in cells if cell)
            found.append((max(least, min(most, wide + 2)), numbers))
        spare = self._area().width() - sum(wide + self._gap() for wide, _right in found) + self._gap()
        return _grown(found, spare, [self._wanted(at, text) for at in range(len(found))])

    def _wanted(self, column: int, metrics: QFontMetrics) -> int:
        return max(metrics.horizontalAdvance(_line(row[column])) for row in self.shown) + 2

    def _gap(self) -> int:
        return self.sheet.theme.s20

    def _area(self) -> QRect:
        side = self.sheet.theme.px(14)
        return QRect(side, 0, max(20, self.width - 2 * side), (1 + len(self.shown)) * self._row())

    def _whole(self) -> int:
        return sum(wide + self._gap() for wide, _right in self._columns) - self._gap()

    def scroll(self, by: int) -> bool:
        before, way = self._shift, -1 if self.sheet.mirrored else 1
        self._shift = max(0, min(self._shift + way * by, self._whole() - self._area().width()))
        return self._shift != before

    def parts(self) -> list[Part]:
        if not self._left():
            return []
        theme = self.sheet.theme
        words = plural("Show {n} more row", "Show {n} more rows", min(self._left(), FURTHER_LINES))
        wide = width_of(words, self.sheet.font(12)) + 2 * theme.s8
        rect = QRect(theme.px(6), self.height - theme.px(29), wide, theme.px(24))
        return [Part("more", "table", self.sheet.place(rect, self.width), words)]

    def paint(self, sight: Sight) -> None:
        theme, colors, painter, row = self.sheet.theme, self.sheet.theme.colors, sight.painter, self._row()
        self._card(sight)
        parts = self.parts()
        draw_parts(sight, theme, parts)
        for part in parts:
            middle = Qt.AlignmentFlag.AlignHCenter
            draw_text(painter, part.rect, part.name, self.sheet.font(12), colors.accent, middle)
        area = self._area()
        painter.save()
        painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
        if sight.top < row:
            self._paint_row(painter, 0, self.table.columns, self.sheet.font(11, 500), colors.muted)
        first = max(0, sight.top // row - 1)
        for at in range(first, min(len(self.shown), sight.bottom // row + 1)):
            self._paint_row(painter, at + 1, self.shown[at], self.sheet.font(12), colors.text)
        painter.restore()
        painter.fillRect(QRect(area.x(), row - 1, area.width(), 1), colors.line)
        self._bar(painter, area)

    def _paint_row(
        self, painter: QPainter, number: int, cells: Sequence[str], font: QFont, color: QColor
    ) -> None:
        area, x = self._area(), self.sheet.theme.px(14) - self._shift
        for cell, (wide, right) in zip(cells, self._columns, strict=True):
            room = self.sheet.place(QRect(x, number * self._row(), wide, self._row()), self.width)
            if room.right() >= area.left() and room.left() <= area.right():
                end = right != self.sheet.mirrored
                side = Qt.AlignmentFlag.AlignRight if end else Qt.AlignmentFlag.AlignLeft
                draw_text(painter, room, _line(cell), font, color, side)
            x += wide + self._gap()

    def _bar(self, painter: QPainter, area: QRect) -> None:
        """Show how much lies to both sides."""
        whole = self._whole()
        if whole <= area.width():
            return
        wide = max(24, area.width() * area.width() // whole)
        x = area.x() + (area.width() - wide) * self._shift // (whole - area.width())
        bar = self.sheet.place(QRect(x, area.bottom() + self.sheet.theme.s4, wide, 3), self.width)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.sheet.theme.colors.line)
        painter.drawRoundedRect(bar, 1.5, 1.5)

    def text(self) -> str:
        return "\n".join(", ".join(filter(None, row)) for row in (self.table.columns, *self.shown))

    def plain(self, start: int, end: int) -> str:
        return "\n".join("\t".join(map(_line, row)) for row in (self.table.columns, *self.shown))

    def markdown(self, start: int, end: int) -> str:
        rule = ("---",) * len(self.table.columns)
        rows = (self.table.columns, rule, *self.shown)
        return "\n".join(
            f"| {' | '.join(_line(cell).replace('|', chr(92) + '|') for cell in row)} |" for row in rows
        )


def separated(table: TableSeen) -> str:
    """Return the whole table as spreadsheets take it from the clipboard: tabs between cells."""
    return "\n".join(
        "\t".join(" ".join(cell.split()) for cell in row) for row in (table.columns, *table.rows)
    )


def _line(cell: str) -> str:
    return legible(" ".join(cell[:400].split()))


def _grown(columns: list[tuple[int, bool]], spare: int, wanted: list[int]) -> list[tuple[int, bool]]:
    """Return the columns with room that is left given to those that were cut."""
    found = []
    for (wide, right), whole in zip(columns, wanted, strict=True):
        more = max(0, min(whole - wide, spare))
        spare -= more
        found.append((wide + more, right))
    return found

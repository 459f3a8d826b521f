"""Lines of code or output: their height needs no layout, and only the lines in sight are laid out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QTextCharFormat, QTextLayout, QTextOption

from ui.window.transcript.legible import legible
from ui.window.transcript.lexing import Span
from ui.window.transcript.painting import Sheet, Sight, mark_color, selection_color

_ROLES = {
    "keyword": "code_keyword",
    "string": "code_string",
    "comment": "code_comment",
    "function": "code_function",
}


class MonoText:
    """Text in lines that never wrap. Positions count characters of `text`; a line feed is one of them."""

    def __init__(self, pixels: int, line: int) -> None:
        self.pixels, self.line = pixels, line
        """Font size and line height, in pixels of the design."""
        self.lines: list[str] = []
        self.starts: list[int] = []
        self.soft: set[int] = set()
        self.spans: list[Span] = []
        self.shift = 0
        """How far it is scrolled to the right."""
        self.most = 1 << 30
        """Lines to show."""
        self._longest = 0
        self._widest = 0.0
        self._layouts: dict[int, QTextLayout] = {}

    @property
    def length(self) -> int:
        """Characters, those of lines that are not shown included."""
        return self.starts[-1] + len(self.lines[-1]) if self.lines else 0

    @property
    def shown(self) -> int:
        """How many lines are shown."""
        return min(len(self.lines), self.most)

    def text(self) -> str:
        """Return all of it."""
        parts = [line if index in self.soft else line + "\n" for index, line in enumerate(self.lines)]
        return "".join(parts).removesuffix("\n")

    def extend(self, lines: Iterable[str], soft: set[int] | None = None) -> None:
        """Add lines; `soft` are the numbers, from 0, of lines that no line feed follows."""
        self.soft |= soft or set()
        for line in lines:
            feed = 0 if not self.lines or len(self.lines) - 1 in self.soft else 1
            self.starts.append(self.length + feed)
            self.lines.append(legible(line))
            self._longest = max(self._longest, len(self.lines[-1]))

    def cut(self, count: int) -> None:
        """Forget all lines from `count` on."""
        for index in [index for index in self._layouts if index >= count]:
            del self._layouts[index]
        del self.lines[count:], self.starts[count:]

    def colour(self, spans: list[Span]) -> None:
        """Take the coloured spans of the whole text."""
        self.spans = spans
        self._layouts.clear()

    def drop(self) -> None:
        """Forget what is laid out."""
        self._layouts.clear()

    def height(self, sheet: Sheet) -> int:
        """Return the height of the lines that are shown."""
        return max(1, self.shown) * sheet.theme.px(self.line)

    def content_width(self, sheet: Sheet) -> int:
        """Return the width of the longest line: exact for those laid out, by its characters for the rest."""
        return int(max(self._longest * sheet.cell(self.pixels), self._widest)) + 1

    def scroll(self, by: int, room: int, sheet: Sheet) -> bool:
        """Scroll sideways; tell whether anything moved."""
        before = self.shift
        self.shift = max(0, min(self.shift + by, self.content_width(sheet) - room))
        return self.shift != before

    def paint(self, sight: Sight, sheet: Sheet, area: QRectF) -> None:
        """Paint the lines that fall into the visible strip, with the selection and what was found."""
        line = sheet.theme.px(self.line)
        first = max(0, int((sight.top - area.top()) // line))
        last = min(self.shown, int((sight.bottom - area.top()) // line) + 1)
        for index in [index for index in self._layouts if not first - 50 <= index <= last + 50]:
            del self._layouts[index]
        painter = sight.painter
        painter.save()
        painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
        painter.setPen(sheet.theme.colors.text)
        for index in range(first, last):
            layout = self._layout(index, sheet)
            y = area.top() + index * line
            self._veils(
                sight, sheet, index, QRectF(area.left() - self.shift, y, area.width() + self.shift, line)
            )
            rise = (line - layout.lineAt(0).height()) / 2
            layout.draw(painter, QPointF(area.left() - self.shift, y + rise))
        painter.restore()
        self._bar(painter, sheet, area)

    def _bar(self, painter: QPainter, sheet: Sheet, area: QRectF) -> None:
        """Show how much lies to the left and the right."""
        whole = self.content_width(sheet)
        if whole <= area.width():
            return
        width = max(24.0, area.width() * area.width() / whole)
        x = area.left() + (area.width() - width) * self.shift / (whole - area.width())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(sheet.theme.colors.line)
        painter.drawRoundedRect(QRectF(x, area.bottom() + sheet.theme.s4, width, 3), 1.5, 1.5)

    def _layout(self, index: int, sheet: Sheet) -> QTextLayout:
        found = self._layouts.get(index)
        if found is None:
            found = self._layouts[index] = self._lay_out(index, sheet)
            self._widest = max(self._widest, found.lineAt(0).naturalTextWidth())
        return found

    def _lay_out(self, index: int, sheet: Sheet) -> QTextLayout:
        layout = QTextLayout(self.lines[index], sheet.font(self.pixels, mono=True))
        layout.setTextOption(_in_line(4 * sheet.cell(self.pixels)))
        layout.setCacheEnabled(True)
        if self.spans:
            layout.setFormats(self._formats(index, sheet))
        layout.beginLayout()
        layout.createLine()
        layout.endLayout()
        return layout

    def _formats(self, index: int, sheet: Sheet) -> list[QTextLayout.FormatRange]:
        start, line = self.starts[index], self.lines[index]
        found = []
        at = max(0, bisect_right(self.spans, (start, 0, "")) - 1)
        while at < len(self.spans) and self.spans[at][0] < start + len(line):
            begin, length, role = self.spans[at]
            first, last = max(begin - start, 0), min(begin + length - start, len(line))
            if first < last:
                span = QTextLayout.FormatRange()
                span.start = units(line, first)
                span.length = units(line, last) - span.start
                colored = QTextCharFormat()
                colored.setForeground(sheet.theme.color(_ROLES[role]))
                span.format = colored
                found.append(span)
            at += 1
        return found

    def _veils(self, sight: Sight, sheet: Sheet, index: int, line: QRectF) -> None:
        start = self.starts[index]
        end = start + len(self.lines[index])
        veils = [(*mark[:2], mark_color(sheet.theme, mark[2])) for mark in sight.marks]
        if sight.selection is not None:
            veils.append((*sight.selection, selection_color(sheet.theme)))
        for first, last, color in veils:
            if first <= end and last > start:
                left = self._x(index, max(first, start) - start, sheet)
                right = self._x(index, min(last, end) - start, sheet) + (6 if last > end else 0)
                sight.painter.fillRect(
                    QRectF(line.left() + left, line.top(), right - left, line.height()), color
                )

    def _x(self, index: int, column: int, sheet: Sheet) -> float:
        found = self._layout(index, sheet).lineAt(0).cursorToX(units(self.lines[index], column))
        return cursor_x(found)

    def position(self, x: float, y: float, sheet: Sheet) -> int:
        """Return the position nearest to a point of the area."""
        if not self.lines:
            return 0
        index = max(0, min(int(y // sheet.theme.px(self.line)), self.shown - 1))
        column = self._layout(index, sheet).lineAt(0).xToCursor(x + self.shift)
        return self.starts[index] + points(self.lines[index], column)

    def row_of(self, position: int) -> int:
        """Return the line that a position is in."""
        return max(0, bisect_right(self.starts, position) - 1)


@lru_cache(maxsize=8)
def _in_line(tab: float) -> QTextOption:
    """Return how a line is laid out; `tab` is the width of a tab in pixels."""
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    option.setTextDirection(Qt.LayoutDirection.LeftToRight)
    option.setTabStopDistance(tab)
    return option


def units(text: str, points: int) -> int:
    """Return how many UTF-16 units, which Qt counts, the first `points` characters take."""
    if text.isascii():
        return points
    return points + sum(1 for char in text[:points] if char > "\uffff")


def points(text: str, units: int) -> int:
    """Return how many characters the first `units` UTF-16 units are."""
    if text.isascii():
        return units
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore"))


def cursor_x(found: object) -> float:
    """PySide returns cursorToX as a number or, since it may change its argument, as a pair."""
    return float(found[0] if isinstance(found, tuple) else found)  # type: ignore[arg-type]

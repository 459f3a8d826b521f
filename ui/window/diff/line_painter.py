"""Draws the text of one diff line: words that differ on their ground, syntax colours over it, tabs in
steps.
"""

from __future__ import annotations

from collections import OrderedDict

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QPainter, QTextCharFormat, QTextLayout, QTextOption

from app.records import DiffLine
from ui.window.diff.colours import LineSpans, drawn
from ui.window.diff.inside import Spans, differences, units
from ui.window.theme import Theme

TAB = 4
"""Columns of a tab."""
KEPT = 600
"""Laid-out lines that are remembered: some screens full."""


class LinePainter:
    """Keeps a layout for each line that was in sight lately."""

    def __init__(self, theme: Theme, font: QFont, advance: float) -> None:
        self._theme = theme
        self._font = font
        self._option = QTextOption()
        self._option.setWrapMode(QTextOption.WrapMode.NoWrap)
        self._option.setTabStopDistance(TAB * advance)
        self._layouts: OrderedDict[tuple[int, bool, int], QTextLayout] = OrderedDict()

    def forget(self) -> None:
        """Take other lines: those before may be gone, and new ones stand in their memory."""
        self._layouts.clear()

    def paint(
        self,
        painter: QPainter,
        line: DiffLine,
        spans: LineSpans,
        other: DiffLine | None,
        area: QRectF,
        pen: QColor,
    ) -> None:
        """Draw `line` from the left edge of `area`, vertically centred; `other` is the line it is compared
        with.
        """
        layout = self._layout(line, spans)
        if other is not None:
            ground = (
                self._theme.colors.removed_inside if line.kind == "-" else self._theme.colors.added_inside
            )
            for rect in self._marks(layout, line, other, area):
                painter.fillRect(rect, ground)
        painter.setPen(pen)
        height = layout.lineAt(0).height() if layout.lineCount() else 0.0
        layout.draw(painter, QPointF(area.x(), area.y() + (area.height() - height) / 2))

    def width(self, line: DiffLine) -> float:
        """Return how wide the line is, in pixels."""
        layout = self._layout(line, [])
        return layout.lineAt(0).naturalTextWidth() if layout.lineCount() else 0.0

    def _layout(self, line: DiffLine, spans: LineSpans) -> QTextLayout:
        key = (id(line), bool(spans), len(line.text))
        found = self._layouts.get(key)
        if found is not None:
            self._layouts.move_to_end(key)
            return found
        text = drawn(line)
        layout = QTextLayout(text, self._font)
        layout.setTextOption(self._option)
        layout.setFormats([self._format(text, start, length, role) for start, length, role in spans])
        layout.beginLayout()
        laid = layout.createLine()
        if laid.isValid():
            laid.setLineWidth(1e7)
        layout.endLayout()
        self._layouts[key] = layout
        while len(self._layouts) > KEPT:
            self._layouts.popitem(last=False)
        return layout

    def _format(self, text: str, start: int, length: int, role: str) -> QTextLayout.FormatRange:
        form = QTextCharFormat()
        form.setForeground(self._theme.color(f"code_{role}"))
        made = QTextLayout.FormatRange()
        made.start = units(text, start)
        made.length = units(text, start + length) - made.start
        made.format = form
        return made

    def _marks(self, layout: QTextLayout, line: DiffLine, other: DiffLine, area: QRectF) -> list[QRectF]:
        if not layout.lineCount():
            return []
        laid, text = layout.lineAt(0), drawn(line)
        removed, added = differences(*((text, drawn(other)) if line.kind == "-" else (drawn(other), text)))
        spans: Spans = removed if line.kind == "-" else added
        inset = self._theme.px(2)
        rects = []
        for start, length in spans:
            x1 = _x(laid.cursorToX(units(text, start)))
            x2 = _x(laid.cursorToX(units(text, start + length)))
            rects.append(QRectF(area.x() + x1, area.y() + inset, x2 - x1, area.height() - 2 * inset))
        return rects


def _x(answer: object) -> float:
    """`cursorToX` answers with a tuple in some releases and with a number in others."""
    return float(answer[0] if isinstance(answer, tuple) else answer)  # type: ignore[arg-type]

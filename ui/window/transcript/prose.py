"""Blocks of prose: what the model wrote, the person's own words in their bubble, and the line across."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QTextBlock

from ui.window.transcript.blocks import Block, DocumentBlock
from ui.window.transcript.documents import (
    BODY,
    BULLET,
    CHECKED,
    QUOTE_LEVEL,
    UNCHECKED,
    Document,
    markdown_document,
    plain_document,
)
from ui.window.transcript.legible import encodable
from ui.window.transcript.painting import Sheet, Sight, draw_icon, draw_text, fill_card
from ui.window.transcript.pieces import Piece


class Prose(DocumentBlock):
    """A paragraph, heading, list item or quote of an answer."""

    def __init__(self, sheet: Sheet, piece: Piece, *, muted: bool = False) -> None:
        super().__init__(sheet)
        self.muted = muted
        self.take(piece)

    def take(self, piece: Piece) -> None:
        """Show this state of a growing piece."""
        source = piece.text()
        if self.width >= 0 and source == self.source and piece.kind == self.kind:
            return
        self.source, self.kind, self.depth, self.number = source, piece.kind, piece.depth, piece.number
        self.joined, self.further = piece.joined, not piece.first
        known = self.height
        self.change()
        self.height = max(known, self._guess())

    depth = 0
    number = -1
    source = ""

    def _guess(self) -> int:
        letters = max(20, self._room(self.sheet.width).width() // self.sheet.theme.px(7))
        lines = 1 + len(self.source) // letters + self.source.count("\n") // 3
        return lines * self.sheet.theme.px(BODY[1])

    def _make(self) -> Document:
        return markdown_document(self.source, self.sheet, joined=self.joined, number=self.number)

    def _room(self, width: int) -> QRect:
        indent = self.depth * self.sheet.theme.px(22)
        return QRect(0 if self.sheet.mirrored else indent, 0, max(40, width - indent), 0)

    def _color(self) -> QColor:
        return self.sheet.theme.colors.muted if self.muted else self.sheet.theme.colors.text

    def _under(self, sight: Sight) -> None:
        if self.kind == "quote":
            self._draw_bars(sight)
        block = self.document.begin()
        while block.isValid():
            if block.userState() != -1 and block.layout().lineCount():
                self._draw_marker(sight, block)
            block = block.next()

    def _draw_marker(self, sight: Sight, block: QTextBlock) -> None:
        """Draw a bullet, number or box beside the first line of an item."""
        theme, painter, state = self.sheet.theme, sight.painter, block.userState()
        line, room = block.layout().lineAt(0), theme.px(40)
        origin = self.document.documentLayout().blockBoundingRect(block).topLeft()
        middle = round(origin.y() + line.y() + line.height() / 2 - self._rise() / 2)
        right = block.textDirection() == Qt.LayoutDirection.RightToLeft
        edge = round(origin.x() + line.x() + (line.width() + theme.px(7) if right else -theme.px(7)))
        if state >= 0:
            side = Qt.AlignmentFlag.AlignLeft if right else Qt.AlignmentFlag.AlignRight
            rect = QRect(edge if right else edge - room, middle - room // 2, room, room)
            draw_text(painter, rect, f"{state}.", self.sheet.font(BODY[0]), theme.colors.muted, side)
            return
        size = theme.px(5 if state == BULLET else 14)
        left = edge + theme.px(2) if right else edge - size - theme.px(2 if state == BULLET else 0)
        box = QRectF(left, middle - size / 2, size, size)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.colors.muted, 1.25) if state == UNCHECKED else Qt.PenStyle.NoPen)
        fill = {BULLET: theme.colors.muted, CHECKED: theme.colors.accent}.get(state, theme.colors.surface)
        painter.setBrush(fill)
        radius = size / 2 if state == BULLET else 4
        painter.drawRoundedRect(box, radius, radius)
        if state == CHECKED:
            draw_icon(painter, self.sheet, "check", "on_accent", box.adjusted(1, 1, -1, -1).toRect())

    def _draw_bars(self, sight: Sight) -> None:
        block, layout = self.document.begin(), self.document.documentLayout()
        while block.isValid():
            rect = layout.blockBoundingRect(block)
            below = block.next()
            bottom = layout.blockBoundingRect(below).top() if below.isValid() else self.height
            for level in range(block.blockFormat().intProperty(QUOTE_LEVEL)):
                bar = QRectF(level * self.sheet.theme.s16, rect.top() - self._rise(), 2, bottom - rect.top())
                sight.painter.fillRect(bar, self.sheet.theme.colors.line)
            block = below

    def markdown(self, start: int, end: int) -> str:
        if start <= 0 and end >= self.length:
            return encodable("   " * self.depth + self.source.replace("\n", "\n" + "   " * self.depth))
        return super().markdown(start, end)


class Bubble(DocumentBlock):
    """The person's own words, as typed, in a soft bubble at the far side."""

    kind = "bubble"

    def __init__(self, sheet: Sheet, source: str, *, first: bool, last: bool) -> None:
        super().__init__(sheet)
        self.source, self.first, self.last = source, first, last
        self.joined = not first
        self._narrow = 0
        letters = max(20, self._most(sheet.width) // sheet.theme.px(7))
        lines = sum(1 + len(line) // letters for line in source.split("\n"))
        self.height = lines * sheet.theme.px(BODY[1]) + sum(self._edges())

    def _edges(self) -> tuple[int, int]:
        space = self.sheet.theme.px(9)
        return (space if self.first else 0), (space if self.last else 0)

    def _most(self, width: int) -> int:
        return max(80, round(width * 0.77) - 2 * self.sheet.theme.px(14))

    def _make(self) -> Document:
        return plain_document(self.source, self.sheet)

    def _lay_out(self, width: int) -> int:
        self._parts, self._narrow = None, self._most(width)
        document = self.document
        document.setTextWidth(self._narrow)
        if self.first and self.last:  # as narrow as the words are; a pasted page keeps its full width
            self._narrow = min(self._narrow, int(document.idealWidth()) + 1)
            document.setTextWidth(self._narrow)
        return round(document.size().height()) + sum(self._edges())

    def _room(self, width: int) -> QRect:
        side = self.sheet.theme.px(14)
        room = self._narrow or self._most(width)
        return self.sheet.place(QRect(width - side - room, self._edges()[0], room, 0), width)

    def _lines(self) -> QRect:
        side = self.sheet.theme.px(14)
        return self._room(self.width).adjusted(-side, 0, side, 0)

    def paint(self, sight: Sight) -> None:
        theme, rect = self.sheet.theme, self._lines()
        bubble = QRect(rect.x(), 0, rect.width(), self.height)
        fill_card(
            sight.painter, bubble, theme.colors.accent_soft, None, theme.r_big,
            top=self.first, bottom=self.last, tail="left" if self.sheet.mirrored else "right",
        )  # fmt: skip
        super().paint(sight)

    def markdown(self, start: int, end: int) -> str:
        return self.plain(start, end)

    def plain(self, start: int, end: int) -> str:
        text = self.text().encode("utf-16-le")
        return text[2 * start : 2 * end].decode("utf-16-le", "replace")


class Rule(Block):
    """A line across."""

    kind = "rule"

    def __init__(self, sheet: Sheet) -> None:
        super().__init__(sheet)
        self.height = 1

    def _lay_out(self, width: int) -> int:
        return 1

    def paint(self, sight: Sight) -> None:
        sight.painter.fillRect(0, 0, self.width, 1, self.sheet.theme.colors.line)

    def markdown(self, start: int, end: int) -> str:
        return "---"

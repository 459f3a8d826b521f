"""Blocks with wide content: code with a head, and tables; both scroll sideways."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QTextDocument

from ui.window.transcript.blocks import Block, DocumentBlock
from ui.window.transcript.documents import Document, markdown_document, style_table, tables
from ui.window.transcript.legible import encodable
from ui.window.transcript.mono import MonoText
from ui.window.transcript.painting import (
    Part,
    Sheet,
    Sight,
    draw_icon,
    draw_parts,
    draw_text,
    fill_card,
    width_of,
)
from ui.window.transcript.pieces import Piece
from ui.words import _

_WORD = re.compile(r"\w+")


class MonoBlock(Block):
    """A block that shows lines of a fixed pitch in an area of its own."""

    def __init__(self, sheet: Sheet, mono: MonoText) -> None:
        super().__init__(sheet)
        self.mono = mono

    def _area(self) -> QRectF:
        """Return where the lines stand."""
        raise NotImplementedError

    @property
    def length(self) -> int:  # type: ignore[override]
        """See Block."""
        return self.mono.length

    def drop(self) -> None:
        self.mono.drop()

    def scroll(self, by: int) -> bool:
        return self.mono.scroll(by, int(self._area().width()), self.sheet)

    def text(self) -> str:
        return self.mono.text()

    def found(self, needle: re.Pattern[str]) -> list[tuple[int, int]]:
        return [match.span() for match in needle.finditer(self.text())]

    def position(self, x: float, y: float) -> int:
        area = self._area()
        return self.mono.position(x - area.left(), y - area.top(), self.sheet)

    def extent(self, position: int) -> tuple[int, int]:
        line = self.sheet.theme.px(self.mono.line)
        top = int(self._area().top()) + self.mono.row_of(position) * line
        return top, top + line

    def word(self, position: int) -> tuple[int, int]:
        row = self.mono.row_of(position)
        start = self.mono.starts[row] if self.mono.starts else 0
        for match in _WORD.finditer(self.mono.lines[row] if self.mono.lines else ""):
            if match.start() <= position - start <= match.end():
                return start + match.start(), start + match.end()
        return position, min(position + 1, self.length)

    def paragraph(self, position: int) -> tuple[int, int]:
        if not self.mono.lines:
            return 0, 0
        row = self.mono.row_of(position)
        return self.mono.starts[row], self.mono.starts[row] + len(self.mono.lines[row])

    def plain(self, start: int, end: int) -> str:
        return encodable(self.text()[start:end])

    def markdown(self, start: int, end: int) -> str:
        return self.plain(start, end)


class Code(MonoBlock):
    """A block of code: a head with its language and Copy, colours once it is complete."""

    kind = "code"

    def __init__(self, sheet: Sheet, piece: Piece) -> None:
        super().__init__(sheet, MonoText(13, 21))
        self.open = True
        """It may still grow, so it is not coloured yet."""
        self._coloured = False
        self._asked = ""
        self._sure = self._fresh = 0
        self.take(piece)

    def take(self, piece: Piece) -> None:
        """Show this state of a growing piece; only the lines that are new are touched."""
        above = self._head() + self.sheet.theme.px(10) + self._sure * self.sheet.theme.px(self.mono.line)
        self._fresh = min(self._fresh, max(0, above - self.sheet.theme.r_card))  # its lower corners move too
        self.piece, self.joined, self.further = piece, piece.joined, not piece.first
        self.mono.cut(self._sure)
        self.mono.extend(piece.lines[self._sure :], piece.soft)
        self._sure = len(piece.lines)
        if piece.partial:
            self.mono.extend([piece.partial])
        self.width, self.height = -1, self._height()

    def drop(self) -> None:
        super().drop()
        if not self.open:
            self._coloured, self._asked = False, ""
            self.mono.colour([])

    def close(self) -> None:
        """Nothing more comes; colours may be made when it is seen."""
        if self.open:
            self.open, self.width = False, -1

    def changed_from(self) -> int:
        fresh, self._fresh = self._fresh, 1 << 30
        before = self._coloured
        self._colour()
        return fresh if self._coloured == before else 0

    @property
    def waits(self) -> bool:
        """Whether its colours are being made."""
        return bool(self._asked)

    def _left(self) -> int:
        return self.piece.depth * self.sheet.theme.px(22)

    def _head(self) -> int:
        return self.sheet.theme.px(29)

    def _height(self) -> int:
        theme = self.sheet.theme
        return self._head() + self.mono.height(self.sheet) + 2 * theme.px(10)

    def _lay_out(self, width: int) -> int:
        return self._height()

    def _card(self) -> QRect:
        left = self._left()
        return self.sheet.place(QRect(left, 0, self.width - left, self.height), self.width)

    def _area(self) -> QRectF:
        theme, card = self.sheet.theme, self._card()
        side, top = theme.px(14), self._head() + theme.px(10)
        return QRectF(card.x() + side, top, max(20, card.width() - 2 * side), self.mono.height(self.sheet))

    def _colour(self) -> None:
        if self.open or self._coloured:
            return
        self._asked = self._asked or self.mono.text()
        spans = self.sheet.highlighter.colours(self._asked, self.piece.language)
        if spans is not None:
            self.mono.colour(spans)
            self._coloured, self._asked = True, ""

    def paint(self, sight: Sight) -> None:
        theme, colors, card, head = self.sheet.theme, self.sheet.theme.colors, self._card(), self._head()
        self._colour()
        fill_card(sight.painter, card, colors.code_ground, colors.line, theme.r_card)
        if sight.top < head:
            self._draw_head(sight, card, head)
        self.mono.paint(sight, self.sheet, self._area())

    def _draw_head(self, sight: Sight, card: QRect, head: int) -> None:
        theme, colors, painter = self.sheet.theme, self.sheet.theme.colors, sight.painter
        top = QRect(card.x(), 0, card.width(), head)
        fill_card(painter, top, colors.surface, colors.line, theme.r_card, bottom=False)
        painter.fillRect(QRect(card.x() + 1, head - 1, card.width() - 2, 1), colors.line)
        copy = self.parts()[0]
        label = self.sheet.place(QRect(self._left() + theme.s12, 0, theme.px(240), head), self.width)
        side = Qt.AlignmentFlag.AlignRight if self.sheet.mirrored else Qt.AlignmentFlag.AlignLeft
        draw_text(painter, label, self.piece.language or _("code"), self.sheet.font(12), colors.muted, side)
        draw_parts(sight, theme, [copy])
        self._draw_copy(sight, copy)

    copied = False
    """Said for a moment after it was copied."""

    def _draw_copy(self, sight: Sight, copy: Part) -> None:
        theme, icon = self.sheet.theme, self.sheet.theme.px(14)
        rect = copy.rect.adjusted(theme.px(6), 0, -theme.px(6), 0)
        picture = QRect(rect.x(), rect.center().y() - icon // 2 + 1, icon, icon)
        words = rect.adjusted(icon + theme.px(6), 0, 0, 0)
        if self.sheet.mirrored:
            picture.moveRight(rect.right())
            words = rect.adjusted(0, 0, -icon - theme.px(6), 0)
        draw_icon(sight.painter, self.sheet, "check" if self.copied else "copy", "muted", picture)
        draw_text(sight.painter, words, copy.name, self.sheet.font(12), theme.colors.muted)

    def parts(self) -> list[Part]:
        theme = self.sheet.theme
        name = _("Copied") if self.copied else _("Copy")
        width = width_of(name, self.sheet.font(12)) + theme.px(14 + 6 + 12) + 2
        rect = QRect(self.width - width - theme.px(6), theme.px(2), width, self._head() - theme.px(5))
        return [Part("copy", "", self.sheet.place(rect, self.width), name)]

    def source(self) -> str:
        """Return the code as it was written, for the clipboard."""
        return encodable(self.piece.text())

    def markdown(self, start: int, end: int) -> str:
        if start > 0 or end < self.length:
            return self.plain(start, end)
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", self.source())), default=0))
        indent = "   " * self.piece.depth
        whole = f"{fence}{self.piece.language}\n{self.source()}\n{fence}"
        return indent + whole.replace("\n", "\n" + indent)


class Table(DocumentBlock):
    """A table or, of a long one, some of its rows; the columns of all of them stand in one line."""

    kind = "table"

    def __init__(self, sheet: Sheet, piece: Piece, before: Table | None) -> None:
        super().__init__(sheet)
        goes_on = before is not None and piece.head is not None
        self._lead: Table | None = (before._lead or before) if before is not None and goes_on else None
        """The first part of a long table, whose columns count for all."""
        self._natural: list[int] | None = None
        self._shift = 0
        self.take(piece)

    def take(self, piece: Piece) -> None:
        """Show this state of a growing piece."""
        source = "\n".join([*(piece.head or ()), *piece.lines])
        if self.width >= 0 and source == self._source:
            return
        self.further, self._source, self.joined = piece.head is not None, source, piece.joined
        self._natural = None
        known = self.height
        self.change()
        self.height = max(known, len(piece.lines) * self.sheet.theme.px(38))

    _source = ""

    def _make(self) -> Document:
        document = markdown_document(self._source, self.sheet)
        width = self.width if self.width > 0 else self.sheet.width
        for table in tables(document):
            if self._lead is None and self._natural is None:
                self._natural = self._widths(document)
            style_table(table, self.sheet, fitted(self.natural(), width, self.sheet.theme.px(64)))
            if self.further:
                table.removeRows(0, 1)
        return document

    def natural(self) -> list[int]:
        """Return how wide the columns would like to be; those of the first part count for all."""
        if self._lead is not None:
            return self._lead.natural()
        if self._natural is None:
            self._natural = self._widths(markdown_document(self._source, self.sheet))
        return self._natural

    def _widths(self, document: QTextDocument) -> list[int]:
        theme = self.sheet.theme
        text, bold = QFontMetrics(self.sheet.font()), QFontMetrics(self.sheet.font(weight=600))
        mono = QFontMetrics(self.sheet.font(13, mono=True))
        widths: list[int] = []
        for table in tables(document):
            widths = [0] * table.columns()
            for row in range(table.rows()):
                for column in range(table.columns()):
                    block = table.cellAt(row, column).firstCursorPosition().block()
                    spans = block.textFormats()
                    fixed = any(span.format.fontFixedPitch() for span in spans)
                    metrics = mono if fixed else bold if row == 0 else text
                    wide = metrics.horizontalAdvance(block.text()[:200]) + 2 * theme.s12 + 4
                    widths[column] = max(widths[column], wide)
        return widths

    def _lay_out(self, width: int) -> int:
        self.drop()
        return round(self.document.size().height()) + 1

    def _wide(self) -> int:
        return max(self.width, int(self.document.size().width()) + 1)

    def scroll(self, by: int) -> bool:
        before = self._shift
        self._shift = max(0, min(self._shift + by, self._wide() - self.width))
        return self._shift != before

    def _room(self, width: int) -> QRect:
        return QRect(-self._shift, 0, width, 0)

    def _rise(self) -> float:
        return 0.0

    def paint(self, sight: Sight) -> None:
        sight.painter.save()
        sight.painter.setClipRect(0, 0, self.width, self.height, Qt.ClipOperation.IntersectClip)
        super().paint(sight)
        sight.painter.restore()

    def markdown(self, start: int, end: int) -> str:
        if start <= 0 and end >= self.length:
            return encodable(self._source.split("\n", 2)[2] if self.further else self._source)
        return self.plain(start, end)


def fitted(natural: Sequence[int], room: int, least: int) -> list[int]:
    """Return column widths for `room`: the widest give way first, none becomes narrower than `least`."""
    if sum(natural) <= room:
        return list(natural)
    left, widths = room, list(natural)
    order = sorted(range(len(natural)), key=lambda index: natural[index])
    for done, index in enumerate(order):
        share = left // (len(order) - done)
        widths[index] = min(natural[index], max(share, least))
        left -= widths[index]
    return widths

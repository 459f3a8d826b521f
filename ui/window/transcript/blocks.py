"""What all blocks can do: measure, paint and select themselves, and give their text plain and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QPalette,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
)

from ui.window.transcript.documents import BODY, Document, to_markdown
from ui.window.transcript.mono import cursor_x, units
from ui.window.transcript.painting import (
    Part,
    Sheet,
    Sight,
    draw_parts,
    mark_color,
    selection_color,
)


class Block:
    """A block of a message. Heights and widths are whole device-independent pixels."""

    kind = ""
    """Which gaps it keeps: see `rows.gap`."""
    joined = False
    """It continues the block before without a gap."""
    further = False
    """It is a further item of a list."""
    length = 0
    """How many positions can be selected."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.height = 0
        self.width = -1
        """The width that `height` is right for, -1 when it is a guess."""

    def measure(self, width: int) -> int:
        """Lay out for a width, unless that was done, and return the height."""
        if width != self.width:
            self.width = width
            self.height = self._lay_out(width)
        return self.height

    def change(self) -> None:
        """Forget the layout, since what is shown has changed; the old height stays as a guess."""
        self.width = -1
        self.drop()

    def drop(self) -> None:
        """Free what can be made again; the height stays right."""

    def _lay_out(self, width: int) -> int:
        raise NotImplementedError

    def paint(self, sight: Sight) -> None:
        """Paint the block at the painter's origin."""
        raise NotImplementedError

    def changed_from(self) -> int:
        """Return how far from its top what changed begins, in pixels, since this was asked the last time."""
        return 0

    def parts(self) -> list[Part]:
        """Return what can be pressed, in reading order. Only for a block that is measured."""
        return []

    def scroll(self, by: int) -> bool:
        """Scroll wide content sideways; tell whether it moved."""
        return False

    def text(self) -> str:
        """Return what is shown as plain text."""
        return ""

    def found(self, needle: re.Pattern[str]) -> list[tuple[int, int]]:
        """Return the positions of what a search finds."""
        return []

    def position(self, x: float, y: float) -> int:
        """Return the position nearest to a point."""
        return 0

    def extent(self, position: int) -> tuple[int, int]:
        """Return the upper and lower edge of the line with a position."""
        return 0, self.height

    def word(self, position: int) -> tuple[int, int]:
        """Return the word at a position."""
        return 0, self.length

    def paragraph(self, position: int) -> tuple[int, int]:
        """Return the paragraph at a position."""
        return 0, self.length

    def markdown(self, start: int, end: int) -> str:
        """Return what lies between two positions as Markdown, ready for the clipboard."""
        return ""

    def plain(self, start: int, end: int) -> str:
        """Return what lies between two positions without marks."""
        return ""


class DocumentBlock(Block):
    """A block whose text is a QTextDocument that lives while it is near the visible part."""

    def __init__(self, sheet: Sheet) -> None:
        super().__init__(sheet)
        self._document: Document | None = None
        self._parts: list[Part] | None = None

    def _make(self) -> Document:
        raise NotImplementedError

    def _room(self, width: int) -> QRect:
        """Return where the text stands for a width of the block; the height does not count."""
        return QRect(0, 0, width, 0)

    @property
    def document(self) -> Document:
        """The document, laid out for the block's width."""
        if self._document is None:
            self._document = self._make()
            self._document.setTextWidth(
                self._room(self.width if self.width > 0 else self.sheet.width).width()
            )
        return self._document

    @property
    def length(self) -> int:  # type: ignore[override]
        """See Block."""
        return self.document.characterCount() - 1

    def drop(self) -> None:
        self._document = self._parts = None

    def _lay_out(self, width: int) -> int:
        self._parts = None
        if self._document is not None:
            self._document.setTextWidth(self._room(width).width())
        return round(self.document.size().height()) + 2 * self._room(width).y()

    def paint(self, sight: Sight) -> None:
        room = self._room(self.width)
        context = QAbstractTextDocumentLayout.PaintContext()
        context.palette.setColor(QPalette.ColorRole.Text, self._color())
        # A little more than the strip: Qt leaves out lines of which only the ground reaches into it.
        edge = self.sheet.theme.s24
        strip = QRectF(-room.x(), sight.top - room.y(), self.width, sight.bottom - sight.top)
        context.clip = strip.adjusted(0, -edge, 0, edge)
        context.selections = list(self._selections(sight))
        self.document.size()  # a document that was dropped and made anew lays out its lines only now
        sight.painter.save()
        sight.painter.translate(room.x(), room.y() + self._rise())
        self._under(sight)
        self.document.documentLayout().draw(sight.painter, context)
        sight.painter.restore()
        draw_parts(
            sight,
            self.sheet.theme,
            [part for part in self.parts() if part.act != "link" or part.key == sight.focus],
        )

    def _rise(self) -> float:
        """Qt puts the room of a line above its text; half of it belongs below."""
        return -self.sheet.theme.px(BODY[1] - 17) / 2  # Inter needs 17 pixels at its size of 14

    def _color(self) -> QColor:
        return self.sheet.theme.colors.text

    def _under(self, sight: Sight) -> None:
        """Paint what lies under the text."""

    def _selections(self, sight: Sight) -> Iterator[QAbstractTextDocumentLayout.Selection]:
        theme = self.sheet.theme
        veils = [(start, end, mark_color(theme, current)) for start, end, current in sight.marks]
        if sight.selection is not None:
            veils.append((*sight.selection, selection_color(theme)))
        for start, end, color in veils:
            selection = QAbstractTextDocumentLayout.Selection()
            cursor = QTextCursor(self.document)
            cursor.setPosition(min(start, self.length))
            cursor.setPosition(min(end, self.length), QTextCursor.MoveMode.KeepAnchor)
            selection.cursor = cursor
            wanted = QTextCharFormat()
            wanted.setBackground(color)
            wanted.setForeground(theme.colors.text)  # muted text would be too faint on it
            selection.format = wanted
            yield selection

    def parts(self) -> list[Part]:
        if self._parts is None:
            self._parts = list(self._links())
        return self._parts

    def _links(self) -> Iterator[Part]:
        if not self.document.linked:
            return
        room, block, count = self._room(self.width), self.document.begin(), 0
        self.document.size()
        while block.isValid():
            for span in block.textFormats():
                if span.format.isAnchor():
                    count += 1
                    for rect in self._rects(block, span.start, span.start + span.length):
                        place = rect.translated(room.topLeft()).adjusted(-3, -1, 3, 1)
                        name = block.text()[span.start : span.start + span.length]
                        yield Part("link", span.format.anchorHref(), place, name, radius=4, count=count)
            block = block.next()

    def _rects(self, block: QTextBlock, start: int, end: int) -> Iterator[QRect]:
        layout = block.layout()
        origin = self.document.documentLayout().blockBoundingRect(block).topLeft()
        while start < end:
            line = layout.lineForTextPosition(start)
            if not line.isValid():
                return
            stop = min(end, line.textStart() + line.textLength())
            left, right = sorted((cursor_x(line.cursorToX(start)), cursor_x(line.cursorToX(stop))))
            top = origin.y() + line.y()
            yield QRectF(origin.x() + left, top, right - left, line.height()).toAlignedRect()
            start = max(stop, start + 1)

    def text(self) -> str:
        return self.document.toPlainText()

    def found(self, needle: re.Pattern[str]) -> list[tuple[int, int]]:
        text = self.text()
        return [(units(text, match.start()), units(text, match.end())) for match in needle.finditer(text)]

    def position(self, x: float, y: float) -> int:
        room = self._room(self.width)
        point = QPointF(x - room.x(), y - room.y())
        hit: int = self.document.documentLayout().hitTest(point, Qt.HitTestAccuracy.FuzzyHit)
        return max(0, min(hit, self.length))

    def extent(self, position: int) -> tuple[int, int]:
        block = self.document.findBlock(position)
        rect = next(self._rects(block, position - block.position(), position - block.position() + 1), None)
        y = self._room(self.width).y()
        return (y + rect.top(), y + rect.bottom() + 1) if rect is not None else (0, self.height)

    def _select(self, position: int, kind: QTextCursor.SelectionType) -> tuple[int, int]:
        cursor = QTextCursor(self.document)
        cursor.setPosition(min(position, self.length))
        cursor.select(kind)
        return cursor.selectionStart(), cursor.selectionEnd()

    def word(self, position: int) -> tuple[int, int]:
        return self._select(position, QTextCursor.SelectionType.WordUnderCursor)

    def paragraph(self, position: int) -> tuple[int, int]:
        return self._select(position, QTextCursor.SelectionType.BlockUnderCursor)

    def markdown(self, start: int, end: int) -> str:
        return to_markdown(self.document, start, end)

    def plain(self, start: int, end: int) -> str:
        return to_markdown(self.document, start, end, marks=False)

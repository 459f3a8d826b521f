"""What all blocks are painted with: the sheet they share, parts to press, and the shapes of the design."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QGuiApplication,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QTextLayout,
    QTextOption,
)

from app.records import Problem, Record
from ui.window.theme import Theme
from ui.window.theme.icons import pixmap
from ui.window.transcript.gallery import Gallery
from ui.window.transcript.highlight import Highlighter
from ui.window.transcript.legible import legible

TAIL = 4.0
"""Radius of the corner of a bubble that points to its speaker."""

Words = tuple[str, str, str, str]
"""A problem in words: title, detail, action, label of its button."""


@dataclass
class Sheet:
    """What is the same for all blocks of a view; the view owns it and changes it."""

    theme: Theme
    highlighter: Highlighter
    words: Callable[[Problem], Words]
    width: int = 600
    """Of the reading column, in device-independent pixels."""
    letters: int = 80
    """About how many letters stand in a line of the column, and the height of a line, for guesses."""
    line: int = 21
    mirrored: bool = False
    """The language of the window reads from right to left."""
    gallery: Gallery = field(default_factory=Gallery)

    def fit(self, width: int) -> None:
        """Take the width of the reading column."""
        self.width, self.line = width, self.theme.px(21)
        self.letters = max(20, width // self.theme.px(7))

    _fonts: dict[tuple[float, int, bool], QFont] = field(default_factory=dict)
    _icons: dict[tuple[str, str, int, float], QPixmap] = field(default_factory=dict)
    """Pixels, and no QIcons: those end with Python's own engine behind them, which may have gone by then."""
    _cells: dict[float, float] = field(default_factory=dict)

    def restyle(self, theme: Theme) -> None:
        """Take another theme."""
        self.theme = theme
        self._fonts.clear()
        self._icons.clear()
        self._cells.clear()

    def font(self, px: float = 14, weight: int = 400, mono: bool = False) -> QFont:
        """Return a font of the theme; making one anew for each word costs more than painting it."""
        key = (px, weight, mono)
        if key not in self._fonts:
            self._fonts[key] = self.theme.font(px, weight, mono)
        return self._fonts[key]

    def cell(self, px: float) -> float:
        """Return the width of a character in the font of code, in pixels."""
        if px not in self._cells:
            self._cells[px] = QFontMetricsF(self.font(px, mono=True)).horizontalAdvance("0")
        return self._cells[px]

    def icon(self, name: str, role: str, side: int, ratio: float) -> QPixmap:
        """Return an icon of the theme, `side` device-independent pixels wide, for a screen of this pixel
        ratio; see `font`.
        """
        key = (name, role, side, ratio)
        if key not in self._icons:
            mirrored = QGuiApplication.isRightToLeft()
            self._icons[key] = pixmap(name, self.theme.color(role), side, ratio, mirrored)
        return self._icons[key]

    def place(self, rect: QRect, width: int) -> QRect:
        """Return the rectangle on the side where it stands in this language; `width` is that of the block."""
        if not self.mirrored:
            return rect
        return QRect(width - rect.x() - rect.width(), rect.y(), rect.width(), rect.height())


class Part(Record):
    """Something in a block that can be pressed."""

    act: str
    """copy, toggle, more, undo, review, deny, remedy, attachment or link."""
    value: str
    rect: QRect
    """In the coordinates of the block."""
    name: str
    """For screen readers and tooltips."""
    radius: int = 6
    count: int = 0
    """Tells apart parts that do the same, such as two links to one page."""

    @property
    def key(self) -> tuple[str, str, int]:
        """What stays the same when the block is laid out again."""
        return self.act, self.value, self.count


class Sight(msgspec.Struct):
    """One block's view of a paint event: the painter stands at the block's upper left corner."""

    painter: QPainter
    top: int
    """Where the visible strip begins, in the block's coordinates; `bottom` where it ends."""
    bottom: int
    selection: tuple[int, int] | None = None
    marks: list[tuple[int, int, bool]] = msgspec.field(default_factory=list)
    """Found words: start, end, and whether it is the one that find stands on."""
    hover: tuple[str, str, int] | None = None
    """Key of the part under the pointer; `focus` of the one that has the keyboard."""
    focus: tuple[str, str, int] | None = None
    pressed: bool = False


def selection_color(theme: Theme) -> QColor:
    """Return the veil over selected text: the accent, thin enough that text keeps its contrast."""
    color = QColor(theme.colors.accent)
    color.setAlphaF(0.34 if theme.dark else 0.22)
    return color


def mark_color(theme: Theme, current: bool) -> QColor:
    """Return the veil over a found word."""
    color = QColor(theme.colors.caution)
    color.setAlphaF((0.42 if theme.dark else 0.55) if current else 0.25)
    return color


def shape(rect: QRectF, radii: tuple[float, float, float, float]) -> QPainterPath:
    """Return a rectangle with its own radius at upper left, upper right, lower right and lower left."""
    a, b, c, d = radii
    path = QPainterPath(QPointF(rect.left() + a, rect.top()))
    for corner, radius, begin, angle in (
        (rect.topRight(), b, QPointF(rect.right() - b, rect.top()), 90),
        (rect.bottomRight(), c, QPointF(rect.right(), rect.bottom() - c), 0),
        (rect.bottomLeft(), d, QPointF(rect.left() + d, rect.bottom()), 270),
        (rect.topLeft(), a, QPointF(rect.left(), rect.top() + a), 180),
    ):
        path.lineTo(begin)
        if radius:
            x = corner.x() - (2 * radius if angle in (90, 0) else 0)
            y = corner.y() - (2 * radius if angle in (0, 270) else 0)
            path.arcTo(QRectF(x, y, 2 * radius, 2 * radius), angle, -90)
    path.closeSubpath()
    return path


def fill_card(
    painter: QPainter,
    rect: QRect,
    fill: QColor,
    line: QColor | None,
    radius: float,
    *,
    top: bool = True,
    bottom: bool = True,
    tail: str = "",
) -> None:
    """Fill a card; without `top` or `bottom` it goes on there. `tail`: the side of its small lower corner."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    half = 0.5 if line is not None else 0.0
    edge = QRectF(rect).adjusted(half, half if top else -radius, -half, -half if bottom else radius)
    painter.save()
    painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
    painter.setPen(QPen(line, 1) if line is not None else Qt.PenStyle.NoPen)
    painter.setBrush(fill)
    if tail:
        upper, lower = (radius if top else 0.0), (radius if bottom else 0.0)
        right, left = (min(lower, TAIL) if tail == side else lower for side in ("right", "left"))
        painter.drawPath(shape(edge, (upper, upper, right, left)))
    else:  # corners that are not to be seen lie outside the clip
        painter.drawRoundedRect(edge, radius, radius)
    painter.restore()


def draw_text(
    painter: QPainter,
    rect: QRect,
    text: str,
    font: QFont,
    color: QColor,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> int:
    """Draw one line, elided in its middle of the height; return the width that it took."""
    shown = elided(text, font, rect.width())
    painter.setFont(font)
    painter.setPen(color)
    where = align | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
    painter.drawText(rect, where | Qt.TextFlag.TextSingleLine, shown)
    return width_of(shown, font)


class Wrapped:
    """Text that wraps at a width, between words where it can, with a line height of its own.

    `right` is the direction of the interface: no name of another script turns a sentence round.
    """

    def __init__(self, text: str, font: QFont, width: int, line: int, *, right: bool = False) -> None:
        self.line = line
        self._layout = QTextLayout(legible(text).replace("\n", "\u2028"), font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTextDirection(Qt.LayoutDirection.RightToLeft if right else Qt.LayoutDirection.LeftToRight)
        if right:
            option.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
        self._layout.setTextOption(option)
        self._layout.beginLayout()
        y = 0.0
        while (row := self._layout.createLine()).isValid():
            row.setLineWidth(max(20, width))
            row.setPosition(QPointF(0, y + (line - row.height()) / 2))
            y += line
        self._layout.endLayout()
        self.height = round(y)

    def draw(self, painter: QPainter, x: int, y: int, color: QColor) -> None:
        """Draw it with its upper left corner here."""
        painter.setPen(color)
        self._layout.draw(painter, QPointF(x, y))


def elided(text: str, font: QFont, width: int) -> str:
    """Return one line of the text that fits in `width`, made safe to draw."""
    line = legible(" ".join(text[:2000].split()))
    return QFontMetrics(font).elidedText(line, Qt.TextElideMode.ElideRight, max(0, width))


def width_of(text: str, font: QFont) -> int:
    """Return the width of a line in whole pixels."""
    return QFontMetrics(font).horizontalAdvance(text)


def draw_icon(painter: QPainter, sheet: Sheet, name: str, role: str, rect: QRect) -> None:
    """Draw an icon as large as the rectangle allows."""
    side = min(rect.width(), rect.height())
    corner = QPoint(rect.x() + (rect.width() - side) // 2, rect.y() + (rect.height() - side) // 2)
    painter.drawPixmap(corner, sheet.icon(name, role, side, painter.device().devicePixelRatio()))


def draw_veil(painter: QPainter, theme: Theme, rect: QRect, radius: int, *, pressed: bool = False) -> None:
    """Show that the pointer is over a part."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colors.pressed if pressed else theme.colors.hover)
    painter.drawRoundedRect(rect, radius, radius)


def draw_ring(painter: QPainter, theme: Theme, rect: QRect, radius: int) -> None:
    """Show which part has the keyboard: a ring of two pixels."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.colors.accent, 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), radius, radius)


def draw_parts(sight: Sight, theme: Theme, parts: list[Part]) -> None:
    """Draw the veil and the ring of the parts of a block."""
    for part in parts:
        if part.key == sight.hover:
            draw_veil(sight.painter, theme, part.rect, part.radius, pressed=sight.pressed)
        if part.key == sight.focus:
            draw_ring(sight.painter, theme, part.rect, part.radius)


def draw_button(sight: Sight, sheet: Sheet, part: Part, *, main: bool) -> None:
    """Draw a button of a card with its name as label."""
    theme, colors, painter = sheet.theme, sheet.theme.colors, sight.painter
    hovered = part.key == sight.hover
    fill = (colors.accent_hover if hovered else colors.accent) if main else colors.surface
    fill_card(painter, part.rect, fill, fill if main else colors.line, theme.r_control)
    if hovered and not main:
        draw_veil(painter, theme, part.rect, theme.r_control, pressed=sight.pressed)
    color = colors.on_accent if main else colors.text
    draw_text(painter, part.rect, part.name, sheet.font(13, 500), color, Qt.AlignmentFlag.AlignHCenter)
    if part.key == sight.focus:
        around = part.rect.adjusted(-3, -3, 3, 3)
        draw_ring(painter, theme, around, theme.r_control + 3)


def button_width(sheet: Sheet, label: str) -> int:
    """Return how wide a button with this label is."""
    side = sheet.theme.px(15)
    return max(sheet.theme.px(62), width_of(label, sheet.font(13, 500)) + 2 * side)

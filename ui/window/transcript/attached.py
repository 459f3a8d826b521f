"""What a message of the person brings, below its words: pictures as they look, files and folders by name."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainterPath

from app.attachment_records import Attachment
from app.records import Picture
from ui.attachment_words import what_text
from ui.window.transcript.blocks import Block
from ui.window.transcript.legible import legible
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
from ui.words import _

_ICONS = {"file": "file-text", "folder": "folder", "picture": "image"}
CHIP, WIDEST = 36, 260
"""Height of a chip and its most width, in pixels of the design."""
TALL, SMALLEST, LARGEST = 112, 56, 240
"""Height of a picture, and between which widths it stands."""


class Attached(Block):
    """Lines of pictures and chips at the far side; each opens when it is pressed."""

    kind = "attached"
    tall, largest = TALL, LARGEST
    near = False
    """It stands where answers begin."""

    def __init__(self, sheet: Sheet, attached: tuple[Attachment, ...]) -> None:
        super().__init__(sheet)
        self.attached = attached
        self._places: list[QRect] = []
        self.height = self._lay_out(sheet.width)

    def attachment(self, part: Part) -> Attachment:
        """Return what a part of the block stands for."""
        return self.attached[part.count]

    def _size(self, one: Attachment, width: int) -> tuple[int, int]:
        """Return width and height of what shows one attachment, the same before its picture has come."""
        theme = self.sheet.theme
        if one.picture is None:
            words = width_of(self._title(one), self.sheet.font(13)) + theme.px(18 + 3 * 10) + 2
            return min(words, theme.px(WIDEST), width), theme.px(CHIP)
        tall = theme.px(self.tall)
        shape = one.picture.width / max(1, one.picture.height)
        wide = round(max(theme.px(SMALLEST), min(theme.px(self.largest), tall * shape)))
        return min(wide, width), tall

    def _title(self, one: Attachment) -> str:
        return legible(" ".join(one.title.split()))

    def _lay_out(self, width: int) -> int:
        """Fill lines from the far side, in reading order, each as tall as its tallest."""
        gap, most = self.sheet.theme.s8, max(80, round(width * 0.77))
        lines: list[list[tuple[int, int]]] = []
        room = 0
        for one in self.attached:
            wide, tall = self._size(one, most)
            if not lines or room + gap + wide > most:
                lines.append([])
                room = -gap
            lines[-1].append((wide, tall))
            room += gap + wide
        self._places, y = [], 0
        for line in lines:
            x = 0 if self.near else width - sum(wide for wide, _tall in line) - gap * (len(line) - 1)
            height = max(tall for _wide, tall in line)
            for wide, tall in line:
                self._places.append(self.sheet.place(QRect(x, y + height - tall, wide, tall), width))
                x += wide + gap
            y += height + gap
        return max(0, y - gap)

    def parts(self) -> list[Part]:
        radius = self.sheet.theme.r_card
        return [
            Part("attachment", one.name, place, self._spoken(one), radius=radius, count=at)
            for at, (one, place) in enumerate(zip(self.attached, self._places, strict=True))
        ]

    def _spoken(self, one: Attachment) -> str:
        words = _("Show {name}, {kind}").replace("{kind}", what_text(one.kind, 0).lower())
        return words.replace("{name}", self._title(one))

    def paint(self, sight: Sight) -> None:
        for one, place in zip(self.attached, self._places, strict=True):
            if place.bottom() >= sight.top and place.top() <= sight.bottom:
                self._paint_one(sight, one, place)
        draw_parts(sight, self.sheet.theme, self.parts())

    def _paint_one(self, sight: Sight, one: Attachment, place: QRect) -> None:
        theme, painter = self.sheet.theme, sight.painter
        fill_card(painter, place, theme.colors.surface, theme.colors.line, theme.r_card)
        image = self.sheet.gallery.image(one.picture) if one.picture is not None else None
        if image is not None:
            painter.save()
            shape = QPainterPath()
            shape.addRoundedRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), theme.r_card, theme.r_card)
            painter.setClipPath(shape, Qt.ClipOperation.IntersectClip)
            cover = image.size().scaled(place.size(), Qt.AspectRatioMode.KeepAspectRatioByExpanding)
            where = QRect(0, 0, cover.width(), cover.height())
            where.moveCenter(place.center())
            painter.setRenderHint(painter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(where, image)
            painter.restore()
            painter.setPen(theme.colors.line)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(shape)
            return
        side, inset = theme.px(18), theme.px(10)
        if one.picture is not None:
            middle = QRect(0, 0, side, side)
            middle.moveCenter(place.center())
            draw_icon(painter, self.sheet, "image", "muted", middle)
            return
        within = QRect(inset, (place.height() - side) // 2, side, side)
        icon = self.sheet.place(within, place.width()).translated(place.topLeft())
        draw_icon(painter, self.sheet, _ICONS[one.kind], "muted", icon)
        room = QRect(2 * inset + side, 0, place.width() - 3 * inset - side, place.height())
        words = self.sheet.place(room, place.width()).translated(place.topLeft())
        align = Qt.AlignmentFlag.AlignRight if self.sheet.mirrored else Qt.AlignmentFlag.AlignLeft
        font = self.sheet.font(13)
        title = QFontMetrics(font).elidedText(self._title(one), Qt.TextElideMode.ElideMiddle, words.width())
        draw_text(painter, words, title, font, theme.colors.text, align)

    def text(self) -> str:
        return _("Attached: {names}").replace("{names}", ", ".join(map(self._title, self.attached)))

    def markdown(self, start: int, end: int) -> str:
        return "\n\n".join(one.part for one in self.attached)

    def plain(self, start: int, end: int) -> str:
        return self.text()


class Pictured(Attached):
    """The pictures of a tool's result, as they are kept; nothing is loaded from elsewhere."""

    tall, largest = 200, 420
    near = True

    def __init__(self, sheet: Sheet, pictures: tuple[Picture, ...]) -> None:
        attached = [
            Attachment(kind="picture", name=one.name, part=_mark(one), picture=one) for one in pictures
        ]
        super().__init__(sheet, tuple(attached))

    def text(self) -> str:
        return ", ".join(map(self._title, self.attached))


def _mark(picture: Picture) -> str:
    return f"[{_('Picture')}: {picture.name}]"

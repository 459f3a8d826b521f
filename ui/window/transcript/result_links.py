"""A page that a tool found: title, host and excerpt. It opens when it is pressed, never before."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics

from ui.result_views import LinkSeen
from ui.window.transcript.legible import legible
from ui.window.transcript.painting import Part, Sheet, Sight, Wrapped, draw_ring, draw_text, draw_veil
from ui.window.transcript.tool_rows import InCard

FIRST_LINKS = 6
_LINES = 2
"""Of the excerpt."""


class LinkRow(InCard):
    """Title, host and date, and at most two lines of an excerpt."""

    kind = "tool"

    def __init__(self, sheet: Sheet, link: LinkSeen, number: int) -> None:
        super().__init__(sheet)
        self.link, self._number = link, number
        self._excerpt: Wrapped | None = None
        self.height = sheet.theme.px(54 + (34 if link.text else 0))

    def _lay_out(self, width: int) -> int:
        theme, font = self.sheet.theme, self.sheet.font(12)
        room, line = self._room(width).width(), theme.px(18)
        self._excerpt = None
        if self.link.text:
            text = cut_to(self.link.text, QFontMetrics(font), int(room * (_LINES - 0.15)))
            self._excerpt = Wrapped(text, font, room, line, right=self.sheet.mirrored)
        return theme.px(8 + 20 + 18 + 8) + (self._excerpt.height if self._excerpt else 0)

    def _room(self, width: int) -> QRect:
        theme = self.sheet.theme
        return QRect(theme.px(39), 0, max(60, width - theme.px(39 + 14)), 0)

    def parts(self) -> list[Part]:
        if not self.link.host:
            return []
        whole = QRect(0, 0, self.width, self.height)
        name = f"{legible(self.link.title)}, {self.link.host}"
        radius = self.sheet.theme.r_control
        return [Part("link", self.link.url, whole, name, radius=radius, count=self._number)]

    def paint(self, sight: Sight) -> None:
        theme, colors, painter = self.sheet.theme, self.sheet.theme.colors, sight.painter
        self._card(sight)
        parts = self.parts()
        inside = QRect(1, 1, self.width - 2, self.height - 2)
        if parts and parts[0].key == sight.hover:
            draw_veil(painter, theme, inside, theme.r_control, pressed=sight.pressed)
        room = self._room(self.width)
        near = Qt.AlignmentFlag.AlignRight if self.sheet.mirrored else Qt.AlignmentFlag.AlignLeft
        place, width = self.sheet.place, self.width
        number = QRect(theme.px(14), theme.s8, theme.px(21), theme.px(20))
        far = Qt.AlignmentFlag.AlignRight if self.sheet.mirrored else Qt.AlignmentFlag.AlignLeft
        draw_text(painter, place(number, width), str(self._number), self.sheet.font(12), colors.muted, far)
        title = QRect(room.x(), theme.s8, room.width(), theme.px(20))
        color = colors.accent if parts else colors.text
        draw_text(painter, place(title, width), self.link.title, self.sheet.font(13, 500), color, near)
        host = QRect(room.x(), theme.px(28), room.width(), theme.px(18))
        draw_text(painter, place(host, width), self._where(), self.sheet.font(12), colors.muted, near)
        if self._excerpt is not None:
            self._excerpt.draw(painter, place(room, width).x(), theme.px(46), colors.text)
        if parts and parts[0].key == sight.focus:
            draw_ring(painter, theme, inside, theme.r_control)

    def _where(self) -> str:
        host = self.link.host.removeprefix("www.") or self.link.url
        return " \u00b7 ".join(filter(None, (host, self.link.date)))

    def text(self) -> str:
        return "\n".join(filter(None, (self.link.title, self._where(), self.link.text)))

    def plain(self, start: int, end: int) -> str:
        return f"{self.link.title}\n{self.link.url}"

    def markdown(self, start: int, end: int) -> str:
        title = self.link.title.replace("[", "\\[").replace("]", "\\]")
        return f"- [{title}](<{self.link.url}>)"


def cut_to(text: str, metrics: QFontMetrics, room: int) -> str:
    """Return as much of a text as two lines hold, ending between words and in an ellipsis where it is cut."""
    line = legible(text[:600])
    if metrics.horizontalAdvance(line) <= room:
        return line
    shown = metrics.elidedText(line, Qt.TextElideMode.ElideRight, room).removesuffix("\u2026")
    return (shown.rpartition(" ")[0] or shown).rstrip(" ,;.") + "\u2026"


def listed(links: tuple[LinkSeen, ...]) -> str:
    """Return links as text for the clipboard."""
    return "\n\n".join(f"{link.title}\n{link.url}" for link in links)

"""A helper in the card of the call that started it: its task, how it gets on, the way to its transcript."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt

from ui.window.transcript.helpers_seen import HelperSeen
from ui.window.transcript.painting import (
    Part,
    Sheet,
    Sight,
    draw_icon,
    draw_ring,
    draw_text,
    draw_veil,
    width_of,
)
from ui.window.transcript.tool_rows import InCard
from ui.words import _

GLYPHS = {
    "running": ("loader-circle", "accent"),
    "done": ("check", "good"),
    "early": ("circle-alert", "caution"),
}


class HelperRow(InCard):
    """Two lines: the task, and what the helper does or how it ended. All of it opens the transcript."""

    kind = "tool"

    def __init__(self, sheet: Sheet) -> None:
        super().__init__(sheet)
        self.seen = HelperSeen("", "", "running")
        self.height = self._lay_out(0)

    def _lay_out(self, width: int) -> int:
        return self.sheet.theme.px(54)

    def parts(self) -> list[Part]:
        words = f"{self.text()}. {_('Open what it did')}"
        whole = QRect(0, 0, self.width, self.height)
        return [Part("helper", self.seen.session, whole, words, radius=self.sheet.theme.r_control)]

    def paint(self, sight: Sight) -> None:
        theme, colors, painter = self.sheet.theme, self.sheet.theme.colors, sight.painter
        place, width = self.sheet.place, self.width
        self._card(sight)
        part = self.parts()[0]
        inside = part.rect.adjusted(1, 1, -1, -1)
        if part.key == sight.hover:
            draw_veil(painter, theme, inside, theme.r_control, pressed=sight.pressed)
        side, line = theme.px(16), theme.px(19)
        upper = theme.px(9)
        name, role = GLYPHS[self.seen.state]
        glyph = QRect(theme.px(39), upper + (line - side) // 2, side, side)
        draw_icon(painter, self.sheet, name, role, place(glyph, width))
        font, opens = self.sheet.font(12), _("Open")
        size = width_of(opens, font) + 1
        end = QRect(width - theme.px(14) - size, 0, size, self.height)
        draw_text(painter, place(end, width), opens, font, colors.accent)
        near = Qt.AlignmentFlag.AlignRight if self.sheet.mirrored else Qt.AlignmentFlag.AlignLeft
        left = theme.px(66)
        room = max(0, end.left() - theme.s12 - left)
        for top, words, type_, color in (
            (upper, self.seen.task, self.sheet.font(13, 500), colors.text),
            (upper + line, self.seen.words(), font, colors.muted),
        ):
            draw_text(painter, place(QRect(left, top, room, line), width), words, type_, color, near)
        if part.key == sight.focus:
            draw_ring(painter, theme, inside, theme.r_control)

    def text(self) -> str:
        return f"{self.seen.task}: {self.seen.words()}"

    def plain(self, start: int, end: int) -> str:
        return self.text()

    def markdown(self, start: int, end: int) -> str:
        return f"  - {self.text()}"

"""The head of a result that is drawn: what it is, the way to its text as the model got it, and Copy."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt

from ui.window.transcript.painting import Part, Sheet, Sight, Wrapped, draw_parts, draw_text, width_of
from ui.window.transcript.tool_rows import InCard
from ui.words import _

_LINES = 14
"""Lines of a preface that are shown."""


class ResultHead(InCard):
    """One quiet line over a table, links or differences."""

    kind = "pane"
    copied = False
    """Said for a moment after it was copied."""

    def __init__(self, sheet: Sheet, title: str, source: str, other: str) -> None:
        """`source` is what Copy puts on the clipboard; `other` the key that shows the text instead."""
        super().__init__(sheet)
        self.title, self._source, self._other = title, source, other
        self.height = sheet.theme.px(32)

    def _lay_out(self, width: int) -> int:
        return self.sheet.theme.px(32)

    def source(self) -> str:
        """Return what is drawn below as text for the clipboard."""
        return self._source

    def parts(self) -> list[Part]:
        copy = _("Copied") if self.copied else _("Copy")
        wanted = [("copy", "view", copy), ("toggle", self._other, _("As text"))]
        return end_parts(self.sheet, wanted, self.width)[::-1]

    def paint(self, sight: Sight) -> None:
        theme, colors = self.sheet.theme, self.sheet.theme.colors
        self._card(sight)
        parts = self.parts()
        draw_parts(sight, theme, parts)
        room = QRect(theme.px(14), theme.px(2), self.width // 2, theme.px(28))
        side = Qt.AlignmentFlag.AlignRight if self.sheet.mirrored else Qt.AlignmentFlag.AlignLeft
        place = self.sheet.place(room, self.width)
        draw_text(sight.painter, place, self.title, self.sheet.font(11, 500), colors.muted, side)
        for part in parts:
            middle = Qt.AlignmentFlag.AlignHCenter
            draw_text(sight.painter, part.rect, part.name, self.sheet.font(12), colors.muted, middle)


def end_parts(sheet: Sheet, wanted: list[tuple[str, str, str]], width: int) -> list[Part]:
    """Return parts at the end of a head, the last one first; `wanted` tells act, value and name of each."""
    theme, right, found = sheet.theme, width - sheet.theme.px(6), []
    for act, value, name in wanted:
        wide = width_of(name, sheet.font(12)) + 2 * theme.s8
        rect = QRect(right - wide, theme.px(4), wide, theme.px(24))
        found.append(Part(act, value, sheet.place(rect, width), name))
        right -= wide + theme.s4
    return found


class Preface(InCard):
    """Words above what is drawn, such as the message of a commit, or quiet ones below it."""

    kind = "pane"

    def __init__(self, sheet: Sheet, words: str, *, quiet: bool = False) -> None:
        super().__init__(sheet)
        self._quiet = quiet
        lines = words.strip().split("\n")
        self._words = "\n".join(lines[:_LINES]) + ("\n\u2026" if len(lines) > _LINES else "")
        self.height = (1 + min(len(lines), _LINES)) * sheet.theme.px(19)

    def _lay_out(self, width: int) -> int:
        theme = self.sheet.theme
        font, right = self.sheet.font(12), self.sheet.mirrored
        self._wrapped = Wrapped(self._words, font, width - theme.px(28), theme.px(19), right=right)
        return self._wrapped.height + theme.px(18)

    def paint(self, sight: Sight) -> None:
        theme = self.sheet.theme
        self._card(sight)
        color = theme.colors.muted if self._quiet else theme.colors.text
        self._wrapped.draw(sight.painter, theme.px(14), theme.px(9), color)

    def text(self) -> str:
        return self._words

    def plain(self, start: int, end: int) -> str:
        return self._words

    def markdown(self, start: int, end: int) -> str:
        return self._words


class MoreRow(InCard):
    """The end of a list that is not shown whole: pressed, it shows the rest."""

    kind = "pane"

    def __init__(self, sheet: Sheet, words: str, key: str) -> None:
        super().__init__(sheet)
        self._words, self._key = words, key
        self.height = sheet.theme.px(34)

    def _lay_out(self, width: int) -> int:
        return self.sheet.theme.px(34)

    def parts(self) -> list[Part]:
        theme = self.sheet.theme
        wide = width_of(self._words, self.sheet.font(12)) + 2 * theme.s8
        rect = QRect(theme.px(6), theme.px(4), wide, theme.px(26))
        return [Part("toggle", self._key, self.sheet.place(rect, self.width), self._words)]

    def paint(self, sight: Sight) -> None:
        self._card(sight)
        part = self.parts()[0]
        draw_parts(sight, self.sheet.theme, [part])
        color, middle = self.sheet.theme.colors.accent, Qt.AlignmentFlag.AlignHCenter
        draw_text(sight.painter, part.rect, part.name, self.sheet.font(12), color, middle)

"""The card of a batch of tool calls, one block a row, and what a row opens to: arguments, output and Undo."""

from __future__ import annotations

import re
from typing import Literal

from PySide6.QtCore import QRect, QRectF, Qt

from ui.window.transcript.blocks import Block
from ui.window.transcript.calls import Call
from ui.window.transcript.code import MonoBlock
from ui.window.transcript.mono import MonoText
from ui.window.transcript.painting import (
    Part,
    Sheet,
    Sight,
    draw_icon,
    draw_parts,
    draw_ring,
    draw_text,
    draw_veil,
    elided,
    fill_card,
    width_of,
)
from ui.words import _, plural

What = Literal["arguments", "output"]
GLYPHS = {
    "arriving": ("loader-circle", "muted"),
    "waiting": ("loader-circle", "muted"),
    "running": ("loader-circle", "accent"),
    "asking": ("clock", "caution"),
    "done": ("check", "good"),
    "failed": ("x", "danger"),
    "broken": ("x", "danger"),
}
FIRST_LINES, FURTHER_LINES = 12, 200
"""Lines of output that are shown at once, and how many more each press brings."""
LONGEST_LINE = 2_000
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
"""Colours and cursor moves for a terminal, which mean nothing here."""


class InCard(Block):
    """A block that is one strip of a card."""

    first = last = False

    def _card(self, sight: Sight, *, code: bool = False) -> None:
        theme, colors = self.sheet.theme, self.sheet.theme.colors
        whole = QRect(0, 0, self.width, self.height)
        ground = colors.code_ground if code else colors.surface
        fill_card(sight.painter, whole, ground, colors.line, theme.r_card, top=self.first, bottom=self.last)
        if not self.first:
            sight.painter.fillRect(QRect(1, 0, self.width - 2, 1), colors.line)


class ToolRow(InCard):
    """One call: state, plain words, main argument, result and time; it opens."""

    kind = "tool"

    def __init__(self, sheet: Sheet, call: Call) -> None:
        super().__init__(sheet)
        self.call = call
        self.opened = False
        self.height = sheet.theme.px(35)

    def _lay_out(self, width: int) -> int:
        return self.sheet.theme.px(35)

    def parts(self) -> list[Part]:
        words = " ".join(
            filter(None, (self.call.title, self.call.argument, self.state_words(), self.call.result()))
        )
        whole = QRect(0, 0, self.width, self.height)
        return [Part("toggle", self.call.key, whole, words, radius=self.sheet.theme.r_control)]

    def state_words(self) -> str:
        """Return the meaning of the glyph in words."""
        return {
            "done": _("done"),
            "failed": _("failed"),
            "broken": "",
            "asking": "",
            "running": _("running"),
        }.get(self.call.state, _("waits its turn"))

    def paint(self, sight: Sight) -> None:
        theme, colors, painter = self.sheet.theme, self.sheet.theme.colors, sight.painter
        place, width, height = self.sheet.place, self.width, self.height
        self._card(sight)
        part = self.parts()[0]
        if part.key == sight.hover:
            draw_veil(
                painter, theme, part.rect.adjusted(1, 1, -1, -1), theme.r_control, pressed=sight.pressed
            )
        side, top = theme.px(16), 0 if self.first else 1
        name, role = GLYPHS[self.call.state]
        y = (height + top - side) // 2
        draw_icon(painter, self.sheet, name, role, place(QRect(theme.s12, y, side, side), width))
        arrow = "chevron-down" if self.opened else "chevron-right"
        draw_icon(
            painter, self.sheet, arrow, "text", place(QRect(width - theme.px(28), y, side, side), width)
        )
        right = self._ends(sight, width - theme.px(37), top)
        left, near = theme.px(39), Qt.AlignmentFlag.AlignLeft
        if self.sheet.mirrored:
            near = Qt.AlignmentFlag.AlignRight
        for words, font, color, gap in (
            (self.call.title, self.sheet.font(13, 500), colors.text, theme.px(10)),
            (self.call.argument, self.sheet.font(12, mono=True), colors.muted, 0),
        ):
            room = place(QRect(left, top, max(0, right - left), height - top), width)
            left += draw_text(painter, room, words, font, color, near) + gap
        if part.key == sight.focus:
            draw_ring(painter, theme, part.rect.adjusted(1, 1, -1, -1), theme.r_control)

    def _ends(self, sight: Sight, right: int, top: int) -> int:
        """Draw time and result from the right; return where they begin."""
        theme = self.sheet.theme
        font, color = self.sheet.font(12), theme.colors.muted
        for words in (self.call.time(), self.call.result()):
            if words:
                shown = elided(words, font, self.width // 3)
                size = width_of(shown, font) + 1
                room = self.sheet.place(QRect(right - size, top, size, self.height - top), self.width)
                draw_text(sight.painter, room, shown, font, color)
                right -= size + theme.px(10)
        return right - theme.s8

    def text(self) -> str:
        return " ".join(filter(None, (self.call.title, self.call.argument, self.call.result())))

    def markdown(self, start: int, end: int) -> str:
        return self.call.markdown()

    def plain(self, start: int, end: int) -> str:
        return self.text()


class Pane(MonoBlock, InCard):
    """Arguments or output of an open row, bounded until more is asked for."""

    kind = "pane"

    def __init__(self, sheet: Sheet, call: Call, what: What) -> None:
        super().__init__(sheet, MonoText(12, 19))
        self.call, self.what = call, what
        self.mono.most = FIRST_LINES
        self._source = ""
        self.other = "", ""
        """Of an output that can also be drawn: the key that draws it, and the words for that."""
        self.refresh()

    def refresh(self) -> None:
        """Take the text as it is now; output that grew is only added to."""
        source = self.call.arguments_text() if self.what == "arguments" else self.call.output
        if source == self._source and self.mono.lines:
            return
        lines = _ESCAPE.sub("", source).replace("\r\n", "\n").replace("\r", "\n").rstrip("\n").split("\n")
        soft: set[int] = set()
        cut: list[str] = []
        for line in lines:
            for start in range(0, max(1, len(line)), LONGEST_LINE):
                cut.append(line[start : start + LONGEST_LINE])
                if start + LONGEST_LINE < len(line):
                    soft.add(len(cut) - 1)
        same = 0
        if source.startswith(self._source) and self._source and not self.mono.soft and not soft:
            same = len(self.mono.lines) - 1
        self.mono.cut(same)
        self.mono.soft = set()
        self.mono.extend(cut[same:], soft)
        self._source, self.width, self.height = source, -1, self._height()

    def more(self) -> None:
        """Show further lines."""
        self.mono.most += FURTHER_LINES
        self.width, self.height = -1, self._height()

    def _more_line(self) -> int:
        return self.sheet.theme.px(28) if len(self.mono.lines) > self.mono.shown else 0

    def _head(self) -> int:
        return self.sheet.theme.px(28)

    def _height(self) -> int:
        theme = self.sheet.theme
        return self._head() + self.mono.height(self.sheet) + (self._more_line() or theme.px(10))

    def _lay_out(self, width: int) -> int:
        return self._height()

    def _area(self) -> QRectF:
        side = self.sheet.theme.px(14)
        return QRectF(side, self._head(), max(20, self.width - 2 * side), self.mono.height(self.sheet))

    @property
    def length(self) -> int:  # type: ignore[override]
        """Only what is shown can be selected."""
        if not self.mono.lines:
            return 0
        last = self.mono.shown - 1
        return self.mono.starts[last] + len(self.mono.lines[last])

    def title(self) -> str:
        """Return the words of its head."""
        return _("Arguments") if self.what == "arguments" else _("Output")

    copied = False
    """Said for a moment after it was copied."""

    def parts(self) -> list[Part]:
        theme, name = self.sheet.theme, _("Copied") if self.copied else _("Copy")
        width = width_of(name, self.sheet.font(12)) + 2 * theme.s8
        rect = QRect(self.width - width - theme.px(6), theme.px(3), width, theme.px(24))
        found = [Part("copy", self.what, self.sheet.place(rect, self.width), name)]
        if self.other[0]:
            wide = width_of(self.other[1], self.sheet.font(12)) + 2 * theme.s8
            place = self.sheet.place(
                QRect(rect.x() - theme.s4 - wide, rect.y(), wide, rect.height()), self.width
            )
            found.insert(0, Part("toggle", self.other[0], place, self.other[1]))
        left = len(self.mono.lines) - self.mono.shown
        if left > 0:
            words = plural("Show {n} more line", "Show {n} more lines", min(left, FURTHER_LINES))
            wide = width_of(words, self.sheet.font(12)) + 2 * theme.s8
            rect = QRect(theme.px(6), self.height - theme.px(27), wide, theme.px(24))
            found.append(Part("more", self.what, self.sheet.place(rect, self.width), words))
        return found

    def paint(self, sight: Sight) -> None:
        theme, colors = self.sheet.theme, self.sheet.theme.colors
        self._card(sight, code=True)
        parts = self.parts()
        draw_parts(sight, theme, parts)
        head = self.sheet.place(QRect(theme.px(14), 0, theme.px(200), self._head()), self.width)
        side = Qt.AlignmentFlag.AlignRight if self.sheet.mirrored else Qt.AlignmentFlag.AlignLeft
        draw_text(sight.painter, head, self.title(), self.sheet.font(11, 500), colors.muted, side)
        for part in parts:
            color = colors.accent if part.act == "more" else colors.muted
            draw_text(
                sight.painter, part.rect, part.name, self.sheet.font(12), color, Qt.AlignmentFlag.AlignHCenter
            )
        self.mono.paint(sight, self.sheet, self._area())

    def source(self) -> str:
        """Return the whole text for the clipboard."""
        return self.call.arguments_text() if self.what == "arguments" else self.call.output


class UndoRow(InCard):
    """The end of an open row whose change can be taken back."""

    kind = "undo"

    def __init__(self, sheet: Sheet, call: Call) -> None:
        super().__init__(sheet)
        self.call = call
        self.height = sheet.theme.px(36)

    def _lay_out(self, width: int) -> int:
        return self.sheet.theme.px(36)

    def parts(self) -> list[Part]:
        theme, name = self.sheet.theme, _("Undo")
        width = theme.px(16 + 6 + 16) + width_of(name, self.sheet.font(13))
        rect = QRect(theme.px(6), theme.px(4), width, theme.px(28))
        return [Part("undo", self.call.undo, self.sheet.place(rect, self.width), name)]

    def paint(self, sight: Sight) -> None:
        theme = self.sheet.theme
        self._card(sight)
        part = self.parts()[0]
        draw_parts(sight, theme, [part])
        side, inner = theme.px(16), part.rect.adjusted(theme.s8, 0, -theme.s8, 0)
        icon = QRect(inner.x(), inner.center().y() - side // 2 + 1, side, side)
        words = inner.adjusted(side + theme.px(6), 0, 2, 0)
        if self.sheet.mirrored:
            icon.moveRight(inner.right())
            words = inner.adjusted(0, 0, -side - theme.px(6), 0)
        draw_icon(sight.painter, self.sheet, "undo-2", "muted", icon)
        draw_text(sight.painter, words, part.name, self.sheet.font(13), theme.colors.muted)

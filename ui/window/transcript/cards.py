"""Blocks that are not text: quiet lines, the waiting card, the error card, the place of a picture."""

from __future__ import annotations

from PySide6.QtCore import QRect

from app.records import Approval, Problem
from ui.window.transcript.blocks import Block
from ui.window.transcript.calls import consequence, question
from ui.window.transcript.painting import (
    Part,
    Sheet,
    Sight,
    Wrapped,
    button_width,
    draw_button,
    draw_icon,
    draw_parts,
    draw_text,
    elided,
    fill_card,
    width_of,
)
from ui.words import _


class Line(Block):
    """A quiet line: what a turn took, that an answer was stopped, when the next try comes."""

    kind = "line"

    def __init__(self, sheet: Sheet, words: str, icon: str = "", role: str = "muted") -> None:
        super().__init__(sheet)
        self.words, self.icon, self.role = words, icon, role
        self.height = sheet.theme.px(18)

    def say(self, words: str) -> None:
        """Change the words."""
        if words != self.words:
            self.words, self.width = words, -1

    def _inset(self) -> int:
        return self.sheet.theme.px(14) + self.sheet.theme.s8 if self.icon else 0

    def _lay_out(self, width: int) -> int:
        line = self.sheet.theme.px(18)
        room, right = width - self._inset(), self.sheet.mirrored
        self._wrapped = Wrapped(self.words, self.sheet.font(12), room, line, right=right)
        return self._wrapped.height

    def paint(self, sight: Sight) -> None:
        theme, inset, side = self.sheet.theme, self._inset(), self.sheet.theme.px(14)
        if self.icon:
            rect = QRect(0, (theme.px(18) - side) // 2, side, side)
            draw_icon(sight.painter, self.sheet, self.icon, self.role, self.sheet.place(rect, self.width))
        room = self.sheet.place(QRect(inset, 0, self.width - inset, self.height), self.width)
        self._wrapped.draw(sight.painter, room.x(), 0, theme.colors.muted)

    def text(self) -> str:
        return self.words


_BESIDE = 14 + 8 + 8 + 14
"""What stands beside the words of a quiet row: icon, arrow and the space between."""


class Reasoning(Block):
    """One quiet row that opens to what the model thought."""

    kind = "reasoning"
    icon = "lightbulb"

    def __init__(self, sheet: Sheet) -> None:
        super().__init__(sheet)
        self.opened = False
        self.running = False
        self.height = sheet.theme.px(28)

    def _lay_out(self, width: int) -> int:
        return self.sheet.theme.px(28)

    def words(self) -> str:
        """Return the words of the row."""
        return _("Thinking") if self.running else _("Thought about it")

    def _shown(self) -> str:
        """Return as much of the words as there is room for beside the icon and the arrow."""
        return elided(self.words(), self.sheet.font(13), self.width - self.sheet.theme.px(_BESIDE))

    def parts(self) -> list[Part]:
        theme = self.sheet.theme
        width = width_of(self._shown(), self.sheet.font(13)) + theme.px(_BESIDE + 12)
        rect = self.sheet.place(QRect(-theme.px(6), 0, width, self.height), self.width)
        return [Part("toggle", "reasoning", rect, self.words())]

    def paint(self, sight: Sight) -> None:
        theme, side = self.sheet.theme, self.sheet.theme.px(14)
        parts = self.parts()
        draw_parts(sight, theme, parts)
        top, inset = (self.height - side) // 2, side + theme.s8
        place, width = self.sheet.place, self.width
        draw_icon(sight.painter, self.sheet, self.icon, "muted", place(QRect(0, top, side, side), width))
        room = width_of(self._shown(), self.sheet.font(13))
        words = place(QRect(inset, 0, room + 1, self.height), width)
        draw_text(sight.painter, words, self._shown(), self.sheet.font(13), theme.colors.muted)
        arrow = place(QRect(inset + room + theme.s4, top, side, side), width)
        draw_icon(
            sight.painter, self.sheet, "chevron-down" if self.opened else "chevron-right", "muted", arrow
        )

    def text(self) -> str:
        return self.words()


class Notice(Block):
    """A card with an icon, a title, details and buttons at its end."""

    icon, role = "info", "text"

    def __init__(self, sheet: Sheet) -> None:
        super().__init__(sheet)
        self.height = sheet.theme.px(82)

    def words(self) -> tuple[str, str]:
        """Return title and details."""
        raise NotImplementedError

    def buttons(self) -> list[tuple[str, str, str, bool]]:
        """Return (act, value, label, whether it is the main one), from left to right."""
        return []

    def _room(self, width: int) -> QRect:
        theme = self.sheet.theme
        buttons = sum(
            button_width(self.sheet, label) + theme.s12 for _act, _value, label, _main in self.buttons()
        )
        left = theme.px(47)
        narrow = width - left - buttons - theme.px(16) < theme.px(280)
        return QRect(
            left, theme.px(12), max(60, width - left - theme.px(16) - (0 if narrow else buttons)), int(narrow)
        )

    def _lay_out(self, width: int) -> int:
        theme, room = self.sheet.theme, self._room(width)
        title, detail = self.words()
        wide, right = room.width(), self.sheet.mirrored
        self._title = Wrapped(title, self.sheet.font(14, 600), wide, theme.px(21), right=right)
        font, line = self.sheet.font(13), theme.px(19)
        self._detail = Wrapped(detail, font, wide, line, right=right) if detail else None
        below = theme.px(32) + theme.s12 if room.height() and self.buttons() else 0
        self._words = self._title.height + (self._detail.height if self._detail else 0)
        return max(self._words + below, theme.px(34)) + 2 * theme.px(11)

    def parts(self) -> list[Part]:
        theme, room = self.sheet.theme, self._room(self.width)
        height = theme.px(32)
        y = self.height - theme.px(12) - height if room.height() else (self.height - height) // 2
        right, found = self.width - theme.px(15), []
        for act, value, label, _main in reversed(self.buttons()):
            width = button_width(self.sheet, label)
            place = self.sheet.place(QRect(right - width, y, width, height), self.width)
            found.append(Part(act, value, place, label, radius=theme.r_control))
            right -= width + theme.s12
        return found[::-1]

    def _frame(self, sight: Sight) -> None:
        theme = self.sheet.theme
        whole = QRect(0, 0, self.width, self.height)
        fill_card(sight.painter, whole, theme.colors.surface, theme.colors.line, theme.r_card)

    def paint(self, sight: Sight) -> None:
        theme, place = self.sheet.theme, self.sheet.place
        self._frame(sight)
        room, side = self._room(self.width), theme.px(20)
        y = (
            room.y() + theme.px(1)
            if room.height() or self.height > theme.px(100)
            else (self.height - side) // 2
        )
        draw_icon(
            sight.painter,
            self.sheet,
            self.icon,
            self.role,
            place(QRect(theme.px(15), y, side, side), self.width),
        )
        top = room.y() if room.height() else (self.height - self._words) // 2
        x = place(room, self.width).x()
        self._title.draw(sight.painter, x, top, theme.colors.text)
        if self._detail is not None:
            self._detail.draw(sight.painter, x, top + self._title.height, theme.colors.muted)
        for part, button in zip(self.parts(), self.buttons(), strict=True):
            draw_button(sight, self.sheet, part, main=button[3])

    def text(self) -> str:
        return "\n".join(words for words in self.words() if words)


class Waiting(Notice):
    """Says what Bramble wants to do, with Deny and Review."""

    kind = "waiting"
    icon = "shield-question-mark"

    def __init__(self, sheet: Sheet, approval: Approval) -> None:
        super().__init__(sheet)
        self.approval = approval
        self._said = question(approval.effect), consequence(approval)

    def words(self) -> tuple[str, str]:
        return self._said

    def buttons(self) -> list[tuple[str, str, str, bool]]:
        key = self.approval.id
        return [("deny", key, _("Deny"), False), ("review", key, _("Review"), True)]

    def _frame(self, sight: Sight) -> None:
        theme = self.sheet.theme
        whole = QRect(0, 0, self.width, self.height)
        fill_card(sight.painter, whole, theme.colors.accent_soft, theme.colors.accent, theme.r_card)


class Countdown(Notice):
    """Says that a provider asks to wait and when the next try comes, with the other model to take instead."""

    kind = "waiting"
    icon, role = "clock", "caution"

    def __init__(self, sheet: Sheet, title: str, label: str) -> None:
        super().__init__(sheet)
        self._title_words, self._label, self._left = title, label, ""

    def say(self, left: str) -> None:
        """Change what is said of the time that is left."""
        if left != self._left:
            self._left, self.width = left, -1

    def words(self) -> tuple[str, str]:
        return self._title_words, self._left

    def buttons(self) -> list[tuple[str, str, str, bool]]:
        return [("remedy", "switch_model", self._label, False)]


class Trouble(Notice):
    """Says what went wrong and why, with the one button that helps."""

    kind = "error"
    icon, role = "circle-alert", "danger"

    def __init__(self, sheet: Sheet, problem: Problem) -> None:
        super().__init__(sheet)
        self.problem = problem
        title, detail, self._action, self._label = sheet.words(problem)
        self._said = title, detail if len(detail) <= 600 else detail[:599] + "\u2026"

    def words(self) -> tuple[str, str]:
        return self._said

    def buttons(self) -> list[tuple[str, str, str, bool]]:
        if not self._label or self._action in ("", "none", "wait"):
            return []
        return [("remedy", self._action, self._label, False)]


class Picture(Notice):
    """Stands where a picture would be: none is loaded by itself, since to load one tells its server."""

    kind = "picture"
    icon, role = "image", "muted"

    def __init__(self, sheet: Sheet, words: str, place: str) -> None:
        super().__init__(sheet)
        self.alt, self.place = words, place

    def words(self) -> tuple[str, str]:
        shown = self.place if len(self.place) <= 120 else self.place[:119] + "\u2026"
        return self.alt or _("Picture"), shown

    def buttons(self) -> list[tuple[str, str, str, bool]]:
        return [("link", self.place, _("Open"), False)]

    def markdown(self, start: int, end: int) -> str:
        return f"![{self.alt}]({self.place})"

"""The steps of the work in the card of the call that set them down."""

from __future__ import annotations

from PySide6.QtCore import QRect

from ui.step_words import Step, state_words
from ui.window.transcript.painting import Sheet, Sight, Wrapped, draw_icon
from ui.window.transcript.tool_rows import InCard

GLYPHS = {
    "open": ("circle", "muted"),
    "doing": ("loader-circle", "accent"),
    "done": ("check", "good"),
    "dropped": ("circle-slash", "muted"),
}


class StepList(InCard):
    """One line or more for each step, below the row of the call."""

    kind = "pane"

    def __init__(self, sheet: Sheet) -> None:
        super().__init__(sheet)
        self.steps: tuple[Step, ...] = ()
        self._lines: list[Wrapped] = []

    def show(self, steps: tuple[Step, ...]) -> None:
        """Show these steps."""
        if steps != self.steps:
            self.steps, self.width = steps, -1
            self.height = len(steps) * self.sheet.theme.px(23) + self.sheet.theme.px(18)

    def _lay_out(self, width: int) -> int:
        theme, right = self.sheet.theme, self.sheet.mirrored
        room = width - theme.px(66) - theme.px(14)
        font, line = self.sheet.font(13), theme.px(19)
        self._lines = [Wrapped(step.text, font, room, line, right=right) for step in self.steps]
        return sum(one.height + theme.s4 for one in self._lines) + theme.px(18)

    def paint(self, sight: Sight) -> None:
        theme, colors, place = self.sheet.theme, self.sheet.theme.colors, self.sheet.place
        self._card(sight)
        side, y = theme.px(16), theme.px(11)
        for step, words in zip(self.steps, self._lines, strict=True):
            name, role = GLYPHS[step.state]
            icon = QRect(theme.px(39), y + (theme.px(19) - side) // 2, side, side)
            draw_icon(sight.painter, self.sheet, name, role, place(icon, self.width))
            room = QRect(theme.px(66), y, self.width - theme.px(80), words.height)
            color = colors.text if step.state in ("doing", "open") else colors.muted
            words.draw(sight.painter, place(room, self.width).x(), y, color)
            y += words.height + theme.s4

    def text(self) -> str:
        return "\n".join(f"{step.text}, {state_words(step)}" for step in self.steps)

    def plain(self, start: int, end: int) -> str:
        return self.text()

    def markdown(self, start: int, end: int) -> str:
        marks = {"done": "[x]", "dropped": "[-]"}
        return "\n".join(f"  - {marks.get(step.state, '[ ]')} {step.text}" for step in self.steps)

"""The strip above the composer with the steps of the work: one line with its progress, that opens to all."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from ui.language import _
from ui.step_words import Step, ended, now_text, state_words
from ui.window.composer.composer import side_margin
from ui.window.pages.page import clear
from ui.window.parts import Elided, IconButton, box
from ui.window.progress import Bar
from ui.window.theme import Theme
from ui.window.transcript.legible import legible
from ui.window.transcript.step_rows import GLYPHS

TALLEST = 220
"""Height of the open list, in pixels of the design; what is longer scrolls."""
_BAR = 88


class StepsStrip(QWidget):
    """Hidden where there are no steps."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.steps: tuple[Step, ...] = ()
        self.opened = False
        self._card = box("card")
        self._icon = QLabel()
        self._line = Elided()
        self.bar = Bar(theme)
        self.toggle_button = IconButton(theme, "chevron-up", _("Show all steps"))
        self.toggle_button.clicked.connect(self.toggle)
        self._head = QHBoxLayout()
        self._head.addWidget(self._icon)
        self._head.addWidget(self._line, 1)
        self._head.addWidget(self.bar)
        self._head.addWidget(self.toggle_button)
        self._rows = QWidget()
        self._list = QVBoxLayout(self._rows)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setAccessibleName(_("Steps of the work"))
        self._scroll.setWidget(self._rows)
        self._inside = QVBoxLayout(self._card)
        self._inside.addLayout(self._head)
        self._inside.addWidget(self._scroll)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._card)
        self.set_theme(theme)
        self.hide()

    def toggle(self) -> None:
        """Open or close the list."""
        self.opened = not self.opened
        self._show()

    def show_steps(self, steps: Sequence[Step]) -> None:
        """Show these steps; none hides the strip."""
        if tuple(steps) == self.steps:
            return
        self.steps = tuple(steps)
        self.opened = self.opened and bool(steps)
        self._show()

    def over(self) -> bool:
        """Whether every step is done or left out."""
        return ended(self.steps) == len(self.steps)

    def _show(self) -> None:
        words = legible(now_text(self.steps)) if self.steps else ""
        self._line.setText(words)
        self.setAccessibleName(words)
        self.bar.show_share(ended(self.steps) / max(1, len(self.steps)))
        done = _("{n} of {total} steps are done").replace("{total}", str(len(self.steps)))
        self.bar.setAccessibleName(done.replace("{n}", str(ended(self.steps))))
        self.bar.setToolTip(self.bar.accessibleName())
        self.toggle_button.rename(_("Hide the steps") if self.opened else _("Show all steps"))
        self.toggle_button.show_icon(self._theme, "chevron-down" if self.opened else "chevron-up")
        kept = self._scroll.verticalScrollBar().value()
        clear(self._list)
        for step in self.steps if self.opened else ():
            self._list.addWidget(StepRow(self._theme, step))
        self._list.addStretch(1)
        self._scroll.setVisible(self.opened)
        self.setVisible(bool(self.steps))
        self._fit()
        self._scroll.verticalScrollBar().setValue(kept)

    def _fit(self) -> None:
        """Give the open list the height of its steps, as they wrap in this width."""
        width = max(120, self._card.width() - 2 * self._theme.s12)
        wanted = self._list.heightForWidth(width) if self._list.hasHeightForWidth() else 0
        height = min(max(wanted, self._theme.px(28)), self._theme.px(TALLEST))
        self._scroll.setFixedHeight(height)
        focus = Qt.FocusPolicy.TabFocus if wanted > height else Qt.FocusPolicy.NoFocus
        self._scroll.setFocusPolicy(focus)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        margin = side_margin(self._theme, self.width())
        self._column.setContentsMargins(margin, self._theme.s8, margin, self._theme.s4)
        self._fit()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self._icon.setPixmap(theme.pixmap("list-checks", "muted", 16, self.devicePixelRatioF()))
        self.toggle_button.set_theme(theme)
        self.bar.set_theme(theme)
        self.bar.setFixedSize(theme.px(_BAR), theme.s4)
        ends = (theme.s4, theme.s12) if self.isRightToLeft() else (theme.s12, theme.s4)
        self._inside.setContentsMargins(ends[0], theme.s4, ends[1], theme.s4)
        self._inside.setSpacing(theme.s4)
        self._head.setSpacing(theme.s8)
        self._list.setContentsMargins(0, 0, 0, theme.s4)
        self._list.setSpacing(theme.s4)
        self._show()


class StepRow(QWidget):
    """One step: its state as a glyph, and its words."""

    def __init__(self, theme: Theme, step: Step) -> None:
        from ui.window.approvals.facts import wrapping  # not before a list is opened: much comes with it

        super().__init__()
        name, role = GLYPHS[step.state]
        icon = QLabel()
        icon.setPixmap(theme.pixmap(name, role, 16, self.devicePixelRatioF()))
        icon.setContentsMargins(0, theme.px(2), 0, 0)
        tone = "body" if step.state in ("doing", "open") else "small"
        words = wrapping(step.text, tone)
        words.setAccessibleName(f"{legible(step.text)}, {state_words(step)}")
        self.setAccessibleName(words.accessibleName())
        self.setToolTip(state_words(step))
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(theme.s8)
        line.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(words, 1)

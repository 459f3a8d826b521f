"""The card above the composer that asks for the person's word on a plan: accept it, edit it, send it back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.records import Message
from ui.language import _
from ui.plan_words import ask_words, plan_detail, plan_title
from ui.window.composer.composer import side_margin
from ui.window.parts import box, button, label
from ui.window.theme import Theme

_WORDS = 220
"""The least width of the words beside the buttons, in pixels of the design; else the buttons stand below."""


class PlanBar(QWidget):
    """Hidden while no plan waits in the shown conversation."""

    accepted = Signal()
    edit_asked = Signal()
    sent_back = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.plan: Message | None = None
        self.setAccessibleName(ask_words())
        self._card = box("waiting")
        self._icon = QLabel()
        self._words = QVBoxLayout()
        self._words.setSpacing(0)
        self._words.addWidget(label(plan_title(), "strong", wrap=True))
        self._words.addWidget(label(plan_detail(), "small", wrap=True))
        self.back = button(_("Send back"), "", self.sent_back.emit)
        self.back.setToolTip(_("Say what the plan should do otherwise"))
        self.edit = button(_("Edit"), "", self.edit_asked.emit)
        self.edit.setToolTip(_("Change the plan before it is carried out"))
        self.accept = button(_("Accept"), "main", self.accepted.emit)
        self.accept.setToolTip(_("Pin the plan and carry it out, in mode Agent"))
        self.buttons = (self.back, self.edit, self.accept)
        self._said = QHBoxLayout()
        self._said.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        self._said.addLayout(self._words, 1)
        self._deeds = QHBoxLayout()
        self._deeds.addStretch(1)
        for part in self.buttons:
            self._deeds.addWidget(part)
        self._across = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._card)
        self._across.addLayout(self._said, 1)
        self._across.addLayout(self._deeds)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._card)
        self.set_theme(theme)
        self.hide()

    def show_plan(self, plan: Message | None) -> None:
        """Ask about a plan; None asks nothing."""
        self.plan = plan
        self.set_busy(False)
        new = plan is not None and self.isHidden()
        self.setVisible(plan is not None)
        if new:
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def set_busy(self, busy: bool) -> None:
        """While an answer is on its way no second one can be given."""
        for part in self.buttons:
            part.setEnabled(not busy)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        """Keep to the reading column, the buttons beside the words where there is room."""
        theme = self._theme
        margin = side_margin(theme, self.width())
        self._column.setContentsMargins(margin, theme.s8, margin, theme.s4)
        needed = self._deeds.sizeHint().width() + theme.px(_WORDS) + theme.px(70)
        beside = self.width() - 2 * margin >= needed
        way = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        self._across.setDirection(way)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self._icon.setPixmap(theme.pixmap("list-checks", "accent", 20, self.devicePixelRatioF()))
        self._across.setContentsMargins(theme.s16, theme.s12, theme.s16, theme.s12)
        self._across.setSpacing(theme.s12)
        self._said.setSpacing(theme.s12)
        self._deeds.setSpacing(theme.s8)
        self._place()

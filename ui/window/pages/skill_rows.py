"""One skill as a row: its name, what it is for, whose it is, and how to pin, change or switch it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.skill_records import SkillInfo
from ui.language import _
from ui.skill_words import fault_text, place_text, state_of
from ui.window.approvals.facts import wrapping
from ui.window.parts import IconButton, LinkName, Switch, label
from ui.window.theme import Theme
from ui.window.transcript.legible import legible


class SkillRow(QWidget):
    """Its name opens it. What is hidden by another one of its name, or broken, cannot be switched."""

    opened = Signal(object)
    edited = Signal(object)
    pinned = Signal(object, bool)
    switched = Signal(object, bool)

    def __init__(self, theme: Theme, info: SkillInfo) -> None:
        super().__init__()
        self.info = info
        name = legible(info.name)
        state = state_of(info)
        self.setAccessibleName(", ".join(part for part in (name, place_text(info.source), state) if part))
        self._line = QHBoxLayout(self)
        self._words = QVBoxLayout()
        self._head = QHBoxLayout()
        self.name = LinkName(name)
        self.name.setProperty("kind", "name")
        self.name.clicked.connect(lambda: self.opened.emit(self.info))
        self._head.addWidget(self.name)
        self._head.addWidget(label(place_text(info.source), "caption"))
        if state:
            tone = "caption" if state == _("off") or info.hidden_by else "caution"
            self._head.addWidget(label(f"· {state}", tone))
        self._head.addStretch(1)
        self._words.addLayout(self._head)
        if info.description:
            self._words.addWidget(wrapping(legible(info.description), "caption"))
        if info.problems:
            self._words.addWidget(wrapping(legible(fault_text(info.problems[0])), "caution"))
        self._line.addLayout(self._words, 1)
        self._icons: list[IconButton] = []
        self.switch = Switch(theme, _("Use the skill {name}").replace("{name}", name))
        if not info.hidden_by:
            self._add_controls(theme, name)
        self.set_theme(theme)

    def _add_controls(self, theme: Theme, name: str) -> None:
        info = self.info
        words = _("Unpin {name}") if info.pinned else _("Pin {name}: it is always named to the model")
        pin = IconButton(theme, "pin", words.replace("{name}", name), px=16)
        pin.show_icon(theme, "pin", "accent" if info.pinned else "muted")
        pin.clicked.connect(lambda: self.pinned.emit(self.info, not self.info.pinned))
        edit = IconButton(theme, "pencil", _("Edit {name}").replace("{name}", name), px=16)
        edit.clicked.connect(lambda: self.edited.emit(self.info))
        self.pin, self.edit = pin, edit
        self.switch.setChecked(info.enabled)
        self.switch.setEnabled(info.loaded)
        self.switch.toggled.connect(lambda on: self.switched.emit(self.info, on))
        self._icons = [pin, edit]
        for part in (pin, edit, self.switch):
            self._line.addWidget(part, 0, Qt.AlignmentFlag.AlignTop)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        self._line.setContentsMargins(0, theme.s4, 0, theme.s4)
        self._line.setSpacing(theme.s4)
        self._words.setSpacing(theme.px(2))
        self._head.setSpacing(theme.s8)
        for part in self._icons:
            part.set_theme(theme)
        self.switch.set_theme(theme)

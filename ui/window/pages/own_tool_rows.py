"""One tool of the person's own as a row: its name, how it stands, what it is for, and its switch."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.own_tool_records import OwnToolInfo
from ui.language import _
from ui.own_tool_words import nature, problem_line, state_text
from ui.window.approvals.facts import wrapping
from ui.window.parts import LinkName, Switch, button, label
from ui.window.theme import Theme
from ui.window.transcript.legible import legible

_TONES = {"on": "good", "off": "caption", "waiting": "caption", "changed": "caution", "broken": "caution"}


class OwnToolRow(QWidget):
    """Its name opens it. What is trusted has a switch; what waits has a button that leads to its source."""

    opened = Signal(object)
    switched = Signal(object, bool)

    def __init__(self, theme: Theme, info: OwnToolInfo) -> None:
        super().__init__()
        self.info = info
        name = legible(info.name)
        self.setAccessibleName(f"{name}, {state_text(info)}")
        self._line = QHBoxLayout(self)
        self._words = QVBoxLayout()
        self._head = QHBoxLayout()
        self.name = LinkName(name)
        self.name.setProperty("kind", "name")
        self.name.clicked.connect(lambda: self.opened.emit(self.info))
        self._head.addWidget(self.name)
        self._head.addWidget(label(state_text(info), _TONES[info.state]))
        self._head.addStretch(1)
        self._words.addLayout(self._head)
        if info.summary:
            self._words.addWidget(wrapping(legible(info.summary), "caption"))
        if info.problems:
            self._words.addWidget(wrapping(legible(problem_line(info.problems[0])), "caution"))
        elif info.state != "broken":
            self._words.addWidget(wrapping(nature(info), "caption"))
        self._line.addLayout(self._words, 1)
        self.switch = Switch(theme, _("Offer {name} to models").replace("{name}", name))
        self.look = button(_("Look at it"), "", lambda: self.opened.emit(self.info))
        self.look.setAccessibleName(_("Look at {name}").replace("{name}", name))
        self.switch.setChecked(info.state == "on")
        self.switch.setVisible(info.state in ("on", "off"))
        self.look.setVisible(info.state in ("waiting", "changed"))
        self.switch.toggled.connect(lambda on: self.switched.emit(self.info, on))
        for part in (self.look, self.switch):
            self._line.addWidget(part, 0, Qt.AlignmentFlag.AlignTop)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        self._line.setContentsMargins(0, theme.s4, 0, theme.s4)
        self._line.setSpacing(theme.s8)
        self._words.setSpacing(theme.px(2))
        self._head.setSpacing(theme.s8)
        self.switch.set_theme(theme)

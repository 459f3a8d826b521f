"""The bar above the transcript that asks once whether the skills of the shown project may be used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout

from app.events import Event, SkillsChanged, TurnEnded
from app.records import Problem
from app.skill_records import ProjectSkills
from ui.language import _
from ui.skill_words import project_text, project_title
from ui.window.bridge import Bridge
from ui.window.parts import IconButton, button, label
from ui.window.theme import Theme
from ui.window.transcript.legible import legible
from ui.words import problem_text


class SkillsBar(QFrame):
    """Hidden where nothing waits for an answer, and for a project that was put off in this window."""

    look_asked = Signal()
    said = Signal(str, object)

    def __init__(self, bridge: Bridge, theme: Theme, folder: Callable[[], str]) -> None:
        """`folder()` returns the one that is shown."""
        super().__init__()
        self._bridge, self._folder = bridge, folder
        self._asked: str | None = None
        self._later: set[str] = set()
        self.found: ProjectSkills | None = None
        self.setProperty("box", "notice")
        self._icon = QLabel()
        self._title = label("", "strong", wrap=True)
        self._detail = label("", "small", wrap=True)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self._title)
        words.addWidget(self._detail)
        self.look = button(_("Look at them"), "", self.look_asked.emit)
        self.refuse = button(_("Leave them out"), "", self._refuse)
        self.agree = button(_("Use them"), "main", self._agree)
        self._close = IconButton(theme, "x", _("Ask me later"))
        self._close.clicked.connect(self._put_off)
        self._deeds = QHBoxLayout()
        for part in (self.agree, self.look, self.refuse):
            self._deeds.addWidget(part)
        self._deeds.addStretch(1)
        words.addLayout(self._deeds)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addLayout(words, 1)
        self._row.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        self.set_theme(theme)
        self.hide()

    def follow(self) -> None:
        """Look again where another folder is shown."""
        if self._folder() != self._asked:
            self.read()

    def apply(self, event: Event) -> None:
        """Look again when skills changed, or a turn that may have changed files ended."""
        if isinstance(event, (SkillsChanged, TurnEnded)):
            self.read()

    def read(self) -> None:
        """Look what waits in the shown folder."""
        folder = self._asked = self._folder()

        def take(found: ProjectSkills | None) -> None:
            if folder == self._asked:
                self._show(found)

        self._bridge.call(
            lambda engine: engine.skills.waiting(folder), take, lambda problem: self._show(None)
        )

    def _show(self, found: ProjectSkills | None) -> None:
        self.found = found
        if found is None or found.print in self._later:
            self.hide()
            return
        self._title.setText(project_title(found))
        self._detail.setText(legible(project_text(found)))
        self.agree.setVisible(not found.too_large)
        self.setAccessibleName(project_title(found))
        self.show()

    def _agree(self) -> None:
        found = self.found
        if found is not None:
            words = _("The skills of this project are used from now on.")
            self._answer(lambda engine: engine.skills.agree(found.project, found.print), words, found)

    def _refuse(self) -> None:
        found = self.found
        if found is not None:
            words = _("The skills of this project are left out.")
            self._answer(lambda engine: engine.skills.refuse(found.project), words, found)

    def _answer(self, work: Callable[[Any], Any], words: str, found: ProjectSkills) -> None:
        def back() -> None:
            self._bridge.call(lambda engine: engine.skills.forget_answer(found.project))

        def refused(problem: Problem) -> None:
            self.said.emit(problem_text(problem).title, None)
            self.read()

        self._bridge.call(work, lambda done: self.said.emit(words, back), refused)

    def _put_off(self) -> None:
        if self.found is not None:
            self._later.add(self.found.print)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._icon.setPixmap(theme.pixmap("lightbulb", "accent", 18, self.devicePixelRatioF()))
        self._close.set_theme(theme)
        self._row.setContentsMargins(theme.s20, theme.s12, theme.s12, theme.s12)
        self._row.setSpacing(theme.s12)
        self._deeds.setSpacing(theme.s8)
        self._deeds.setContentsMargins(0, theme.s8, 0, 0)

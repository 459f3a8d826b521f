"""The card of a project's skills: what it brings, what the person said to that, and how to say otherwise."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.skill_records import ProjectSkills
from ui.language import _
from ui.places import tilde
from ui.skill_words import project_text, project_title
from ui.window.approvals.facts import wrapping
from ui.window.pages.page import Card, clear
from ui.window.pages.skill_sheet import SkillText
from ui.window.parts import box, button, label
from ui.window.theme import Theme
from ui.window.transcript.legible import legible


class ProjectCard(Card):
    """Hidden where the shown folder belongs to no project with skills."""

    agreed = Signal(object)
    """The ProjectSkills that were shown."""
    refused = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "")
        self.found: ProjectSkills | None = None
        self._opened = False
        self.hide()

    def show_project(self, found: ProjectSkills | None, *, opened: bool = False) -> None:
        """Show what a project brings; `opened` shows the texts too."""
        if found != self.found:
            self._opened = False
        self.found, self._opened = found, opened or self._opened
        self.setVisible(found is not None)
        if found is None:
            return
        clear(self.rows)
        self.setAccessibleName(project_title(found))
        self.rows.addWidget(label(project_title(found), "strong", wrap=True))
        self.rows.addWidget(wrapping(legible(tilde(found.project)), "caption"))
        self.rows.addWidget(wrapping(legible(project_text(found)), "small"))
        if found.changed:
            names = ", ".join(found.changed)
            words = _("New or changed: {names}").replace("{names}", legible(names))
            self.rows.addWidget(wrapping(words, "caution"))
        if self._opened:
            self._add_texts(found)
        self._add_foot(found)

    def _add_texts(self, found: ProjectSkills) -> None:
        for skill in found.skills:
            self.rows.addWidget(box("rule"))
            self.rows.addWidget(label(legible(skill.name), "strong"))
            self.rows.addWidget(wrapping(legible(skill.description), "caption"))
            for fault in skill.faults[:3]:
                self.rows.addWidget(wrapping(legible(fault.message), "caution"))
            self.rows.addWidget(SkillText(self.theme, skill.body))
        self.rows.addWidget(box("rule"))

    def _add_foot(self, found: ProjectSkills) -> None:
        foot = QWidget()
        line = QHBoxLayout(foot)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(self.theme.s8)
        look = _("Hide the texts") if self._opened else _("Look at them")
        line.addWidget(button(look, "", self._turn))
        line.addStretch(1)
        if found.state != "refused":
            line.addWidget(button(_("Leave them out"), "", self.refused.emit))
        if found.state != "agreed" and not found.too_large:
            kind = "main" if found.state in ("waiting", "changed") else ""
            line.addWidget(button(_("Use them"), kind, lambda: self.agreed.emit(found)))
        self.rows.addWidget(foot)

    def _turn(self) -> None:
        self._opened = not self._opened
        self.show_project(self.found)

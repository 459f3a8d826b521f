"""The card of a project's instructions: its files, what the person said to them, and how to say otherwise."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.instruction_records import InstructionFile, ProjectInstructions
from app.records import Problem
from ui.instruction_words import file_note, instructions_text, instructions_title
from ui.language import _
from ui.places import tilde
from ui.window.approvals.facts import wrapping
from ui.window.bridge import Bridge, Work
from ui.window.pages.page import Card, clear
from ui.window.pages.skill_sheet import SkillText
from ui.window.parts import box, button, label
from ui.window.theme import Theme
from ui.window.transcript.legible import legible
from ui.words import problem_text


class InstructionsCard(Card):
    """Hidden where the shown folder belongs to no project with instructions."""

    said = Signal(str, object)
    """What was done, and how to take it back (or None)."""
    looked = Signal()
    """The texts stand there, for who asked to see them."""

    def __init__(self, bridge: Bridge, theme: Theme, folder: Callable[[], str]) -> None:
        super().__init__(theme, "")
        self._bridge, self._folder = bridge, folder
        self.found: ProjectInstructions | None = None
        self._opened = self._wanted = False
        self.hide()

    def read(self) -> None:
        """Read what holds for the shown folder."""
        folder = self._folder()

        def take(found: ProjectInstructions | None) -> None:
            if folder == self._folder():
                self.show_instructions(found)

        self._bridge.call(lambda engine: engine.instructions.project(folder), take, self._tell)

    def open_texts(self) -> None:
        """Show the texts as they are now, once they are read."""
        self._wanted = True
        self.read()

    def show_instructions(self, found: ProjectInstructions | None) -> None:
        """Show what a project says."""
        before, self.found = self.found, found
        same = found is not None and before is not None and found.project == before.project
        wanted, self._wanted = self._wanted, False
        self._opened = wanted or (self._opened and same)
        self.setVisible(found is not None)
        self._fill()
        if wanted:
            self.looked.emit()

    def _fill(self) -> None:
        clear(self.rows)
        found = self.found
        if found is None:
            return
        title = instructions_title(found)
        self.setAccessibleName(title)
        self.rows.addWidget(label(_("Project instructions"), "strong"))
        self.rows.addWidget(wrapping(legible(tilde(found.project)), "caption"))
        if found.changed and found.state == "agreed":
            self.rows.addWidget(wrapping(title, "caution"))
        self.rows.addWidget(wrapping(legible(instructions_text(found)), "small"))
        for file in found.files:
            self._add_file(file)
        self._add_foot(found)
        if self._opened and found.changed:
            self._bridge.call(
                lambda engine: engine.instructions.seen(found.folder, found.print), None, self._tell
            )

    def _add_file(self, file: InstructionFile) -> None:
        note = file_note(file)
        if not self._opened and not note:
            return
        self.rows.addWidget(box("rule"))
        self.rows.addWidget(wrapping(legible(tilde(file.path)), "body"))
        if note:
            self.rows.addWidget(wrapping(note, "caution"))
        if self._opened and file.text:
            text = SkillText(self.theme, file.text)
            text.setAccessibleName(legible(tilde(file.path)))
            self.rows.addWidget(text)

    def _add_foot(self, found: ProjectInstructions) -> None:
        foot = QWidget()
        line = QHBoxLayout(foot)
        line.setContentsMargins(0, self.theme.s4, 0, 0)
        line.setSpacing(self.theme.s8)
        line.addWidget(button(_("Hide the texts") if self._opened else _("Look at them"), "", self._turn))
        line.addStretch(1)
        if found.state != "refused":
            line.addWidget(button(_("Leave them out"), "", self._refuse))
        if found.state != "agreed":
            kind = "main" if found.state == "waiting" else ""
            line.addWidget(button(_("Use them"), kind, self._agree))
        self.rows.addWidget(foot)

    def _turn(self) -> None:
        self._opened = not self._opened
        self._fill()

    # --- the person's word ---------------------------------------------------------------------------------

    def _agree(self) -> None:
        found = self.found
        if found is not None:
            words = _("The instructions of this project are used from now on.")
            self._answer(lambda engine: engine.instructions.agree(found.folder, found.print), words, found)

    def _refuse(self) -> None:
        found = self.found
        if found is not None:
            words = _("The instructions of this project are left out.")
            self._answer(lambda engine: engine.instructions.refuse(found.folder), words, found)

    def _answer(self, work: Work, words: str, found: ProjectInstructions) -> None:
        def back() -> None:
            self._bridge.call(lambda engine: engine.instructions.take_back(found.folder), None, self._tell)

        self._bridge.call(work, lambda done: self.said.emit(words, back), self._tell)

    def _tell(self, problem: Problem) -> None:
        """Say what did not work, and show what holds."""
        self.said.emit(problem_text(problem).title, None)
        if problem.code == "instructions_changed":
            self.read()

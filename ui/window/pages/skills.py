"""The page of skills: every one with its source and state, to be found, read, switched, pinned, written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Signal

from app.events import Event, SkillsChanged
from app.records import Problem
from app.skill_records import ProjectSkills, SavedSkill, Shown, SkillDraft, SkillInfo
from ui.language import _
from ui.skill_words import list_text
from ui.window.bridge import Bridge
from ui.window.pages.page import Card, Page, clear
from ui.window.pages.skill_editor import SkillEditor
from ui.window.pages.skill_project import ProjectCard
from ui.window.pages.skill_rows import SkillRow
from ui.window.pages.skill_sheet import SkillSheet
from ui.window.parts import SearchField, button, label
from ui.window.theme import Theme
from ui.words import problem_text

Read = tuple[tuple[SkillInfo, ...], ProjectSkills | None]


class SkillsPage(Page):
    """Shows the list, one skill, or the editor. Read anew when skills change, here or elsewhere."""

    said = Signal(str, object)
    """What was done, and how to take it back (or None)."""
    folder_asked = Signal(str)
    worded = Signal(str)
    """The model is to word a skill of this name from the conversation."""

    def __init__(self, bridge: Bridge, theme: Theme, here: Callable[[], tuple[str, str]]) -> None:
        """`here()` returns folder and session that are shown."""
        super().__init__(theme, _("Skills"), _("Looking…"))
        self._bridge, self._here = bridge, here
        self._infos: tuple[SkillInfo, ...] = ()
        self.rows: dict[str, SkillRow] = {}
        self._from_here = button(_("Save what we just did"), "", self.draft)
        self._new = button(_("New skill"), "main", self.begin)
        self.add_action(self._from_here)
        self.add_action(self._new)
        self.project = ProjectCard(theme)
        self.project.agreed.connect(self._agree)
        self.project.refused.connect(self._refuse)
        self.search = SearchField(theme, _("Find a skill"))
        self.search.textChanged.connect(lambda text: self._fill())
        self.sheet = SkillSheet(theme)
        self.sheet.back.connect(self.show_list)
        self.sheet.edited.connect(self.edit)
        self.sheet.folder_asked.connect(self.folder_asked)
        self.editor = SkillEditor(bridge, theme)
        self.editor.saved.connect(self._save)
        self.editor.left.connect(self._leave)
        self.editor.worded.connect(self._let_word)
        self.card = Card(theme, "")
        for part in (self.project, self.search, self.sheet, self.editor, self.card):
            self.column.addWidget(part)
        self.column.addStretch(1)
        self.read()

    # --- what is shown -------------------------------------------------------------------------------------

    def read(self) -> None:
        """Read list and project again."""
        folder, session = self._here()
        self._from_here.setVisible(bool(session) and self._is_list())

        async def look(engine: Any) -> Read:
            return await engine.skills.list(folder), await engine.skills.project(folder)

        self._bridge.call(look, self._take, self._problem)

    def apply(self, event: Event) -> None:
        """Follow skills that change."""
        if isinstance(event, SkillsChanged):
            self.read()

    def _take(self, found: Read) -> None:
        self._infos, project = found
        self.sentence.setText(list_text(self._infos))
        self.project.show_project(project)
        self.project.setVisible(project is not None and self._is_list())
        self._fill()

    def _is_list(self) -> bool:
        return self.sheet.isHidden() and self.editor.isHidden()

    def _fill(self) -> None:
        """Show the skills that hold all words of the search."""
        kept = next(
            (name for name, row in self.rows.items() if row.isAncestorOf(self.focusWidget() or self)), ""
        )
        words = self.search.text().casefold().split()
        clear(self.card.rows)
        self.rows = {}
        for info in self._infos:
            said = f"{info.name} {info.description} {info.source}".casefold()
            if all(word in said for word in words):
                self._add_row(info)
        if not self.rows:
            empty = _("No skill holds these words.") if words else _("There are no skills.")
            self.card.rows.addWidget(label(empty, "muted"))
        if kept in self.rows:
            self.rows[kept].name.setFocus()

    def _add_row(self, info: SkillInfo) -> None:
        if self.rows:
            self.card.add_rule()
        row = SkillRow(self.theme, info)
        row.opened.connect(lambda one: self.open(one.name))
        row.edited.connect(lambda one: self.edit(one.name))
        row.pinned.connect(self._pin)
        row.switched.connect(self._switch)
        self.rows[info.folder] = row
        self.card.rows.addWidget(row)

    def show_list(self) -> None:
        """Go back to the list."""
        self.editor.close_editor()
        self.sheet.hide()
        self._show_parts(list_shown=True)
        self.search.setFocus()

    def _show_parts(self, *, list_shown: bool) -> None:
        for part in (self.search, self.card, self._new):
            part.setVisible(list_shown)
        self._from_here.setVisible(list_shown and bool(self._here()[1]))
        self.project.setVisible(list_shown and self.project.found is not None)
        self.area.verticalScrollBar().setValue(0)

    def open(self, name: str) -> None:
        """Show a skill as it is meant to look."""
        folder = self._here()[0]
        self._bridge.call(lambda engine: engine.skills.show(name, folder), self._show, self._problem)

    def _show(self, shown: Shown) -> None:
        self.editor.close_editor()
        self._show_parts(list_shown=False)
        self.sheet.show_skill(shown)
        self.sheet.back_button.setFocus()

    def show_project(self) -> None:
        """Show what the project of the shown folder brings, with its texts."""
        self.show_list()
        folder = self._here()[0]

        def take(found: ProjectSkills | None) -> None:
            self.project.show_project(found, opened=True)
            self.project.setVisible(found is not None and self._is_list())

        self._bridge.call(lambda engine: engine.skills.project(folder), take, self._problem)

    # --- writing -------------------------------------------------------------------------------------------

    def edit(self, name: str) -> None:
        """Open the editor with the whole SKILL.md of a skill."""
        folder = self._here()[0]

        def take(shown: Shown) -> None:
            note = _("saved as a skill of yours") if shown.skill.source == "bundled" else ""
            self._open_editor(lambda: self.editor.edit(shown.skill.name, shown.text, note))

        self._bridge.call(lambda engine: engine.skills.show(name, folder), take, self._problem)

    def begin(self) -> None:
        """Open the editor for a new skill."""
        draft = SkillDraft(name="", description="", body=_("# Title\n\n1. First …\n2. Then …\n"))
        self._open_editor(lambda: self.editor.begin(draft, _("A new skill")))

    def draft(self) -> None:
        """Open the editor with what the shown conversation did."""
        session = self._here()[1]

        def take(draft: SkillDraft) -> None:
            title = _("What we just did, as a skill. Change it as you like before it is saved.")
            self._open_editor(lambda: self.editor.begin(draft, title, model=True))

        self._bridge.call(lambda engine: engine.skills.draft(session), take, self._tell)

    def _open_editor(self, fill: Callable[[], None]) -> None:
        self.sheet.hide()
        self._show_parts(list_shown=False)
        fill()

    def _leave(self) -> None:
        """Go back to the list; what was typed can be had again."""
        typed = self.editor.kept() if self.editor.changed() else None
        self.show_list()
        if typed is not None:
            self.said.emit(_("Left without saving."), lambda: self._open_editor(typed))

    def _save(self, text: str) -> None:
        folder, name = self._here()[0], self.editor.name

        async def save(engine: Any) -> SavedSkill:
            if name:
                found: SavedSkill = await engine.skills.save(name, text, folder)
                return found
            made: Shown = await engine.skills.create(text)
            return SavedSkill(name=made.skill.name, path=f"{made.skill.folder}/SKILL.md")

        def done(saved: SavedSkill) -> None:
            self.show_list()
            self.said.emit(_("The skill is saved."), lambda: self._put_back(saved))

        self._bridge.call(save, done, lambda problem: self.editor.refuse(problem_text(problem).title))

    def _put_back(self, saved: SavedSkill) -> None:
        folder = self._here()[0]
        self._bridge.call(lambda engine: engine.skills.put_back(saved, folder), None, self._problem)

    def _let_word(self, name: str) -> None:
        self.show_list()
        self.worded.emit(name)

    # --- choosing ------------------------------------------------------------------------------------------

    def _switch(self, info: SkillInfo, on: bool) -> None:
        words = _("{name} is on.") if on else _("{name} is off.")
        self._choose(
            lambda engine: engine.skills.enable(info.name, on),
            words.replace("{name}", info.name),
            lambda engine: engine.skills.enable(info.name, not on),
        )

    def _pin(self, info: SkillInfo, pin: bool) -> None:
        words = _("{name} is pinned.") if pin else _("{name} is no longer pinned.")
        self._choose(
            lambda engine: engine.skills.pin(info.name, pin),
            words.replace("{name}", info.name),
            lambda engine: engine.skills.pin(info.name, not pin),
        )

    def _agree(self, found: ProjectSkills) -> None:
        self._choose(
            lambda engine: engine.skills.agree(found.project, found.print),
            _("The skills of this project are used from now on."),
            lambda engine: engine.skills.forget_answer(found.project),
        )

    def _refuse(self) -> None:
        found = self.project.found
        if found is not None:
            project = found.project
            self._choose(
                lambda engine: engine.skills.refuse(project),
                _("The skills of this project are left out."),
                lambda engine: engine.skills.forget_answer(project),
            )

    def _choose(self, work: Callable[[Any], Any], words: str, back: Callable[[Any], Any]) -> None:
        def take_back() -> None:
            self._bridge.call(back, None, self._problem)

        self._bridge.call(work, lambda done: self.said.emit(words, take_back), self._tell)

    def _tell(self, problem: Problem) -> None:
        """Say what did not work, and show what holds."""
        self.said.emit(problem_text(problem).title, None)
        self.read()

    def _problem(self, problem: Problem) -> None:
        self.sentence.setText(problem_text(problem).title)

"""The pages of what Bramble can use: tools, and all that brings more of them. Made when first asked for."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.events import Event
from app.settings import Settings
from ui.language import _
from ui.window.project_bar import ProjectBar
from ui.window.remedies import open_file, open_folder

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.window.furniture import Furniture
    from ui.window.life import Life
    from ui.window.pages.skills import SkillsPage
    from ui.window.pages.toolbox import TabPlace, ToolboxPage


class ToolboxPages(QObject):
    """Connects the tabs with the rest of the window. A tab is one row of `_tabs` and one method that makes
    its page.
    """

    def __init__(self, life: Life, rest: Furniture) -> None:
        super().__init__()
        self._life, self._rest, self._window = life, rest, life.window
        self.page: ToolboxPage | None = None
        self.skills: SkillsPage | None = None
        self._window.add_page("tools", self._make)
        self.bar = ProjectBar(life.bridge, self._window.theme, life.conversation.folder)
        self.bar.said.connect(rest.toast.say)
        self.bar.answered.connect(self._write)
        self.bar.look_asked.connect(self._look_at_project)
        self._window.chat.above.addWidget(self.bar)
        life.conversation.changed.connect(self._follow)
        self._window.activated.connect(self.bar.read)  # files may have changed meanwhile
        self.bar.follow()

    def _tabs(self) -> tuple[TabPlace, ...]:
        from ui.window.pages.toolbox import TabPlace

        return (
            TabPlace("tools", _("Tools"), self._make_tools),
            TabPlace("skills", _("Skills"), self._make_skills),
            TabPlace("servers", _("Servers"), self._make_servers),
            TabPlace("own", _("Own tools"), self._make_own_tools),
            TabPlace("misses", _("Misses"), self._make_misses),
        )

    def show(self, tab: str = "") -> QWidget:
        """Bring the page to the front, with a tab where one is named; return what it shows."""
        page = self._window.show_page("tools")
        return self.page.show_tab(tab) if tab and self.page is not None else page

    def apply(self, event: Event) -> None:
        """Hand an event of any conversation to the tabs that were made."""
        if self.page is not None:
            self.page.apply(event)
        if not event.session or event.session == self._life.conversation.session:
            self.bar.apply(event)

    def take_settings(self, settings: Settings) -> None:
        """Show these settings where they are shown."""
        if self.page is not None:
            self.page.show_settings(settings)

    def _make(self) -> QWidget:
        from ui.window.pages.toolbox import ToolboxPage

        page = self.page = ToolboxPage(self._window.theme, self._tabs())
        page.show_settings(self._life.settings)
        return page

    # --- tabs ----------------------------------------------------------------------------------------------

    def _make_tools(self) -> QWidget:
        from ui.window.pages.tools import ToolsPage

        page = ToolsPage(self._life.bridge, self._window.theme)
        page.said.connect(self._rest.toast.say)
        return page

    def _make_skills(self) -> QWidget:
        from ui.window.pages.skills import SkillsPage

        conversation = self._life.conversation
        page = self.skills = SkillsPage(
            self._life.bridge, self._window.theme, lambda: (conversation.folder(), conversation.session)
        )
        page.said.connect(self._rest.toast.say)
        page.folder_asked.connect(open_folder)
        page.worded.connect(self._let_word)
        return page

    def _make_servers(self) -> QWidget:
        from ui.window.pages.servers import ServersPage

        page = ServersPage(self._life.bridge, self._window.theme)
        page.said.connect(self._rest.toast.say)
        page.open_asked.connect(open_file)
        return page

    def _make_own_tools(self) -> QWidget:
        from ui.window.pages.own_tools import OwnToolsPage

        page = OwnToolsPage(self._life.bridge, self._window.theme)
        page.said.connect(self._rest.toast.say)
        page.opened.connect(_open_source)
        page.folder_asked.connect(open_folder)
        return page

    def _make_misses(self) -> QWidget:
        from ui.window.pages.misses import MissesPage

        page = MissesPage(self._life.bridge, self._window.theme)
        page.said.connect(self._rest.toast.say)
        return page

    # --- skills --------------------------------------------------------------------------------------------

    def save_as_skill(self) -> None:
        """Open the editor of skills with what the shown conversation did."""
        if not self._life.conversation.session:
            self._rest.toast.say(_("Nothing was said in this conversation yet."))
            return
        self.show("skills")
        if self.skills is not None:
            self.skills.draft()

    def new_skill(self) -> None:
        """Open the editor of skills for a new one."""
        self.show("skills")
        if self.skills is not None:
            self.skills.begin()

    def _look_at_project(self, name: str) -> None:
        """Show what the bar asks about."""
        if name != "skills":
            self._rest.inspecting.show_instructions()
            return
        self.show("skills")
        if self.skills is not None:
            self.skills.show_project()

    def _write(self) -> None:
        """Give the keyboard back to the field, unless the person went to another page."""
        if self._window.page() == "chat":
            self._rest.deeds.write()

    def _follow(self) -> None:
        """Another conversation or folder is shown."""
        self.bar.follow()
        if self.skills is not None:
            self.skills.read()

    def _let_word(self, name: str) -> None:
        """Put a message into the field that asks the model for the skill; the person sends it."""
        words = _("Use the skill write-a-skill: make a skill named {name} of what we just did.")
        self._life.window.chat.composer.editor.replace(words.replace("{name}", name or "…"))
        self._rest.deeds.write()


def _open_source(path: str) -> None:
    """Open a file of Python in the system's editor; Windows would run it, so its folder is shown there."""
    if sys.platform == "win32":
        open_folder(os.path.dirname(path))
    else:
        open_file(path)

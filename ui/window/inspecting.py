"""Connects the context inspector with the rest of the window. The page is made when it is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.events import Event

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.window.furniture import Furniture
    from ui.window.life import Life
    from ui.window.pages.inspector import InspectorPage


class Inspecting(QObject):
    """Opened by the meter above the transcript, the tab of the work panel, a key and a slash command."""

    def __init__(self, life: Life, rest: Furniture) -> None:
        super().__init__()
        self._life, self._rest, self._window = life, rest, life.window
        self.page: InspectorPage | None = None
        self._window.add_page("context", self._make)
        rest.panel.context.all_asked.connect(self.show)
        self._window.chat.title_bar.context_asked.connect(self.show)

    def show(self) -> None:
        """Bring the inspector to the front."""
        self._window.show_page("context")

    def show_instructions(self) -> None:
        """Bring the inspector to the front with the texts of the project's instructions."""
        self.show()
        if self.page is not None:
            self.page.show_instructions()

    def apply(self, event: Event) -> None:
        """Hand an event of any conversation to the page, where it was made."""
        if self.page is not None:
            self.page.apply(event)

    def _make(self) -> QWidget:
        from ui.window.pages.inspector import InspectorPage

        conversation = self._life.conversation
        page = self.page = InspectorPage(
            self._life.bridge,
            self._window.theme,
            lambda: (conversation.session, conversation.mode(), conversation.folder()),
        )
        conversation.changed.connect(page.follow)
        page.back_asked.connect(self._rest.deeds.write)
        page.tools_asked.connect(lambda: self._rest.toolbox.show("tools"))
        page.message_asked.connect(self._show_message)
        page.said.connect(lambda words: self._rest.toast.say(words))
        page.instructions.said.connect(self._rest.toast.say)
        return page

    def _show_message(self, message: str) -> None:
        info = self._life.conversation.info
        if info is not None:
            self._rest.deeds.open(info, message)

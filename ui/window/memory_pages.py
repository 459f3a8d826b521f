"""The page of memory and private conversations in the window: made when first asked for."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from app.events import Event
from app.records import Problem
from ui.language import _
from ui.window.dialogs import pick_new_file
from ui.window.saving import save_text
from ui.words import problem_text

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.window.furniture import Furniture
    from ui.window.life import Life
    from ui.window.pages.memory import MemoryPage


class MemoryPages(QObject):
    """Connects the page with the rest of the window."""

    def __init__(self, life: Life, rest: Furniture) -> None:
        super().__init__()
        self._life, self._rest, self._window = life, rest, life.window
        self.page: MemoryPage | None = None
        self._window.add_page("memory", self._make)

    def show(self, text: str = "") -> None:
        """Bring the page to the front, and find a text in it where one is given."""
        self._window.show_page("memory")
        if self.page is not None and text:
            self.page.search.setText(text)

    def apply(self, event: Event) -> None:
        """Hand an event of any conversation to the page, if it was made."""
        if self.page is not None:
            self.page.apply(event)

    def new_private(self) -> None:
        """Show a new conversation without memory."""
        self._rest.deeds.new()
        self._life.conversation.be_private()

    def _make(self) -> QWidget:
        from ui.window.pages.memory import MemoryPage

        page = self.page = MemoryPage(self._life.bridge, self._window.theme)
        page.said.connect(self._rest.toast.say)
        page.tried.connect(self._rest.deeds.try_example)
        page.export_asked.connect(self._export)
        return page

    def _export(self) -> None:
        kinds = _("JSON (*.json)")
        pick_new_file(self._window, _("Export what is remembered"), "bramble-memory.json", kinds, self._write)

    def _write(self, path: str) -> None:
        async def write(engine: Any) -> None:
            text = await engine.memory.export()
            await asyncio.to_thread(save_text, path, text)

        def failed(problem: Problem) -> None:
            self._rest.toast.say(problem_text(problem).title)

        self._life.bridge.call(write, lambda done: self._rest.toast.say(_("Exported.")), failed)

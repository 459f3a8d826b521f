"""The pages of what Bramble can use: tools, and all that brings more of them. Made when first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.events import Event
from app.settings import Settings
from ui.language import _

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.window.furniture import Furniture
    from ui.window.life import Life
    from ui.window.pages.toolbox import TabPlace, ToolboxPage


class ToolboxPages(QObject):
    """Connects the tabs with the rest of the window. A tab is one row of `_tabs` and one method that makes
    its page.
    """

    def __init__(self, life: Life, rest: Furniture) -> None:
        super().__init__()
        self._life, self._rest, self._window = life, rest, life.window
        self.page: ToolboxPage | None = None
        self._window.add_page("tools", self._make)

    def _tabs(self) -> tuple[TabPlace, ...]:
        from ui.window.pages.toolbox import TabPlace

        return (TabPlace("tools", _("Tools"), self._make_tools),)

    def show(self, tab: str = "") -> QWidget:
        """Bring the page to the front, with a tab where one is named; return what it shows."""
        page = self._window.show_page("tools")
        return self.page.show_tab(tab) if tab and self.page is not None else page

    def apply(self, event: Event) -> None:
        """Hand an event of any conversation to the tabs that were made."""
        if self.page is not None:
            self.page.apply(event)

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

        return ToolsPage(self._life.bridge, self._window.theme)

"""The three steps of the first start in the window: when they are shown, and what each of them does."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from ui.window import dialogs
from ui.window.pages.example_requests import names_in

if TYPE_CHECKING:
    from ui.window.furniture import Furniture
    from ui.window.life import Life
    from ui.window.pages.first_run import FirstRunPage


class FirstStart(QObject):
    """Makes the page when it is first needed; which step is open outlives the window."""

    def __init__(self, life: Life, rest: Furniture) -> None:
        super().__init__(life)
        self._life, self._rest = life, rest
        self._asked: tuple[int, bool] | None = None
        """Where the person asked for the page outside of the first start: it stays until they leave it, go to
        another conversation, or say something.
        """
        self._looked: str | None = None
        """The folder that the examples of the empty page were made for."""

    def page(self) -> FirstRunPage:
        """Return the page, made at the first time."""
        rest = self._rest
        if rest.first_run is None:
            from ui.window.pages.first_run import FirstRunPage

            made = rest.first_run = FirstRunPage(self._life.bridge, self._life.window.theme)
            made.chosen.connect(self._chosen)
            made.left.connect(self._leave)
            made.went_back.connect(self._go_back)
            made.folder.taken.connect(self._take_folder)
            made.folder.pick_asked.connect(self._pick_folder)
            made.example.tried.connect(self._try)
            made.own_server.certificates_asked.connect(self._pick_certificates)
            made.look()
        return rest.first_run

    def show_middle(self, has_model: bool) -> None:
        """Show what stands in the place of a conversation without messages: the step that is open, else
        examples.
        """
        life, chat = self._life, self._life.window.chat
        if has_model and not life.remembered.setup:
            self._show_empty()
            return
        if not has_model and life.models.current is None:
            self._show_empty()
            return
        page = self.page()
        step = (life.remembered.setup or "folder") if has_model else "ways"
        self._fill()
        page.begin(step, alone=False)
        chat.show_in_middle(page)

    def choose_model(self, way: str = "", model: str = "") -> None:
        """Show the ways to a model on behalf of the person, whatever is set; `way` is one of ROUTES, and
        `model` is PROFILE/MODEL that lacks something.
        """
        life = self._life
        page = self.page()
        page.look()
        page.show_screen(way or "ways", focus=False)
        page.lead_to(model)
        page.begin("ways", alone=not self._is_first())
        self._asked = self._place()
        life.window.chat.show_in_middle(page)
        page.focus_first()

    def stays(self) -> bool:
        """Whether the page was asked for and is not done with, whatever else may be shown anew meanwhile."""
        return self._asked == self._place()

    def let_go(self) -> None:
        """The person is done with the page that they asked for: show what stands there without it."""
        stayed, self._asked = self.stays(), None
        if stayed:
            self._life.show_middle()

    def _place(self) -> tuple[int, bool]:
        return self._life.conversation.opening, self._life.conversation.empty

    def done(self) -> None:
        """A conversation has begun: nothing of this is left to do."""
        self._life.remembered.setup = ""

    def _is_first(self) -> bool:
        """Whether no model answers yet, and nothing was said."""
        life = self._life
        return not life.models.current and life.conversation.empty and not life.conversation.session

    def _chosen(self, name: str) -> None:
        first = self._is_first() or self._life.remembered.setup == "ways"
        if first:
            self._life.remembered.setup = "folder"
        self._rest.deeds.use_model(name)
        self._go(first)

    def _go(self, on_page: bool = True) -> None:
        """Show the middle anew, with the keyboard on the page's next step."""
        self._asked = None
        self._life.show_middle()
        page = self._rest.first_run
        if on_page and page is not None and page.isVisible():
            page.focus_first()
        self._rest.keep_soon()

    def _go_back(self, step: str) -> None:
        self._life.remembered.setup = step
        self._go()

    def _fill(self) -> None:
        page, life = self.page(), self._life
        folder, name = life.conversation.folder(), life.outbox.model or life.models.current or ""
        page.folder.show_folder(folder)
        page.example.show_example(folder, life.models.title(name))

    def _pick_certificates(self) -> None:
        take, now = self.page().own_server.take_certificates, self._life.settings.ca_file
        dialogs.pick_certificates(self._life.window, now, take)

    def _pick_folder(self) -> None:
        dialogs.pick_folder(self._life.window, self._life.conversation.folder(), self._take_folder)

    def _take_folder(self, folder: str) -> None:
        life = self._life
        if not folder:
            life.remembered.here = ""
        life.remembered.setup = "try"
        life.conversation.set_folder(folder)
        if folder != life.settings.folder:
            life.change_settings(folder=folder)
        self._go()

    def _try(self, text: str) -> None:
        self.done()
        self._rest.deeds.write()
        self._rest.deeds.send(text)

    def _leave(self) -> None:
        self.done()
        self._asked = None
        self._life.show_middle()
        self._rest.deeds.write()
        self._rest.keep_soon()

    def _show_empty(self) -> None:
        """Show examples that fit the folder; its names are read beside the window."""
        life, folder = self._life, self._life.conversation.folder()
        life.window.chat.show_in_middle(self._rest.empty)
        if folder == self._looked:
            return
        self._looked = folder

        async def names(engine: Any) -> tuple[str, ...]:
            return await asyncio.to_thread(names_in, folder)

        def show(found: tuple[str, ...]) -> None:
            if folder == self._looked:
                self._rest.empty.show_names(found)

        life.bridge.call(names, show)

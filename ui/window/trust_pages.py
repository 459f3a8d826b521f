"""The pages of trust: the inbox, what changed, the permissions. Made when first asked for, told of every
event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject

from app.events import Event
from app.records import Problem
from app.settings import Settings
from ui.trust import layer_name
from ui.window.composer.trust_sign import TrustSign
from ui.window.remedies import open_file
from ui.window.trace import trace
from ui.window.trusting import Trusting

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.window.furniture import Furniture
    from ui.window.life import Life
    from ui.window.pages.changed import ChangedPage
    from ui.window.pages.inbox import InboxPage
    from ui.window.pages.rules import PermissionsPage


class Follower(Protocol):
    """A page that follows events."""

    def apply(self, event: Event) -> None:
        """Take one event."""


class TrustPages(QObject):
    """Connects the pages with the rest of the window."""

    def __init__(self, life: Life, rest: Furniture) -> None:
        super().__init__()
        self._life, self._rest, self._window = life, rest, life.window
        self.inbox: InboxPage | None = None
        self.changed: ChangedPage | None = None
        self.permissions: PermissionsPage | None = None
        self._followers: list[Follower] = []
        self._window.add_page("inbox", self._make_inbox)
        self._window.add_page("changed", self._make_changed)
        self._window.add_page("permissions", self._make_permissions)
        life.questions.changed.connect(self.show_waiting)
        sign = TrustSign(self._window.theme)
        self._window.chat.composer.put_sign(sign)
        sign.page_asked.connect(lambda: self._window.show_page("permissions"))
        trusting = Trusting(life.bridge, life.conversation, sign)
        trusting.known.connect(lambda found: rest.panel.changes.show_sandbox(layer_name(found.layer)))
        trusting.known.connect(lambda found: trace("sandbox"))
        self._followers.append(trusting)

    # --- pages ---------------------------------------------------------------------------------------------

    def _make_inbox(self) -> QWidget:
        from ui.window.pages.inbox import InboxPage

        questions = self._life.questions
        page = self.inbox = InboxPage(self._window.theme, self._title)
        page.review_asked.connect(questions.review)
        page.deny_asked.connect(questions.deny)
        page.session_asked.connect(self._open_session)
        page.show_waiting(questions.waiting())
        return page

    def _make_changed(self) -> QWidget:
        from ui.window.pages.changed import ChangedPage

        life = self._life
        page = self.changed = ChangedPage(life.bridge, self._window.theme, self._rest.back, life.list.info)
        page.problem.connect(self._say_problem)
        self._followers.append(page)
        return page

    def _make_permissions(self) -> QWidget:
        from ui.window.pages.rules import PermissionsPage

        life = self._life
        conversation = life.conversation
        page = self.permissions = PermissionsPage(
            life.bridge,
            self._window.theme,
            life.change_settings,
            lambda: (conversation.folder(), conversation.session),
            self._title,
        )
        page.said.connect(self._rest.toast.say)
        page.open_asked.connect(open_file)
        page.show_settings(life.settings)
        conversation.changed.connect(page.read)
        self._followers.append(page)
        return page

    # --- following -----------------------------------------------------------------------------------------

    def apply(self, event: Event) -> None:
        """Hand an event of any conversation to the pages that were made."""
        for page in self._followers:
            page.apply(event)

    def show_waiting(self) -> None:
        """Show what waits where it is listed."""
        if self.inbox is not None:
            self.inbox.show_waiting(self._life.questions.waiting())

    def take_settings(self, settings: Settings) -> None:
        """Show these settings where they are shown."""
        if self.permissions is not None:
            self.permissions.show_settings(settings)

    # --- doing ---------------------------------------------------------------------------------------------

    def show_changed(self, session: str = "") -> None:
        """Show what changed, of one conversation or of all."""
        self._window.show_page("changed")
        if self.changed is not None and session:
            self.changed.show_session(session)

    def _say_problem(self, problem: Problem) -> None:
        from ui.words import problem_text

        self._rest.toast.say(problem_text(problem).title)

    def _title(self, session: str) -> str:
        info = self._life.list.info(session)
        return info.title if info is not None else ""

    def _open_session(self, session: str) -> None:
        info = self._life.list.info(session)
        if info is not None:
            self._rest.deeds.open(info, "")

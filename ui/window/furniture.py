"""The rest of the window: all that the first conversation can be shown without, made right after it
stands."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer

from app.settings import Settings
from ui.language import _
from ui.window.asking.work import Asked
from ui.window.attaching import Attaching
from ui.window.composer.file_offers import FileOffers
from ui.window.composer.queue import QueueList
from ui.window.composer.suggestions import Suggestions
from ui.window.deeds import Deeds
from ui.window.desktop.signals import Signals
from ui.window.find_bar import FindBar
from ui.window.first_start import FirstStart
from ui.window.helping.work import Helping
from ui.window.inspecting import Inspecting
from ui.window.main_window import window_icon
from ui.window.memory_pages import MemoryPages
from ui.window.notes_bar import NotesBar
from ui.window.notice import NoticeBar
from ui.window.pages.empty import EmptyPage
from ui.window.planning.work import Planning
from ui.window.remembered import Remembered, write
from ui.window.theme import Theme
from ui.window.toast import Toast
from ui.window.toolbox_pages import ToolboxPages
from ui.window.trust_pages import TrustPages
from ui.window.undo.taking_back import TakingBack
from ui.window.viewer import feed
from ui.window.work.ended import EndedJobs
from ui.window.work.feed import WorkFeed
from ui.window.work.panel import WorkPanel

if TYPE_CHECKING:
    from ui.window.life import Life
    from ui.window.pages.first_run import FirstRunPage
    from ui.window.pages.settings import SettingsPage

_KEEP_MS = 1000
"""How long after a change of a draft or of the window's size it is written down."""


class Furniture(QObject):
    """Work panel, queue, notices, find bar, toasts, keys, other starts, and what the window remembers."""

    def __init__(self, life: Life) -> None:
        super().__init__(life)
        self._life, self._window = life, life.window
        self.first_run: FirstRunPage | None = None
        self.settings_page: SettingsPage | None = None
        self._build(life.window.theme)
        self.deeds = Deeds(life, self)
        self.first = FirstStart(life, self)
        self.ended = EndedJobs(life, self)
        self.trust = TrustPages(life, self)
        self.toolbox = ToolboxPages(life, self)
        self.memory = MemoryPages(life, self)
        self.inspecting = Inspecting(life, self)
        self.planning = Planning(life, self)
        self.helping = Helping(life, self)
        self.asked = Asked(life, self)
        self._connect()
        life.single.listen(life.obey)
        life.app.setWindowIcon(window_icon())
        self.signals = Signals(self)

    def _build(self, theme: Theme) -> None:
        life, page = self._life, self._window.chat
        self.panel = WorkPanel(theme)
        page.panel_side.put(self.panel)
        self.back = TakingBack(life.bridge, self._window)
        self.work = WorkFeed(life.bridge, self.panel, page.title_bar, self.back)
        self.queue = QueueList(theme)
        page.queue_place.addWidget(self.queue)
        life.outbox.attach(self.queue)
        self.suggestions = Suggestions(theme, page.composer.editor)
        page.queue_place.addWidget(self.suggestions)
        conversation, composer = life.conversation, page.composer
        self.files = FileOffers(theme, composer.editor, life.bridge, conversation.folder)
        page.queue_place.addWidget(self.files)
        gallery = life.transcript.sheet.gallery
        feed(gallery, life.bridge)
        self.attaching = Attaching(life.bridge, composer, conversation, life.outbox, life.remembered, gallery)
        self.notice = NoticeBar(theme)
        page.above.addWidget(self.notice)
        self.find_bar = FindBar(theme, life.transcript)
        page.above.addWidget(self.find_bar)
        self.notes = NotesBar(life.bridge, theme, lambda: life.conversation.session)
        page.above.addWidget(self.notes)
        self.empty = EmptyPage(theme)
        self.toast = Toast(self._window, theme, self._foot)
        self._keep = QTimer(self)
        self._keep.setSingleShot(True)
        self._keep.setInterval(_KEEP_MS)

    def _connect(self) -> None:
        self.panel.context.tools_asked.connect(lambda: self.toolbox.show("tools"))
        life, page = self._life, self._window.chat
        conversation = life.conversation
        conversation.changed.connect(self._show_work)
        conversation.changed.connect(self._keep.start)  # which one is shown outlives a kill
        conversation.drawn.connect(self._read_work)
        conversation.changed.connect(self.notes.follow)
        conversation.happened.connect(self.notes.apply)
        self.notes.said.connect(self.toast.say)
        for part in (self.work, self.back):
            part.problem.connect(life.show_problem)
        self.panel.changes.review_asked.connect(life.questions.review)
        life.sessions.opened.connect(self.deeds.open)
        life.sessions.done.connect(self.toast.say)
        life.questions.changed.connect(self.show_waiting)
        life.questions.gone.connect(lambda: self.toast.say(_("This question was answered already.")))
        life.questions.elsewhere.connect(self.toast.say)
        self.notice.remedy.connect(self.deeds.remedy)
        self.suggestions.taken.connect(self.deeds.send)
        self.files.taken.connect(self.deeds.files.attach_below)
        self.attaching.said.connect(self.toast.say)
        self.attaching.opened.connect(self.deeds.files.show_thing)
        page.dropped.connect(self.deeds.files.bring)
        page.composer.attach_asked.connect(self.deeds.files.pick)
        life.models.known.connect(self.attaching.look_at_model)
        self.empty.tried.connect(self.deeds.try_example)
        page.composer.editor.textChanged.connect(self._keep.start)
        page.resized.connect(self._keep.start)
        self._keep.timeout.connect(self.keep)
        self._show_work()
        self._read_work()
        self.notes.follow()

    def _show_work(self) -> None:
        conversation = self._life.conversation
        self.work.show(conversation.session, conversation.mode(), conversation.folder(), conversation.home())

    def _read_work(self) -> None:
        """Fill the work panel and the queue for a conversation that was opened."""
        self.work.show_usage(self._life.conversation.newest)
        self.work.read()

    def keep_soon(self) -> None:
        """Write down in a moment what the window remembers."""
        self._keep.start()

    def show_waiting(self) -> None:
        """Mark what waits for the person: in the list, and in the work panel."""
        questions, shown = self._life.questions, self._life.conversation.home()
        waiting = frozenset(approval.session for approval in questions.waiting())
        self._life.list.set_waiting(waiting | self.asked.sessions())
        self._window.rail.set_waiting("inbox", len(questions.waiting()))
        self.panel.changes.show_waiting(questions.waiting(shown) if shown else ())

    def take_settings(self, settings: Settings) -> None:
        """Show these settings where they are shown."""
        if self.settings_page is not None:
            self.settings_page.show_settings(
                settings, self._life.models.title(self._life.models.current or "")
            )
        self.trust.take_settings(settings)
        self.toolbox.take_settings(settings)
        self._keep.start()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        for part in (
            self.panel,
            self.notice,
            self.find_bar,
            self.queue,
            self.suggestions,
            self.files,
            self.empty,
            self.toast,
            self.first_run,
            self.back,
            self.toolbox.bar,
            self.notes,
            self.planning,
            self.asked,
            self.helping.bar,
        ):
            if part is not None:
                part.set_theme(theme)

    def keep(self) -> None:
        """Write down what the window remembers of itself, off the GUI thread."""
        self._life.conversation.keep_draft()
        self.measure()
        remembered: Remembered = self._life.remembered
        copy = replace(remembered, drafts=dict(remembered.drafts), attached=dict(remembered.attached))
        path = self._life.home.data / "window.json"

        async def keep(engine: Any) -> None:
            await asyncio.to_thread(write, path, copy)

        self._life.bridge.call(keep)

    def measure(self) -> None:
        """Remember the window's size and whether its work panel is wanted."""
        window, remembered = self._window, self._life.remembered
        remembered.panel = window.chat.panel_side.wanted is not False
        remembered.maximised = window.isMaximized()
        if not remembered.maximised:
            remembered.width, remembered.height = window.width(), window.height()

    def end(self) -> None:
        """Let signals act as they did, and take the last measures."""
        self._keep.stop()
        self._keep.blockSignals(True)  # settings that come late would start it again
        self.signals.close()
        self.measure()

    def _foot(self) -> int:
        """Return where the composer and what waits above it begin, for the toast; elsewhere the window's
        end."""
        page = self._window.chat
        if self._window.page() != "chat":
            return self._window.height()
        standing = (
            self.queue,
            self.suggestions,
            self.files,
            self.planning.bar,
            self.planning.strip,
            self.asked.card,
            self.asked.ring,
        )
        above = [part.y() for part in standing if part.isVisible()]
        return min([page.composer.y(), *above])

"""The life of the window after its first paint: what is built, how the parts hear of each other, and how
it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from app.events import (
    ApprovalAnswered,
    ApprovalAsked,
    DownloadProgressed,
    Event,
    Noticed,
    SettingsChanged,
    StoreFailed,
    StoreHealed,
)
from app.records import Approval, Problem, SessionInfo
from app.settings import Settings
from ui.language import _
from ui.window.bridge import Bridge
from ui.window.composer.queue import QueueList
from ui.window.conversation import Conversation
from ui.window.desktop.signals import Signals
from ui.window.desktop.single import SingleWindow
from ui.window.find_bar import FindBar
from ui.window.look import Look
from ui.window.main_window import MainWindow
from ui.window.models import Models
from ui.window.notice import NoticeBar
from ui.window.outbox import Outbox
from ui.window.pages.empty import EmptyPage
from ui.window.questions import Questions
from ui.window.remembered import Remembered, write
from ui.window.running import Running
from ui.window.sessions.feed import SessionFeed
from ui.window.sessions.panel import SessionPanel
from ui.window.theme import Theme
from ui.window.toast import Toast
from ui.window.trace import trace
from ui.window.transcript.view import TranscriptView
from ui.window.work.feed import WorkFeed
from ui.window.work.panel import WorkPanel

if TYPE_CHECKING:
    from app.platform.paths import Home
    from ui.window.pages.first_run import FirstRunPage
    from ui.window.pages.settings import SettingsPage

_KEEP_MS = 1000
"""How long after a change of a draft or of the window's size it is written down."""


class Life(QObject):
    """Owns every part of the window that is not a widget, and ends them in order."""

    def __init__(
        self,
        app: QApplication,
        window: MainWindow,
        home: Home,
        single: SingleWindow,
        remembered: Remembered,
        argv: Sequence[str],
    ) -> None:
        super().__init__()
        self.app, self.window, self.home, self.single, self.remembered = app, window, home, single, remembered
        self.settings = Settings()
        self.running = Running()
        self.bridge = Bridge(home, self)
        self._argv = list(argv)
        self._path = home.data / "window.json"
        self._build(window.theme)
        self._connect()
        self.bridge.start()
        self.single.listen(self.obey)
        self.signals = Signals(self)
        app.aboutToQuit.connect(self.end)

    def _build(self, theme: Theme) -> None:
        """Make what the frame left out."""
        page = self.window.chat
        self.list = SessionPanel(theme)
        page.list_side.put(self.list)
        self.panel = WorkPanel(theme)
        page.panel_side.put(self.panel)
        self.transcript = TranscriptView(theme)
        self.notice = NoticeBar(theme)
        page.above.addWidget(self.notice)
        self.find_bar = FindBar(theme, self.transcript)
        page.above.addWidget(self.find_bar)
        self.queue = QueueList(theme)
        page.queue_place.addWidget(self.queue)
        self.empty = EmptyPage(theme)
        self.first_run: FirstRunPage | None = None
        self.settings_page: SettingsPage | None = None
        self.toast = Toast(self.window, theme, self._foot)
        self.look = Look(self.app, theme, self.remembered, self.change_settings)
        self.models = Models(self.bridge, self.window)
        self.work = WorkFeed(self.bridge, self.panel, page.title_bar)
        self.sessions = SessionFeed(self.bridge, self.list)
        self.outbox = Outbox(self.bridge, page.composer, self.queue, self.remembered)
        self.conversation = Conversation(
            self.bridge, self.transcript, page.composer, self.outbox, self.work, self.remembered
        )
        self.questions = Questions(self.bridge, self.window, lambda: self.conversation.session)
        self._keep = QTimer(self)
        self._keep.setSingleShot(True)
        self._keep.setInterval(_KEEP_MS)

    def _connect(self) -> None:
        from ui.window.deeds import Deeds

        self.deeds = Deeds(self)
        page, conversation = self.window.chat, self.conversation
        self.bridge.opened.connect(self._opened)
        self.bridge.refused.connect(self.show_problem)
        self.bridge.failed.connect(self.show_problem)
        self.bridge.events.connect(self._apply)
        for part in (conversation, self.outbox, self.work, self.sessions, self.questions):
            part.problem.connect(self.show_problem)
        self.sessions.opened.connect(self.deeds.open)
        self.sessions.gone.connect(self._gone)
        self.sessions.done.connect(self.toast.say)
        conversation.changed.connect(self._show_conversation)
        conversation.drawn.connect(self._drawn)
        self.questions.changed.connect(self._show_waiting)
        self.questions.gone.connect(lambda: self.toast.say(_("This question was answered already.")))
        self.models.known.connect(self._show_conversation)
        self.look.changed.connect(self.set_theme)
        self.notice.remedy.connect(self.deeds.remedy)
        self.empty.tried.connect(self.deeds.try_example)
        page.composer.editor.textChanged.connect(self._keep.start)
        page.resized.connect(self._keep.start)
        self._keep.timeout.connect(self.keep)

    # --- the engine ------------------------------------------------------------

    def _opened(self, settings: Settings) -> None:
        self.take_settings(settings)
        self.conversation.set_mode(settings.mode)
        self.models.read()
        self.sessions.filled.connect(self._first_list)
        self.sessions.read()
        self.questions.read()

        async def problem(engine: Any) -> Problem | None:
            found: Problem | None = engine.problem
            return found

        self.bridge.call(problem, lambda found: self.show_problem(found) if found else None)

    def _first_list(self) -> None:
        """Show the conversation that was shown last, unless the start asked for another one."""
        self.sessions.filled.disconnect(self._first_list)
        if self._argv and self.obey(self._argv):
            return
        info = self.list.info(self.remembered.session)
        typed = self.window.chat.composer.text()
        if info is None:
            self.remembered.session = ""
            self.remembered.drafts[""] = typed
            self.conversation.show_new()
            trace("session")
        else:
            self.remembered.drafts[info.id] = typed
            self.conversation.open(info)

    def _drawn(self) -> None:
        for approval in self.questions.waiting(self.conversation.session):
            self.transcript.apply(ApprovalAsked(session=approval.session, approval=approval))
        self._show_conversation()
        trace("session")

    def _apply(self, events: Sequence[Event]) -> None:
        for event in map(self.running.corrected, events):
            self.sessions.apply(event)
            self.conversation.apply(event)
            if isinstance(event, ApprovalAsked | ApprovalAnswered):
                self.questions.apply(event)
            elif isinstance(event, SettingsChanged):
                self._read_settings()
            elif isinstance(event, StoreFailed | Noticed):
                self.show_problem(event.problem)
            elif isinstance(event, StoreHealed):
                self.notice.hide()
            elif isinstance(event, DownloadProgressed) and self.first_run is not None:
                self.first_run.apply(event)

    def _read_settings(self) -> None:
        async def read(engine: Any) -> Settings:
            found: Settings = engine.settings
            return found

        self.bridge.call(read, self.take_settings)
        self.models.read()

    def take_settings(self, settings: Settings) -> None:
        """Use these settings from now on."""
        self.settings = settings
        self.look.take(settings)
        self.window.chat.composer.editor.enter_sends = settings.enter_sends
        if settings.folder and not self.remembered.folder:
            self.remembered.folder = settings.folder
        if self.settings_page is not None:
            self.settings_page.show_settings(settings, self.models.title(settings.model))
        self._keep.start()

    def change_settings(self, **fields: Any) -> None:
        """Write settings; what comes back is shown."""
        self.bridge.call(
            lambda engine: engine.change_settings(**fields), self.take_settings, self.show_problem
        )

    # --- showing ------------------------------------------------------------

    def _show_conversation(self) -> None:
        page, conversation = self.window.chat, self.conversation
        info = conversation.info
        title = info.title if info else ""
        page.title_bar.show_title(title)
        page.title_bar.folder.show_folder(self._shown_folder())
        page.composer.modes.choose(conversation.mode())
        name = (info.model if info else self.outbox.model) or self.models.current or ""
        page.composer.model.show_model(self.models.title(name) if name else "")
        self.list.choose(conversation.session)
        self.window.setWindowTitle(f"{title} - Bramble" if title else "Bramble")
        self._show_waiting()
        self._show_middle(bool(name))

    def _shown_folder(self) -> str:
        """Return the folder to show; the empty ones that we made are not worth a name."""
        folder = self.conversation.folder()
        return "" if folder.startswith(str(self.home.scratch)) else folder

    def _show_middle(self, has_model: bool) -> None:
        """The transcript; before the first message examples, before the first model the ways to get one."""
        page = self.window.chat
        if not self.conversation.empty:
            page.show_in_middle(self.transcript)
        elif has_model or self.models.current is None:
            page.show_in_middle(self.empty)
        else:
            page.show_in_middle(self.deeds.first_run_page())

    def _show_waiting(self) -> None:
        waiting: tuple[Approval, ...] = self.questions.waiting()
        self.list.set_waiting(frozenset(approval.session for approval in waiting))
        shown = self.conversation.session
        self.panel.changes.show_waiting(self.questions.waiting(shown) if shown else ())

    def show_problem(self, problem: Problem) -> None:
        """Say what went wrong with the app; what a turn ran into is told by the transcript itself."""
        self.notice.show_problem(problem)

    def set_theme(self, theme: Theme) -> None:
        """Draw everything with another theme."""
        self.window.set_theme(theme)
        for part in (
            self.list,
            self.panel,
            self.transcript,
            self.notice,
            self.find_bar,
            self.queue,
            self.empty,
        ):
            part.set_theme(theme)
        self.questions.set_theme(theme)
        if self.first_run is not None:
            self.first_run.set_theme(theme)

    def profile(self) -> str:
        """Return the profile of the model that answers here, "" for none."""
        info = self.conversation.info
        name = (info.model if info else self.outbox.model) or self.models.current or ""
        return name.partition("/")[0]

    def _foot(self) -> int:
        """Return where the composer and what waits above it begin, for the toast; elsewhere the window's
        end."""
        page = self.window.chat
        if self.window.page() != "chat":
            return self.window.height()
        return self.queue.y() if self.queue.isVisible() else page.composer.y()

    def _gone(self, session: str) -> None:
        if session == self.conversation.session:
            self.conversation.show_new()

    # --- other starts and the end ------------------------------------------------------------

    def obey(self, argv: list[str]) -> bool:
        """Do what a later start (or this one) asks for; returns whether a conversation was chosen by it."""
        if argv[:1] == ["--toggle"]:
            self.window.toggle()
            return False
        self.window.come_forward()
        if argv[:1] == ["--new"]:
            self.deeds.new()
            return True
        if argv[:1] == ["--session"] and len(argv) > 1:
            session = argv[1]
            self.bridge.call(lambda engine: engine.sessions.get(session), self._open_asked, self.show_problem)
            return True
        return False

    def _open_asked(self, info: SessionInfo) -> None:
        self.deeds.open(info, "")

    def keep(self) -> None:
        """Write down what the window remembers of itself, off the GUI thread."""
        copy = self._state()

        async def keep(engine: Any) -> None:
            import asyncio

            await asyncio.to_thread(write, self._path, copy)

        self.bridge.call(keep)

    def _state(self) -> Remembered:
        window, remembered = self.window, self.remembered
        self.conversation.keep_draft()
        remembered.maximised = window.isMaximized()
        if not remembered.maximised:
            remembered.width, remembered.height = window.width(), window.height()
        return replace(remembered, drafts=dict(remembered.drafts))

    def end(self) -> None:
        """Close the engine, write the last state down and give the home free. The window has gone by then."""
        self.signals.close()
        self._keep.stop()
        self.bridge.stop()
        write(self._path, self._state())
        self.single.close()

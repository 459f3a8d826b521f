"""The life of the window after its first paint: what is built, how the parts hear of each other, and how
it ends."""

from __future__ import annotations

import gc
from collections.abc import Sequence
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
from app.records import Problem, SessionInfo
from app.settings import Settings
from ui.window.bridge import Bridge
from ui.window.conversation import Conversation
from ui.window.desktop.single import SingleWindow
from ui.window.look import Look
from ui.window.main_window import MainWindow
from ui.window.models import Models
from ui.window.outbox import Outbox
from ui.window.questions import Questions
from ui.window.remembered import Remembered, write
from ui.window.running import Running
from ui.window.sessions.feed import SessionFeed
from ui.window.sessions.panel import SessionPanel
from ui.window.theme import Theme
from ui.window.title_bar import OWN
from ui.window.trace import trace
from ui.window.transcript.view import TranscriptView

if TYPE_CHECKING:
    from app.platform.paths import Home
    from ui.window.furniture import Furniture


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
        bridge: Bridge,
    ) -> None:
        """`bridge` has been started: the engine is loaded while the rest of the window is built."""
        super().__init__()
        self.app, self.window, self.home, self.single, self.remembered = app, window, home, single, remembered
        self.settings = Settings()
        self.running = Running()
        self.bridge = bridge
        self.rest: Furniture | None = None
        """All that the first conversation can be shown without; made right after it."""
        self._argv = list(argv)
        self._started = False
        self._early: list[Event] = []
        self._settled = False
        """Whether it is known which conversation is shown first; until then its place stays blank."""
        self._build(window.theme)
        self._connect()
        app.aboutToQuit.connect(self.end)

    def _build(self, theme: Theme) -> None:
        """Make what the list and the first conversation need."""
        page = self.window.chat
        self.list = SessionPanel(theme)
        page.list_side.put(self.list)
        self.transcript = TranscriptView(theme)
        self.look = Look(self.app, theme, self.remembered, self.change_settings)
        self.models = Models(self.bridge, self.window)
        self.sessions = SessionFeed(self.bridge, self.list)
        self.outbox = Outbox(self.bridge, page.composer, self.remembered)
        self.conversation = Conversation(
            self.bridge, self.transcript, page.composer, self.outbox, self.remembered
        )
        self.questions = Questions(self.bridge, self.window, self.conversation.home)

    def _connect(self) -> None:
        conversation = self.conversation
        self.bridge.opened.connect(self._opened)
        self.bridge.refused.connect(self._refused)
        self.bridge.failed.connect(self.show_problem)
        self.bridge.events.connect(self._apply)
        for part in (conversation, self.outbox, self.sessions, self.questions):
            part.problem.connect(self.show_problem)
        conversation.changed.connect(self._show_conversation)
        conversation.drawn.connect(self._drawn)
        self.sessions.gone.connect(self._gone)
        self.models.known.connect(self._show_conversation)
        self.look.changed.connect(self.set_theme)

    def furnish(self) -> Furniture:
        """Make the rest, once."""
        if self.rest is None:
            from ui.window.furniture import Furniture

            self.rest = Furniture(self)
            self._show_conversation()
            early, self._early = self._early, []
            self._apply(early)
            self.window.chat.composer.open()
        return self.rest

    # --- the engine ------------------------------------------------------------

    def _opened(self, settings: Settings) -> None:
        self.take_settings(settings)
        self.conversation.set_mode(settings.mode)
        if not self.remembered.session:
            self.models.read()  # without a model the ways to get one are shown
        self.sessions.filled.connect(self._first_list)
        self.sessions.read()

        async def problem(engine: Any) -> Problem | None:
            found: Problem | None = engine.problem
            return found

        self.bridge.call(problem, lambda found: self.show_problem(found) if found else None)
        self.questions.read()

    def _first_list(self) -> None:
        """Show the conversation that was shown last, unless the start asked for another one."""
        self.sessions.filled.disconnect(self._first_list)
        self._settled = True
        if self._argv and self.obey(self._argv):
            self.models.read()
            return
        info = self.list.info(self.remembered.session)
        typed = self.window.chat.composer.text()
        if info is None:
            self.remembered.session = ""
            self.remembered.drafts[""] = typed
            self.conversation.show_new()
            QTimer.singleShot(0, self._stands)
        else:
            self.remembered.drafts[info.id] = typed
            self.conversation.open(info)

    def _stands(self) -> None:
        """The start is over: what was made by now stays, so later collections need not look at it."""
        if self._started:
            return
        self._started = True
        trace("session")
        if self.models.current is None:
            self.models.read()  # not sooner: what knows models is loaded for it, while the window draws
        self.furnish()
        gc.freeze()
        gc.enable()

    def _drawn(self) -> None:
        for approval in self.questions.waiting(self.conversation.session):
            self.transcript.apply(ApprovalAsked(session=approval.session, approval=approval))
        self._show_conversation()
        if not self._started:
            QTimer.singleShot(0, self._stands)  # after the paint that it has asked for

    def _apply(self, events: Sequence[Event]) -> None:
        if self.rest is None:
            self._early.extend(events)
            return
        for event in map(self.running.corrected, events):
            self.sessions.apply(event)
            self.conversation.apply(event)
            self.rest.work.apply(event)
            self.rest.trust.apply(event)
            self.rest.toolbox.apply(event)
            self.rest.memory.apply(event)
            self.rest.inspecting.apply(event)
            self.rest.helping.apply(event)
            self.rest.asked.apply(event)
            if isinstance(event, ApprovalAsked | ApprovalAnswered):
                self.questions.apply(event)
            elif isinstance(event, SettingsChanged):
                self._read_settings()
            elif isinstance(event, StoreFailed | Noticed):
                self.show_problem(event.problem)
            elif isinstance(event, StoreHealed):
                self.rest.notice.hide()
            elif isinstance(event, DownloadProgressed) and self.rest.first_run is not None:
                self.rest.first_run.apply(event)

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
        if self.rest is not None:
            self.rest.take_settings(settings)

    def change_settings(self, **fields: Any) -> None:
        """Write settings; what comes back is shown."""
        self.bridge.call(
            lambda engine: engine.change_settings(**fields), self.take_settings, self.show_problem
        )

    def _refused(self, problem: Problem) -> None:
        gc.enable()
        self.show_problem(problem)

    # --- showing ------------------------------------------------------------

    def _show_conversation(self) -> None:
        page, conversation = self.window.chat, self.conversation
        info = conversation.info
        title = info.title if info else ""
        page.title_bar.show_title(title)
        page.title_bar.show_private(conversation.private())
        page.title_bar.folder.show_folder(self._shown_folder())
        page.composer.modes.choose(conversation.mode())
        name = self.model()
        page.composer.model.show_model(self.models.title(name) if name else "")
        self.list.choose(conversation.home())
        self.window.setWindowTitle(f"{title} \u2014 Bramble" if title else "Bramble")
        self._show_middle(bool(name))
        if self.rest is not None:
            self.rest.show_waiting()

    def _shown_folder(self) -> str:
        """Return the folder to show; those that we made have no name that says anything."""
        folder = self.conversation.folder()
        return OWN if folder.startswith(str(self.home.scratch)) else folder

    def _show_middle(self, has_model: bool) -> None:
        """The transcript; before the first message examples, before that the steps of the first start."""
        page = self.window.chat
        if not self._settled or (self.rest is not None and self.rest.first.stays()):
            return
        if not self.conversation.empty:
            page.show_in_middle(self.transcript)
            if self.rest is not None:
                self.rest.first.done()
        elif self.rest is not None:
            self.rest.first.show_middle(has_model)

    def show_middle(self) -> None:
        """Show anew what stands in the middle."""
        self._show_conversation()

    def show_problem(self, problem: Problem) -> None:
        """Say what went wrong with the app; what a turn ran into is told by the transcript itself."""
        self.furnish().notice.show_problem(problem)

    def set_theme(self, theme: Theme) -> None:
        """Draw everything with another theme."""
        self.window.set_theme(theme)
        for part in (self.list, self.transcript, self.questions):
            part.set_theme(theme)
        if self.rest is not None:
            self.rest.set_theme(theme)

    def model(self) -> str:
        """Return PROFILE/MODEL that answers here, "" for none."""
        info = self.conversation.info
        return (info.model if info else self.outbox.model) or self.models.current or ""

    def profile(self) -> str:
        """Return the profile of the model that answers here, "" for none."""
        return self.model().partition("/")[0]

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
            self.furnish().deeds.new()
            return True
        if argv[:1] == ["--session"] and len(argv) > 1:
            session = argv[1]
            self.bridge.call(lambda engine: engine.sessions.get(session), self._open_asked, self.show_problem)
            return True
        return False

    def _open_asked(self, info: SessionInfo) -> None:
        self.furnish().deeds.open(info, "")

    def end(self) -> None:
        """Close the engine, write the last state down and give the home free. The window has gone by then."""
        self.conversation.keep_draft()
        if self.rest is not None:
            self.rest.end()
        self.bridge.stop()
        write(self.home.data / "window.json", self.remembered)
        self.single.close()

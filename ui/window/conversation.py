"""The conversation that is shown: opens it, and lays every event that concerns it before the views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QTextCursor

from app.attachment_records import own_words
from app.events import (
    Event,
    MessageStored,
    QueueChanged,
    RequestSent,
    SessionChanged,
    TurnEnded,
    TurnStarted,
)
from app.records import Effort, Message, Mode, Problem, SessionInfo
from ui.window.bridge import Bridge
from ui.window.composer.composer import Composer
from ui.window.outbox import Outbox
from ui.window.remembered import Remembered

if TYPE_CHECKING:
    from app.engine import Engine
    from ui.window.transcript.view import TranscriptView

FIRST_MESSAGES = 60
"""Newest messages that are drawn when a conversation is opened; older ones when they are scrolled to."""


class Conversation(QObject):
    """Owns which conversation is shown and whether a turn runs in it. `session` is "" for a new one."""

    changed = Signal()
    """Another conversation is shown, or its title, mode, model or folder changed."""
    stored = Signal(str)
    """The new conversation that is shown is stored now; carries its id, before `changed`."""
    drawn = Signal()
    """The messages of a conversation that was opened stand in the transcript (`newest` holds the last of
    them)."""
    grown = Signal()
    """Older messages stand above those that were drawn."""
    happened = Signal(object)
    """An event of this conversation, after the transcript has it."""
    sought = Signal(str)
    """The message that the conversation was opened for is in sight."""
    problem = Signal(object)
    ended = Signal(object)
    """A turn ended here; carries its TurnEnded."""

    def __init__(
        self,
        bridge: Bridge,
        transcript: TranscriptView,
        composer: Composer,
        outbox: Outbox,
        remembered: Remembered,
    ) -> None:
        super().__init__()
        self._bridge, self._transcript, self._composer = bridge, transcript, composer
        self._outbox, self._remembered = outbox, remembered
        self.session = ""
        self.info: SessionInfo | None = None
        self.running = False
        self.empty = True
        self.opening = 0
        """How often another conversation was shown."""
        self._oldest = ""
        """The first message that is drawn, when older ones are left out."""
        self._loading = False
        self._sought = ""
        """The message to bring into sight once it is here."""
        self._held: list[Event] = []
        self.newest: tuple[Message, ...] = ()
        self.texts: dict[str, str] = {}
        """What the person wrote here, by message."""
        outbox.created.connect(self._created)
        transcript.older_wanted.connect(self.read_older)

    # --- opening ------------------------------------------------------------

    def show_new(self) -> None:
        """Show a new conversation; it is stored when its first message is sent."""
        self._leave()
        self.session, self.info, self.running, self.empty = "", None, False, True
        self._outbox.private = False
        self.newest = ()
        self._transcript.load([])
        self._arrive()

    def open(self, info: SessionInfo, message: str = "") -> None:
        """Show a stored conversation by its newest messages, or where this message of it is."""
        if info.id == self.session:
            self._sought = message
            self._seek()
            return
        self._leave()
        self._sought = message
        self.session, self.info, self.running, self.empty = info.id, info, info.running, False
        self._loading, self._held = True, []
        self._arrive()
        opening, session = self.opening, info.id
        self._bridge.call(
            lambda engine: engine.sessions.messages(session, tail=FIRST_MESSAGES),
            lambda messages: self._show_first(opening, messages),
            self._refused,
        )

    def keep_draft(self) -> None:
        """Keep what is typed and not sent for the next time."""
        text = self._composer.text()
        if text.strip():
            self._remembered.drafts[self.session] = text
        else:
            self._remembered.drafts.pop(self.session, None)

    def _leave(self) -> None:
        self.keep_draft()
        self.opening += 1
        self._loading, self._oldest, self._sought = False, "", ""

    def _arrive(self) -> None:
        self._remembered.session = self.home()
        editor = self._composer.editor
        editor.setPlainText(self._remembered.drafts.get(self.session, ""))
        editor.moveCursor(QTextCursor.MoveOperation.End)
        editor.set_past([])
        self._show_running(self.running)
        self._outbox.show(self.session)
        self.changed.emit()

    def _show_first(self, opening: int, messages: Sequence[Message]) -> None:
        if opening != self.opening:
            return
        self._oldest = messages[0].id if len(messages) == FIRST_MESSAGES else ""
        self.newest = tuple(messages)
        self._transcript.load(messages, running=self.running)
        self.empty = not messages
        self.texts = {message.id: message.text for message in messages if message.role == "user"}
        self._composer.editor.set_past([own_words(text) for text in self.texts.values()])
        self._apply_held()
        self.drawn.emit()
        self._seek()
        self._outbox.read()

    def read_older(self) -> None:
        """Read the messages above those that are drawn, when they are wanted: scrolled to, or searched."""
        if not self._oldest:
            return
        opening, session, oldest = self.opening, self.session, self._oldest
        self._oldest = ""
        self._bridge.call(
            lambda engine: engine.sessions.messages(session),
            lambda whole: self._show_older(opening, oldest, whole),
            self.problem.emit,
        )

    def _show_older(self, opening: int, oldest: str, messages: Sequence[Message]) -> None:
        if opening != self.opening:
            return
        upto = next((at for at, message in enumerate(messages) if message.id == oldest), 0)
        self._transcript.prepend(messages[:upto])
        self.grown.emit()
        older = {message.id: message.text for message in messages[:upto] if message.role == "user"}
        self.texts = {**older, **self.texts}
        self._seek()

    def _seek(self) -> None:
        """Bring the message into sight that is sought, after the older ones were read if need be."""
        if not self._sought or self._loading:
            return
        if not self._transcript.show_message(self._sought):
            self.read_older()
            return
        message, self._sought = self._sought, ""
        self.sought.emit(message)

    def _apply_held(self) -> None:
        """Apply what happened while the messages were read, in order."""
        self._loading = False
        held, self._held = self._held, []
        for event in held:
            self._transcript.apply(event)

    def _refused(self, problem: Problem) -> None:
        self._loading = False
        self.problem.emit(problem)

    # --- events ------------------------------------------------------------

    def apply(self, event: Event) -> None:
        """Lay one event before the views; those of other conversations are not for here."""
        if not self.session or event.session != self.session:
            return
        if self._loading:
            self._held.append(event)
        else:
            self._transcript.apply(event)
        self._follow(event)
        self.happened.emit(event)

    def _follow(self, event: Event) -> None:
        match event:
            case TurnStarted() | RequestSent():
                self._set_running(True)
            case TurnEnded():
                self._set_running(False)
                self.ended.emit(event)
            case QueueChanged():
                self._outbox.show_queued(event.queued)
            case MessageStored():
                self._stored(event.message)
            case SessionChanged():
                self._session_changed(event.info)

    def _stored(self, message: Message) -> None:
        was_empty, self.empty = self.empty, False
        if message.role == "user":
            self.texts[message.id] = message.text
            words = own_words(message.text)
            if words:
                self._composer.editor.remember(words)
        if was_empty:
            self.changed.emit()

    def _session_changed(self, info: SessionInfo | None) -> None:
        if info is None or info.deleted:
            self.show_new()
            return
        self.info = info
        if self.running and not info.running and not self._loading:
            self._transcript.halt()
        self._set_running(info.running)
        self.changed.emit()

    def _created(self, info: SessionInfo) -> None:
        self._remembered.drafts.pop("", None)
        waiting = self._remembered.attached.pop("", None)
        if waiting:  # brought for the next message, before this one was stored
            self._remembered.attached[info.id] = waiting
        self.session, self.info, self.empty = info.id, info, False
        self._remembered.session = info.id
        self.stored.emit(info.id)
        self.changed.emit()

    def _set_running(self, running: bool) -> None:
        if running != self.running:
            self._show_running(running)

    def _show_running(self, running: bool) -> None:
        self.running = running
        self._outbox.show_running(running)
        self._composer.set_running(running)

    # --- what a person does to it ------------------------------------------------------------

    def stop(self) -> None:
        """Stop the running turn."""
        session = self.session
        if session and self.running:
            self._bridge.call(lambda engine: engine.stop(session), None, self.problem.emit)

    def switch_model(self) -> None:
        """Let the fall-back model answer the request that waits for its provider."""
        session = self.session

        async def switch(engine: Engine) -> bool:
            return engine.switch_model(session)

        self._bridge.call(switch, None, self.problem.emit)

    def home(self) -> str:
        """Return the person's own conversation: the shown one, or the one whose helper is shown."""
        return (self.info.parent if self.info else "") or self.session

    def stands(self) -> bool:
        """Whether the transcript holds the messages of this conversation, and not still those before."""
        return not self._loading

    def private(self) -> bool:
        """Whether it is without memory, or will be once it is stored."""
        return self.info.private if self.info else self._outbox.private

    def be_private(self) -> None:
        """Let the new conversation that is shown be one without memory."""
        self._outbox.private = True
        self.changed.emit()

    def mode(self) -> Mode:
        """Return the mode of the next turn."""
        return self.info.mode if self.info else self._outbox.mode

    def folder(self) -> str:
        """Return the working folder, "" when a new conversation would get an empty one of ours."""
        return self.info.cwd if self.info else self._remembered.place()

    def set_mode(self, mode: Mode) -> None:
        """Choose the mode from the next turn on, here and for the next new conversation."""
        self._outbox.mode = mode
        self._configure(mode=mode)

    def set_model(self, name: str) -> None:
        """Choose the model (PROFILE/MODEL) from the next turn on."""
        if not self.session:
            self._outbox.model = name
        self._configure(model=name)

    def effort(self) -> Effort:
        """Return how much the model of the next turn reasons."""
        return self.info.effort if self.info else self._outbox.effort

    def set_effort(self, effort: Effort) -> None:
        """Choose how much the model reasons, from the next turn on."""
        self._outbox.effort = effort
        self._configure(effort=effort)

    def compact(self) -> None:
        """Summarise the earlier messages; `stop` ends that."""
        session = self.session
        if session:
            self._bridge.call(lambda engine: engine.compact(session), None, self.problem.emit)

    def set_folder(self, folder: str) -> None:
        """Choose the working folder from the next turn on."""
        if not self.session:
            self._remembered.folder = folder
        self._configure(cwd=folder)

    def _configure(
        self,
        *,
        mode: Mode | None = None,
        model: str | None = None,
        cwd: str | None = None,
        effort: Effort | None = None,
    ) -> None:
        session = self.session
        if session:
            self._bridge.call(
                lambda engine: engine.sessions.configure(
                    session, mode=mode, model=model, cwd=cwd, effort=effort
                ),
                None,
                self.problem.emit,
            )
        else:
            self.changed.emit()

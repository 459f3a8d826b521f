"""What a person writes on its way to the engine: begins a turn, waits behind one, or goes into the running
answer.

Nothing that was written is lost: a text that could not be sent stands in its field again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.attachment_records import attachments_of, joined, own_words
from app.records import Effort, Mode, Problem, Queued, SessionInfo
from ui.window.bridge import Bridge
from ui.window.composer.composer import Composer
from ui.window.remembered import Remembered

if TYPE_CHECKING:
    from ui.window.composer.queue import QueueList


class Outbox(QObject):
    """Sends for the conversation that is shown; `session` is "" until a new one is stored."""

    created = Signal(object)
    """A new conversation was stored for its first message; carries its SessionInfo."""
    problem = Signal(object)
    returned = Signal(str, object)
    """A message could not be sent: its session, and the parts that it brought."""

    def __init__(self, bridge: Bridge, composer: Composer, remembered: Remembered) -> None:
        super().__init__()
        self._bridge, self._composer, self._remembered = bridge, composer, remembered
        self._queue: QueueList | None = None
        self.session = ""
        self.running = False
        """Whether a turn runs there."""
        self.mode: Mode = "agent"
        self.model = ""
        self.effort: Effort = ""
        self.private = False
        """The next new conversation is without memory."""
        """Mode, model and effort of a conversation that is not stored yet."""
        self._first: list[str] | None = None

    def attach(self, queue: QueueList) -> None:
        """Show what waits in this list from now on."""
        self._queue = queue
        queue.show_running(self.running)
        self.read()
        queue.edited.connect(self.edit)
        queue.removed.connect(self.remove)
        queue.steered.connect(self.steer_waiting)

    def show(self, session: str) -> None:
        """Send to this conversation from now on."""
        if session == self.session and session:
            return
        self.session, self._first = session, None
        if self._queue is not None:
            self._queue.show_queued(())

    def show_running(self, running: bool) -> None:
        """Take whether a turn runs in the conversation."""
        self.running = running
        if self._queue is not None:
            self._queue.show_running(running)

    def read(self) -> None:
        """Read what waits in the conversation."""
        session = self.session
        if session and self._queue is not None:
            self._bridge.call(lambda engine: engine.queued(session), self.show_queued)

    def show_queued(self, queued: Sequence[Queued]) -> None:
        """Show what waits in the conversation."""
        if self._queue is not None:
            self._queue.show_queued([each for each in queued if each.session == self.session])

    def send(self, text: str) -> None:
        """Send a text; while a turn runs it waits for its end."""
        if self.session:
            self._send(self.session, text)
        elif self._first is not None:
            self._first.append(text)
        else:
            self._create([text])

    def steer(self, text: str) -> None:
        """Give the running turn a text before its next request."""
        session = self.session
        if not session:
            self.send(text)
            return
        self._bridge.call(
            lambda engine: engine.steer(session, text),
            None,
            lambda problem: self._back(session, text, problem),
        )

    def queue(self, text: str) -> None:
        """Keep a text for after the running turn."""
        session = self.session
        if session:
            self._bridge.call(
                lambda engine: engine.queue(session, text),
                None,
                lambda problem: self._back(session, text, problem),
            )

    def edit(self, item: str, text: str) -> None:
        """Change a waiting text."""
        self._bridge.call(lambda engine: engine.edit_queued(item, text), None, self.problem.emit)

    def remove(self, item: str) -> None:
        """Take a waiting text back."""
        self._bridge.call(lambda engine: engine.remove_queued(item), None, self.problem.emit)

    def steer_waiting(self, item: str) -> None:
        """Hand a waiting text to the running turn, or begin one with it, unless it has gone meanwhile."""
        waiting = self._queue.queued() if self._queue is not None else ()
        text = next((queued.text for queued in waiting if queued.id == item), "")
        if text:
            self._bridge.call(
                lambda engine: engine.remove_queued(item),
                lambda removed: self._say_now(text) if removed else None,
                self.problem.emit,
            )

    def _say_now(self, text: str) -> None:
        if self.running:
            self.steer(text)
        else:
            self.send(text)

    def _create(self, texts: list[str]) -> None:
        self._first = texts
        folder, mode, model = self._remembered.place(), self.mode, self.model
        effort, private = self.effort, self.private
        self._bridge.call(
            lambda engine: engine.sessions.create(
                cwd=folder, mode=mode, model=model, effort=effort, private=private
            ),
            lambda info: self._created(texts, info),
            lambda problem: self._not_created(texts, problem),
        )

    def _created(self, texts: list[str], info: SessionInfo) -> None:
        if self._first is texts:  # still the conversation that is shown
            self.session, self._first = info.id, None
            self.created.emit(info)
        for text in texts:
            self._send(info.id, text)

    def _not_created(self, texts: list[str], problem: Problem) -> None:
        if self._first is texts:
            self._first = None
        words = "\n".join(filter(None, map(own_words, texts)))
        parts = [one.part for text in texts for one in attachments_of(text)]
        self._back("", joined(words, parts), problem)

    def _send(self, session: str, text: str) -> None:
        self._bridge.call(
            lambda engine: engine.send(session, text),
            None,
            lambda problem: self._back(session, text, problem),
        )

    def _back(self, session: str, text: str, problem: Problem) -> None:
        words, parts = own_words(text), [one.part for one in attachments_of(text)]
        if session == self.session:
            there = self._composer.text()
            self._composer.editor.replace(f"{words}\n{there}" if there.strip() else words)
        else:
            self._remembered.drafts[session] = words
        if parts:
            self.returned.emit(session, parts)
        self.problem.emit(problem)

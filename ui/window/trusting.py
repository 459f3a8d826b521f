"""What the signs of trust show: the sandbox of this machine, the untrusted sources of the conversation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from app.events import Event, MessageStored, SettingsChanged
from app.records import Mark, Message, SandboxInfo
from ui.window.bridge import Bridge
from ui.window.composer.trust_sign import TrustSign
from ui.window.conversation import FIRST_MESSAGES, Conversation

LOOK_MS = 1500
"""How long after the start the sandbox is looked at: its layers are started once, which can wait."""


class Trusting(QObject):
    """Follows the conversation that is shown."""

    known = Signal(object)
    """What holds commands, as a SandboxInfo."""

    def __init__(self, bridge: Bridge, conversation: Conversation, sign: TrustSign) -> None:
        super().__init__()
        self._bridge, self._conversation, self._sign = bridge, conversation, sign
        self._session = ""
        self._marks: dict[Mark, None] = {}
        conversation.changed.connect(self._follow)
        conversation.drawn.connect(self._drawn)
        self.known.connect(sign.show_sandbox)
        self._follow()  # at the start a conversation is drawn before there is anybody to hear of it
        self._drawn()
        QTimer.singleShot(LOOK_MS, self, self.look)

    def look(self) -> None:
        """Read what holds commands."""
        self._bridge.call(_sandbox, self.known.emit)

    def apply(self, event: Event) -> None:
        """Follow messages and settings."""
        if isinstance(event, SettingsChanged):
            self.look()
        elif isinstance(event, MessageStored) and event.session == self._session and event.message.marks:
            self._add(event.message.marks)

    def _follow(self) -> None:
        """Begin anew for another conversation."""
        if self._conversation.session != self._session:
            self._session, self._marks = self._conversation.session, {}
            self._sign.show_marks(())

    def _drawn(self) -> None:
        newest: Sequence[Message] = self._conversation.newest
        self._add(mark for message in newest for mark in message.marks)
        if len(newest) >= FIRST_MESSAGES:
            session = self._session
            self._bridge.call(
                lambda engine: _marks(engine, session), lambda found: self._take(session, found)
            )

    def _take(self, session: str, marks: Sequence[Mark]) -> None:
        if session == self._session:
            self._add(marks)

    def _add(self, marks: Iterable[Mark]) -> None:
        before = len(self._marks)
        self._marks.update(dict.fromkeys(marks))
        if len(self._marks) != before:
            self._sign.show_marks(tuple(self._marks))


async def _sandbox(engine: Any) -> SandboxInfo:
    found: SandboxInfo = await engine.sandbox()
    return found


async def _marks(engine: Any, session: str) -> tuple[Mark, ...]:
    """Return the sources of all messages; only they cross over, not the messages."""
    whole: Sequence[Message] = await engine.sessions.messages(session)
    return tuple(dict.fromkeys(mark for message in whole for mark in message.marks))

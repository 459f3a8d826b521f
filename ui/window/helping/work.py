"""Connects helpers with the rest of the window: their rows while they work, their transcripts in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut

from app.events import Event
from app.records import HelperInfo, SessionInfo
from ui.language import _
from ui.window.helping.bar import ParentBar
from ui.window.helping.watch import HelperWatch
from ui.window.transcript.helper_calls import untold
from ui.window.transcript.helpers_seen import helpers_of

if TYPE_CHECKING:
    from ui.window.furniture import Furniture
    from ui.window.life import Life


class Helping(QObject):
    """A helper's conversation is read where its parent's stood; nothing can be said in it."""

    def __init__(self, life: Life, rest: Furniture) -> None:
        super().__init__()
        self._life, self._rest = life, rest
        self.watch = HelperWatch()
        self._from: dict[str, str] = {}
        """The message whose card led to a helper, by the conversation that it stands in."""
        self.bar = ParentBar(life.window.theme)
        life.window.chat.above.insertWidget(0, self.bar)
        life.transcript.helper_requested.connect(self.open)
        self.bar.back_asked.connect(self.back)
        self._leave = QShortcut(QKeySequence(Qt.Key.Key_Escape), life.transcript)
        self._leave.setContext(Qt.ShortcutContext.WidgetShortcut)
        self._leave.activated.connect(self.back)
        conversation = life.conversation
        conversation.changed.connect(self.follow)
        conversation.drawn.connect(self._show_rows)
        for shown in (conversation.drawn, conversation.grown):
            shown.connect(self._find_lost)
        conversation.happened.connect(lambda event: self.follow())
        self.follow()

    def apply(self, event: Event) -> None:
        """Take an event of any conversation."""
        changed = self.watch.apply(event)
        if changed and changed == self._life.conversation.session:
            self._show_rows()

    def _show_rows(self) -> None:
        conversation = self._life.conversation
        seen = self.watch.of(conversation.session)
        if seen and conversation.stands():
            self._life.transcript.show_helpers(seen)

    def _find_lost(self) -> None:
        """Ask the store for the helpers of calls that tell of none: they broke off, or run elsewhere."""
        conversation, transcript = self._life.conversation, self._life.transcript
        session = conversation.session
        if not untold(transcript.story.rows):
            return

        def show(found: Sequence[HelperInfo]) -> None:
            if session == conversation.session and conversation.stands():
                transcript.find_helpers(found, running=conversation.running)

        self._life.bridge.call(lambda engine: engine.sessions.helpers(session), show)

    # --- going there and back ------------------------------------------------------------------------------

    def open(self, session: str) -> None:
        """Show the transcript of a helper."""
        self._life.bridge.call(
            lambda engine: engine.sessions.get(session), self._show, self._life.show_problem
        )

    def _show(self, info: SessionInfo) -> None:
        self._from[info.parent] = self._card_of(info.id)
        self._rest.deeds.open(info, "")

    def _card_of(self, helper: str) -> str:
        """Return the message under which a helper's row stands, "" where none does."""
        for row in reversed(self._life.transcript.story.rows):
            for call in row.calls.values():
                if any(seen.session == helper for seen in helpers_of(call.view) or call.helpers):
                    return row.key
        return ""

    def back(self) -> None:
        """Show the conversation that the helper worked for, where its card stands."""
        info = self._life.conversation.info
        if info is None or not info.parent:
            return
        parent = info.parent
        self._life.bridge.call(
            lambda engine: engine.sessions.get(parent),
            lambda found: self._rest.deeds.open(found, self._from.pop(parent, "")),
            self._life.show_problem,
        )

    def follow(self) -> None:
        """Show whose helper this is, and the field for messages only where something can be said."""
        conversation = self._life.conversation
        info = conversation.info
        helper = info is not None and bool(info.parent)
        self._life.window.chat.composer.setVisible(not helper)
        self._leave.setEnabled(helper)
        if info is None or not info.parent:
            self.bar.hide()
            return
        parent = self._life.list.info(info.parent)
        self.bar.show_parent(parent.title if parent is not None else "", running=conversation.running)

    def refuses(self) -> bool:
        """Whether what is to be done is nothing for a helper's conversation, which is shown; say so then."""
        info = self._life.conversation.info
        if info is None or not info.parent:
            return False
        self._rest.toast.say(_("This is a helper's conversation: it can only be read."))
        return True

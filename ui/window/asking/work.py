"""Connects questions of models and timers with the window: the card of the shown conversation, marks on
others, and a note when a timer rings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.daily_records import Inquiry, InquiryReply, TimerInfo
from app.events import Event, InquiryAnswered, InquiryAsked, TimerRang, TimersChanged
from ui.language import _
from ui.window.asking.card import InquiryCard
from ui.window.asking.ring import RingCard
from ui.window.theme import Theme

if TYPE_CHECKING:
    from ui.window.furniture import Furniture
    from ui.window.life import Life


class Asked(QObject):
    """Owns the card, and knows what waits in all conversations."""

    def __init__(self, life: Life, rest: Furniture) -> None:
        super().__init__()
        self._life, self._rest = life, rest
        self._waiting: dict[str, Inquiry] = {}
        self.ring = RingCard(life.window.theme)
        self.card = InquiryCard(life.window.theme, self._room)
        life.window.chat.queue_place.insertWidget(0, self.ring)
        life.window.chat.queue_place.insertWidget(1, self.card)
        self.ring.put_away.connect(self._put_away)
        self.card.answered.connect(self._answer)
        life.window.chat.resized.connect(self.card.place)
        life.conversation.changed.connect(self.show)
        life.bridge.call(lambda engine: engine.daily.inquiries.list(), self._take, lambda gone: None)
        self._read_timers()

    def _room(self) -> int:
        """Return the height of the page without the composer and the card of a timer."""
        page = self._life.window.chat
        taken = self.ring.height() if self.ring.isVisible() else 0
        return int(page.height() - page.composer.height() - taken)

    def _take(self, waiting: Sequence[Inquiry]) -> None:
        self._waiting = {one.id: one for one in waiting}
        self.show()

    def apply(self, event: Event) -> None:
        """Follow what is asked, answered and rings, in any conversation."""
        if isinstance(event, InquiryAsked):
            self._waiting[event.inquiry.id] = event.inquiry
        elif isinstance(event, InquiryAnswered):
            self._waiting.pop(event.inquiry, None)
        elif isinstance(event, TimerRang | TimersChanged):
            self._read_timers()
            return
        else:
            return
        self.show()

    def sessions(self) -> frozenset[str]:
        """Return the conversations in which a question waits."""
        return frozenset(one.session for one in self._waiting.values())

    def show(self) -> None:
        """Show the oldest question of the shown conversation, and mark the others."""
        shown = self._life.conversation.session
        here = [one for one in self._waiting.values() if shown and one.session == shown]
        self.card.show_inquiry(min(here, key=lambda one: (one.asked, one.id), default=None))
        self._rest.show_waiting()

    def _answer(self, reply: InquiryReply) -> None:
        inquiry = self.card.inquiry
        if inquiry is None:
            return
        self.card.set_busy(True)

        def done(stored: bool) -> None:
            if not stored:
                self._rest.toast.say(_("This question was answered already."))
            self._waiting.pop(inquiry.id, None)
            self.show()

        self._life.bridge.call(lambda engine: engine.daily.inquiries.answer(inquiry.id, reply), done)

    def _read_timers(self) -> None:
        self._life.bridge.call(lambda engine: engine.daily.timers.list(), self._rung, lambda gone: None)

    def _rung(self, timers: Sequence[TimerInfo]) -> None:
        rung = [one for one in timers if one.rang]
        if rung and self.ring.timer is None:
            self._life.app.alert(self._life.window)
            self._life.app.beep()
        self.ring.show_rung(rung)
        self.card.place()

    def _put_away(self, timer: str) -> None:
        self._life.bridge.call(
            lambda engine: engine.daily.timers.put_away(timer), lambda gone: self._read_timers()
        )

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self.card.set_theme(theme)
        self.ring.set_theme(theme)

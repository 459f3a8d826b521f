"""The context inspector: what the next request holds, what caching saved, which tools are in it and why, and
what makes the beginning be sent anew.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QShowEvent

from app.events import (
    ContextMeasured,
    Event,
    InstructionsChanged,
    ServersChanged,
    SettingsChanged,
    TurnEnded,
)
from app.records import ContextReport, LoadedTool, Mode, Problem
from ui.amounts import money, tokens
from ui.context_words import ANEW, anew_text
from ui.language import _, plural
from ui.window.bridge import Bridge, Ticket
from ui.window.pages.inspector_rows import FactRow, LoadedRow, Parts
from ui.window.pages.instructions_card import InstructionsCard
from ui.window.pages.long_list import LongList
from ui.window.pages.page import Card, Page, clear
from ui.window.parts import button, label
from ui.window.theme import Theme
from ui.words import problem_text

Here = Callable[[], tuple[str, Mode, str]]
"""Returns conversation, mode and folder of what is shown."""
_USUAL = ("mode", "settings", "model")
"""What can begin any conversation's requests anew; the other causes belong to a way of calling tools."""


class InspectorPage(Page):
    """Follows the conversation that is shown, while it is seen."""

    back_asked = Signal()
    tools_asked = Signal()
    """The person wants to choose what is always on."""
    message_asked = Signal(str)
    """The message that brought a tool is to be shown."""
    said = Signal(str)

    def __init__(self, bridge: Bridge, theme: Theme, here: Here) -> None:
        super().__init__(theme, _("What the next request holds"), _("Looking…"))
        self._bridge, self._here = bridge, here
        self._ticket: Ticket | None = None
        self.report: ContextReport | None = None
        self.title.setWordWrap(True)  # the narrowest window has room for half of it
        self.back_button = button(_("Back"), "", self.back_asked.emit)
        self.back_button.setAccessibleName(_("Back to the conversation"))
        self.back_button.setToolTip(f"{_('Back to the conversation')} (Esc)")
        self.copy_button = button(_("Copy"), "", self._copy)
        self.copy_button.setAccessibleName(_("Copy the request"))
        self.copy_button.setToolTip(_("Copy the request, word for word, as it would be sent"))
        self.add_action(self.copy_button)
        self.add_action(self.back_button)
        self.empty = Card(theme, _("Nothing can be shown yet"))
        self._make_cards(theme)
        self._cards = (self.parts_card, self.tools_card, self.saved, self.anew)
        self.instructions = InstructionsCard(bridge, theme, lambda: here()[2])
        self.instructions.looked.connect(self._go_to_instructions)
        self._sought = False
        """The instructions were asked for; they are gone to again when what stands above them has come."""
        for card in (self.empty, *self._cards):
            card.hide()
            self.column.addWidget(card)
        self.column.insertWidget(self.column.indexOf(self.tools_card), self.instructions)
        self.copy_button.hide()
        self.column.addStretch(1)

    def _make_cards(self, theme: Theme) -> None:
        self.parts_card = Card(theme, _("By part"))
        self.parts = Parts(theme)
        self.parts_card.rows.addWidget(self.parts)
        self._counted = label("", "caption", wrap=True)
        self.parts_card.rows.addWidget(self._counted)
        self.saved = Card(theme, _("Saved by caching"))
        self.anew = Card(theme, _("When a request begins anew"))
        self.tools_card = Card(theme, _("Tools in the request"))
        self.tools = LongList(theme, first=20)
        self._loaded: tuple[LoadedTool, ...] = ()
        self.tools_card.rows.addWidget(self.tools)
        self._more = label("", "caption", wrap=True)
        self.tools_card.rows.addWidget(self._more)
        choose = button(_("Choose the tools"), "", self.tools_asked.emit)
        self.tools_card.rows.addWidget(choose, 0, Qt.AlignmentFlag.AlignLeading)

    # --- reading -------------------------------------------------------------------------------------------

    def read(self) -> None:
        """Read what the next request would hold; only the newest answer counts."""
        if self._ticket is not None:
            self._ticket.cancel()
        session, mode, folder = self._here()

        async def look(engine: Any) -> ContextReport:
            found: ContextReport = await engine.context(
                session=session, mode=mode, cwd="" if session else folder
            )
            return found

        self._ticket = self._bridge.call(look, self.show_report, self.show_problem)
        self.instructions.read()

    def show_instructions(self) -> None:
        """Go to the texts of the project's instructions."""
        self._sought = self.report is None
        self.instructions.open_texts()

    def _go_to_instructions(self) -> None:
        def go() -> None:
            place = self.instructions.mapTo(self._inside, QPoint(0, 0))
            self.area.verticalScrollBar().setValue(place.y() - self.theme.s24)

        QTimer.singleShot(0, self, go)  # once it is laid out

    def follow(self) -> None:
        """Another conversation, mode, model or folder is shown."""
        if self.isVisible():
            self.read()

    def apply(self, event: Event) -> None:
        """Follow requests and turns of the conversation, and what changes tools."""
        if not self.isVisible():
            return
        ours = isinstance(event, TurnEnded | ContextMeasured) and event.session == self._here()[0]
        if ours or isinstance(event, SettingsChanged | ServersChanged | InstructionsChanged):
            self.read()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.read()

    # --- showing -------------------------------------------------------------------------------------------

    def show_problem(self, problem: Problem) -> None:
        """Say why there is nothing to show."""
        told = problem_text(problem)
        self.report = None
        self.sentence.setText(told.title)
        self.empty.say(" ".join(filter(None, (told.title, told.detail))))
        self._show_cards(False)

    def show_report(self, report: ContextReport) -> None:
        """Show a request."""
        self.report = report
        self.sentence.setText(summary(report))
        exact = bool(report.counted) and report.counted == report.total_tokens
        self.parts.show_parts(report.parts, report.total_tokens, exact, report.window)
        self._counted.setText(counted_text(report))
        self._show_saved(report)
        self._show_anew(report)
        self._show_tools(report)
        self._show_cards(True)

    def _show_cards(self, known: bool) -> None:
        self.empty.setVisible(not known)
        self.copy_button.setVisible(known)
        for card in self._cards:
            card.setVisible(known)
        if self._sought:
            self._sought = False
            self._go_to_instructions()

    def _show_saved(self, report: ContextReport) -> None:
        saved, theme = report.caching, self.theme
        clear(self.saved.rows, keep=2)
        if not saved.requests:
            self.saved.say(_("Nothing was counted in this conversation yet."))
            return
        self.saved.say("")
        share = _("{n} %").replace("{n}", str(round(100 * saved.cached / max(1, saved.input))))
        rows = [
            (_("Requests that the provider counted"), f"{saved.requests:,}"),
            (_("Sent in all"), tokens(saved.input)),
            (_("Of that from the provider's cache"), f"{tokens(saved.cached)} ({share})"),
            (_("Written into the cache"), tokens(saved.written) if saved.written else ""),
            (_("Saved"), money(saved.money)),
        ]
        for words, amount in rows:
            if amount:
                self.saved.rows.addWidget(FactRow(theme, words, amount))

    def _show_anew(self, report: ContextReport) -> None:
        counts = {use.why: use.count for use in report.prefixes if use.why != "first"}
        clear(self.anew.rows, keep=2)
        self.anew.say(
            _(
                "Each request begins with the one before, so that the provider's cache holds."
                " Only this begins it anew, and is paid for in full once:"
            )
        )
        for why in [*_USUAL, *(why for why in ANEW if why in counts and why not in _USUAL)]:
            times = counts.get(why, 0)
            amount = plural("{n} time", "{n} times", times) if times else _("not yet")
            words = anew_text(why)
            self.anew.rows.addWidget(
                FactRow(self.theme, words[:1].upper() + words[1:], amount, quiet=not times)
            )
        if report.anew:
            words = _("The next request begins anew, so all of it is paid for in full once.")
            self.anew.rows.addWidget(label(words, "caution", wrap=True))

    def _show_tools(self, report: ContextReport) -> None:
        cost = tokens(sum(tool.tokens for tool in report.loaded))
        words = plural(
            "{n} tool, about {cost} in all.", "{n} tools, about {cost} in all.", len(report.loaded)
        )
        self.tools_card.say(words.replace("{cost}", cost))
        if report.loaded != self._loaded:
            self._loaded = report.loaded
            go = self.message_asked.emit
            self.tools.fill([partial(LoadedRow, self.theme, tool, go) for tool in report.loaded])
        more = plural("{n} more tool can be loaded.", "{n} more tools can be loaded.", report.loadable)
        self._more.setText(more)

    # --- keys ----------------------------------------------------------------------------------------------

    def _copy(self) -> None:
        if self.report is not None:
            QGuiApplication.clipboard().setText(self.report.body)
            self.said.emit(_("The request is copied."))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.area.verticalScrollBar()
        page, key = bar.pageStep(), Qt.Key
        steps = {
            key.Key_Down: self.theme.s40,
            key.Key_Up: -self.theme.s40,
            key.Key_PageDown: page,
            key.Key_PageUp: -page,
            key.Key_Home: -bar.maximum(),
            key.Key_End: bar.maximum(),
        }
        pressed = Qt.Key(event.key())
        if pressed == key.Key_Escape:
            self.back_asked.emit()
        elif pressed in steps:
            bar.setValue(bar.value() + steps[pressed])
        else:
            super().keyPressEvent(event)


def summary(report: ContextReport) -> str:
    """Return how much of the model's window the request fills, in one sentence."""
    words = _("About {n}.")
    if report.window:
        words = _("About {n}, {percent} % of what the model reads.")
    percent = max(1, round(100 * report.total_tokens / report.window)) if report.window else 0
    return words.replace("{n}", tokens(report.total_tokens)).replace("{percent}", str(percent))


def counted_text(report: ContextReport) -> str:
    """Return what of it the provider has counted, and what ≈ stands for."""
    if not report.counted:
        return _("≈ is an estimate; the provider counts exactly when it answers.")
    words = _("The provider has counted {n} of them; ≈ is an estimate.")
    return words.replace("{n}", f"{report.counted:,}")

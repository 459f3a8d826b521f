"""The page of vain searches: how often models looked for a tool, what came of it, and what was not found."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.events import Event, TurnEnded
from app.records import LookupCounts, MissedSearch, Problem, ToolLookups
from ui.amounts import ago
from ui.context_words import searches_text
from ui.language import _, plural
from ui.window.approvals.facts import wrapping
from ui.window.bridge import Bridge
from ui.window.pages.long_list import LongList
from ui.window.pages.page import Card, Page
from ui.window.parts import Elided, button, label
from ui.window.theme import Theme
from ui.window.transcript.legible import legible
from ui.words import problem_text

Read = tuple[LookupCounts, Sequence[MissedSearch]]


class MissesPage(Page):
    """Reads the counters whenever it comes forward, and after each turn."""

    said = Signal(str, object)
    """What was done, and how to take it back."""

    def __init__(self, bridge: Bridge, theme: Theme, clock: Callable[[], float] = time.time) -> None:
        super().__init__(theme, _("Misses"), _("Looking…"))
        self._bridge, self._clock = bridge, clock
        self._read: Read = (LookupCounts(), ())
        self.clear_button = button(_("Clear"), "", self.clear)
        self.clear_button.setAccessibleName(_("Forget all counts and misses"))
        self.add_action(self.clear_button)
        self.numbers = Numbers(theme)
        self.empty = Card(theme, _("Nothing was searched for yet"))
        self.empty.say(
            _(
                "When a model lacks a tool, it searches in plain words. What it does not find is listed here:"
                " it tells which tool, server or word is lacking. Nothing of it leaves this computer."
            )
        )
        self.missed = Card(theme, _("Searched for in vain"))
        self.misses = LongList(theme, first=20)
        self.missed.rows.addWidget(self.misses)
        self.found = Card(theme, _("Found most often"))
        self.tools = LongList(theme, first=8)
        self.found.rows.addWidget(self.tools)
        for part in (self.empty, self.numbers, self.missed, self.found):
            part.hide()
            self.column.addWidget(part)
        self.column.addStretch(1)
        self.clear_button.hide()

    def read(self) -> None:
        """Read counters and misses again."""

        async def look(engine: Any) -> Read:
            return await engine.lookups.counts(), await engine.lookups.misses()

        self._bridge.call(look, lambda found: self.show_lookups(*found), self._problem)

    def apply(self, event: Event) -> None:
        """Follow the turns, in which models search."""
        if isinstance(event, TurnEnded) and self.isVisible():
            self.read()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.read()

    def show_lookups(self, counts: LookupCounts, misses: Sequence[MissedSearch]) -> None:
        """Show these."""
        self._read = counts, misses
        any_kept = bool(counts.searched or counts.tools or misses)
        self.sentence.setText(searches_text(counts))
        self.clear_button.setVisible(any_kept)
        self.empty.setVisible(not any_kept)
        self.numbers.setVisible(any_kept)
        self.numbers.show_numbers(
            (_("Searched"), counts.searched),
            (_("Found"), max(0, counts.searched - counts.missed)),
            (_("Called"), sum(tool.called for tool in counts.tools)),
            (_("Missed"), counts.missed),
        )
        now = self._clock()
        self.missed.setVisible(any_kept)
        self.missed.say("" if misses else _("No search was in vain."))
        self.misses.fill([partial(MissRow, self.theme, one, now) for one in misses])
        self.found.setVisible(bool(counts.tools))
        self.tools.fill([partial(FoundRow, self.theme, one) for one in counts.tools])

    def clear(self) -> None:
        """Forget all of it; it can be had back."""
        kept = self._read

        def cleared(nothing: object) -> None:
            self.read()
            self.said.emit(_("All counts and misses are forgotten."), lambda: self._put_back(kept))

        self._bridge.call(lambda engine: engine.lookups.clear(), cleared, self._problem)

    def _put_back(self, kept: Read) -> None:
        self._bridge.call(
            lambda engine: engine.lookups.put_back(*kept), lambda nothing: self.read(), self._problem
        )

    def _problem(self, problem: Problem) -> None:
        self.sentence.setText(problem_text(problem).title)


class Numbers(Card):
    """A few numbers side by side, each over its word."""

    def __init__(self, theme: Theme) -> None:
        self._row = QHBoxLayout()
        self._pairs: list[tuple[QLabel, QLabel]] = []
        super().__init__(theme, "")
        self.setAccessibleName(_("Counts"))
        self.rows.addLayout(self._row)

    def show_numbers(self, *numbers: tuple[str, int]) -> None:
        """Show these, each with its word."""
        while len(self._pairs) < len(numbers):
            column, number, word = QVBoxLayout(), label("", "title"), label("", "small")
            column.setSpacing(0)
            column.addWidget(number)
            column.addWidget(word)
            self._row.addLayout(column, 1)
            self._pairs.append((number, word))
        for (number, word), (text, count) in zip(self._pairs, numbers, strict=True):
            number.setText(f"{count:,}")
            number.setAccessibleName(f"{text}: {count:,}")
            word.setText(text)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        super().set_theme(theme)
        self._row.setSpacing(theme.s24)


class _Line(QWidget):
    """Words at the start and quiet ones at the end; it can be reached by Tab and read there."""

    def __init__(self, theme: Theme, first: QLabel, name: str, *ends: QLabel) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._line = QHBoxLayout(self)
        self._line.addWidget(first, 1)
        for end in ends:
            end.setAlignment(Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignTop)
            self._line.addWidget(end, 0, Qt.AlignmentFlag.AlignTop)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        self._line.setContentsMargins(0, theme.s4, 0, theme.s4)
        self._line.setSpacing(theme.s16)


class MissRow(_Line):
    """What was searched for, how often, and when last."""

    def __init__(self, theme: Theme, miss: MissedSearch, now: float) -> None:
        often = plural("{n} time", "{n} times", miss.times)
        when = ago(miss.last, now)
        words = wrapping(miss.query, "body")
        super().__init__(
            theme,
            words,
            f"{legible(miss.query)}, {often}, {when}",
            label(often if miss.times > 1 else "", "caption"),
            label(when, "caption"),
        )


class FoundRow(_Line):
    """A tool, how often a search named it, and how often it was then called."""

    def __init__(self, theme: Theme, tool: ToolLookups) -> None:
        found = _("found {n}").replace("{n}", f"{tool.found:,}")
        called = _("called {n}").replace("{n}", f"{tool.called:,}")
        name = Elided("body")
        name.setText(legible(tool.name))
        words = f"{legible(tool.name)}, {found}, {called}"
        super().__init__(theme, name, words, label(found, "caption"), label(called, "caption"))

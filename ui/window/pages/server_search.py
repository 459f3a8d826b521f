"""Search of the registry: what it has, which of it can be used here, and the fields of the chosen one."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.mcp_offers import Offer, Way
from app.records import Problem
from ui.server_words import offer_text, sent_text, way_text, why_not_text
from ui.window.approvals.facts import wrapping
from ui.window.approvals.plain import Exact
from ui.window.bridge import Bridge, Ticket
from ui.window.pages.page import clear
from ui.window.pages.server_fields import Fields
from ui.window.parts import Choice, SearchField, box, button, label
from ui.window.theme import Theme
from ui.window.transcript.legible import legible
from ui.words import _, plural, problem_text


class RegistrySearch(QWidget):
    """A field and what was found; `wanted` carries the offer, the way and the values to install."""

    wanted = Signal(object, object, object)

    def __init__(self, theme: Theme, bridge: Bridge) -> None:
        super().__init__()
        self._theme, self._bridge = theme, bridge
        self._ticket: Ticket | None = None
        self._chosen: Chosen | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        line = QHBoxLayout()
        self.field = SearchField(theme, _("What it should be for, such as calendar or postgres"))
        self.field.returnPressed.connect(self.look)
        line.addWidget(self.field, 1)
        self._go = button(_("Search"), "", self.look)
        line.addWidget(self._go)
        self._column.addLayout(line)
        self._says = wrapping("", "small")
        self._column.addWidget(self._says)
        self._again = button(_("Run again"), "", self.look)
        self._again.hide()
        self._column.addWidget(self._again)
        self._found = QVBoxLayout()
        self._column.addLayout(self._found)
        self._line = line
        self.empty()
        self.set_theme(theme)

    def start(self) -> None:
        """Give the keyboard to the field."""
        self.field.setFocus()

    def empty(self) -> None:
        """Forget what was found."""
        self.field.clear()
        self._show(())
        self._says.setText(
            _("The words go to registry.modelcontextprotocol.io. Nothing is installed by a search.")
        )

    def refuse(self, words: str) -> None:
        """Say why the chosen server could not be added."""
        if self._chosen is not None:
            self._chosen.refuse(words)
        elif words:
            self._says.setText(words)

    def look(self) -> None:
        """Ask the registry."""
        query = self.field.text().strip()
        if not query:
            return
        if self._ticket is not None:
            self._ticket.cancel()
        self._show(())
        self._says.setText(_("Looking…"))

        async def search(engine: Any) -> Sequence[Offer]:
            found: Sequence[Offer] = await engine.mcp_registry.search(query)
            return found

        self._ticket = self._bridge.call(search, self._take, self._failed)

    def _take(self, found: Sequence[Offer]) -> None:
        usable = sum(bool(offer.usable) for offer in found)
        if not found:
            self._says.setText(
                _("The registry has nothing for this. Other words, or a product's name, may help.")
            )
        else:
            words = plural("{n} server found", "{n} servers found", len(found))
            able = plural("{n} of them can be used here.", "{n} of them can be used here.", usable)
            self._says.setText(f"{words}. {able}")
        self._show(found)

    def _failed(self, problem: Problem) -> None:
        told = problem_text(problem)
        self._says.setText(f"{told.title} {told.detail}".strip())
        self._again.show()

    def _show(self, found: Sequence[Offer]) -> None:
        self._again.hide()
        self._chosen = None
        clear(self._found)
        for at, offer in enumerate(found):
            if at:
                self._found.addWidget(box("rule"))
            row = OfferRow(self._theme, offer)
            row.chosen.connect(self._choose)
            self._found.addWidget(row)

    def _part(self, at: int) -> QWidget | None:
        item = self._found.itemAt(at)
        return item.widget() if item is not None else None

    def _choose(self, offer: Offer) -> None:
        """Show the fields of one offer below its row, in the place of those of another one."""
        if self._chosen is not None:
            self._chosen.hide()
            self._chosen.deleteLater()
            self._chosen = None
        for at in range(self._found.count()):
            row = self._part(at)
            if isinstance(row, OfferRow):
                row.mark(row.offer is offer)
                if row.offer is offer:
                    self._chosen = Chosen(self._theme, self._bridge, offer)
                    self._chosen.wanted.connect(self.wanted)
                    self._found.insertWidget(at + 1, self._chosen)
        if self._chosen is not None:
            self._chosen.start()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self._column.setSpacing(theme.s8)
        self._found.setSpacing(theme.s8)
        self._line.setSpacing(theme.s8)
        self.field.set_theme(theme)
        for at in range(self._found.count()):
            part = self._part(at)
            if isinstance(part, Chosen):
                part.set_theme(theme)


class OfferRow(QWidget):
    """A server of the registry: its name, what it says of itself, how it would run here or why it cannot."""

    chosen = Signal(object)

    def __init__(self, theme: Theme, offer: Offer) -> None:
        super().__init__()
        self.offer = offer
        name = legible(offer_text(offer))
        self.setAccessibleName(name)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        words = QVBoxLayout()
        words.setSpacing(theme.px(2))
        words.addWidget(wrapping(f"{offer_text(offer)} {offer.version}".strip(), "strong"))
        if offer.title:
            words.addWidget(wrapping(offer.name, "caption"))
        if offer.description:
            words.addWidget(wrapping(offer.description, "small"))
        way = next(iter(offer.ways), None)
        usable = way is not None and way.usable
        how = way_text(way) if way is not None and usable else why_not_text(way)
        words.addWidget(wrapping(how, "caption"))
        if offer.deprecated:
            words.addWidget(wrapping(_("Its makers say that it is out of date."), "caution"))
        line.addLayout(words, 1)
        self._pick = button(_("Set up"), "", lambda: self.chosen.emit(offer))
        self._pick.setAccessibleName(f"{_('Set up')}: {name}")
        self._pick.setVisible(usable)
        line.addWidget(self._pick)

    def mark(self, chosen: bool) -> None:
        """Hide the button while its fields are shown."""
        self._pick.setVisible(not chosen and bool(self.offer.usable))


class Chosen(QWidget):
    """The fields of an offer, and the exact command or address that comes of them."""

    wanted = Signal(object, object, object)

    def __init__(self, theme: Theme, bridge: Bridge, offer: Offer) -> None:
        super().__init__()
        self._theme, self._bridge, self._offer = theme, bridge, offer
        self._ways = offer.usable
        self._way: Way = self._ways[0]
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._pick: Choice | None = None
        if len(self._ways) > 1:
            self._pick = Choice(theme, _("How it runs"))
            for way in self._ways:
                self._pick.addItem(legible(way_text(way)))
            self._pick.currentIndexChanged.connect(self._take_way)
            self._column.addWidget(self._pick)
        self._fields = Fields(theme, self._way.fields)
        self._column.addWidget(self._fields)
        self._about = wrapping("", "small")
        self._column.addWidget(self._about)
        self._command = Exact(_("What is started or reached, word for word"), " ")
        self._column.addWidget(self._command)
        self._wrong = label("", "danger", wrap=True)
        self._wrong.hide()
        self._column.addWidget(self._wrong)
        foot = QHBoxLayout()
        foot.addStretch(1)
        self.install = button(_("Install and start"), "main", self._press)
        foot.addWidget(self.install)
        self._column.addLayout(foot)
        self._take_way(0)
        self.set_theme(theme)

    def start(self) -> None:
        """Give the keyboard to the first field, or to the button where there is none."""
        rows = self._fields.rows
        (rows[0].control if rows else self.install).setFocus()

    def refuse(self, words: str) -> None:
        """Say why it could not be installed."""
        self._wrong.setText(words)
        self._wrong.setVisible(bool(words))
        self.install.setEnabled(True)

    def _take_way(self, at: int) -> None:
        self._way = self._ways[at]
        made = Fields(self._theme, self._way.fields)
        made.changed.connect(self._preview)
        self._column.replaceWidget(self._fields, made)
        self._fields.hide()
        self._fields.deleteLater()
        self._fields = made
        words = (
            _("This is started, with your rights and outside of the sandbox:")
            if self._way.runner
            else f"{_('This address is reached.')} {sent_text(self._way.what)}"
        )
        self._about.setText(words)
        self.install.setText(_("Install and start") if self._way.runner else _("Add and connect"))
        self._preview()

    def _preview(self) -> None:
        """Show what the values come to, as the engine makes it."""
        offer, way, values = self._offer, self._way, self._fields.values()

        async def plan(engine: Any) -> str:
            made = engine.mcp_registry.preview(offer, way, values)
            lines = [*map(shlex.join, made.steps), shlex.join(made.command) if made.command else made.url]
            given = (*made.env, *made.secret_env, *made.headers, *made.secret_headers)
            return "\n".join([*lines, *(f"+ {name}" for name in given)])

        self._bridge.call(plan, self._take_text)

    def _take_text(self, text: str) -> None:
        self._command.setPlainText(legible(text))
        self._command.fit()

    def _press(self) -> None:
        offer, way, values = self._offer, self._way, self._fields.values()

        async def check(engine: Any) -> dict[str, str]:
            found: dict[str, str] = engine.mcp_registry.faults(way, values)
            return found

        def checked(faults: dict[str, str]) -> None:
            self._fields.show_faults(faults)
            if not faults:
                self.install.setEnabled(False)
                self.wanted.emit(offer, way, values)

        self._bridge.call(check, checked)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self._column.setSpacing(theme.s8)
        self._fields.set_theme(theme)
        self._command.set_theme(theme)
        if self._pick is not None:
            self._pick.set_theme(theme)

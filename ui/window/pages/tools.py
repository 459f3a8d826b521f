"""The page of tools: what every request carries, and all that is loaded when it is needed, by kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.events import Event, OwnToolsChanged, ServersChanged, SettingsChanged
from app.records import Problem, ToolInfo
from ui.amounts import tokens
from ui.language import _, plural
from ui.window.bridge import Bridge
from ui.window.pages.long_list import FIRST
from ui.window.pages.page import Page
from ui.window.pages.tool_rows import ToolCard, ToolRow
from ui.window.parts import SearchField, label
from ui.window.theme import Theme
from ui.words import problem_text

_ALWAYS = ""
"""Stands for the card of what is always on among the kinds."""
_TYPING_MS = 120
FEW = 6
"""Rows of each kind that is not ours: there may be dozens of servers with hundreds of tools."""


class ToolsPage(Page):
    """Each tool stands in one place: among those that are always on, or with its kind."""

    said = Signal(str, object)
    """What was done, and how to take it back."""

    def __init__(self, bridge: Bridge, theme: Theme) -> None:
        super().__init__(theme, _("Tools"), _("Looking…"))
        self._bridge = bridge
        self._tools: Sequence[ToolInfo] = ()
        self.search = SearchField(theme, _("Find a tool"))
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._typing.timeout.connect(self._search)
        self.search.textChanged.connect(lambda text: self._typing.start())
        self._none = label(_("No tool holds these words."), "muted")
        self._none.hide()
        self.cards: dict[str, ToolCard] = {_ALWAYS: ToolCard(theme, _("Always on"), self._set)}
        for part in (self.search, self._none, self.cards[_ALWAYS]):
            self.column.addWidget(part)
        self.cards[_ALWAYS].hide()
        self.column.addStretch(1)
        self.read()

    def read(self) -> None:
        """Read the tools again."""

        async def look(engine: Any) -> Sequence[ToolInfo]:
            await engine.own_tools.list()
            found: Sequence[ToolInfo] = engine.tools()
            return found

        self._bridge.call(
            look, self.show_tools, lambda problem: self.sentence.setText(problem_text(problem).title)
        )

    def apply(self, event: Event) -> None:
        """Follow tools that come and go."""
        if isinstance(event, (OwnToolsChanged, ServersChanged, SettingsChanged)):
            self.read()

    def show_tools(self, tools: Sequence[ToolInfo]) -> None:
        """Show these tools; the keyboard stays where it was, or beside a row that has moved away."""
        held = self._held()
        self._tools = tools
        words = _("{tools}. A model gets those that fit what you ask; what changes something is asked first.")
        self.sentence.setText(words.replace("{tools}", plural("{n} tool", "{n} tools", len(tools))))
        total = sum(tool.tokens for tool in tools if tool.state == "always")
        words = _(
            "Every request carries these, about {n} in all; the others are loaded when they are needed. "
            "What you switch begins the requests of a conversation anew, once."
        )
        self.cards[_ALWAYS].say(words.replace("{n}", tokens(total)))
        self._fill()
        self._hold(*held)

    def row(self, name: str) -> ToolRow | None:
        """Return the row of a tool, None where it is not shown."""
        return next((row for card in self.cards.values() if (row := card.row(name))), None)

    # --- showing -------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        """Show the tools that hold all words of the search."""
        words = self.search.text().casefold().split()
        groups: dict[str, list[ToolInfo]] = {_ALWAYS: []}
        for tool in sorted(self._tools, key=lambda tool: (tool.category, tool.name)):
            said = f"{tool.name} {tool.summary} {tool.category}".casefold()
            kind = _ALWAYS if tool.state == "always" else tool.category
            groups.setdefault(kind, [])
            if all(word in said for word in words):
                groups[kind].append(tool)
        for kind in [kind for kind in self.cards if kind not in groups]:
            gone = self.cards.pop(kind)
            self.column.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        first = self.column.indexOf(self.cards[_ALWAYS])
        for at, (kind, tools) in enumerate(groups.items()):
            if kind not in self.cards:
                ours = all(tool.source == "built in" for tool in tools)
                self.cards[kind] = ToolCard(
                    self.theme, kind.replace("_", " ").capitalize(), self._set, FIRST if ours else FEW
                )
            card = self.cards[kind]
            if self.column.indexOf(card) != first + at:
                self.column.insertWidget(first + at, card)
            card.show_tools(tuple(tools))
        self._none.setVisible(bool(self._tools) and not any(groups.values()))

    def _search(self) -> None:
        for card in self.cards.values():
            card.list.close_again()
        self._fill()

    def _held(self) -> tuple[str, str, int]:
        """Return the tool whose switch has the keyboard, the one beside it, and where that stands."""
        focus: QWidget | None = self.focusWidget()
        for card in self.cards.values():
            for row in card.list.rows:
                if isinstance(row, ToolRow) and row.switch is focus and focus is not None:
                    beside = card.row(card.neighbour(row.tool.name)) or row
                    return row.tool.name, beside.tool.name, beside.mapTo(self, beside.rect().topLeft()).y()
        return "", "", 0

    def _hold(self, name: str, beside: str, before: int) -> None:
        """Give the keyboard back. A row that has moved away leaves it to the one that takes its place, which
        stays where it was on the screen.
        """
        row, other = self.row(name), self.row(beside)
        if not name or other is None:
            return
        inside = self.area.widget()
        if inside is not None and inside.layout() is not None:
            self.column.activate()
            inside.layout().activate()  # type: ignore[union-attr]
        bar = self.area.verticalScrollBar()
        bar.setValue(bar.value() + other.mapTo(self, other.rect().topLeft()).y() - before)
        stayed = row is not None and row.parent() is other.parent()
        held = row if stayed and row is not None else other
        if held.switch is not None:
            held.switch.setFocus()

    # --- changing ------------------------------------------------------------------------------------------

    def _set(self, tool: ToolInfo, on: bool) -> None:
        async def change(engine: Any) -> None:
            settings = engine.settings
            always, deferred = set(settings.always_on), set(settings.deferred)
            always.discard(tool.name)
            deferred.discard(tool.name)
            if on and not tool.core:
                always.add(tool.name)
            if not on and tool.core:
                deferred.add(tool.name)
            await engine.change_settings(always_on=tuple(sorted(always)), deferred=tuple(sorted(deferred)))

        def failed(problem: Problem) -> None:
            self.sentence.setText(problem_text(problem).title)
            self.read()

        words = _("{name} is always on.") if on else _("{name} is loaded when it is needed.")
        said = words.replace("{name}", tool.name)
        self._bridge.call(change, lambda done: self.said.emit(said, lambda: self._set(tool, not on)), failed)

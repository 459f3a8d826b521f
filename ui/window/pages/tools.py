"""The page of tools: everything Bramble can do by itself, by kind, in one sentence each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QWidget

from app.events import Event, OwnToolsChanged, ServersChanged, SettingsChanged
from app.records import Problem, ToolInfo
from ui.amounts import tokens
from ui.language import _, plural
from ui.window.bridge import Bridge
from ui.window.pages.page import Card, Page, clear
from ui.window.parts import SWITCH_HEIGHT, SWITCH_WIDTH, Switch, label, plain_tip
from ui.window.theme import Theme
from ui.words import problem_text

_HEAD = 1
"""What stands in the column before the cards."""


class ToolsPage(Page):
    """One card for each folder of tools."""

    def __init__(self, bridge: Bridge, theme: Theme) -> None:
        super().__init__(theme, _("Tools"), _("Looking…"))
        self._bridge = bridge
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
        """Show these tools."""
        clear(self.column, keep=_HEAD)
        groups: dict[str, list[ToolInfo]] = {}
        for tool in sorted(tools, key=lambda tool: (tool.category, tool.name)):
            groups.setdefault(tool.category, []).append(tool)
        words = _("{tools}. A model gets those that fit what you ask; what changes something is asked first.")
        self.sentence.setText(words.replace("{tools}", plural("{n} tool", "{n} tools", len(tools))))
        self.column.addWidget(self._always_on(tools))
        for category, members in groups.items():
            card = Card(self.theme, category.replace("_", " ").capitalize())
            for tool in members:
                ends: list[QWidget] = [label(_("only reads"), "caption")] if tool.read_only else []
                ends.append(self._room() if tool.state == "always" else self._switch(tool))
                card.add_row(tool.name, *ends, note=tool.summary)
            self.column.addWidget(card)
        self.column.addStretch(1)

    def _always_on(self, tools: Sequence[ToolInfo]) -> Card:
        """Return what every request carries and what each of it costs."""
        always = [tool for tool in tools if tool.state == "always"]
        total = sum(tool.tokens for tool in always)
        words = _(
            "Every request carries these, about {n} in all; the others are loaded when they are needed. "
            "What you switch begins the requests of a conversation anew, once."
        )
        card = Card(self.theme, _("Always on"), words.replace("{n}", tokens(total)))
        for tool in sorted(always, key=lambda tool: tool.name):
            cost = label(f"≈ {tool.tokens:,}", "caption")
            cost.setAccessibleName(_("about {n}").replace("{n}", tokens(tool.tokens)))
            card.add_row(tool.name, cost, self._room() if tool.fixed else self._switch(tool))
        return card

    def _room(self) -> QWidget:
        """Return the room of a switch, so that rows without one stand in line with the others."""
        made = QWidget()
        made.setFixedSize(self.theme.px(SWITCH_WIDTH), self.theme.px(SWITCH_HEIGHT))
        return made

    def _switch(self, tool: ToolInfo) -> Switch:
        """Return the switch between always on and only when needed."""
        made = Switch(self.theme, _("{name} is always on").replace("{name}", tool.name))
        about = _("Always on costs about {n} in every request").replace("{n}", tokens(tool.tokens))
        made.setToolTip(plain_tip(about))
        made.setChecked(tool.state == "always")
        made.toggled.connect(lambda on: self._set(tool, on))
        return made

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

        self._bridge.call(change, None, failed)

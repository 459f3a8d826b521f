"""The page of tools: everything Bramble can do by itself, by kind, in one sentence each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.events import Event, OwnToolsChanged, ServersChanged
from app.records import ToolInfo
from ui.language import _, plural
from ui.window.bridge import Bridge
from ui.window.pages.page import Card, Page, clear
from ui.window.parts import label
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
        if isinstance(event, (OwnToolsChanged, ServersChanged)):
            self.read()

    def show_tools(self, tools: Sequence[ToolInfo]) -> None:
        """Show these tools."""
        clear(self.column, keep=_HEAD)
        groups: dict[str, list[ToolInfo]] = {}
        for tool in sorted(tools, key=lambda tool: (tool.category, tool.name)):
            groups.setdefault(tool.category, []).append(tool)
        words = _("{tools}. A model gets those that fit what you ask; what changes something is asked first.")
        self.sentence.setText(words.replace("{tools}", plural("{n} tool", "{n} tools", len(tools))))
        for category, members in groups.items():
            card = Card(self.theme, category.replace("_", " ").capitalize())
            for tool in members:
                ends = [label(_("only reads"), "caption")] if tool.read_only else []
                card.add_row(tool.name, *ends, note=tool.summary)
            self.column.addWidget(card)
        self.column.addStretch(1)

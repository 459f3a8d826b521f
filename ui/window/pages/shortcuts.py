"""The page of keys: everything that can be done, with the keys that do it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QGridLayout, QWidget

from ui import slash
from ui.language import _
from ui.window.actions import Act
from ui.window.pages.page import Card, Page
from ui.window.parts import label
from ui.window.theme import Theme


class ShortcutsPage(Page):
    """Two columns of words and keys, by group."""

    def __init__(self, theme: Theme, acts: Sequence[Act]) -> None:
        super().__init__(
            theme,
            _("Keys and commands"),
            _("Everything can be done with the keyboard. Ctrl+K finds each of these by name."),
        )
        groups: dict[str, list[tuple[str, str]]] = {}
        for act in acts:
            if act.keys:
                groups.setdefault(act.group, []).append((act.words, act.keys))
        groups[_("While you write")] = [
            (_("Send; while an answer comes it waits for its end"), "Enter"),
            (_("New line"), "Shift+Enter"),
            (_("Tell it into the running answer"), "Ctrl+Enter"),
            (_("Stop the answer"), "Esc"),
            (_("What you sent before"), "Up, Down"),
        ]
        groups[_("Commands in the message field")] = [
            (_(one.description), f"/{one.name} {_(one.argument)}".rstrip()) for one in slash.COMMANDS
        ]
        for name, rows in groups.items():
            card = Card(theme, name)
            card.rows.addWidget(KeyTable(theme, rows))
            self.column.addWidget(card)
        self.column.addStretch(1)


class KeyTable(QWidget):
    """Words and keys, a row each."""

    def __init__(self, theme: Theme, rows: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setColumnStretch(0, 1)
        for at, (words, keys) in enumerate(rows):
            self._grid.addWidget(label(words, wrap=True), at, 0)
            shown = label(keys, "key")
            shown.setAccessibleName(f"{words}: {keys}")
            self._grid.addWidget(shown, at, 1)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        self._grid.setVerticalSpacing(theme.s8)
        self._grid.setContentsMargins(0, theme.s4, 0, 0)

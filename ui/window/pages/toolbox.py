"""The container of all that Bramble can use: a row of tabs over pages that are made at their first visit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.events import Event
from app.settings import Settings
from ui.language import _
from ui.window.theme import Theme
from ui.window.work.panel import Tab

_WIDTH, _MARGIN = 760, 40
"""The column of the pages below, so that the tabs stand over it."""


class TabPlace(NamedTuple):
    """One tab: its name in code, its word, and how its page is made."""

    name: str
    word: str
    make: Callable[[], QWidget]


class ToolboxPage(QWidget):
    """Shows one tab at a time. `shown` carries the name of the one that came to the front."""

    shown = Signal(str)

    def __init__(self, theme: Theme, tabs: Sequence[TabPlace]) -> None:
        super().__init__()
        self.theme = theme
        self.setAccessibleName(_("Tools"))
        self._places = {tab.name: tab for tab in tabs}
        self._made: dict[str, QWidget] = {}
        self._tabs: dict[str, Tab] = {}
        self._settings: Settings | None = None
        self._group = QButtonGroup(self)
        self._bar = QWidget()
        self._bar.setAccessibleName(_("Kinds of tools"))
        self._line = QHBoxLayout(self._bar)
        for place in tabs:
            tab = Tab(place.word, theme)
            tab.clicked.connect(lambda checked=False, name=place.name: self.show_tab(name))
            self._group.addButton(tab)
            self._tabs[place.name] = tab
            self._line.addWidget(tab)
        self._line.addStretch(1)
        self._row = QHBoxLayout()
        self._row.addStretch(1)
        self._row.addWidget(self._bar, 1000)
        self._row.addStretch(1)
        self._stack = QStackedWidget()
        self._column = QVBoxLayout(self)
        self._column.setSpacing(0)
        self._column.addLayout(self._row)
        self._column.addWidget(self._stack, 1)
        self.set_theme(theme)
        if tabs:
            self.show_tab(tabs[0].name)

    def show_tab(self, name: str) -> QWidget:
        """Bring a tab to the front, its page made at the first visit; return the page."""
        if name not in self._made:
            made = self._made[name] = self._places[name].make()
            self._stack.addWidget(made)
            if self._settings is not None and hasattr(made, "show_settings"):
                made.show_settings(self._settings)
        self._tabs[name].setChecked(True)
        self._stack.setCurrentWidget(self._made[name])
        self.shown.emit(name)
        return self._made[name]

    def tab(self) -> str:
        """Return the name of the tab in front, "" for none."""
        front = self._stack.currentWidget()
        return next((name for name, page in self._made.items() if page is front), "")

    def rename(self, name: str, word: str) -> None:
        """Change the word of a tab, such as to count what waits there."""
        self._tabs[name].rename(word)

    def apply(self, event: Event) -> None:
        """Hand an event to the pages that were made and follow events."""
        for page in self._made.values():
            if hasattr(page, "apply"):
                page.apply(event)

    def show_settings(self, settings: Settings) -> None:
        """Hand the settings to the pages that show some of them, those that are made later too."""
        self._settings = settings
        for page in self._made.values():
            if hasattr(page, "show_settings"):
                page.show_settings(settings)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self.theme = theme
        margin = theme.px(_MARGIN)
        self._bar.setMaximumWidth(theme.px(_WIDTH))
        self._row.setContentsMargins(margin, theme.s16, margin, 0)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(theme.s16)
        self._column.setContentsMargins(0, 0, 0, 0)
        for tab in self._tabs.values():
            tab.set_theme(theme)
        for page in self._made.values():
            if hasattr(page, "set_theme"):
                page.set_theme(theme)
        self.update()

    def focusInEvent(self, event: object) -> None:
        """Give the keyboard to the tab in front when the page comes forward."""
        tab = self._tabs.get(self.tab())
        if tab is not None:
            tab.setFocus(Qt.FocusReason.OtherFocusReason)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self.theme
        painter.fillRect(self.rect(), theme.colors.ground)
        left, width = self._bar.x(), self._bar.width()
        painter.fillRect(left, self._bar.geometry().bottom(), width, 1, theme.colors.line)

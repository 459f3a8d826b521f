"""The work panel: a row of tabs over the one that is chosen."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from ui.language import _
from ui.window.parts import button
from ui.window.theme import Theme
from ui.window.work.changes import ChangesTab
from ui.window.work.context import ContextTab
from ui.window.work.jobs import JobsTab

WIDTH = 296
TABS = ("changes", "jobs", "context")


class WorkPanel(QWidget):
    """Three tabs; `shown` tells which one came to the front, so that it is filled only then."""

    shown = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.changes = ChangesTab(theme)
        self.jobs = JobsTab(theme)
        self.context = ContextTab(theme)
        self._pages = QStackedWidget()
        self._group = QButtonGroup(self)
        self._tabs: list[QPushButton] = []
        self._bar = QHBoxLayout()
        for at, (words, page) in enumerate(
            ((_("Changes"), self.changes), (_("Jobs"), self.jobs), (_("Context"), self.context))
        ):
            tab = button(words, "tab")
            tab.setCheckable(True)
            self._group.addButton(tab, at)
            self._tabs.append(tab)
            self._bar.addWidget(tab)
            self._pages.addWidget(page)
        self._bar.addStretch(1)
        self._tabs[0].setChecked(True)
        self._group.idClicked.connect(lambda at: self.show_tab(TABS[at]))
        self._column = QVBoxLayout(self)
        self._column.setSpacing(0)
        self._column.addLayout(self._bar)
        self._column.addWidget(self._pages, 1)
        self.setAccessibleName(_("Changes, jobs and context"))
        self.set_theme(theme)

    def show_tab(self, name: str) -> None:
        """Bring a tab (changes, jobs, context) to the front."""
        at = TABS.index(name)
        self._tabs[at].setChecked(True)
        self._pages.setCurrentIndex(at)
        self.shown.emit(name)

    def tab(self) -> str:
        """Return the tab in front."""
        return TABS[self._pages.currentIndex()]

    def show_running(self, jobs: int) -> None:
        """Name the number of running jobs on its tab."""
        words = _("Jobs ({n})").replace("{n}", str(jobs)) if jobs else _("Jobs")
        self._tabs[1].setText(words)
        self._tabs[1].setAccessibleName(words)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self.setFixedWidth(theme.px(WIDTH))
        self._column.setContentsMargins(1, 0, 0, 0)
        self._bar.setContentsMargins(theme.px(6), theme.px(8), theme.px(14), 1)
        self._bar.setSpacing(0)
        for page in (self.changes, self.jobs, self.context):
            page.set_theme(theme)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colors = QPainter(self), self._theme.colors
        painter.fillRect(self.rect(), colors.panel)
        edge = self.width() - 1 if self.isRightToLeft() else 0
        painter.fillRect(edge, 0, 1, self.height(), colors.line)
        under = self._pages.y() - 1
        painter.fillRect(self._theme.px(15), under, self.width() - self._theme.px(30), 1, colors.line)

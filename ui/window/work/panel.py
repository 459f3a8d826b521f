"""The work panel: a row of tabs over the one that is chosen."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from ui.language import _
from ui.window.theme import Theme
from ui.window.work.changes import ChangesTab
from ui.window.work.context import ContextTab
from ui.window.work.jobs import JobsTab

WIDTH = 296
TABS = ("changes", "jobs", "context")


class Tab(QPushButton):
    """A word; the chosen one is strong and underlined."""

    def __init__(self, words: str, theme: Theme) -> None:
        super().__init__()
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.rename(words)
        self.set_theme(theme)

    def rename(self, words: str) -> None:
        """Show another word."""
        self.setText(words)
        self.setAccessibleName(words)
        self.updateGeometry()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        width = QFontMetrics(self._theme.font(13, 600)).horizontalAdvance(self.text())
        return QSize(width + 2, self._theme.px(34))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.px(32), self._theme.px(34))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        lit = self.isChecked() or self.underMouse() or self.hasFocus()
        painter.setFont(theme.font(13, 600 if self.isChecked() else 400))
        painter.setPen(
            theme.colors.accent if self.hasFocus() else theme.colors.text if lit else theme.colors.muted
        )
        words = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, words)
        if self.isChecked():
            inset = theme.px(7)
            painter.fillRect(inset, self.height() - 6, self.width() - 2 * inset, 2, theme.colors.accent)


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
        self._tabs: list[Tab] = []
        self._bar = QHBoxLayout()
        for at, (words, page) in enumerate(
            ((_("Changes"), self.changes), (_("Jobs"), self.jobs), (_("Context"), self.context))
        ):
            tab = Tab(words, theme)
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
        self._tabs[1].rename(words)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self.setFixedWidth(theme.px(WIDTH))
        self._column.setContentsMargins(1, 0, 0, 0)
        self._bar.setContentsMargins(theme.px(14), theme.px(6), theme.px(14), theme.px(3))
        self._bar.setSpacing(theme.s16)
        for tab in self._tabs:
            tab.set_theme(theme)
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

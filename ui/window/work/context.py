"""The tab of the context: what the next request holds, part by part, and which tools it offers."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.records import ContextReport
from ui.context_words import part_name, saving_lines, why_loaded
from ui.language import _, plural
from ui.window.parts import button, label
from ui.window.theme import Theme
from ui.window.work.rows import Column, heading, line, quiet

ICONS = {
    "system": "info",
    "tools": "wrench",
    "deferred": "list-start",
    "catalogue": "list-checks",
    "skills": "lightbulb",
    "memory": "brain",
    "files": "file",
    "conversation": "message-square",
    "instructions": "file-text",
    "tool results": "terminal",
    "now": "clock",
    "frame": "file-text",
}
_LISTED = 20
"""Tools that are listed here; the inspector has them all."""


class _Share(QWidget):
    def __init__(self, theme: Theme, share: float) -> None:
        super().__init__()
        self._theme, self._share = theme, share
        self.setFixedHeight(theme.px(8))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.fillRect(0, 0, self.width(), theme.px(2), theme.colors.line)
        width = round(self.width() * self._share)
        left = self.width() - width if self.isRightToLeft() else 0
        painter.fillRect(left, 0, width, theme.px(2), theme.colors.accent)


class ContextTab(Column):
    """One report at a time."""

    tools_asked = Signal()
    """The person wants to choose what is always on."""
    all_asked = Signal()
    """The inspector is wanted, which says more."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(_("Context"), theme)
        self._report: ContextReport | None = None
        self._draw()

    def show_report(self, report: ContextReport | None) -> None:
        """Show what the next request would hold now."""
        self._report = report
        self._draw()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self.theme = theme
        self._draw()

    def _draw(self) -> None:
        theme, report = self.theme, self._report
        if report is None:
            self.fill([quiet(theme, _("What the next request holds shows here."))])
            return
        parts: list[QWidget] = []
        for part in report.parts:
            if not part.bytes:
                continue
            amount = f"{part.tokens:,}" if part.exact else f"≈ {part.tokens:,}"
            parts.append(
                line(theme, ICONS.get(part.name, "file-text"), part_name(part.name), label(amount, "caption"))
            )
            parts.append(_Share(theme, part.tokens / max(1, report.total_tokens)))
        total = f"{report.total_tokens:,}"
        if report.window:
            total = _("{used} of {window}").replace("{used}", total).replace("{window}", f"{report.window:,}")
        parts.append(line(theme, "coins", _("Tokens in all"), label(total, "caption")))
        if report.counted:
            words = _("The provider has counted {n} of them; ≈ is an estimate.")
            parts.append(quiet(theme, words.replace("{n}", f"{report.counted:,}")))
        elif not all(part.exact for part in report.parts):
            parts.append(quiet(theme, _("≈ is an estimate; the provider counts exactly when it answers.")))
        parts.append(button(_("Look closer"), "", self.all_asked.emit))
        parts += self._saving(report)
        parts += self._tools(report)
        self.fill(parts)

    def _saving(self, report: ContextReport) -> list[QWidget]:
        lines = saving_lines(report)
        if not lines:
            return []
        return [heading(self.theme, _("Saved by caching")), quiet(self.theme, " ".join(lines))]

    def _tools(self, report: ContextReport) -> list[QWidget]:
        """Return the tools that are in the request, each with its cost and why."""
        theme = self.theme
        parts: list[QWidget] = [heading(theme, _("Tools in the request"))]
        for tool in report.loaded[:_LISTED]:
            why = why_loaded(tool)
            row = line(theme, "wrench", tool.name, label(f"≈ {tool.tokens:,}", "caption"), tip=why)
            row.setAccessibleName(f"{tool.name}, {why}")
            parts.append(row)
            if tool.why != "core":
                parts.append(quiet(theme, why))
        if len(report.loaded) > _LISTED:
            parts.append(quiet(theme, plural("and {n} more", "and {n} more", len(report.loaded) - _LISTED)))
        more = plural("{n} more tool can be loaded.", "{n} more tools can be loaded.", report.loadable)
        parts.append(quiet(theme, more))
        parts.append(button(_("Choose the tools"), "", self.tools_asked.emit))
        return parts

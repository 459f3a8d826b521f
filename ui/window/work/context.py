"""The tab of the context: what the next request holds, part by part, and which tools it offers."""

from __future__ import annotations

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.records import ContextReport
from ui.language import _
from ui.window.parts import label
from ui.window.theme import Theme
from ui.window.work.rows import Column, heading, line, quiet

_ICONS = {
    "system": "info",
    "tools": "wrench",
    "catalogue": "list-checks",
    "skills": "lightbulb",
    "memory": "brain",
    "files": "file",
    "conversation": "message-square",
    "tool results": "terminal",
}


def part_name(name: str) -> str:
    """Return the words for a part of the request."""
    words = {
        "system": _("Instructions"),
        "tools": _("Tools"),
        "catalogue": _("Catalogue of tools"),
        "skills": _("Skills"),
        "memory": _("Memory"),
        "files": _("Files"),
        "conversation": _("Conversation"),
        "tool results": _("Tool results"),
        "tool_results": _("Tool results"),
    }
    return words.get(name, name.replace("_", " ").capitalize())


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
            amount = f"{part.tokens:,}" if part.exact else f"≈ {part.tokens:,}"
            parts.append(
                line(
                    theme, _ICONS.get(part.name, "file-text"), part_name(part.name), label(amount, "caption")
                )
            )
            parts.append(_Share(theme, part.tokens / max(1, report.total_tokens)))
        total = f"{report.total_tokens:,}"
        if report.window:
            total = _("{used} of {window}").replace("{used}", total).replace("{window}", f"{report.window:,}")
        parts.append(line(theme, "coins", _("Tokens in all"), label(total, "caption")))
        if not all(part.exact for part in report.parts):
            parts.append(quiet(theme, _("≈ is an estimate; the provider counts exactly when it answers.")))
        if report.tools:
            parts.append(heading(theme, _("Tools that are offered")))
            parts.append(quiet(theme, ", ".join(report.tools)))
        self.fill(parts)

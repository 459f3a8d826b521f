"""Rows of what else a person should know before they answer: an icon and a sentence each, never cut."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QScrollArea, QSizePolicy, QWidget

from ui.window.theme import Theme
from ui.window.transcript.legible import legible
from ui.window.viewport import own_viewport

_LONG = re.compile(r"\S{25,}")
_JOINT = re.compile(r"(?<!^)([/\\.,;:=&?_\-])")


class Fact(NamedTuple):
    """One row. `lines` stand below the sentence as they are: paths, names, commands."""

    icon: str
    role: str
    sentence: str
    lines: tuple[str, ...] = ()


def breakable(text: str) -> str:
    """Return a text that can be wrapped inside its longest words, what hides in it shown as marks."""

    def part(found: re.Match[str]) -> str:
        word = _JOINT.sub("\\1\u200b", found[0])
        return re.sub(r"([^\u200b]{24})", "\\1\u200b", word)

    return _LONG.sub(part, legible(text))


class Wrapping(QLabel):
    """Shows all of a text, on as many lines as it needs, in the direction of the interface."""

    def __init__(self, text: str, tone: str, *, mono: bool) -> None:
        super().__init__()
        self._mono = mono
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setProperty("tone", tone or None)
        self.setProperty("mono", mono)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Show a text. Qt lays it out by its first letter, so a mark that is not seen stands before that: a
        file's name turns no sentence round. Paths, rules and commands read from left to right everywhere.
        """
        mirrored = self.isRightToLeft() and not self._mono
        super().setText(("\u200f" if mirrored else "\u200e") + breakable(text) if text else "")
        self.setAccessibleName(legible(text))


def wrapping(text: str, tone: str, *, mono: bool = False) -> Wrapping:
    """Return a label that shows all of a text, on as many lines as it needs."""
    return Wrapping(text, tone, mono=mono)


class Facts(QWidget):
    """The rows, one below the other; as high as they are."""

    def __init__(self, theme: Theme, facts: Sequence[Fact] = ()) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setColumnStretch(1, 1)
        self._icons: list[tuple[QLabel, Fact]] = []
        for fact in facts:
            self._add(fact)
        self._grid.setRowStretch(self._grid.rowCount(), 1)
        self.set_theme(theme)

    def _add(self, fact: Fact) -> None:
        row, icon = self._grid.rowCount(), QLabel()
        self._icons.append((icon, fact))
        self._grid.addWidget(icon, row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(wrapping(fact.sentence, _tone(fact.role)), row, 1)
        for at, line in enumerate(fact.lines, 1):
            self._grid.addWidget(wrapping(line, "muted", mono=True), row + at, 1)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        theme.font(12, mono=True)  # the style sheet names the family, which must be loaded by then
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(theme.s8)
        self._grid.setVerticalSpacing(theme.s4)
        for icon, fact in self._icons:
            icon.setPixmap(theme.pixmap(fact.icon, fact.role, 16, self.devicePixelRatioF()))
            icon.setContentsMargins(0, theme.px(2), 0, 0)


class FactStrip(QScrollArea):
    """The rows above a diff: as high as they are up to a limit, then they scroll."""

    MOST = 150
    """The most height, in pixels of the design."""

    def __init__(self, theme: Theme, facts: Sequence[Fact]) -> None:
        super().__init__()
        own_viewport(self)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._theme = theme
        self._rows = Facts(theme, facts)
        self.setWidget(self._rows)
        if not facts:
            self.hide()
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self._rows.set_theme(theme)
        self._rows.layout().setContentsMargins(theme.s20, theme.s12, theme.s20, theme.s12)  # type: ignore[union-attr]
        self._fit()

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._fit()

    def _fit(self) -> None:
        width = self.viewport().width()
        layout = self._rows.layout()
        wanted = layout.heightForWidth(width) if layout and layout.hasHeightForWidth() else 0
        self.setFixedHeight(min(max(wanted, self._theme.px(40)), self._theme.px(self.MOST)))


def _tone(role: str) -> str:
    return {"caution": "caution", "danger": "danger"}.get(role, "body")

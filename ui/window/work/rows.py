"""Rows and scrolled columns that the tabs of the work panel are made of."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.records import ChangeInfo
from ui.language import _
from ui.window.parts import Elided, button, label, plain_tip
from ui.window.theme import Theme
from ui.window.work.undoing import name_of


class Column(QScrollArea):
    """A scrolled column of rows that is filled anew at each change; its content is small."""

    def __init__(self, name: str, theme: Theme) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.theme = theme
        self._buttons_shown: list[QAbstractButton] = []

    def fill(self, parts: list[QWidget]) -> None:
        """Show these rows instead of those before; the scroll position stays, and so does the keyboard: at
        the button of the same name, else at the one that stands in its place.
        """
        held = self._held()
        where = self.verticalScrollBar().value()
        inside = QWidget()
        inside.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        column = QVBoxLayout(inside)
        theme = self.theme
        column.setContentsMargins(theme.px(18), theme.px(11), theme.px(17), theme.s16)
        column.setSpacing(0)
        for part in parts:
            column.addWidget(part)
        column.addStretch(1)
        self._buttons_shown = [one for part in parts for one in _buttons_of(part)]
        self.setWidget(inside)
        if held is not None:
            self._give_back(*held)
        self.verticalScrollBar().setValue(where)

    def _held(self) -> tuple[str, int, int] | None:
        """Return the name of the button that has the keyboard, how many of that name stand above it, and its
        place; None where none of these rows has it.
        """
        focused = self.window().focusWidget()
        at = next((at for at, one in enumerate(self._buttons_shown) if one is focused), -1)
        if at < 0:
            return None
        name = self._buttons_shown[at].accessibleName()
        return name, sum(one.accessibleName() == name for one in self._buttons_shown[:at]), at

    def _give_back(self, name: str, nth: int, at: int) -> None:
        same = [one for one in self._buttons_shown if one.accessibleName() == name]
        rest = same[nth:] or same or self._buttons_shown[at:] or self._buttons_shown[-1:]
        if rest:
            rest[0].setFocus()


def _buttons_of(part: QWidget) -> list[QAbstractButton]:
    return [part] if isinstance(part, QAbstractButton) else part.findChildren(QAbstractButton)


def heading(theme: Theme, words: str) -> QLabel:
    """Return the small heading over a group of rows."""
    made = label(words, "section")
    made.setContentsMargins(0, theme.s16, 0, theme.s4)
    return made


def quiet(theme: Theme, words: str) -> QLabel:
    """Return a sentence in small muted type."""
    made = label(words, "caption", wrap=True)
    made.setContentsMargins(0, theme.s8, 0, theme.px(14))
    return made


def line(theme: Theme, icon: str, words: str, *ends: QWidget, tip: str = "") -> QWidget:
    """Return a row: an icon, words that are cut where they do not fit, and what stands at the end."""
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(theme.s8)
    made.setMinimumHeight(theme.px(32))
    picture = QLabel()
    picture.setPixmap(theme.pixmap(icon, "text", 16, made.devicePixelRatioF()))
    name = Elided()
    name.setFont(theme.font(13))
    name.setText(words)
    if tip:
        name.setToolTip(plain_tip(tip))
    row.addWidget(picture)
    row.addWidget(name, 1)
    for end in ends:
        row.addWidget(end)
    return made


def counts(theme: Theme, added: int, removed: int) -> QLabel:
    """Return "+24 -1" in the colours of added and removed lines; the signs carry the meaning, not the
    colours."""
    parts = []
    if added:
        parts.append(_coloured(f"+{added}", theme.colors.good))
    if removed:
        parts.append(_coloured(f"-{removed}", theme.colors.danger))
    made = QLabel("&nbsp;".join(parts))
    made.setTextFormat(Qt.TextFormat.RichText)
    made.setFont(theme.font(12, mono=True))
    return made


def undo_button(theme: Theme, change: ChangeInfo, press: Callable[[], object]) -> QPushButton:
    """Return the button that takes a change back, or lets it stand again."""
    words = _("Redo") if change.undone else _("Undo")
    made = button(words, "bare", press)
    made.setIcon(theme.icon("undo-2", "muted"))
    made.setIconSize(QSize(theme.px(14), theme.px(14)))
    made.setAccessibleName(f"{words}: {name_of(change)}")
    made.setToolTip(_("Bring the change back") if change.undone else _("Take this change back"))
    return made


def _coloured(text: str, color: QColor) -> str:
    return f'<span style="color:{color.name()}">{text}</span>'

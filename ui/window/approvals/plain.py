"""The body of a question that is not about lines of files: the whole command, path or address, its parts,
and what is true of it; nothing hidden.
"""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app.records import (
    ActionEffect,
    Approval,
    CommandEffect,
    FilesEffect,
    InstallEffect,
    MemoryEffect,
    ReadEffect,
    ServerEffect,
)
from ui.actions import action_caption, action_text
from ui.memory_words import effect_caption
from ui.places import tilde
from ui.requests import request_text
from ui.trust import install_text
from ui.window.approvals.facts import Facts, wrapping
from ui.window.approvals.wording import facts
from ui.window.parts import label
from ui.window.theme import Theme
from ui.window.transcript.legible import legible
from ui.words import _, plural

MOST_LINES = 12
"""Lines of the field; a longer text scrolls inside it."""


class Exact(QPlainTextEdit):
    """The text itself, whole: it wraps, scrolls and can be copied; what hides stands as a mark."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(legible(text))
        self.setProperty("box", "field")
        self.setProperty("mono", True)
        self.setReadOnly(True)
        self.setAccessibleName(name)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's type, which the style sheet names."""
        theme.font(13, mono=True)
        self.ensurePolished()
        self.fit()

    def fit(self) -> None:
        """Be as high as the text, up to a limit."""
        layout, lines, block = self.document().documentLayout(), 0, self.document().firstBlock()
        while block.isValid() and lines < MOST_LINES:
            layout.blockBoundingRect(block)  # lays the block out
            lines += max(1, block.layout().lineCount() if block.layout() else 1)
            block = block.next()
        first = self.document().firstBlock().layout()
        line = QFontMetrics(self.font()).lineSpacing()
        if first is not None and first.lineCount():  # rounds each line up, which adds up
            line = max(line, ceil(first.lineAt(0).height()))
        self.setFixedHeight(min(max(lines, 2), MOST_LINES) * line + 2 * line)

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self.fit()


class PlainBody(QScrollArea):
    """A column that scrolls where it does not fit."""

    def __init__(self, theme: Theme, approval: Approval, *, again: bool = False) -> None:
        super().__init__()
        effect = approval.effect
        assert not isinstance(effect, FilesEffect)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._inside = QWidget()
        self._column = QVBoxLayout(self._inside)
        head, text = _text(approval)
        self._column.addWidget(label(head, "caption"))
        self.field = Exact(head, text)
        self._column.addWidget(self.field)
        self._add_parts(approval, text)
        self._facts = Facts(theme, facts(approval, again=again))
        self._column.addSpacing(theme.s4)
        self._column.addWidget(self._facts)
        self._column.addStretch(1)
        self.setWidget(self._inside)
        self.set_theme(theme)

    def _add_parts(self, approval: Approval, text: str) -> None:
        """One row for each simple command that was read out of the line, where it is more than the line."""
        parts = approval.parts
        if not isinstance(approval.effect, CommandEffect) or not parts or parts == (text,):
            return
        self._column.addWidget(
            label(plural("It runs {n} command:", "It runs {n} commands:", len(parts)), "caption")
        )
        for number, part in enumerate(parts, 1):
            row = wrapping(f"{number}  {part}", "", mono=True)
            row.setAccessibleName(legible(part))
            self._column.addWidget(row)

    def set_theme(self, theme: Theme) -> None:
        """Take type and margins of the theme."""
        self.field.set_theme(theme)
        self._facts.set_theme(theme)
        self._column.setContentsMargins(theme.s20, theme.s16, theme.s20, theme.s16)
        self._column.setSpacing(theme.s8)

    def wanted_height(self, width: int) -> int:
        """Return how high it would be without scrolling."""
        self._inside.resize(width, self._inside.height())
        self._column.activate()
        self.field.fit()
        if not self._column.hasHeightForWidth():  # nothing in it wraps, and Qt answers -1
            return self._column.totalSizeHint().height()
        return self._column.totalHeightForWidth(width)


def _text(approval: Approval) -> tuple[str, str]:
    """Return the caption and the text."""
    effect = approval.effect
    if isinstance(effect, CommandEffect):
        caption = _("For the running job {job}").replace("{job}", effect.job) if effect.job else _("Command")
        if effect.cwd:
            caption = f"{caption} {_('in {folder}').replace('{folder}', legible(tilde(effect.cwd)))}"
        return caption, effect.command
    if isinstance(effect, ReadEffect):
        return _("File"), effect.path
    if isinstance(effect, ServerEffect):
        caption = _("What is sent to {tool} of the server {server}")
        return caption.replace("{tool}", legible(effect.tool)).replace(
            "{server}", effect.server
        ), effect.arguments
    if isinstance(effect, InstallEffect):
        return _("What is started from now on, word for word"), install_text(effect)
    if isinstance(effect, ActionEffect):
        place = _("in {folder}").replace("{folder}", legible(tilde(effect.cwd))) if effect.cwd else ""
        return f"{action_caption(effect)} {place}".rstrip(), action_text(effect)
    if isinstance(effect, MemoryEffect):
        return legible(effect_caption(effect)), effect.text
    assert not isinstance(effect, FilesEffect)
    return _("Request"), request_text(effect)

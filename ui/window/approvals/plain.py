"""The body of a question that is not about lines of files: the whole command, path or address, nothing
hidden.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from app.records import Approval, CommandEffect, FilesEffect, ReadEffect
from ui.window.parts import label
from ui.window.theme import Theme
from ui.window.transcript.legible import legible
from ui.words import _, reason_text


class PlainBody(QWidget):
    """Shows the text in a field that scrolls and can be copied; what hides stands as a mark."""

    def __init__(self, theme: Theme, approval: Approval) -> None:
        super().__init__()
        effect = approval.effect
        assert not isinstance(effect, FilesEffect)
        self._layout = QVBoxLayout(self)
        head, text, foot = _words(approval)
        self._layout.addWidget(label(head, "caption"))
        self.field = QPlainTextEdit(legible(text))
        self.field.setProperty("box", "field")
        self.field.setReadOnly(True)
        self.field.setAccessibleName(head)
        self.field.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.field.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.field.setTabChangesFocus(True)
        self._layout.addWidget(self.field, 1)
        self._layout.addWidget(label(foot, "small", wrap=True))
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Take type and margins of the theme."""
        self.field.setFont(theme.font(13, mono=True))
        self._layout.setContentsMargins(theme.s20, theme.s16, theme.s20, theme.s16)
        self._layout.setSpacing(theme.s8)


def _words(approval: Approval) -> tuple[str, str, str]:
    """Return the caption, the text and the sentence below it."""
    effect = approval.effect
    why = (
        _("It asks because {reason}.").replace("{reason}", reason_text(approval.reason))
        if approval.reason
        else ""
    )
    if isinstance(effect, CommandEffect):
        caption = _("For the running job {job}").replace("{job}", effect.job) if effect.job else _("Command")
        return caption, effect.command, why
    if isinstance(effect, ReadEffect):
        return _("File"), effect.path, why
    assert not isinstance(effect, FilesEffect)
    return _("Request"), f"{effect.method} {effect.url}", why

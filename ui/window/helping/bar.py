"""The bar over a helper's transcript: whose helper it is, and the way back."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout

from ui.language import _
from ui.window.parts import Elided, button
from ui.window.theme import Theme
from ui.window.transcript.legible import legible


class ParentBar(QFrame):
    """Hidden while a conversation of the person's own is shown."""

    back_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("box", "bar")
        keys = QKeySequence("Alt+Left")
        native = keys.toString(QKeySequence.SequenceFormat.NativeText)
        self.back = button(_("Back"), "quiet", self.back_asked.emit)
        self.back.setText(f" {_('Back')}")  # room between the icon and the word
        self.back.setAccessibleName(_("Back to the conversation"))
        self.back.setToolTip(f"{_('Back to the conversation')} ({native})")
        self._words = Elided("small")
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.back)
        self._row.addWidget(self._words, 1)
        QShortcut(keys, self).activated.connect(self.back_asked)
        self.set_theme(theme)
        self.hide()

    def show_parent(self, title: str, *, running: bool) -> None:
        """Name the conversation that the helper works for."""
        words = (
            _("A helper works for “{title}”. You can watch it here.")
            if running
            else _("A helper worked for “{title}”. You can read here what it did.")
        )
        self._words.setText(words.replace("{title}", legible(title) or _("New conversation")))
        self.setAccessibleName(self._words.text())
        self.show()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self.back.setIcon(theme.icon("chevron-left", "muted"))
        self._row.setContentsMargins(theme.s12, theme.s4, theme.s20, theme.s4)
        self._row.setSpacing(theme.s8)

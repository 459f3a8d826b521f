"""The field that finds words in the conversation that is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit

from ui.language import _
from ui.window.parts import IconButton, label
from ui.window.theme import Theme

if TYPE_CHECKING:
    from ui.window.transcript.view import TranscriptView


class FindBar(QFrame):
    """Opens under the title. Enter goes on, Shift+Enter back, Esc closes."""

    def __init__(self, theme: Theme, transcript: TranscriptView) -> None:
        super().__init__()
        self.setProperty("box", "bar")
        self._transcript = transcript
        self.field = QLineEdit()
        self.field.setPlaceholderText(_("Find in this conversation"))
        self.field.setAccessibleName(_("Find in this conversation"))
        self.field.installEventFilter(self)
        self.field.textChanged.connect(lambda text: self._find(text))
        self._count = label("", "caption")
        self._back = IconButton(theme, "chevron-up", _("Found before"), keys="Shift+Enter")
        self._on = IconButton(theme, "chevron-down", _("Found next"), keys="Enter")
        self._close = IconButton(theme, "x", _("Close"), keys="Esc")
        self._back.clicked.connect(lambda: self._step(-1))
        self._on.clicked.connect(lambda: self._step(1))
        self._close.clicked.connect(self.leave)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.field, 1)
        for part in (self._count, self._back, self._on, self._close):
            self._row.addWidget(part)
        self.set_theme(theme)
        self.hide()

    def open(self, text: str = "", message: str = "") -> None:
        """Show the field with `text`, or what stood in it, selected; find from `message` on, if given."""
        self.show()
        if text:
            self.field.setText(text)
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        self._find(self.field.text(), message)

    def leave(self) -> None:
        """Close the field and unmark what was found."""
        self.hide()
        self._find("")
        self._transcript.setFocus()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._row.setContentsMargins(theme.s20, theme.s8, theme.s12, theme.s8)
        self._row.setSpacing(theme.s8)
        for part in (self._back, self._on, self._close):
            part.set_theme(theme)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
            return True
        return False

    def _find(self, text: str, message: str = "") -> None:
        self._show_count(self._transcript.find(text, message))

    def _step(self, by: int) -> None:
        self._show_count(self._transcript.find_next(backward=by < 0))

    def _show_count(self, found: tuple[int, int]) -> None:
        at, total = found
        if not self.field.text():
            self._count.setText("")
        else:
            self._count.setText(_("{at} of {total}").replace("{at}", str(at)).replace("{total}", str(total)))

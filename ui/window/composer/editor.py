"""The field of the composer: grows with its text, sends with Enter (never while an input method composes),
recalls what was sent."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QMimeData, QSize, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QInputMethodEvent,
    QKeyEvent,
    QResizeEvent,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit

from ui.language import _
from ui.window.composer.incoming import holds, taken
from ui.window.theme import Theme

MOST_LINES = 8


class Editor(QPlainTextEdit):
    """Plain text of several lines. `submitted` carries True when it was sent with Ctrl+Enter."""

    submitted = Signal(bool)
    escaped = Signal()
    brought = Signal(object)
    """Files or a picture were pasted; carries Incoming."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._past: list[str] = []
        self._at = 0
        self._written = ""
        self._composing = False
        self.enter_sends = True
        """False: Enter begins a new line, and only Ctrl+Enter sends."""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setAccessibleName(_("Message"))
        self.document().setDocumentMargin(0)
        self.document().documentLayout().documentSizeChanged.connect(lambda size: self._fit())
        self._take(theme)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's text size."""
        if theme.font() == self.font():
            return
        self._take(theme)
        # The hint of the empty field is drawn with this one. A new field has the application's font there;
        # to ask for it before the first frame would make PySide build every class of widgets.
        self.viewport().setFont(theme.font())

    def _take(self, theme: Theme) -> None:
        self.setFont(theme.font())
        self.setCursorWidth(max(1, theme.px(1)))
        self._fit()

    def set_past(self, texts: Sequence[str]) -> None:
        """Take the texts that Up goes back through, oldest first."""
        self._past = [text for at, text in enumerate(texts) if text and (at == 0 or texts[at - 1] != text)]
        self._at = len(self._past)

    def remember(self, text: str) -> None:
        """Add a text that was just sent."""
        if not self._past or self._past[-1] != text:
            self._past.append(text)
        self._at = len(self._past)

    def newest(self) -> str:
        """Return the text that was sent last, "" for none."""
        return self._past[-1] if self._past else ""

    def replace(self, text: str) -> None:
        """Show another text with the caret at its end, in a way that Ctrl+Z takes back."""
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        self.setTextCursor(cursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        modifiers = event.modifiers()
        if event.key() in _enter() and self._sends(modifiers):
            if not self._composing:
                self.submitted.emit(
                    self.enter_sends and bool(modifiers & Qt.KeyboardModifier.ControlModifier)
                )
            return
        if event.key() in _enter():
            self.textCursor().insertText("\n")
            self.ensureCursorVisible()
            return
        if event.key() == Qt.Key.Key_Escape and not self._composing:
            self.escaped.emit()
            return
        plain = not modifiers & ~Qt.KeyboardModifier.KeypadModifier
        if (
            plain
            and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down)
            and self._recall(event.key() == Qt.Key.Key_Up)
        ):
            return
        super().keyPressEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Follow whether a candidate is open: the Enter that confirms it must not send the message."""
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return holds(source) or super().canInsertFromMimeData(source)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Leave files to the page around, which takes them anywhere."""
        if holds(event.mimeData()):
            event.ignore()
        else:
            super().dragEnterEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste text alone, never styles; NUL would end the text in other programs. Files and pictures are
        attached.
        """
        if holds(source):
            self.brought.emit(taken(source))
            return
        self.textCursor().insertText(source.text().replace("\0", ""))
        self.ensureCursorVisible()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(200, self._wanted_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self._wanted_height())

    def _sends(self, modifiers: Qt.KeyboardModifier) -> bool:
        if modifiers & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier):
            return False
        return self.enter_sends or bool(modifiers & Qt.KeyboardModifier.ControlModifier)

    def _recall(self, back: bool) -> bool:
        """Go through what was sent before, as long as nothing else would be lost; False leaves the key to
        the text."""
        browsing = self._at < len(self._past)
        unchanged = browsing and self.toPlainText() == self._past[self._at]
        if not (unchanged or (back and not browsing and not self.toPlainText())):
            return False
        cursor = self.textCursor()
        moved = cursor.movePosition(QTextCursor.MoveOperation.Up if back else QTextCursor.MoveOperation.Down)
        if moved and not unchanged:
            return False
        to = self._at + (-1 if back else 1)
        if not 0 <= to <= len(self._past):
            return browsing
        self._at = to
        self.replace(self._past[to] if to < len(self._past) else "")
        return True

    def _wanted_height(self) -> int:
        lines = min(MOST_LINES, max(1, round(self.document().size().height())))
        return lines * self.fontMetrics().lineSpacing() + 2

    def _fit(self) -> None:
        height = self._wanted_height()
        if height == self.height() == self.maximumHeight():
            return
        self.setFixedHeight(height)
        full = round(self.document().size().height()) > MOST_LINES
        shown = Qt.ScrollBarPolicy.ScrollBarAsNeeded if full else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(shown)


def _enter() -> tuple[Qt.Key, Qt.Key]:
    return Qt.Key.Key_Return, Qt.Key.Key_Enter

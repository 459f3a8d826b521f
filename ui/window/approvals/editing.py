"""The editor of a proposal: the whole proposed text of one file, with its line numbers."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from app.records import FileDiff
from ui.window.parts import Elided, box, button
from ui.window.theme import Theme
from ui.window.transcript.legible import legible
from ui.words import _

PAUSE_MS = 250
"""How long after a key the text is compared again."""
LARGEST = 2_000_000
"""Characters; a longer text is edited elsewhere."""


def uneditable(file: FileDiff) -> str:
    """Return why the text of a file cannot be edited here, "" when it can be."""
    if file.text is None:
        return _("There is no text to edit.")
    if len(file.text) > LARGEST:
        return _("The text is too long to be edited here.")
    kept = file.text.replace("\r\n", "\n")
    if "\n" not in kept:
        kept = kept.replace("\r", "\n")
    if any(letter in kept for letter in "\r\x00\u2028\u2029\ufdd0\ufdd1") or not _sound(kept):
        return _("The text holds characters that an editor would change.")
    return ""


def _sound(text: str) -> bool:
    """Whether there is no half of a character in it."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


class TextField(QPlainTextEdit):
    """A plain text field with line numbers. Esc leaves it; Tab writes a tab, as in any editor."""

    left = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._numbers = _Numbers(self)
        self.blockCountChanged.connect(lambda count: self._make_room())
        self.updateRequest.connect(lambda rect, dy: self._numbers.update())
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's type."""
        self.theme = theme
        font = theme.font(13, mono=True)
        self.setFont(font)
        self.setTabStopDistance(4 * QFontMetricsF(font).horizontalAdvance("0"))
        self._make_room()

    def text(self) -> str:
        """Return what is written, every character as it is (toPlainText would change hard blanks)."""
        return self.document().toRawText().replace("\u2029", "\n")

    def number_width(self) -> int:
        """Return the room of the numbers, in pixels."""
        digits = max(3, len(str(self.blockCount())))
        return round(QFontMetricsF(self.font()).horizontalAdvance("0") * (digits + 2))

    def _make_room(self) -> None:
        self.setViewportMargins(self.number_width(), 0, 0, 0)
        self._place_numbers()

    def _place_numbers(self) -> None:
        inside = self.contentsRect()
        self._numbers.setGeometry(QRect(inside.left(), inside.top(), self.number_width(), inside.height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_numbers()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def paint_numbers(self, painter: QPainter, area: QRect) -> None:
        """Draw the numbers of the lines in sight."""
        theme, block = self.theme, self.firstVisibleBlock()
        painter.fillRect(area, theme.colors.panel)
        painter.setFont(theme.font(12, mono=True))
        painter.setPen(theme.colors.muted)
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        while block.isValid() and top <= area.bottom():
            height = self.blockBoundingRect(block).height()
            room = QRect(0, round(top), area.width() - theme.s8, round(height))
            end = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(room, int(end), str(block.blockNumber() + 1))
            block, top = block.next(), top + height


class _Numbers(QWidget):
    def __init__(self, field: TextField) -> None:
        super().__init__(field)
        self._field = field

    def sizeHint(self) -> QSize:
        return QSize(self._field.number_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._field.paint_numbers(QPainter(self), self.rect())


class ProposalEditor(QWidget):
    """The text under a narrow head. `changed` comes a moment after the last key."""

    changed = Signal(str)
    reset = Signal()
    left = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._filling = False
        head = box("panel")
        self._row = QHBoxLayout(head)
        self._says = Elided("caption")
        self._says.setText(_("What would be written. Change it as you like; Esc goes back to the pieces."))
        self._back = button(_("Back to the proposal"), "bare", self.reset.emit)
        self._row.addWidget(self._says, 1)
        self._row.addWidget(self._back)
        self.field = TextField(theme)
        self.field.left.connect(self.left)
        self.field.textChanged.connect(self._typed)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.flush)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(box("rule"))
        column.addWidget(self.field, 1)
        self.setFocusProxy(self.field)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._row.setContentsMargins(theme.px(14), theme.px(1), theme.s12, theme.px(1))
        self.field.set_theme(theme)

    def show_text(self, file: FileDiff, text: str, edited: bool) -> None:
        """Show a text that is not the person's typing."""
        self._filling = True
        self.field.setPlainText(text)
        self._filling = False
        self._pause.stop()
        self.field.setAccessibleName(_("Text of {file}").replace("{file}", legible(file.shown)))
        self.mark(edited)

    def mark(self, edited: bool) -> None:
        """Say whether there is something to go back from."""
        self._back.setEnabled(edited)

    def flush(self) -> None:
        """Hand over what was typed, if that has not happened yet."""
        self._pause.stop()
        self.changed.emit(self.field.text())

    def pending(self) -> bool:
        """Whether something was typed that has not been handed over."""
        return self._pause.isActive()

    def _typed(self) -> None:
        if not self._filling:
            self.mark(True)
            self._pause.start()

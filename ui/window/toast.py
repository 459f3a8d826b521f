"""A short word at the foot of the window about what was just done, with the button that takes it back."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEasingCurve, QEvent, QObject, QPoint, QPropertyAnimation, QTimer
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from ui.language import _
from ui.window.parts import button, label
from ui.window.theme import Theme

SECONDS = 8
"""How long a toast stays; it stays on while the pointer or the focus is in it."""


class Toast(QFrame):
    """One at a time, over its parent's lower edge. `take_back` makes the Undo button."""

    def __init__(self, parent: QWidget, theme: Theme, above: Callable[[], int]) -> None:
        """`above()` is the height in the parent that the toast must stay above."""
        super().__init__(parent)
        self.setProperty("box", "toast")
        self._theme, self._above = theme, above
        self._take_back: Callable[[], object] | None = None
        self._going: Callable[[], object] | None = None
        self._row = row = QHBoxLayout(self)
        self._words = label("", wrap=True)
        self._undo = button(_("Undo"), "toast", self._act)
        self._undo.setToolTip(_("Undo ({keys})").replace("{keys}", "Ctrl+Shift+Z"))
        self._more = button(_("Show"), "toast", self._go)
        row.addWidget(self._words, 1)
        for part in (self._undo, self._more):
            row.addWidget(part)
        self._time = QTimer(self)
        self._time.setSingleShot(True)
        self._time.setInterval(SECONDS * 1000)
        self._time.timeout.connect(self._leave)
        self._motion = QPropertyAnimation(self, b"pos", self)
        self._motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        parent.installEventFilter(self)
        self.set_theme(theme)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        self._theme = theme
        self._row.setContentsMargins(theme.s16, theme.s8, theme.s8, theme.s8)
        self._row.setSpacing(theme.s12)
        if self.isVisible():
            self._fit()
            self._place()

    def _fit(self) -> None:
        """Be as wide as the words in one line where the window has room for that; else they take more."""
        parent = self.parentWidget()
        assert parent is not None
        row, margins = self._row, self._row.contentsMargins()
        buttons = [one for one in (self._undo, self._more) if not one.isHidden()]
        around = margins.left() + margins.right() + sum(one.sizeHint().width() for one in buttons)
        around += len(buttons) * row.spacing()
        room = max(1, parent.width() - 2 * self._theme.s16 - around)
        metrics = self._words.fontMetrics()
        line = max(metrics.horizontalAdvance(one) for one in self._words.text().split("\n")) + 2
        self._words.setFixedWidth(min(line, room))
        height = self._words.heightForWidth(self._words.width())
        tallest = max([height, *(one.sizeHint().height() for one in buttons)])
        self.resize(self._words.width() + around, tallest + margins.top() + margins.bottom())

    def say(self, words: str, take_back: Callable[[], object] | None = None) -> None:
        """Show what was done; with `take_back` it can be undone."""
        self._show(words, take_back, "", None)

    def tell(self, words: str, go: str, going: Callable[[], object]) -> None:
        """Show what happened, with a button named `go` that leads to it."""
        self._show(words, None, go, going)

    def _show(
        self, words: str, take_back: Callable[[], object] | None, go: str, going: Callable[[], object] | None
    ) -> None:
        self._take_back, self._going = take_back, going
        self._words.setText(words)
        self._undo.setVisible(take_back is not None)
        self._more.setText(go)
        self._more.setAccessibleName(go)
        self._more.setVisible(going is not None)
        self._fit()
        self._rise()
        self.show()
        self.raise_()
        self._time.start()
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def undo(self) -> None:
        """Take the last thing back, as the button does."""
        if self.isVisible() and self._take_back is not None:
            self._act()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._fit()
            self._place()
        return False

    def _spot(self) -> QPoint:
        parent = self.parentWidget()
        assert parent is not None
        left = (parent.width() - self.width()) // 2
        return QPoint(left, self._above() - self.height() - self._theme.s12)

    def _place(self) -> None:
        self._motion.stop()
        self.move(self._spot())

    def _rise(self) -> None:
        """Come up from the field a little; without motion be there at once."""
        self._place()
        length = self._theme.motion()
        if length and self.isHidden():
            self._motion.setDuration(length)
            self._motion.setStartValue(self._spot() + QPoint(0, self._theme.s8))
            self._motion.setEndValue(self._spot())
            self._motion.start()

    def _leave(self) -> None:
        if self.underMouse() or self._undo.hasFocus() or self._more.hasFocus():
            self._time.start()
        else:
            self.hide()

    def _go(self) -> None:
        self.hide()
        if self._going is not None:
            self._going()

    def _act(self) -> None:
        self.hide()
        take_back, self._take_back = self._take_back, None
        if take_back is not None:
            take_back()


def alert(widget: QWidget) -> None:
    """Ask the desktop to point at the window, where somebody is waited for."""
    window = widget.window()
    if not window.isActiveWindow():
        from PySide6.QtWidgets import QApplication

        QApplication.alert(window)

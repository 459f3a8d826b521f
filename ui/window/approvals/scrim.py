"""Dims the window behind an open question, so that the question is the first thing seen."""

from __future__ import annotations

from PySide6.QtCore import QEasingCurve, QEvent, QObject, Qt, QVariantAnimation
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QWidget

from ui.window.theme import Theme


class Scrim(QWidget):
    """Lies over the whole window and lets the mouse through. One for all dialogs of a window.

    It lifts while the person works in the window itself, which stays usable, and goes with the last dialog.
    """

    def __init__(self, window: QWidget, theme: Theme) -> None:
        super().__init__(window)
        self._window, self._theme = window, theme
        self._dialogs: list[QDialog] = []
        self._strength = 0.0
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._motion = QVariantAnimation(self)
        self._motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._motion.valueChanged.connect(self._show_strength)
        window.installEventFilter(self)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self.update()

    def add(self, dialog: QDialog) -> None:
        """Dim the window while this dialog is open."""
        self._dialogs.append(dialog)
        dialog.installEventFilter(self)
        dialog.finished.connect(lambda code: self._drop(dialog))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self._window:
            if kind == QEvent.Type.Resize:
                self.resize(self._window.size())
            elif kind == QEvent.Type.WindowActivate:
                self.hide()
        elif kind in (QEvent.Type.Show, QEvent.Type.WindowActivate) and self._is_open(watched):
            self._dim()
        return False

    def _is_open(self, dialog: QObject) -> bool:
        """A dialog that is answered at once may still be told that it is active after it has closed."""
        return any(one is dialog and one.isVisible() for one in self._dialogs)

    def _dim(self) -> None:
        if self.isVisible():
            return
        self.resize(self._window.size())
        length = self._theme.motion()
        self._strength = 0.0 if length else 1.0
        self.show()
        self.raise_()
        if length:
            self._motion.setDuration(length)
            self._motion.setStartValue(0.0)
            self._motion.setEndValue(1.0)
            self._motion.start()

    def _drop(self, dialog: QDialog) -> None:
        self._dialogs = [one for one in self._dialogs if one is not dialog]
        if not self._dialogs:
            self._motion.stop()
            self.hide()

    def _show_strength(self, strength: float) -> None:
        self._strength = strength
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        veil = QColor(self._theme.colors.scrim)
        veil.setAlphaF(veil.alphaF() * self._strength)
        QPainter(self).fillRect(event.rect(), veil)


def dim_behind(dialog: QDialog, theme: Theme) -> None:
    """Dim the window that a dialog belongs to, for as long as it is open."""
    parent = dialog.parentWidget()
    if parent is None:
        return
    window = parent.window()
    scrim = window.findChild(Scrim) or Scrim(window, theme)
    scrim.set_theme(theme)
    scrim.add(dialog)

"""Follows the look that was chosen: theme, font size, motion, and the system's dark or light where that is
known."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from app.settings import Settings
from ui.window.remembered import Remembered
from ui.window.theme import Theme, make_theme

SMALLEST, LARGEST, USUAL = 10, 28, 14


class Look(QObject):
    """Makes the theme anew when a choice or the system changes; `changed` carries it."""

    changed = Signal(object)

    def __init__(
        self, app: QApplication, theme: Theme, remembered: Remembered, save: Callable[..., None]
    ) -> None:
        """`save(**fields)` writes settings."""
        super().__init__()
        self._app, self._remembered, self._save = app, remembered, save
        self.theme = theme
        app.styleHints().colorSchemeChanged.connect(lambda scheme: self._renew())

    def take(self, settings: Settings) -> None:
        """Take what the settings say, and remember it for the next first paint."""
        remembered = self._remembered
        remembered.theme, remembered.font_size = settings.theme, settings.font_size
        remembered.reduced_motion, remembered.language = settings.reduced_motion, settings.language
        self._renew()

    def choose(self, theme: str) -> None:
        """Choose system, light or dark."""
        self._save(theme=theme)

    def larger(self, by: int) -> None:
        """Make the text larger or smaller by so many pixels; 0 is the usual size."""
        size = self._remembered.font_size + by if by else USUAL
        self._save(font_size=min(max(size, SMALLEST), LARGEST))

    def _renew(self) -> None:
        remembered = self._remembered
        made = make_theme(remembered.theme, remembered.font_size, reduced_motion=remembered.reduced_motion)
        if made != self.theme:
            self.theme = made
            made.apply(self._app)
            self.changed.emit(made)

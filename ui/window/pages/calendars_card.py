"""The calendar files and folders that the calendar tools read."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal

from app.settings import Settings
from ui.language import _
from ui.places import tilde
from ui.window.pages.page import Card, clear
from ui.window.parts import button
from ui.window.theme import Theme


class CalendarsCard(Card):
    """`change(**fields)` writes settings; the signals want a dialog that ends in `take`."""

    folder_asked = Signal()
    file_asked = Signal()

    def __init__(self, theme: Theme, change: Callable[..., None]) -> None:
        super().__init__(
            theme,
            _("Calendars"),
            _("Files (.ics) and folders of them, as calendar programs keep or export them."),
        )
        self._change, self._paths = change, tuple[str, ...]()
        self._kept = self.rows.count()
        self._draw()

    def show_settings(self, settings: Settings) -> None:
        """Show what is set."""
        if settings.calendars != self._paths:
            self._paths = settings.calendars
            self._draw()

    def take(self, path: str) -> None:
        """Take a file or folder that was chosen in a dialog."""
        if path and path not in self._paths:
            self._change(calendars=(*self._paths, path))

    def _draw(self) -> None:
        clear(self.rows, self._kept)
        for path in self._paths:
            forget = button(_("Remove"), "quiet", partial(self._forget, path))
            forget.setAccessibleName(_("Remove {name}").replace("{name}", tilde(path)))
            self.add_row(tilde(path), forget)
        words = _("Add a calendar") if self._paths else _("None yet")
        self.add_row(
            words,
            button(_("A folder…"), "", self.folder_asked.emit),
            button(_("A file…"), "", self.file_asked.emit),
        )

    def _forget(self, path: str) -> None:
        self._change(calendars=tuple(one for one in self._paths if one != path))

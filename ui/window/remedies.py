"""The one button of a problem: what each action of `ui.problems.ACTIONS` does in the window."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices

from ui.window.toast import Toast

Remedy = Callable[[], object]
_OPENED = ("http", "https", "mailto")
"""Links that are handed to the system. Others could start a program, so they are only shown."""


class Remedies(QObject):
    """Looks an action up and does it; one that needs no button (wait, none) does nothing."""

    def __init__(self, remedies: Mapping[str, Remedy]) -> None:
        super().__init__()
        self._remedies = dict(remedies)

    def act(self, action: str) -> None:
        """Do what helps."""
        self._remedies.get(action, lambda: None)()

    def known(self) -> frozenset[str]:
        """Return the actions that do something."""
        return frozenset(self._remedies)


def open_link(url: str, toast: Toast, refused: str) -> None:
    """Open a link of an answer in the person's browser or mail program; anything else is said to be left
    alone."""
    target = QUrl(url)
    if target.scheme().lower() in _OPENED and target.isValid():
        QDesktopServices.openUrl(target)
    else:
        toast.say(refused)


def open_file(path: str) -> None:
    """Show a file with the system's program for it."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(path))


def open_folder(path: str) -> None:
    """Show a folder in the file manager."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(path))

"""The window: the rail, the pages beside it, and the words at its foot about what was just done."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from ui.language import _
from ui.window.chat import ChatPage
from ui.window.rail import Place, Rail
from ui.window.theme import Theme


def places() -> tuple[Place, ...]:
    """Return the pages that exist, as the rail shows them."""
    return (
        Place("chat", "message-square", _("Chat"), "Ctrl+1"),
        Place("inbox", "inbox", _("Inbox"), "Ctrl+2"),
        Place("changed", "history", _("Changes"), "Ctrl+3"),
        Place("permissions", "shield-check", _("Rules"), "Ctrl+4"),
        Place("tools", "wrench", _("Tools"), "Ctrl+5"),
        Place("memory", "brain", _("Memory"), "Ctrl+6"),
        Place("settings", "settings", _("Settings"), "Ctrl+,", foot=True),
    )


_WITHIN = {"context": "chat"}
"""Pages that belong to a place of the rail without being it."""


class MainWindow(QWidget):
    """Shows one page at a time. Pages other than the conversation are made when first asked for."""

    activated = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.setWindowTitle("Bramble")
        self.setMinimumSize(480, 360)
        self.rail = Rail(theme, places())
        self.chat = ChatPage(theme)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.chat)
        self._makers: dict[str, Callable[[], QWidget]] = {}
        self._made: dict[str, QWidget] = {"chat": self.chat}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rail)
        row.addWidget(self.pages, 1)
        self.rail.chosen.connect(self.show_page)
        self.rail.show_place("chat")

    def add_page(self, name: str, make: Callable[[], QWidget]) -> None:
        """Say how a page is made."""
        self._makers[name] = make

    def show_page(self, name: str) -> QWidget:
        """Bring a page to the front, made at the first time; return it."""
        if name not in self._made:
            self._made[name] = self._makers[name]()
            self.pages.addWidget(self._made[name])
        page = self._made[name]
        self.pages.setCurrentWidget(page)
        self.rail.show_place(_WITHIN.get(name, name))
        page.setFocus() if name != "chat" else self.chat.composer.editor.setFocus()
        return page

    def page(self) -> str:
        """Return the name of the page in front."""
        return next(name for name, page in self._made.items() if page is self.pages.currentWidget())

    def set_theme(self, theme: Theme) -> None:
        """Draw everything with another theme."""
        self.theme = theme
        self.rail.set_theme(theme)
        for page in self._made.values():
            page.set_theme(theme)  # type: ignore[attr-defined]

    def come_forward(self) -> None:
        """Show the window above the others and give it the keyboard."""
        if self.isMinimized():
            self.showNormal()
        self.show()
        self.raise_()
        self.activateWindow()

    def toggle(self) -> None:
        """Hide the window when it has the keyboard, else bring it forward."""
        if self.isVisible() and self.isActiveWindow() and not self.isMinimized():
            self.showMinimized()
        else:
            self.come_forward()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.activated.emit()
        super().changeEvent(event)


def window_icon() -> QIcon:
    """Return the app's icon."""
    from ui.window.theme.icons import FOLDER

    return QIcon(str(FOLDER / "bramble.svg"))

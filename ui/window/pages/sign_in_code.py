"""The code of a sign-in while it waits: shown large, to be copied, with the page to open and a way out."""

from __future__ import annotations

import time

from PySide6.QtCore import QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.records import SignInCode
from ui.language import _, plural
from ui.window.parts import button, label
from ui.window.theme import Theme


class CodeView(QWidget):
    """Hidden until `show_code`."""

    cancelled = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._until, self._url = 0.0, ""
        self.code = label("")
        self.code.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.copy = button(_("Copy the code"), "", self._copy)
        self.page = button(_("Open the page"), "main", self._open)
        self._where = label("", "caption", wrap=True)
        self.waiting = label("", "small", wrap=True)
        self.cancel = button(_("Cancel"), "", self.cancelled.emit)
        self._tick = QTimer(self)
        self._tick.setInterval(1000)
        self._tick.timeout.connect(self._count)
        self._row, self._foot = QHBoxLayout(), QHBoxLayout()
        self._row.addWidget(self.code)
        self._row.addWidget(self.copy)
        self._row.addStretch(1)
        self._row.addWidget(self.page)
        self._foot.addWidget(self.waiting, 1)
        self._foot.addWidget(self.cancel)
        self._column = QVBoxLayout(self)
        self._column.addWidget(label(_("Enter this code on GitHub's page:"), "small", wrap=True))
        self._column.addLayout(self._row)
        self._column.addWidget(self._where)
        self._column.addLayout(self._foot)
        self.set_theme(theme)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room and fonts."""
        self.code.setFont(theme.font(20, 700, mono=True))
        self.page.setIcon(theme.icon("external-link", "on_accent"))
        self.page.setIconSize(QSize(theme.px(14), theme.px(14)))
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.s8)
        self._row.setSpacing(theme.s12)
        self._foot.setSpacing(theme.s8)

    def show_code(self, begun: SignInCode) -> None:
        """Show a code and count down its time."""
        self._until, self._url = begun.expires, begun.url
        self.code.setText(begun.code)
        self.code.setAccessibleName(_("Code: {code}").replace("{code}", " ".join(begun.code)))
        self.copy.setText(_("Copy the code"))
        self._where.setText(begun.url)
        self.page.setToolTip(begun.url)
        self._count()
        self._tick.start()
        self.show()
        self.page.setFocus()

    def clear(self) -> None:
        """Hide the code; it means nothing any more."""
        self._tick.stop()
        self.code.setText("")
        self.hide()

    def _count(self) -> None:
        minutes = max(1, -(-round(self._until - time.time()) // 60))
        left = plural("{n} minute left", "{n} minutes left", minutes)
        self.waiting.setText(_("Waiting until you have entered it. {left}.").replace("{left}", left))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.code.text())
        self.copy.setText(_("Copied"))

    def _open(self) -> None:
        QDesktopServices.openUrl(QUrl(self._url))

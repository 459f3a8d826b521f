"""The notes that are pinned in the shown conversation, above its transcript: one line that opens to all of
them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.events import Event, PinsChanged
from app.records import Pin, Problem
from ui.language import _, plural
from ui.window.bridge import Bridge
from ui.window.composer.composer import side_margin
from ui.window.parts import Elided, IconButton, box, label
from ui.window.theme import Theme
from ui.window.transcript.legible import legible
from ui.words import problem_text

TALLEST = 200
"""Height of the open list, in pixels of the design; what is longer scrolls."""


class NotesBar(QWidget):
    """Hidden where nothing is pinned."""

    said = Signal(str, object)
    """A sentence for the toast, and how to take it back."""

    def __init__(self, bridge: Bridge, theme: Theme, session: Callable[[], str]) -> None:
        """`session()` returns the shown conversation, "" for a new one."""
        super().__init__()
        self._bridge, self._session, self._theme = bridge, session, theme
        self._asked = ""
        self.notes: tuple[Pin, ...] = ()
        self.opened = False
        self._card = box("card")
        self._icon = QLabel()
        self._line = Elided()
        self._toggle = IconButton(theme, "chevron-down", _("Show the pinned notes"))
        self._toggle.clicked.connect(self.toggle)
        self._head = QHBoxLayout()
        self._head.addWidget(self._icon)
        self._head.addWidget(self._line, 1)
        self._head.addWidget(self._toggle)
        self._rows = QWidget()
        self._list = QVBoxLayout(self._rows)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self._rows)
        self._inside = QVBoxLayout(self._card)
        self._inside.addLayout(self._head)
        self._inside.addWidget(self._scroll)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._card)
        self.set_theme(theme)
        self.hide()

    # --- what is pinned ------------------------------------------------------------

    def follow(self) -> None:
        """Read the notes where another conversation is shown."""
        if self._session() != self._asked:
            self.read()

    def apply(self, event: Event) -> None:
        """Follow what is pinned, here or in another process."""
        if isinstance(event, PinsChanged):
            self.read()

    def read(self) -> None:
        """Read the notes of the shown conversation."""
        session = self._asked = self._session()
        if not session:
            self._show(())
            return

        def take(found: Sequence[Pin]) -> None:
            if session == self._asked:
                self._show(tuple(found))

        self._bridge.call(lambda engine: engine.sessions.pins.all(session), take, self._refused)

    def pin(self, text: str = "", message: str = "") -> None:
        """Pin a text, or what a message says."""
        session = self._session()
        if not session:
            self.said.emit(_("Say something first: notes belong to a conversation."), None)
            return

        def done(pin: Any) -> None:
            words = _("Pinned. It goes to the model word for word, whatever is summarised.")
            self.said.emit(words, lambda: self._remove(session, pin.id))

        self._bridge.call(
            lambda engine: engine.sessions.pins.add(session, text, message=message), done, self._refused
        )

    def unpin(self, pin: Pin) -> None:
        """Let a note go; the toast brings it back."""

        def back() -> None:
            again = pin.session, pin.text
            self._bridge.call(lambda engine: engine.sessions.pins.add(*again), None, self._refused)

        def done(gone: object) -> None:
            self.said.emit(_("No longer pinned."), back)

        self._bridge.call(
            lambda engine: engine.sessions.pins.remove(pin.session, pin.id), done, self._refused
        )

    def _remove(self, session: str, pin: str) -> None:
        self._bridge.call(lambda engine: engine.sessions.pins.remove(session, pin), None, self._refused)

    def _refused(self, problem: Problem) -> None:
        self.said.emit(problem_text(problem).title, None)

    # --- how it looks ------------------------------------------------------------

    def toggle(self) -> None:
        """Open or close the list."""
        self.opened = not self.opened
        self._show(self.notes)

    def _show(self, notes: tuple[Pin, ...]) -> None:
        self.notes = notes
        self.opened = self.opened and bool(notes)
        single = legible(notes[0].text) if len(notes) == 1 else ""
        several = plural("{n} pinned note", "{n} pinned notes", len(notes))
        words = several if self.opened else single or several
        self._line.setText(words)
        name = _("Hide the pinned notes") if self.opened else _("Show the pinned notes")
        self._toggle.rename(name)
        self._toggle.show_icon(self._theme, "chevron-up" if self.opened else "chevron-down")
        self._fill()
        self._scroll.setVisible(self.opened)
        self.setAccessibleName(words)
        self.setVisible(bool(notes))

    def _fill(self) -> None:
        while self._list.count():
            item = self._list.takeAt(0)
            old = item.widget() if item else None
            if old is not None:
                old.deleteLater()
        for pin in self.notes if self.opened else ():
            self._list.addWidget(self._row(pin))
        self._fit()

    def _fit(self) -> None:
        """Give the open list the height of its notes, as they wrap in this width."""
        width = max(120, self._card.width() - 2 * self._theme.s12)
        wanted = self._list.heightForWidth(width) if self._list.hasHeightForWidth() else 0
        self._scroll.setFixedHeight(min(max(wanted, self._theme.px(28)), self._theme.px(TALLEST)))

    def _row(self, pin: Pin) -> QWidget:
        row, theme = QWidget(), self._theme
        text = label(legible(pin.text), wrap=True)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        remove = IconButton(theme, "x", _("Let this note go"))
        remove.clicked.connect(lambda: self.unpin(pin))
        across = QHBoxLayout(row)
        across.setContentsMargins(theme.px(24), theme.s4, 0, theme.s8)
        across.setSpacing(theme.s8)
        across.addWidget(text, 1)
        across.addWidget(remove, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        margin = side_margin(self._theme, self.width())
        self._column.setContentsMargins(margin, self._theme.s8, margin, 0)
        self._fit()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self._icon.setPixmap(theme.pixmap("pin", "muted", 16, self.devicePixelRatioF()))
        self._toggle.set_theme(theme)
        self._inside.setContentsMargins(theme.s12, theme.s4, theme.s4, theme.s4)
        self._inside.setSpacing(theme.s4)
        self._head.setSpacing(theme.s8)
        self._list.setContentsMargins(0, 0, 0, 0)
        self._list.setSpacing(0)
        self._show(self.notes)

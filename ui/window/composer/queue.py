"""The messages that wait above the composer: each can be edited, taken back, or handed to the running turn
at once."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QStackedLayout, QVBoxLayout, QWidget

from app.attachment_records import attachments_of, joined, own_words, said
from app.records import Queued
from ui.attachment_words import count_text
from ui.language import _
from ui.window.composer.composer import side_margin
from ui.window.parts import Elided, IconButton, box, label
from ui.window.theme import Theme


class QueueRow(QWidget):
    """One waiting message; a click on the pencil turns it into a field."""

    edited = Signal(str, str)
    removed = Signal(str)
    steered = Signal(str)

    def __init__(self, queued: Queued, theme: Theme, *, running: bool) -> None:
        """`running` says that there is an answer that a steering text can still go into."""
        super().__init__()
        self.queued = queued
        self._line = Elided()
        self._own = own_words(queued.text)
        brings = count_text(queued.text)
        self._line.setText(" · ".join(filter(None, [said(queued.text), brings if self._own else ""])))
        self._field = QLineEdit(" ".join(self._own.split()))
        self._field.setAccessibleName(_("Edit the waiting message"))
        self._field.editingFinished.connect(self._finish)
        self._swap = QStackedLayout()
        self._swap.addWidget(self._line)
        self._swap.addWidget(self._field)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.s12, 0, theme.s4, 0)
        row.setSpacing(theme.s4)
        enters = queued.kind == "steer" and running
        row.addWidget(label(_("Into this answer") if enters else _("Next"), "caption"))
        row.addSpacing(theme.s4)
        row.addLayout(self._swap, 1)
        if not enters:
            now = IconButton(theme, "list-start", _("Send it now, into the running answer if there is one"))
            now.clicked.connect(lambda: self.steered.emit(queued.id))
            row.addWidget(now)
        edit = IconButton(theme, "pencil", _("Edit"))
        edit.clicked.connect(self._edit)
        remove = IconButton(theme, "x", _("Take it back"))
        remove.clicked.connect(lambda: self.removed.emit(queued.id))
        row.addWidget(edit)
        row.addWidget(remove)

    def _edit(self) -> None:
        self._swap.setCurrentWidget(self._field)
        self._field.setFocus()

    def _finish(self) -> None:
        if self._swap.currentWidget() is not self._field:
            return
        self._swap.setCurrentWidget(self._line)
        text = self._field.text().strip()
        parts = [one.part for one in attachments_of(self.queued.text)]
        if not text and not parts:
            self.removed.emit(self.queued.id)
        elif text != " ".join(self._own.split()):
            self.edited.emit(self.queued.id, joined(text, parts))


class QueueList(QWidget):
    """All waiting messages of the conversation that is shown; hidden while there are none."""

    edited = Signal(str, str)
    removed = Signal(str)
    steered = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._queued: tuple[Queued, ...] = ()
        self._running = False
        self._card = box("card")
        self._rows = QVBoxLayout(self._card)
        self._rows.setContentsMargins(0, theme.s4, 0, theme.s4)
        self._rows.setSpacing(0)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._card)
        self.setAccessibleName(_("Waiting messages"))
        self.hide()

    def show_queued(self, queued: Sequence[Queued]) -> None:
        """Show what waits now."""
        if tuple(queued) == self._queued:
            return
        self._queued = tuple(queued)
        while self._rows.count():
            item = self._rows.takeAt(0)
            old = item.widget() if item else None
            if old is not None:
                old.deleteLater()
        for each in queued:
            row = QueueRow(each, self._theme, running=self._running)
            row.edited.connect(self.edited)
            row.removed.connect(self.removed)
            row.steered.connect(self.steered)
            self._rows.addWidget(row)
        self.setVisible(bool(queued))

    def show_running(self, running: bool) -> None:
        """Follow whether a turn runs: without one a steering text waits for the next, as the others do."""
        changed, self._running = running != self._running, running
        if changed and any(each.kind == "steer" for each in self._queued):
            shown, self._queued = self._queued, ()
            self.show_queued(shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        margin = side_margin(self._theme, self.width())
        self._column.setContentsMargins(margin, self._theme.s8, margin, self._theme.s4)

    def queued(self) -> tuple[Queued, ...]:
        """Return what is shown."""
        return self._queued

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        shown, self._queued = self._queued, ()
        self.show_queued(shown)

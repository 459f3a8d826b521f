"""The card that takes back everything since a time, and says first what that would be."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import QDateTime, Qt, Signal
from PySide6.QtWidgets import QDateTimeEdit, QHBoxLayout, QLineEdit, QWidget

from app.records import ChangeInfo
from ui.window.approvals.facts import wrapping
from ui.window.pages.page import Card
from ui.window.parts import Choice, button
from ui.window.theme import Theme
from ui.words import _, plural


class SinceCard(Card):
    """Hidden until it is asked for."""

    wanted = Signal(float)
    """All files are to be as they were at this time (unix seconds)."""
    left = Signal()
    """Nothing is to be taken back."""

    def __init__(self, theme: Theme, now: Callable[[], float] = time.time) -> None:
        super().__init__(theme, _("Take back everything since"))
        self._now = now
        self._changes: tuple[ChangeInfo, ...] = ()
        self._spans = Choice(theme, _("Since when"))
        for words, seconds in (
            (_("15 minutes ago"), 900),
            (_("an hour ago"), 3600),
            (_("the start of today"), -1),
            (_("another time"), 0),
        ):
            self._spans.addItem(words, seconds)
        self._spans.setCurrentIndex(1)
        self._spans.currentIndexChanged.connect(lambda at: self._span())
        self._time = QDateTimeEdit()
        self._time.setAccessibleName(_("Time"))
        self._time.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._time.setDisplayFormat("yyyy-MM-dd HH:mm")
        self._time.dateTimeChanged.connect(lambda when: self._say())
        line = QWidget()
        self._line = QHBoxLayout(line)
        self._line.setContentsMargins(0, 0, 0, 0)
        for part in (self._spans, self._time):
            self._line.addWidget(part)
        self._line.addStretch(1)
        self.rows.addWidget(line)
        self._says = wrapping("", "small")
        self.rows.addWidget(self._says)
        foot = QWidget()
        self._foot = QHBoxLayout(foot)
        self._foot.setContentsMargins(0, 0, 0, 0)
        self._foot.addStretch(1)
        self._foot.addWidget(button(_("Leave it"), "", self.left.emit))
        self._take = button(_("Take back"), "main", lambda: self.wanted.emit(self.moment()))
        self._foot.addWidget(self._take)
        self.rows.addWidget(foot)
        self.hide()
        self.set_theme(theme)

    def open_card(self) -> None:
        """Show the card, an hour back."""
        self._span()
        self.show()
        self._spans.setFocus()

    def show_changes(self, changes: Sequence[ChangeInfo]) -> None:
        """Count among these what would be taken back."""
        self._changes = tuple(changes)
        self._say()

    def moment(self) -> float:
        """Return the time that is chosen, in unix seconds."""
        return float(self._time.dateTime().toSecsSinceEpoch())

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        super().set_theme(theme)
        if hasattr(self, "_foot"):
            self._line.setSpacing(theme.s8)
            self._foot.setSpacing(theme.s8)
            self._spans.set_theme(theme)
            field = self._time.findChild(QLineEdit)
            if field is not None:  # the style gives the room inside of the frame to plain fields only
                field.setTextMargins(theme.px(10), 0, theme.px(10), 0)

    def _span(self) -> None:
        seconds = self._spans.currentData()
        now = datetime.datetime.fromtimestamp(self._now())
        then = now.replace(hour=0, minute=0) if seconds == -1 else now - datetime.timedelta(seconds=seconds)
        then = then.replace(second=0, microsecond=0)
        self._time.setEnabled(seconds == 0)
        self._time.setDateTime(QDateTime.fromSecsSinceEpoch(int(then.timestamp())))
        self._say()

    def _say(self) -> None:
        since = self.moment()
        later = [change for change in self._changes if change.made >= since]
        known = {change.id for change in later}
        standing = [
            change
            for change in later  # what was made and taken back since then is where it was already
            if not change.undone and not (change.undoes and known.issuperset(change.undoes))
        ]
        files = {file.path for change in standing for file in change.files}
        self._take.setEnabled(bool(standing))
        if not standing:
            self._says.setText(_("There is nothing to take back since then."))
            return
        words = plural("{n} change in {files}", "{n} changes in {files}", len(standing))
        words = words.replace("{files}", plural("{n} file", "{n} files", len(files)))
        whole = _("Takes back {what}. Taking back is a change too, so it can be taken back itself.")
        self._says.setText(whole.replace("{what}", words))

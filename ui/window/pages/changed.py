"""The page of what changed: every change of files by day and turn, with the way back of each."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import groupby

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from app.events import ChangeMade, Event
from app.records import ChangeInfo, Problem, SessionInfo
from ui.window.bridge import Bridge
from ui.window.pages.change_rows import ChangeRow
from ui.window.pages.page import Card, Page
from ui.window.pages.since import SinceCard
from ui.window.parts import Choice, Elided, button, label
from ui.window.theme import Theme
from ui.window.transcript.legible import legible
from ui.window.undo.taking_back import TakingBack
from ui.window.work.undoing import listed, named, way_back
from ui.words import _, ago, clock, day, plural, problem_text

SLICE = 40
"""Changes that are shown at once; older ones at a click."""


class ChangedPage(Page):
    """Reads the journal whenever something changed, when it is in sight."""

    problem = Signal(object)

    def __init__(
        self, bridge: Bridge, theme: Theme, back: TakingBack, info: Callable[[str], SessionInfo | None]
    ) -> None:
        """`info(session)` is what is known of a conversation, None when it is gone."""
        super().__init__(theme, _("Changes"), _("Looking…"), width=860)
        self._bridge, self._back, self._info = bridge, back, info
        back.done.connect(self._undone)
        self._changes: tuple[ChangeInfo, ...] = ()
        self._most = SLICE
        self._rows: dict[str, ChangeRow] = {}
        self._parts: list[QWidget] = []
        self._filter = Choice(theme, _("Conversation"))
        self._filter.activated.connect(lambda at: self._draw())
        self._filter.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._filter.setMinimumContentsLength(14)
        self._filter.setMaximumWidth(theme.px(220))
        self.add_action(self._filter)
        self._opens_since = button(_("Take back since\u2026"), "", self.open_since)
        self.add_action(self._opens_since)
        self.since = SinceCard(theme)
        self.since.wanted.connect(self._undo_since)
        self.since.left.connect(self._close_since)
        self.column.addWidget(self.since)
        self._first = self.column.count()
        self.column.addStretch(1)
        self._stale = False
        self.read()

    # --- reading -------------------------------------------------------------------------------------------

    def read(self) -> None:
        """Read the journal again."""
        self._stale = False
        self._bridge.call(lambda engine: engine.changes.list(), self._take, self._failed)

    def apply(self, event: Event) -> None:
        """Follow what is changed, here and in other processes."""
        if isinstance(event, ChangeMade):
            self._stale = True
            if self.isVisible():
                self.read()

    def showEvent(self, event: object) -> None:
        super().showEvent(event)  # type: ignore[arg-type]
        if self._stale:
            self.read()

    def show_session(self, session: str) -> None:
        """Show what was changed in one conversation, "" for all."""
        self._filter.setCurrentIndex(max(0, self._filter.findData(session)))
        self._draw()

    def _take(self, changes: Sequence[ChangeInfo]) -> None:
        ordered = sorted(changes, key=lambda change: change.made, reverse=True)
        self._changes = named(ordered, self._folder)
        chosen = self._filter.currentData() or ""
        self._filter.clear()
        self._filter.addItem(_("All conversations"), "")
        for session in dict.fromkeys(change.session for change in self._changes if change.session):
            self._filter.addItem(self._title(session)[:48], session)
        self._filter.setCurrentIndex(max(0, self._filter.findData(chosen)))
        self._draw()

    def _failed(self, problem: Problem) -> None:
        self.sentence.setText(problem_text(problem).title)

    # --- drawing -------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        keyboard = self._keyboard()
        for row in self._rows.values():
            row.end()
        for part in self._parts:
            part.hide()
            part.deleteLater()
        self._parts, self._rows = [], {}
        session = self._filter.currentData() or ""
        wanted = [change for change in self._changes if session in ("", change.session)]
        self.since.show_changes(wanted)
        rows = listed(wanted)
        self.sentence.setText(_summary(rows))
        now = time.time()
        for heading, some in groupby(rows[: self._most], key=lambda change: day(change.made, now)):
            self._put(label(heading, "section"))
            for _key, turn in groupby(some, key=lambda change: (change.session, change.turn or change.id)):
                self._put(self._turn_card(list(turn), wanted))
        if len(rows) > self._most:
            self._put(button(_("Show older changes"), "", self._show_older))
        if not rows:
            self._put(self._empty_card())
        self._give_back(*keyboard)

    def _keyboard(self) -> tuple[str, int, str]:
        """Return the change whose row has the keyboard, its place from the top, and the button of the row.

        The button of a turn counts as the first row of the turn, which is there when the button is gone.
        """
        for at, (change, row) in enumerate(self._rows.items()):
            if part := row.held():
                return change, at, part
        held = self.window().focusWidget()
        card = next((one for one in self._parts if isinstance(one, Card) and one.isAncestorOf(held)), None)
        rows = enumerate(self._rows.values())
        return "", next((at for at, row in rows if card and card.isAncestorOf(row)), -1), "undo"

    def _give_back(self, change: str, at: int, part: str) -> None:
        """Give the keyboard to the row of a change, or to the one that stands in its place now."""
        rows = list(self._rows.values())
        if at >= 0 and rows:
            self._rows.get(change, rows[min(at, len(rows) - 1)]).hold(part)

    def _put(self, part: QWidget) -> None:
        self.column.insertWidget(self._first + len(self._parts), part)
        self._parts.append(part)

    def _show_older(self) -> None:
        self._most += SLICE
        self._draw()

    def _turn_card(self, changes: Sequence[ChangeInfo], known: Sequence[ChangeInfo]) -> Card:
        card = Card(self.theme, "")
        head = QWidget()
        line = QHBoxLayout(head)
        line.setContentsMargins(0, 0, 0, 0)
        first = changes[-1]
        title = Elided("strong")
        title.setText(self._title(first.session) if first.session else _("Outside of a conversation"))
        line.addWidget(title, 1)
        line.addWidget(label(clock(first.made), "caption"))
        standing = [change for change in changes if not change.undone]
        if len(standing) > 1 and first.turn:
            words = plural("Undo this turn ({n} change)", "Undo this turn ({n} changes)", len(standing))
            line.addWidget(button(words, "", lambda: self._back.undo_turn(first.turn)))
        card.rows.addWidget(head)
        for change in changes:
            row = ChangeRow(self.theme, change, way_back(known, change), clock(first.made))
            row.opened.connect(self._open)
            row.undo_asked.connect(self._undo)
            self._rows[change.id] = row
            card.rows.addWidget(row)
        return card

    def _title(self, session: str) -> str:
        info = self._info(session)
        return legible(info.title) if info is not None else _("A conversation that is gone")

    def _folder(self, session: str) -> str:
        info = self._info(session)
        return info.cwd if info is not None else ""

    def _empty_card(self) -> Card:
        words = _("Each file that Bramble changes is kept here as it was for 30 days, and can be taken back.")
        return Card(self.theme, _("Nothing was changed yet"), words)

    def _open(self, change: str) -> None:
        def show(found: ChangeInfo) -> None:
            row = self._rows.get(change)
            if row is not None:
                row.show_lines(found)

        self._bridge.call(lambda engine: engine.changes.show(change), show, self.problem.emit)

    # --- taking back ---------------------------------------------------------------------------------------

    def open_since(self) -> None:
        """Show the card that takes back everything since a time."""
        self.since.open_card()
        self.area.ensureWidgetVisible(self.since)

    def _undo(self, change: str) -> None:
        self._back.undo(change, any(one.id == change and one.undoes for one in self._changes))

    def _undo_since(self, moment: float) -> None:
        """Bring the files of the chosen conversation, or of all, back to how they were at a time."""
        self._back.undo_since(moment, self._filter.currentData() or "")

    def _close_since(self) -> None:
        """Hide that card; the keyboard goes back to what opened it."""
        if self.since.isAncestorOf(self.window().focusWidget()):
            self._opens_since.setFocus()
        self.since.hide()

    def _undone(self, back: str, again: bool) -> None:
        self._close_since()
        self.read()


def _summary(rows: Sequence[ChangeInfo]) -> str:
    if not rows:
        return _("No file was changed.")
    files = {file.path for change in rows for file in change.files}
    words = plural(
        "{n} change in {files}, the newest {ago}.", "{n} changes in {files}, the newest {ago}.", len(rows)
    )
    words = words.replace("{files}", plural("{n} file", "{n} files", len(files)))
    return words.replace("{ago}", ago(rows[0].made, time.time()))

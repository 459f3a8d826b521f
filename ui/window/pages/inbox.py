"""The inbox: every question that waits for the person, of all conversations and all processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.records import Approval
from ui.language import _, plural
from ui.window.approvals.facts import wrapping
from ui.window.approvals.wording import is_destructive, title
from ui.window.pages.page import Card, Page
from ui.window.parts import Elided, LinkName, button, label
from ui.window.theme import Theme
from ui.window.transcript.calls import consequence
from ui.window.transcript.legible import legible
from ui.words import ago

_AGE_MS = 20_000
"""How often the ages are written anew while the page is in sight."""


class InboxPage(Page):
    """One row a question, the oldest first. Each can be opened, or denied at once."""

    review_asked = Signal(str)
    deny_asked = Signal(str)
    session_asked = Signal(str)

    def __init__(self, theme: Theme, name_of: Callable[[str], str]) -> None:
        """`name_of(session)` is the title of a conversation, "" where it has none."""
        super().__init__(theme, _("Inbox"), "")
        self._name_of = name_of
        self._shown: tuple[Approval, ...] = ()
        self._rows: list[QuestionRow] = []
        self._card: Card | None = None
        self._first = self.column.count()
        self.column.addStretch(1)
        self._age = QTimer(self, interval=_AGE_MS)
        self._age.timeout.connect(self._show_ages)
        self.show_waiting(())

    def show_waiting(self, approvals: Sequence[Approval]) -> None:
        """Show what waits now."""
        self._shown = tuple(approvals)
        self.sentence.setText(_summary(len(self._shown)))
        if self._card is not None:
            self._card.hide()
            self._card.deleteLater()
        self._card, self._rows = Card(self.theme, ""), []
        for approval in self._shown:
            if self._rows:
                self._card.add_rule()
            self._card.rows.addWidget(self._question_row(approval))
        if not self._shown:
            words = _("What Bramble may not do by itself waits here until you say so, however long it takes.")
            self._card.rows.addWidget(label(words, "muted", wrap=True))
        self.column.insertWidget(self._first, self._card)

    def showEvent(self, event: object) -> None:
        super().showEvent(event)  # type: ignore[arg-type]
        self._show_ages()
        self._age.start()

    def hideEvent(self, event: object) -> None:
        super().hideEvent(event)  # type: ignore[arg-type]
        self._age.stop()

    def _question_row(self, approval: Approval) -> QuestionRow:
        row = QuestionRow(self.theme, approval, self._name_of(approval.session))
        row.review_asked.connect(self.review_asked)
        row.deny_asked.connect(self.deny_asked)
        row.session_asked.connect(self.session_asked)
        self._rows.append(row)
        return row

    def _show_ages(self) -> None:
        for row in self._rows:
            row.show_age()


class QuestionRow(QWidget):
    """Who wants what, where from and since when."""

    review_asked = Signal(str)
    deny_asked = Signal(str)
    session_asked = Signal(str)

    def __init__(self, theme: Theme, approval: Approval, session: str) -> None:
        super().__init__()
        self._approval = approval
        self.setAccessibleName(title(approval))
        self._line = QHBoxLayout(self)
        self._icon = QLabel()
        self._line.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        self._words = QVBoxLayout()
        self._words.addWidget(label(title(approval), "strong", wrap=True))
        self._words.addWidget(wrapping(consequence(approval), "small"))
        self._deny = button(_("Deny"), "", lambda: self.deny_asked.emit(approval.id))
        self._review = button(_("Review"), "main", lambda: self.review_asked.emit(approval.id))
        for part in (self._deny, self._review):
            part.setAccessibleName(f"{part.text()}: {title(approval)}")
        self._words.addLayout(self._foot(approval, session))
        self._line.addLayout(self._words, 1)
        self.set_theme(theme)
        self.show_age()

    def _foot(self, approval: Approval, session: str) -> QHBoxLayout:
        self._where = QHBoxLayout()
        self._age = label("", "caption")
        self._where.addWidget(self._age)
        name = LinkName(legible(session or _("New conversation")))
        name.setToolTip(_("Go to the conversation"))
        name.clicked.connect(lambda: self.session_asked.emit(approval.session))
        tool = Elided("caption")
        tool.setText(approval.tool)
        if approval.session:
            self._where.addWidget(name)
        self._where.addWidget(tool, 1)
        for part in (self._deny, self._review):
            self._where.addWidget(part)
        return self._where

    def show_age(self) -> None:
        """Say how long the question has waited."""
        self._age.setText(ago(self._approval.asked, time.time()))

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        role = "caution" if is_destructive(self._approval) else "accent"
        self._icon.setPixmap(theme.pixmap("shield-question-mark", role, 18, self.devicePixelRatioF()))
        self._line.setContentsMargins(0, theme.s4, 0, theme.s4)
        self._line.setSpacing(theme.s12)
        self._words.setSpacing(theme.px(2))
        self._where.setSpacing(theme.s12)


def _summary(count: int) -> str:
    if not count:
        return _("Nothing waits for you.")
    return plural("{n} question waits for you.", "{n} questions wait for you.", count)

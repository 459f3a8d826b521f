"""The bar above the transcript that says what is wrong with the whole app, with the one button that helps."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout

from app.records import Problem
from ui.language import _
from ui.window.parts import IconButton, button, label
from ui.window.rescue import words_of
from ui.window.theme import Theme
from ui.words import ProblemText


class NoticeBar(QFrame):
    """Hidden while all is well."""

    remedy = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("box", "notice")
        self._icon = QLabel()
        self._title = label("", "strong", wrap=True)
        self._detail = label("", "small", wrap=True)
        self._remedy = button("", "main", lambda: self.remedy.emit(self._action))
        self._remedy.setAccessibleName(_("What helps"))
        self._close = IconButton(theme, "x", _("Hide this"))
        self._close.clicked.connect(self.hide)
        self._action = "none"
        self.problem: Problem | None = None
        """What is said."""
        self._row = QHBoxLayout(self)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self._title)
        words.addWidget(self._detail)
        self._row.addWidget(self._icon)
        self._row.addLayout(words, 1)
        self._row.addWidget(self._remedy)
        self._row.addWidget(self._close)
        self.set_theme(theme)
        self.hide()

    def show_problem(self, problem: Problem, words: ProblemText | None = None) -> None:
        """Say what happened and offer what helps, in the problem's own words unless others are given."""
        if words is None and self._tells_less(problem):
            return
        self.problem = problem
        words = words or words_of(problem)
        self._title.setText(words.title)
        self._detail.setText(words.detail)
        self._detail.setVisible(bool(words.detail))
        self._action = words.action
        self._remedy.setText(words.action_label)
        self._remedy.setAccessibleName(words.action_label)
        self._remedy.setVisible(words.action not in ("none", "wait"))
        self._remedy.setEnabled(True)
        self.setAccessibleName(words.title)
        self.show()

    def show_busy(self, words: str) -> None:
        """Say that what helps is under way."""
        self._detail.setText(words)
        self._remedy.setEnabled(False)

    def _tells_less(self, problem: Problem) -> bool:
        """Whether the same is shown already, with a backup that this does not know of."""
        shown = self.problem if self.isVisible() else None
        return (
            shown is not None and shown.code == problem.code and problem.fields.items() < shown.fields.items()
        )

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._icon.setPixmap(theme.pixmap("triangle-alert", "caution", 18, self.devicePixelRatioF()))
        self._close.set_theme(theme)
        self._row.setContentsMargins(theme.s20, theme.s12, theme.s12, theme.s12)
        self._row.setSpacing(theme.s12)

"""The bar above the transcript that asks once about what the shown project brings: its instructions, its
skills. One question at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.events import Event, InstructionsChanged, SkillsChanged, TurnEnded
from app.records import Problem
from ui.language import _
from ui.window.bridge import Bridge
from ui.window.composer.flow import Flow
from ui.window.parts import Elided, IconButton, button, label
from ui.window.project_asks import Ask, Work, waiting
from ui.window.theme import Theme
from ui.window.transcript.legible import legible
from ui.words import problem_text


class ProjectBar(QWidget):
    """Hidden where nothing waits for an answer, and for what was put off in this window."""

    look_asked = Signal(str)
    """The person wants to see what is asked about; carries the name of the question."""
    said = Signal(str, object)
    answered = Signal()
    """The person answered or put it off, so that the keyboard belongs elsewhere again."""

    def __init__(self, bridge: Bridge, theme: Theme, folder: Callable[[], str]) -> None:
        """`folder()` returns the one that is shown."""
        super().__init__()
        self._bridge, self._folder = bridge, folder
        self._asked: str | None = None
        self._later: set[tuple[str, str]] = set()
        self._found: tuple[Ask, ...] = ()
        self.shown: Ask | None = None
        """The question that is put."""
        self.question = Question(theme)
        self.line = QuietLine(theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self.question, self.line):
            column.addWidget(part)
            part.look.clicked.connect(self._look)
            part.refuse.clicked.connect(self._refuse)
            part.later.clicked.connect(self._put_off)
        self.question.agree.clicked.connect(self._agree)
        self.hide()

    def follow(self) -> None:
        """Look again where another folder is shown."""
        if self._folder() != self._asked:
            self.read()

    def apply(self, event: Event) -> None:
        """Look again when an answer was given, or a turn that may have changed files ended."""
        if isinstance(event, (SkillsChanged, InstructionsChanged, TurnEnded)):
            self.read()

    def read(self) -> None:
        """Look what waits in the shown folder."""
        folder = self._asked = self._folder()

        def take(found: Sequence[Ask]) -> None:
            if folder == self._asked:
                self._found = tuple(found)
                self._show()

        self._bridge.call(lambda engine: waiting(engine, folder), take, lambda problem: take(()))

    def _show(self) -> None:
        open_ = [one for one in self._found if (one.name, one.print) not in self._later]
        ask = self.shown = open_[0] if open_ else None
        quiet = ask is not None and ask.name == "changed"
        self.question.setVisible(ask is not None and not quiet)
        self.line.setVisible(quiet)
        if ask is not None:
            self.setAccessibleName(ask.title)
            (self.line if quiet else self.question).show_ask(ask)
        new = ask is not None and self.isHidden()
        self.setVisible(ask is not None)
        if new:
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def _look(self) -> None:
        if self.shown is not None:
            self.look_asked.emit(self.shown.name)

    def _agree(self) -> None:
        if self.shown is not None and self.shown.agree is not None:
            self._answer(self.shown.agree, self.shown.agreed, self.shown.back)

    def _refuse(self) -> None:
        if self.shown is not None:
            self._answer(self.shown.refuse, self.shown.refused, self.shown.back)

    def _answer(self, work: Work, words: str, back: Work) -> None:
        def take_back() -> None:
            self._bridge.call(back)

        def refused(problem: Problem) -> None:
            self.said.emit(problem_text(problem).title, None)
            self.read()

        def answered(done: object) -> None:
            self.said.emit(words, take_back)
            self.answered.emit()

        self._bridge.call(work, answered, refused)

    def _put_off(self) -> None:
        if self.shown is not None:
            self._later.add((self.shown.name, self.shown.print))
        self._show()
        self.answered.emit()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self.question.set_theme(theme)
        self.line.set_theme(theme)


class Question(QFrame):
    """What a project brings, with three answers and a way to put them off."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("box", "notice")
        self._icon = QLabel()
        self._title = label("", "strong", wrap=True)
        self._detail = label("", "small", wrap=True)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self._title)
        words.addWidget(self._detail)
        self.agree = button(_("Use them"), "main")
        self.look = button(_("Look at them"))
        self.refuse = button(_("Leave them out"))
        self.later = IconButton(theme, "x", _("Ask me later"))
        deeds = QWidget()
        self._deeds = Flow(deeds)
        for part in (self.agree, self.look, self.refuse):
            self._deeds.addWidget(part)
        self._under = QVBoxLayout()
        self._under.addWidget(deeds)
        words.addLayout(self._under)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addLayout(words, 1)
        self._row.addWidget(self.later, 0, Qt.AlignmentFlag.AlignTop)
        self._icon_name = "lightbulb"
        self.set_theme(theme)

    def show_ask(self, ask: Ask) -> None:
        """Put a question."""
        self._title.setText(ask.title)
        self._detail.setText(legible(ask.text))
        self.agree.setVisible(ask.agree is not None)
        self._icon_name = "lightbulb" if ask.name == "skills" else "file-text"
        self._draw_icon()

    def _draw_icon(self) -> None:
        self._icon.setPixmap(self._theme.pixmap(self._icon_name, "accent", 18, self.devicePixelRatioF()))

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self._draw_icon()
        self.later.set_theme(theme)
        self._row.setContentsMargins(theme.s20, theme.s12, theme.s12, theme.s12)
        self._row.setSpacing(theme.s12)
        self._deeds.setSpacing(theme.s8)
        self._under.setContentsMargins(0, theme.s8, 0, 0)


class QuietLine(QFrame):
    """One line that tells of a change and asks nothing."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("box", "bar")
        self._icon = QLabel()
        self._words = Elided("small")
        self.look = button(_("Look"), "link")
        self.refuse = button(_("Leave out"), "quiet")
        self.later = IconButton(theme, "x", _("Hide this"))
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._icon)
        self._row.addWidget(self._words, 1)
        for part in (self.look, self.refuse, self.later):
            self._row.addWidget(part)
        self.set_theme(theme)

    def show_ask(self, ask: Ask) -> None:
        """Tell of a change."""
        self._words.setText(legible(ask.title))

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._icon.setPixmap(theme.pixmap("file-pen", "muted", 16, self.devicePixelRatioF()))
        self.later.set_theme(theme)
        self._row.setContentsMargins(theme.s20, theme.s4, theme.s12, theme.s4)
        self._row.setSpacing(theme.s8)

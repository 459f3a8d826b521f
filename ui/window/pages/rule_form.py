"""The card that adds a rule: what it does, where it holds, its words, and at once what they cover."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.records import DecisionKind, Scope
from ui.places import tilde
from ui.trust import rule_parts, rule_text
from ui.window.approvals.facts import wrapping
from ui.window.pages.page import Card
from ui.window.pages.rule_rows import RuleField
from ui.window.parts import Choice, Segments, button
from ui.window.theme import Theme
from ui.words import _


class RuleForm(Card):
    """Hidden until it is asked for."""

    wanted = Signal(str, str, str)
    """Decision, rule and scope that are to be saved."""

    def __init__(self, theme: Theme, known: Callable[[str], bool]) -> None:
        """`known(name)` tells whether there is a tool of this name."""
        super().__init__(theme, _("A new rule"))
        self._known = known
        self._decision = Segments(
            _("What the rule does"),
            (
                ("allow", _("Allow"), _("It runs without a question")),
                ("ask", _("Ask"), _("It is asked about each time")),
                ("deny", _("Never"), _("It never happens")),
            ),
        )
        self._decision.choose("allow")
        self._decision.chosen.connect(lambda value: self._explain())
        self._scope = Choice(theme, _("Where the rule holds"))
        top = QWidget()
        self._line = QHBoxLayout(top)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.addWidget(self._decision)
        self._line.addWidget(self._scope)
        self._line.addStretch(1)
        self.rows.addWidget(top)
        self.field = RuleField()
        self.field.textChanged.connect(lambda text: self._explain())
        self.field.returnPressed.connect(self._press)
        self.field.given_up.connect(self.close_form)
        self.rows.addWidget(self.field)
        self._covers = wrapping("", "small")
        self.rows.addWidget(self._covers)
        self._save = button(_("Save the rule"), "main", self._press)
        foot = QWidget()
        self._foot = QHBoxLayout(foot)
        self._foot.setContentsMargins(0, 0, 0, 0)
        self._foot.addStretch(1)
        self._foot.addWidget(button(_("Leave it"), "", self.close_form))
        self._foot.addWidget(self._save)
        self.rows.addWidget(foot)
        self.hide()
        self.set_theme(theme)

    def open_form(self, folder: str, session: str) -> None:
        """Show the form; a rule can be of the folder and the conversation that are shown."""
        self._scope.clear()
        self._scope.addItem(_("In every folder"), "always")
        if folder:
            self._scope.addItem(_("In {folder}").replace("{folder}", tilde(folder)), "project")
        if session:
            self._scope.addItem(_("In this conversation"), "session")
        self.show()
        self.field.setFocus()
        self._explain()

    def close_form(self) -> None:
        """Hide the form; what was typed is gone."""
        self.field.clear()
        self.hide()

    def refuse(self, words: str) -> None:
        """Say why the rule cannot be saved."""
        self._covers.setText(words)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        super().set_theme(theme)
        if hasattr(self, "_foot"):
            self._line.setSpacing(theme.s12)
            self._foot.setSpacing(theme.s8)
            self._scope.set_theme(theme)

    def _explain(self) -> None:
        text = self.field.text().strip()
        parts = rule_parts(text)
        decision: DecisionKind = self._decision.value()  # type: ignore[assignment]
        if not text:
            words = _("Write the tool and, in brackets, what it is about.")
        elif parts is None:
            words = _("A rule reads TOOL(PATTERN), such as run_command(npm run *) or write_file(docs/**).")
        else:
            words = rule_text(decision, text)
            if not self._known(parts[0]):
                words += " " + _("No tool of this name is here now, so it holds for nothing yet.")
        self._covers.setText(words)
        self._save.setEnabled(parts is not None)

    def _press(self) -> None:
        if rule_parts(self.field.text()) is not None:
            scope: Scope = self._scope.currentData() or "always"
            self.wanted.emit(self._decision.value(), self.field.text().strip(), scope)

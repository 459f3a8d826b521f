"""One saved rule as a row: what it does, its words, what it covers, and how to change or remove it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.records import DecisionKind, RuleInfo
from ui.trust import rule_parts, rule_text
from ui.window.approvals.facts import wrapping
from ui.window.parts import IconButton, button, label
from ui.window.theme import Theme
from ui.words import _

LONGEST = 4_000
"""Characters of a rule that can be typed."""


def decision_word(decision: DecisionKind) -> str:
    """Return what a rule does, in a word or two."""
    return {"allow": _("Allowed"), "ask": _("Asked"), "deny": _("Never")}[decision]


def tone_of(decision: DecisionKind) -> str:
    """Return the tone of that word; the word itself carries the meaning."""
    return {"allow": "good", "ask": "caution", "deny": "danger"}[decision]


class RuleField(QLineEdit):
    """A field for a rule in which Esc gives up and Enter saves."""

    given_up = Signal()

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.setMaxLength(LONGEST)
        self.setAccessibleName(_("Rule"))
        self.setPlaceholderText(_("TOOL(PATTERN), such as run_command(git status)"))
        self.setProperty("mono", True)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.given_up.emit()
        else:
            super().keyPressEvent(event)


class RuleRow(QWidget):
    """Shows a rule; while it is changed, a field stands in its place."""

    removed = Signal(object)
    edited = Signal(object, str)
    """The rule and its new words."""

    def __init__(self, theme: Theme, rule: RuleInfo) -> None:
        super().__init__()
        self.rule = rule
        self.setAccessibleName(f"{decision_word(rule.decision)}: {rule.rule}")
        self._line = QHBoxLayout(self)
        self._word = label(decision_word(rule.decision), tone_of(rule.decision))
        self._line.addWidget(self._word, 0, Qt.AlignmentFlag.AlignTop)
        self._words = QVBoxLayout()
        self._text = wrapping(rule.rule, "", mono=True)
        self._covers = wrapping(rule_text(rule.decision, rule.rule), "caption")
        self._words.addWidget(self._text)
        self._words.addWidget(self._covers)
        self._line.addLayout(self._words, 1)
        self._field: RuleField | None = None
        self._save = button(_("Save"), "", self._finish)
        self._save.hide()
        self._change = IconButton(theme, "pencil", _("Change this rule"), px=16)
        self._change.clicked.connect(self.change)
        self._drop = IconButton(theme, "trash-2", _("Remove this rule"), px=16)
        self._drop.clicked.connect(lambda: self.removed.emit(self.rule))
        for part in (self._save, self._change, self._drop):
            self._line.addWidget(part, 0, Qt.AlignmentFlag.AlignTop)
        self.set_theme(theme)

    def change(self) -> None:
        """Put a field with the rule in the place of its words."""
        if self._field is not None:
            return
        self._field = RuleField(self.rule.rule)
        self._field.textChanged.connect(self._explain)
        self._field.returnPressed.connect(self._finish)
        self._field.given_up.connect(self.give_up)
        self._text.hide()
        self._words.insertWidget(0, self._field)
        self._save.show()
        self._change.hide()
        self._field.setFocus()
        self._field.selectAll()

    def give_up(self) -> None:
        """Leave the rule as it was."""
        if self._field is not None:
            self._field.hide()
            self._field.deleteLater()
            self._field = None
            self._text.show()
            self._save.hide()
            self._change.show()
            self._change.setFocus()
            self._covers.setText(rule_text(self.rule.decision, self.rule.rule))

    def refuse(self, words: str) -> None:
        """Say why the new words cannot be saved."""
        self._covers.setText(words)

    def _explain(self, text: str) -> None:
        self._covers.setText(rule_text(self.rule.decision, text))
        self._save.setEnabled(rule_parts(text) is not None)

    def _finish(self) -> None:
        text = self._field.text().strip() if self._field is not None else ""
        if text == self.rule.rule:
            self.give_up()
        elif rule_parts(text) is not None:
            self.edited.emit(self.rule, text)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        self._line.setContentsMargins(0, theme.s4, 0, theme.s4)
        self._line.setSpacing(theme.s8)
        self._words.setSpacing(theme.px(2))
        self._word.setFixedWidth(theme.px(76))
        for part in (self._change, self._drop):
            part.set_theme(theme)

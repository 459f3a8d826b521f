"""The foot of the dialog: deny with a reason, how long an answer holds, and the main button."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.records import Approval, Scope
from ui.window.approvals.scope import RuleStrip, ScopeButton
from ui.window.approvals.wording import never_kept
from ui.window.parts import button, label
from ui.window.theme import Theme
from ui.words import _


class Foot(QWidget):
    """Holds the buttons; the dialog decides what they may do."""

    allowed = Signal()
    denied = Signal(str)
    """Carries the reason, "" for none."""

    def __init__(self, theme: Theme, approval: Approval) -> None:
        super().__init__()
        self.why = QLineEdit()
        self.why.setPlaceholderText(_("Say why, if you like. The model reads it. Enter denies."))
        self.why.setAccessibleName(_("Reason"))
        self.why.returnPressed.connect(self._deny)
        self.why.hide()
        self.strip = RuleStrip(theme, approval)
        self.deny = button(_("Deny\u2026"), "", self._deny_pressed)
        self.hint = label("", "small", wrap=True)
        self.scope = ScopeButton(theme, approval.cwd)
        self.scope.chosen.connect(self.strip.show_scope)
        self.allow = button(_("Allow"), "main", self.allowed.emit)
        if not approval.offers:
            self.scope.setEnabled(False)
            self.scope.setToolTip(never_kept(approval))
            self.scope.setAccessibleDescription(never_kept(approval))
            self.hint.setText(never_kept(approval))
        self._arrange()
        self._keys()
        self.set_theme(theme)

    def _arrange(self) -> None:
        self._column, self._row = QVBoxLayout(self), QHBoxLayout()
        self._column.addWidget(self.strip)
        self._column.addWidget(self.why)
        for part in (self.deny, self.hint, self.scope, self.allow):
            self._row.addWidget(part, 1 if part is self.hint else 0)
        self._column.addLayout(self._row)
        for one in (self.deny, self.allow):
            one.setAutoDefault(False)

    def _keys(self) -> None:
        for keys, act in (
            ("Alt+D", self.deny.click),
            ("Alt+A", self._focus_allow),
            ("Alt+H", self.scope.click),
        ):
            made = QShortcut(QKeySequence(keys), self)
            made.setContext(Qt.ShortcutContext.WindowShortcut)
            made.activated.connect(act)
        self.deny.setToolTip(_("Deny ({keys})").replace("{keys}", "Alt+D"))
        self.allow.setToolTip(_("Go to this button ({keys})").replace("{keys}", "Alt+A"))
        if self.scope.isEnabled():
            self.scope.setToolTip(_("How long the answer holds ({keys})").replace("{keys}", "Alt+H"))

    def _focus_allow(self) -> None:
        """Only the focus goes there: what is allowed is pressed by hand."""
        self.allow.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._column.setContentsMargins(theme.s20, theme.s12, theme.s20, theme.s12)
        self._column.setSpacing(theme.s8)
        self._row.setSpacing(theme.s12)
        self.scope.set_theme(theme)
        self.strip.set_theme(theme)

    def chosen_scope(self) -> tuple[Scope, tuple[str, ...]]:
        """Return how long the answer holds, and the rules that are saved for it."""
        rules = self.strip.rules()
        return (self.scope.scope, rules) if rules else ("once", ())

    def _deny_pressed(self) -> None:
        """The first press asks for a reason, the second denies."""
        if self.why.isVisible():
            self._deny()
            return
        self.why.show()
        self.why.setFocus()
        self.deny.setText(_("Deny"))
        self.deny.setAccessibleName(_("Deny"))

    def _deny(self) -> None:
        self.denied.emit(self.why.text().strip())

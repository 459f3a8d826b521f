"""The dialog in which a person changes a plan before it is carried out."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from app.records import Problem
from ui.language import _
from ui.window import dialogs
from ui.window.approvals.facts import wrapping
from ui.window.approvals.scrim import dim_behind
from ui.window.parts import button, label
from ui.window.theme import Theme
from ui.words import problem_text

WIDTH, HEIGHT = 720, 600
"""In pixels of the design, within the screen."""


class PlanEditor(QDialog):
    """Bound to the plan that was shown. Whoever takes `accepted` closes it with `accept`, or refuses it."""

    accepted_text = Signal(str)
    """The person's text of the plan, "" where nothing of it was changed."""

    def __init__(self, plan: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("Edit the plan"))
        self.field = QPlainTextEdit()
        self.field.setProperty("box", "field")
        self.field.setAccessibleName(_("Text of the plan"))
        self.field.setTabChangesFocus(True)
        self.field.setPlainText(plan)
        self._original = self.text()
        self.field.textChanged.connect(self._typed)
        self.field.installEventFilter(self)
        self._fault = label("", "danger", wrap=True)
        self._fault.hide()
        self.leave = button(_("Cancel"), "", self.reject)
        self.agree = button(_("Accept this plan"), "main", self._finish)
        self.agree.setToolTip(_("Accept this plan ({keys})").replace("{keys}", "Ctrl+Enter"))
        for part in (self.leave, self.agree):
            part.setAutoDefault(False)
        self._arrange()
        self.set_theme(theme)
        self.setMinimumSize(theme.px(320), theme.px(260))
        screen = self.screen().availableSize()
        most = QSize(round(screen.width() * 0.9), round(screen.height() * 0.9))
        self.resize(QSize(theme.px(WIDTH), theme.px(HEIGHT)).boundedTo(most))
        dim_behind(self, theme)
        self.field.moveCursor(QTextCursor.MoveOperation.Start)
        self.field.setFocus()

    def _arrange(self) -> None:
        self._column = QVBoxLayout(self)
        self._head = QVBoxLayout()
        self._head.addWidget(label(_("Edit the plan"), "heading"))
        words = _("What you accept here is the plan: the model keeps it in mind word for word.")
        self._head.addWidget(wrapping(words, "small"))
        self._foot = QHBoxLayout()
        self._foot.addStretch(1)
        self._foot.addWidget(self.leave)
        self._foot.addWidget(self.agree)
        self._column.addLayout(self._head)
        self._column.addWidget(self.field, 1)
        self._column.addWidget(self._fault)
        self._column.addLayout(self._foot)

    def text(self) -> str:
        """Return what is written, every character as it is (toPlainText would change hard blanks)."""
        return self.field.document().toRawText().replace("\u2029", "\n").replace("\u2028", "\n")

    def changed(self) -> bool:
        """Whether the person changed anything."""
        return self.text() != self._original

    def refuse(self, problem: Problem) -> None:
        """Say why the plan was not accepted; what was written stays."""
        told = problem_text(problem)
        self._fault.setText(" ".join(filter(None, (told.title, told.detail))))
        self._fault.show()
        self._set_busy(False)
        self.field.setFocus()

    def _typed(self) -> None:
        self._fault.hide()
        self.agree.setEnabled(bool(self.text().strip()))

    def _set_busy(self, busy: bool) -> None:
        self.field.setReadOnly(busy)
        self.agree.setEnabled(not busy and bool(self.text().strip()))

    def _finish(self) -> None:
        if not self.agree.isEnabled():
            return
        self._set_busy(True)
        self.accepted_text.emit(self.text().strip() if self.changed() else "")

    def reject(self) -> None:
        """Close; what was changed is given up only after a yes."""
        if not self.changed():
            super().reject()
            return
        words = _("You changed the plan. Close it without your changes?")
        giving_up, going_on = _("Close without them"), _("Go on editing")
        dialogs.ask(self, _("Edit the plan"), words, giving_up, lambda: self.done(0), going_on)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The field would take Ctrl+Enter for a new line; here it accepts, wherever the keyboard is."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and _accepts(event):
            self._finish()
            return True
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _accepts(event):
            self._finish()
        else:
            super().keyPressEvent(event)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._column.setContentsMargins(theme.s20, theme.s20, theme.s20, theme.s16)
        self._column.setSpacing(theme.s12)
        self._head.setSpacing(theme.s4)
        self._foot.setSpacing(theme.s8)
        self.field.setFont(theme.font(14))


def _accepts(event: QKeyEvent) -> bool:
    enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
    return enter and bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)

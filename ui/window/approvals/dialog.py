"""The dialog of one question: shows everything it is about, collects the answer, and never answers by
accident.
"""

from __future__ import annotations

import itertools

import msgspec
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPixmap, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.records import Answer, Approval, FileDiff, FilesEffect, Problem
from ui.notes import cautions
from ui.window.approvals.facts import FactStrip, wrapping
from ui.window.approvals.files_body import FilesBody
from ui.window.approvals.foot import Foot
from ui.window.approvals.guard import Guard
from ui.window.approvals.plain import PlainBody
from ui.window.approvals.scrim import dim_behind
from ui.window.approvals.wording import (
    allow_text,
    circumstances,
    facts,
    is_destructive,
    never_kept,
    title,
    why,
)
from ui.window.parts import Segments, box, button, label
from ui.window.theme import Theme
from ui.words import _, problem_text

WIDTH, HEIGHT, NARROW = 980, 680, 720
"""Size in pixels of the design; NARROW is the width of a question without files, as high as it needs."""
LEAST = 300, 620
"""The least and the most height of a question without files."""


class ApprovalDialog(QDialog):
    """Bound to one approval. Esc closes it without an answer; the question goes on waiting."""

    answered = Signal(str, object)
    """The approval's id and the Answer."""
    preview_wanted = Signal(object, int, str)
    """This dialog, a file of the question, the person's text of it; `show_preview` takes what comes of it."""

    def __init__(
        self, approval: Approval, theme: Theme, parent: QWidget | None = None, *, again: bool = False
    ) -> None:
        """`again` says that the same change was allowed before and its file has changed since."""
        super().__init__(parent)
        self.approval = approval
        self._theme = theme
        self._done = False
        self._refusal = ""
        """Why the text of the person cannot be written."""
        self.setModal(False)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title(approval))
        self.setAccessibleDescription(f"{circumstances(approval)} {why(approval)}")
        self._files = FilesBody(theme, approval.effect) if isinstance(approval.effect, FilesEffect) else None
        self._plain = None if self._files else PlainBody(theme, approval, again=again)
        self._strip = FactStrip(theme, facts(approval, again=again) if self._files else ())
        self._foot = Foot(theme, approval)
        self._foot_height = self._foot.sizeHint().height()
        self._arrange()
        self._connect()
        self.setMinimumSize(theme.px(560), theme.px(LEAST[0]))
        self.resize(self._fitting(theme))
        self._guard = Guard(self)
        dim_behind(self, theme)
        self._show_state()

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head())
        column.addWidget(box("rule"))
        column.addWidget(self._strip)
        if not self._strip.isHidden():
            column.addWidget(box("rule"))
        body = self._files or self._plain
        assert body is not None
        column.addWidget(body, 1)
        column.addWidget(box("rule"))
        column.addWidget(self._foot)
        self._order()

    def _order(self) -> None:
        """Tab goes from top to bottom: how it is shown, the files, the pieces, the answer."""
        foot, files = self._foot, self._files
        parts: list[QWidget] = [foot.strip, foot.why, foot.deny, foot.scope, foot.allow]
        if files is not None:
            head = [self._columns, self._edit_button]
            parts = [*head, files.list, files.diff, *parts]
        elif self._plain is not None:
            parts = [self._plain.field, *parts]
        for one, other in itertools.pairwise(parts):
            QWidget.setTabOrder(one, other)

    def _connect(self) -> None:
        self._foot.allowed.connect(self._allow_now)
        self._foot.denied.connect(self._deny_now)
        self._foot.strip.changed.connect(self._make_room)
        if self._files is not None:
            self._files.changed.connect(self._show_state)
            self._files.editing_left.connect(lambda: self._edit_button.click())
            self._files.preview_wanted.connect(
                lambda index, text: self.preview_wanted.emit(self, index, text)
            )

    def _make_room(self) -> None:
        """Show what would be saved without taking room from what is asked about, while the screen has any."""
        self._show_state()
        if self._plain is None:
            return
        self._foot.layout().activate()  # type: ignore[union-attr]
        more = self._foot.sizeHint().height() - self._foot_height
        self._foot_height = self._foot.sizeHint().height()
        most = round(self.screen().availableSize().height() * 0.9)
        self.resize(self.width(), min(self.height() + more, most))

    def _fitting(self, theme: Theme) -> QSize:
        """The size of the design, within the screen."""
        wanted = QSize(theme.px(WIDTH), theme.px(HEIGHT))
        if self._plain is not None:
            width = theme.px(NARROW)
            rest = self.sizeHint().height() - self._plain.sizeHint().height()
            high = self._plain.wanted_height(width) + rest
            wanted = QSize(width, min(max(high, theme.px(LEAST[0])), theme.px(LEAST[1])))
        screen = self.screen().availableSize()
        return wanted.boundedTo(QSize(round(screen.width() * 0.9), round(screen.height() * 0.9)))

    def _head(self) -> QWidget:
        head, row, words = QWidget(), QHBoxLayout(), QVBoxLayout()
        head.setLayout(row)
        row.setContentsMargins(self._theme.s20, self._theme.s16, self._theme.s20, self._theme.s16)
        row.setSpacing(self._theme.s16)
        self._icon = QLabel()
        self._icon.setPixmap(self._shield())
        self._icon.setToolTip(why(self.approval))
        row.addWidget(self._icon)
        words.setSpacing(2)
        words.addWidget(label(title(self.approval), "heading", wrap=True))
        words.addWidget(wrapping(circumstances(self.approval), "small"))
        self._caution = label("", "caution", wrap=True)
        self._caution.hide()
        words.addWidget(self._caution)
        row.addLayout(words, 1)
        if self._files is not None:
            self._add_switches(row, self._files)
        return head

    def _add_switches(self, row: QHBoxLayout, files: FilesBody) -> None:
        self._columns = Segments(
            _("How the change is shown"), [("one", _("Unified"), ""), ("two", _("Side by side"), "")]
        )
        self._columns.choose("one")
        self._columns.chosen.connect(lambda value: files.diff.set_side_by_side(value == "two"))
        row.addWidget(self._columns)
        self._edit_button = button(_("Edit"), "")
        self._edit_button.setProperty("side", "icon")
        self._edit_button.setCheckable(True)
        self._edit_button.setAutoDefault(False)
        self._edit_button.setIcon(self._theme.icon("pencil", "text"))
        self._edit_button.clicked.connect(files.set_editing)
        keys = QShortcut(QKeySequence("Alt+E"), self)
        keys.activated.connect(self._edit_button.click)
        row.addWidget(self._edit_button)

    def _shield(self) -> QPixmap:
        return self._theme.pixmap("shield-question-mark", "text", 20, self.devicePixelRatioF())

    # --- what is chosen ------------------------------------------------------------------------------------

    def _show_state(self) -> None:
        """Say on the main button what it would do; with nothing left only Deny remains."""
        foot, files = self._foot, self._files
        words = _("Allow")
        if files is not None:
            proposal = files.proposal
            if proposal.settled:
                self._refusal = ""
            words = allow_text(proposal.taken, proposal.total)
            foot.allow.setEnabled(proposal.taken > 0 and proposal.settled and not self._refusal)
            foot.hint.setText(self._hint(files))
            self._show_editing(files)
            self._caution.setText(self._refusal or " ".join(cautions(files.file())))
            self._caution.setVisible(bool(self._caution.text()))
        if foot.strip.rules():
            words = _("{allow}, and save the rule").replace("{allow}", words)
        foot.allow.setText(words)
        foot.allow.setAccessibleName(words)

    def _hint(self, files: FilesBody) -> str:
        if not files.proposal.settled:
            return _("Comparing\u2026")
        if files.editing():
            return _("Esc goes back to the pieces")
        if files.proposal.total > 1:
            return _("Alt+Up and Alt+Down go through the pieces, Space flips one")
        return "" if self.approval.offers else never_kept(self.approval)

    def _show_editing(self, files: FilesBody) -> None:
        reason, on = files.why_uneditable(), files.editing()
        self._edit_button.setEnabled(not reason)
        self._edit_button.setChecked(on)
        words = _("Done") if on else _("Edit")
        self._edit_button.setText(f" {words}")  # room between the icon and the word
        self._edit_button.setAccessibleName(words)
        self._edit_button.setAccessibleDescription(reason)
        self._edit_button.setToolTip(reason or _("Change the text before it is written (Alt+E)"))

    def show_preview(self, index: int, text: str, made: FileDiff) -> None:
        """Show what a person's text of a file changes."""
        if self._files is not None:
            self._refusal = ""
            self._files.show_preview(index, text, made)
            self._show_state()

    def refuse_preview(self, problem: Problem) -> None:
        """Say why a person's text cannot be written, such as a letter that the file's encoding lacks."""
        self._refusal = problem_text(problem).title
        self._show_state()

    # --- answering -----------------------------------------------------------------------------------------

    def _allow_now(self) -> None:
        if self._files is not None and self._files.pending():
            self._files.editor.flush()  # what was typed a moment ago is compared and seen first
            return
        if not self._foot.allow.isEnabled():
            return
        scope, rules = self._foot.chosen_scope()
        answer = self._files.proposal.answer() if self._files else Answer(decision="allow", by="window")
        self._answer(msgspec.structs.replace(answer, scope=scope, rules=rules))

    def _deny_now(self, reason: str) -> None:
        self._answer(Answer(decision="deny", reason=reason, by="window"))

    def _answer(self, answer: Answer) -> None:
        if self._done or not self._guard.open():
            return
        self._done = True
        self.answered.emit(self.approval.id, answer)
        self.accept()

    # --- the window ----------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._first_focus().setFocus()

    def _first_focus(self) -> QWidget:
        """What cannot be undone begins on Deny; a change begins in its diff, where the keys work."""
        if self._files is None or is_destructive(self.approval):
            return self._foot.deny
        return self._files.view()

    def done(self, result: int) -> None:
        """Close, and end the process that coloured the diff."""
        if self._files is not None:
            self._files.end()
        super().done(result)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if not enter:
            super().keyPressEvent(event)
            return
        held = self.focusWidget()
        if held is self._foot.why or isinstance(held, QComboBox | QPlainTextEdit):
            return  # a field has heard it; it must not fall through to Allow
        if isinstance(held, QPushButton) and held is not self._foot.allow:
            held.click()
        elif not is_destructive(self.approval) and self._foot.allow.isEnabled():
            self._foot.allow.click()

    def set_theme(self, theme: Theme) -> None:
        """Follow a change of palette or size."""
        self._theme = theme
        self._icon.setPixmap(self._shield())
        for part in (self._files, self._plain, self._strip, self._foot):
            if part is not None:
                part.set_theme(theme)
        if self._files is not None:
            self._edit_button.setIcon(theme.icon("pencil", "text"))

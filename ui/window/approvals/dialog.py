"""The dialog of one question: shows everything it is about, collects the answer, and never answers by
accident.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPixmap, QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.records import Answer, Approval, FilesEffect
from ui.notes import cautions
from ui.window.approvals.file_list import FileList
from ui.window.approvals.guard import Guard
from ui.window.approvals.plain import PlainBody
from ui.window.approvals.scrim import dim_behind
from ui.window.approvals.wording import allow_text, circumstances, is_destructive
from ui.window.diff import DiffView
from ui.window.parts import Segments, box, button, label
from ui.window.theme import Theme
from ui.window.transcript.calls import question
from ui.words import _

WIDTH, HEIGHT, SHORT = 980, 680, 400
"""Size in pixels of the design; SHORT is the height of a question without files."""
FILES_WIDTH = 230


class ApprovalDialog(QDialog):
    """Bound to one approval. Esc closes it without an answer; the question goes on waiting."""

    answered = Signal(str, object)
    """The approval's id and the Answer."""

    def __init__(self, approval: Approval, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.approval = approval
        self._theme = theme
        self._rejected: set[tuple[int, int]] = set()
        self._done = False
        self.setModal(False)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(question(approval.effect))
        self.setAccessibleDescription(circumstances(approval))
        self._effect = approval.effect if isinstance(approval.effect, FilesEffect) else None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head())
        column.addWidget(box("rule"))
        column.addWidget(self._files() if self._effect else self._plain(), 1)
        column.addWidget(box("rule"))
        column.addWidget(self._foot())
        self.setMinimumSize(theme.px(560), theme.px(300))
        self.resize(self._fitting(theme))
        self._guard = Guard(self)
        dim_behind(self, theme)
        self._show_pieces()

    def _fitting(self, theme: Theme) -> QSize:
        """The size of the design, within the screen."""
        wanted = QSize(theme.px(WIDTH if self._effect else 720), theme.px(HEIGHT if self._effect else SHORT))
        screen = self.screen().availableSize()
        return wanted.boundedTo(QSize(round(screen.width() * 0.9), round(screen.height() * 0.9)))

    # --- parts ---------------------------------------------------------------------------------------------

    def _head(self) -> QWidget:
        head, row, words = QWidget(), QHBoxLayout(), QVBoxLayout()
        head.setLayout(row)
        row.setContentsMargins(self._theme.s20, self._theme.s16, self._theme.s20, self._theme.s16)
        row.setSpacing(self._theme.s16)
        self._icon = QLabel()
        self._icon.setPixmap(self._shield())
        row.addWidget(self._icon)
        words.setSpacing(2)
        words.addWidget(label(question(self.approval.effect), "heading", wrap=True))
        words.addWidget(label(circumstances(self.approval), "small", wrap=True))
        self._caution = label("", "caution", wrap=True)
        self._caution.hide()
        words.addWidget(self._caution)
        row.addLayout(words, 1)
        if self._effect is not None:
            self._columns = Segments(
                _("How the change is shown"),
                [("one", _("Unified"), ""), ("two", _("Side by side"), "")],
            )
            self._columns.choose("one")
            self._columns.chosen.connect(lambda value: self._diff.set_side_by_side(value == "two"))
            row.addWidget(self._columns)
        return head

    def _shield(self) -> QPixmap:
        return self._theme.pixmap("shield-question-mark", "text", 20, self.devicePixelRatioF())

    def _files(self) -> QWidget:
        assert self._effect is not None
        body, row = QWidget(), QHBoxLayout()
        body.setLayout(row)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        side, column = box("panel"), QVBoxLayout()
        side.setLayout(column)
        side.setFixedWidth(self._theme.px(FILES_WIDTH))
        column.setContentsMargins(0, self._theme.s8, 0, self._theme.s8)
        self._list = FileList(self._theme, self._effect.files)
        column.addWidget(self._list)
        row.addWidget(side)
        self._diff = DiffView(self._theme)
        self._diff.flipped.connect(self._flip)
        row.addWidget(self._diff, 1)
        self._list.picked.connect(self._pick)
        self._list.setCurrentRow(0)
        return body

    def _plain(self) -> QWidget:
        self._body = PlainBody(self._theme, self.approval)
        return self._body

    def _foot(self) -> QWidget:
        foot, column, row = QWidget(), QVBoxLayout(), QHBoxLayout()
        foot.setLayout(column)
        column.setContentsMargins(self._theme.s20, self._theme.s12, self._theme.s20, self._theme.s12)
        column.setSpacing(self._theme.s8)
        self._why = QLineEdit()
        self._why.setPlaceholderText(_("Say why, if you like. The model reads it. Enter denies."))
        self._why.setAccessibleName(_("Reason"))
        self._why.returnPressed.connect(self._deny_now)
        self._why.hide()
        column.addWidget(self._why)
        self._deny = button(_("Deny\u2026"), "", self._deny_pressed)
        self._hint = label("", "small")
        self._allow = button(_("Allow"), "main", self._allow_now)
        row.setSpacing(self._theme.s12)
        row.addWidget(self._deny)
        row.addWidget(self._hint, 1)
        row.addWidget(self._allow)
        column.addLayout(row)
        for one in (self._deny, self._allow):
            one.setAutoDefault(False)
        return foot

    # --- choosing ------------------------------------------------------------------------------------------

    @property
    def _pieces(self) -> int:
        return sum(len(file.hunks) for file in self._effect.files) if self._effect else 0

    def _pick(self, index: int) -> None:
        if self._effect is not None and 0 <= index < len(self._effect.files):
            file = self._effect.files[index]
            self._diff.show_file(file, self._left_out(index))
            self._caution.setText(" ".join(cautions(file)))
            self._caution.setVisible(bool(self._caution.text()))

    def _left_out(self, index: int) -> frozenset[int]:
        return frozenset(piece for file, piece in self._rejected if file == index)

    def _flip(self, piece: int, rejected: bool) -> None:
        index = self._list.currentRow()
        (self._rejected.add if rejected else self._rejected.discard)((index, piece))
        self._diff.set_rejected(self._left_out(index))
        self._show_pieces()

    def _show_pieces(self) -> None:
        """Say on the main button what it would do; with nothing left only Deny remains."""
        taken = self._pieces - len(self._rejected)
        self._allow.setText(allow_text(taken, self._pieces))
        self._allow.setAccessibleName(self._allow.text())
        self._allow.setEnabled(not self._pieces or taken > 0)
        several = self._effect is not None and self._pieces > 1
        self._hint.setText(_("Alt+Up and Alt+Down go through the pieces, Space flips one") if several else "")

    # --- answering -----------------------------------------------------------------------------------------

    def _allow_now(self) -> None:
        self._answer(Answer(decision="allow", rejected=tuple(sorted(self._rejected)), by="window"))

    def _deny_pressed(self) -> None:
        """The first press asks for a reason, the second denies."""
        if self._why.isVisible():
            self._deny_now()
            return
        self._why.show()
        self._why.setFocus()
        self._deny.setText(_("Deny"))
        self._deny.setAccessibleName(_("Deny"))

    def _deny_now(self) -> None:
        self._answer(Answer(decision="deny", reason=self._why.text().strip(), by="window"))

    def _answer(self, answer: Answer) -> None:
        if self._done:
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
        if self._effect is None or is_destructive(self.approval):
            return self._deny
        return self._diff

    def done(self, result: int) -> None:
        """Close, and end the process that coloured the diff."""
        if self._effect is not None:
            self._diff.end()
        super().done(result)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if not enter:
            super().keyPressEvent(event)
            return
        held = self.focusWidget()
        if held is self._why:
            return  # the field has heard it and denied; it must not fall through to Allow
        if isinstance(held, QPushButton) and held is not self._allow:
            held.click()
        elif not is_destructive(self.approval) and self._allow.isEnabled():
            self._allow.click()

    def set_theme(self, theme: Theme) -> None:
        """Follow a change of palette or size."""
        self._theme = theme
        self._icon.setPixmap(self._shield())
        if self._effect is not None:
            self._list.set_theme(theme)
            self._diff.set_theme(theme)
        else:
            self._body.set_theme(theme)

"""The body of a question about files: the files at the side; the pieces, the story or the editor of one."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from app.records import FileDiff, FilesEffect
from ui.places import tilde
from ui.window.approvals.editing import ProposalEditor, uneditable
from ui.window.approvals.facts import wrapping
from ui.window.approvals.file_list import FileList
from ui.window.approvals.proposal import Proposal
from ui.window.approvals.whole import Whole
from ui.window.approvals.wording import kind_text
from ui.window.diff import DiffView
from ui.window.parts import box
from ui.window.theme import Theme

FILES_WIDTH = 230


class FilesBody(QWidget):
    """Keeps the views at what the person has made of the proposal."""

    changed = Signal()
    """Pieces, texts or the chosen file changed."""
    preview_wanted = Signal(int, str)
    """What a person's text of a file changes is to be worked out; `show_preview` takes it."""
    editing_left = Signal()

    def __init__(self, theme: Theme, effect: FilesEffect) -> None:
        super().__init__()
        self.proposal = Proposal(effect.files)
        self._written = 0
        """The file whose text stands in the editor."""
        self.list = FileList(theme, self.proposal)
        self.diff = DiffView(theme)
        self._theme = theme
        self._whole: Whole | None = None
        self._editor: ProposalEditor | None = None
        """Both are made when they are first needed: a large diff opens sooner without them."""
        self._reasons: dict[int, str] = {}
        self._side, column = box("panel"), QVBoxLayout()
        self._side.setLayout(column)
        self._column = column
        column.addWidget(self.list)
        self._views = QStackedWidget()
        self._views.addWidget(self.diff)
        self._halves = QSplitter(Qt.Orientation.Vertical)
        self._halves.setChildrenCollapsible(False)
        self._halves.setHandleWidth(1)
        self._halves.addWidget(self._views)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._side)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(self._head())
        right.addWidget(self._halves, 1)
        row.addLayout(right, 1)
        self.set_theme(theme)
        self._connect()
        self.list.setCurrentRow(0)

    def _head(self) -> QWidget:
        """The whole path of the file at hand, however long: the row in the list may have to cut it."""
        self._path_head = box("panel")
        self._path_column = QVBoxLayout(self._path_head)
        self.path = wrapping("", "caption", mono=True)
        self._path_column.addWidget(self.path)
        return self._path_head

    def _connect(self) -> None:
        self.list.picked.connect(self._pick)
        self.diff.flipped.connect(self.flip)
        self.diff.past.connect(self._step)

    @property
    def whole(self) -> Whole:
        """What shows a file without lines."""
        if self._whole is None:
            self._whole = Whole(self._theme)
            self._whole.flipped.connect(self.flip)
            self._whole.past.connect(self._step)
            self._views.addWidget(self._whole)
            QWidget.setTabOrder(self.diff, self._whole)
        return self._whole

    @property
    def editor(self) -> ProposalEditor:
        """The editor, hidden until it is wanted."""
        if self._editor is None:
            self._editor = ProposalEditor(self._theme)
            self._editor.hide()
            self._editor.changed.connect(self._edit)
            self._editor.reset.connect(self._reset)
            self._editor.left.connect(self.editing_left)
            self._halves.insertWidget(0, self._editor)
            QWidget.setTabOrder(self.list, self._editor.field)
            QWidget.setTabOrder(self._editor.field, self.diff)
        return self._editor

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self._side.setFixedWidth(theme.px(FILES_WIDTH))
        self._column.setContentsMargins(0, theme.s8, 0, theme.s8)
        self._path_column.setContentsMargins(theme.px(14), theme.s8, theme.s12, theme.s8)
        for part in (self.list, self.diff, self._whole, self._editor):
            if part is not None:
                part.set_theme(theme)

    @property
    def index(self) -> int:
        """The file at hand."""
        return max(0, self.list.currentRow())

    def file(self) -> FileDiff:
        """Return the file at hand as it would be written."""
        return self.proposal.file(self.index)

    # --- pieces --------------------------------------------------------------------------------------------

    def flip(self, piece: int, rejected: bool) -> None:
        """Leave out a piece of the file at hand, or take it again."""
        self._hand_over()
        self.proposal.flip(self.index, piece, rejected)
        self._show_pieces()
        self._follow()
        self.list.update_file(self.index)
        self.changed.emit()

    def _step(self, by: int) -> None:
        """Go on to the first or last piece of the file behind or before."""
        index = self.index + by
        if 0 <= index < self.list.count():
            self.list.setCurrentRow(index)
            if by < 0:
                self.diff.go_to(len(self.file().hunks) - 1)
            self.view().setFocus()

    def _pick(self, index: int) -> None:
        if index >= 0:
            self._hand_over()
            self._show_file()
            self._show_editor(self.editing() and not self.why_uneditable())
            self.changed.emit()

    def _show_file(self) -> None:
        index, file = self.index, self.file()
        several = self.proposal.total > 1
        has_lines = bool(file.hunks) or self.proposal.edited(index)
        self.path.setText(tilde(file.path))
        self._path_head.setVisible(has_lines)  # a file without lines has its places in its story
        if has_lines:
            self._views.setCurrentWidget(self.diff)
            self.diff.set_choosable(several)
            self.diff.show_file(file, self.proposal.left_out(index))
        else:
            self._views.setCurrentWidget(self.whole)
            self.whole.show_file(file, bool(self.proposal.left_out(index)), several)
            self.whole.setAccessibleName(f"{file.shown}: {kind_text(file)}")

    def _show_pieces(self) -> None:
        left = self.proposal.left_out(self.index)
        if self._views.currentWidget() is self.diff:
            self.diff.set_rejected(left)
        else:
            self.whole.show_file(self.file(), bool(left), self.proposal.total > 1)

    # --- editing -------------------------------------------------------------------------------------------

    def why_uneditable(self) -> str:
        """Return why the file at hand cannot be edited, "" when it can be."""
        index = self.index
        if index not in self._reasons:
            self._reasons[index] = uneditable(self.proposal.files[index])
        return self._reasons[index]

    def editing(self) -> bool:
        """Whether the editor is open."""
        return self._editor is not None and not self._editor.isHidden()

    def pending(self) -> bool:
        """Whether something was typed that has not been compared yet."""
        return self._editor is not None and self._editor.pending()

    def set_editing(self, on: bool) -> None:
        """Open the editor over the pieces, or close it."""
        self._hand_over()
        self._show_editor(on and not self.why_uneditable())
        (self.editor if self.editing() else self.view()).setFocus()
        self.changed.emit()

    def view(self) -> QWidget:
        """Return what shows the file at hand."""
        return self.diff if self._views.currentWidget() is self.diff else self.whole

    def _show_editor(self, on: bool) -> None:
        was = self.editing()
        if on:
            index = self._written = self.index
            self.editor.show_text(self.file(), self.proposal.text(index) or "", self.proposal.edited(index))
        if on or was:
            self.editor.setVisible(on)
        if on and not was:
            half = self._halves.height() // 2
            self._halves.setSizes([half, half])

    def _follow(self) -> None:
        """Let the text in the editor be what would be written: without the pieces that are left out."""
        index = self.index
        if not self.editing() or self.pending() or not self.proposal.settled_text(index):
            return
        self.editor.show_text(self.file(), self.proposal.text(index) or "", self.proposal.edited(index))

    def _hand_over(self) -> None:
        if self.pending():
            self.editor.flush()

    def _edit(self, text: str) -> None:
        index = self._written
        if self.proposal.edit(index, text):
            self.preview_wanted.emit(index, text)
        else:
            self._after_edit(index)
        self.changed.emit()

    def _reset(self) -> None:
        self.proposal.reset(self.index)
        self._show_editor(True)
        self._after_edit(self.index)
        self.editor.setFocus()

    def show_preview(self, index: int, text: str, made: FileDiff) -> None:
        """Show what a person's text changes."""
        if self.proposal.show(index, text, made):
            self._after_edit(index)

    def _after_edit(self, index: int) -> None:
        self.list.update_file(index)
        if index == self.index:
            at = self.diff.verticalScrollBar().value()
            self._show_file()
            self.diff.verticalScrollBar().setValue(at)
            if self._editor is not None:
                self._editor.mark(self.proposal.edited(index))
        self.changed.emit()

    def end(self) -> None:
        """End the process that coloured the diff."""
        self.diff.end()

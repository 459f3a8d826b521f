"""The dialog of a conflict: files that were changed since, three versions of each, and a choice for each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.records import FileConflict
from ui.places import tilde
from ui.window.approvals.facts import wrapping
from ui.window.approvals.scrim import dim_behind
from ui.window.diff import DiffView
from ui.window.parts import Segments, box, button, label, plain_tip
from ui.window.theme import Theme
from ui.window.transcript.legible import legible
from ui.window.undo.view import ThreeView, Titles
from ui.words import _, plural

if TYPE_CHECKING:
    from app.records import Choice as Way

WIDTH, HEIGHT, FILES_WIDTH = 1120, 700, 230
"""Size in pixels of the design."""
WAYS: tuple[Way, ...] = ("mine", "before", "merged")


def way_word(way: Way) -> str:
    """Return the words of a choice, as a button has them."""
    return {
        "mine": _("Keep mine"),
        "before": _("Put back what was before"),
        "merged": _("Take back only Bramble's part"),
    }[way]


class ConflictDialog(QDialog):
    """Nothing is taken back until every file has a choice and the main button is pressed. Esc leaves all."""

    chosen = Signal(object)
    """A dict of path to choice."""

    def __init__(
        self,
        conflicts: Sequence[FileConflict],
        theme: Theme,
        parent: QWidget | None = None,
        *,
        rest: bool,
    ) -> None:
        """`rest` says that there is something to take back besides these files."""
        super().__init__(parent)
        self._conflicts, self._theme, self._rest = tuple(conflicts), theme, rest
        self._ways: dict[str, Way] = {one.path: "merged" if one.merged else "mine" for one in conflicts}
        self.setModal(False)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        words = plural("{n} file was changed since", "{n} files were changed since", len(conflicts))
        self.setWindowTitle(words)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self._head(words), box("rule"), self._body(), box("rule"), self._foot()):
            column.addWidget(part, 0)
        column.setStretch(2, 1)
        self.setMinimumSize(theme.px(640), theme.px(400))
        self.resize(self._fitting())
        self.set_theme(theme)
        dim_behind(self, theme)
        self._list.setCurrentRow(0)

    def _fitting(self) -> QSize:
        screen = self.screen().availableSize()
        wanted = QSize(self._theme.px(WIDTH), self._theme.px(HEIGHT))
        return wanted.boundedTo(QSize(round(screen.width() * 0.94), round(screen.height() * 0.9)))

    # --- parts ---------------------------------------------------------------------------------------------

    def _head(self, words: str) -> QWidget:
        head = QWidget()
        self._head_row, text = QHBoxLayout(head), QVBoxLayout()
        self._icon = QLabel()
        self._head_row.addWidget(self._icon)
        text.setSpacing(2)
        text.addWidget(label(words, "heading", wrap=True))
        says = _("Nothing was taken back yet. Choose for each file what becomes of it.")
        text.addWidget(label(says, "small", wrap=True))
        self._head_row.addLayout(text, 1)
        self._shown = Segments(
            _("What is shown"), [("three", _("Three versions"), ""), ("result", _("What it would do"), "")]
        )
        self._shown.choose("three")
        self._shown.chosen.connect(lambda value: self._show())
        self._head_row.addWidget(self._shown)
        return head

    def _body(self) -> QWidget:
        body = QWidget()
        row, side, right = QHBoxLayout(body), box("panel"), QVBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._side, self._side_column = side, QVBoxLayout(side)
        self._list = QListWidget()
        self._list.setAccessibleName(_("Files"))
        self._list.setProperty("list", "files")
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for conflict in self._conflicts:
            self._list.addItem(QListWidgetItem(legible(os.path.basename(conflict.path))))
        self._list.currentRowChanged.connect(lambda at: self._show())
        self._side_column.addWidget(self._list)
        row.addWidget(side)
        self._three, self._result = ThreeView(self._theme), DiffView(self._theme)
        self._result.set_choosable(False)
        self._titles = Titles(self._theme, body)
        self._none = wrapping("", "muted")
        self._views = QStackedWidget()
        for view in (self._three, self._result, self._none):
            self._views.addWidget(view)
        right.setSpacing(0)
        right.addWidget(self._bar())
        right.addWidget(box("rule"))
        right.addWidget(self._titles)
        right.addWidget(self._views, 1)
        row.addLayout(right, 1)
        return body

    def _bar(self) -> QWidget:
        bar = QWidget()
        self._bar_row = QHBoxLayout(bar)
        self._way = Segments(_("What becomes of the file"), [(way, way_word(way), "") for way in WAYS])
        self._way.chosen.connect(self._choose)
        self._bar_row.addWidget(self._way)
        self._note = wrapping("", "caption")
        self._bar_row.addWidget(self._note, 1)
        return bar

    def _foot(self) -> QWidget:
        foot = QWidget()
        self._foot_row = QHBoxLayout(foot)
        self._leave = button(_("Leave everything"), "", self.reject)
        self._says = label("", "small", wrap=True)
        self._take = button("", "main", self._done)
        for part in (self._leave, self._take):
            part.setAutoDefault(False)
        self._foot_row.addWidget(self._leave)
        self._foot_row.addWidget(self._says, 1)
        self._foot_row.addWidget(self._take)
        return foot

    # --- choosing ------------------------------------------------------------------------------------------

    def _conflict(self) -> FileConflict:
        return self._conflicts[max(0, self._list.currentRow())]

    def _choose(self, way: Way) -> None:
        self._ways[self._conflict().path] = way
        self._show()

    def _show(self) -> None:
        conflict = self._conflict()
        way = self._ways[conflict.path]
        self._way.choose(way)
        part = self._way.part("merged")
        part.setEnabled(conflict.merged is not None)
        self._note.setText(self._words(conflict, way))
        self._show_view(conflict, way)
        for at, one in enumerate(self._conflicts):
            name = legible(tilde(one.path))
            self._list.item(at).setToolTip(plain_tip(f"{name}\n{way_word(self._ways[one.path])}"))
            spoken = f"{name}, {way_word(self._ways[one.path])}"
            self._list.item(at).setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
        self._show_outcome()

    def _show_outcome(self) -> None:
        """Say what the main button does, and what stays."""
        kept = sum(way == "mine" for way in self._ways.values())
        back = len(self._ways) - kept
        if back:
            words = plural("Take back {n} file", "Take back {n} files", back)
        elif self._rest:
            words = _("Take back the rest")
        else:
            words = plural("Leave the file as it is", "Leave the files as they are", kept)
        self._take.setText(words)
        self._take.setAccessibleName(words)
        stays = plural("{n} file stays as it is", "{n} files stay as they are", kept)
        self._says.setText(stays if kept and self._takes_something() else "")

    def _takes_something(self) -> bool:
        return self._rest or any(way != "mine" for way in self._ways.values())

    def _words(self, conflict: FileConflict, way: Way) -> str:
        if conflict.merged is None and way == "mine":
            return _("Both changed the same or touching lines, so only one of them can stay.")
        return {
            "mine": _("The file stays as it stands now."),
            "before": _("What was written since is lost, but can be brought back by undoing this."),
            "merged": _("What was written since stays; only what Bramble made goes."),
        }[way]

    def _show_view(self, conflict: FileConflict, way: Way) -> None:
        three = self._shown.value() == "three"
        self._titles.setVisible(three)
        if three:
            self._three.show_conflict(conflict)
            self._views.setCurrentWidget(self._three)
            return
        file = {"before": conflict.back, "merged": conflict.merged}.get(way)
        if file is not None and file.hunks:
            self._result.show_file(file)
            self._views.setCurrentWidget(self._result)
        else:
            self._none.setText(_("Nothing changes.") if way == "mine" else _("There are no lines to show."))
            self._views.setCurrentWidget(self._none)

    def _done(self) -> None:
        if not self._takes_something():
            self.reject()
            return
        self.chosen.emit(dict(self._ways))
        self.accept()

    # --- the window ----------------------------------------------------------------------------------------

    def done(self, result: int) -> None:
        """Close, and end the process that coloured the lines."""
        self._result.end()
        super().done(result)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the keyboard, and nothing else."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            held = self.focusWidget()
            if isinstance(held, QPushButton):
                held.click()
            return
        super().keyPressEvent(event)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self._icon.setPixmap(theme.pixmap("history", "text", 20, self.devicePixelRatioF()))
        self._side.setFixedWidth(theme.px(FILES_WIDTH))
        self._side_column.setContentsMargins(theme.s8, theme.s8, theme.s8, theme.s8)
        for row in (self._head_row, self._foot_row):
            row.setContentsMargins(theme.s20, theme.s12, theme.s20, theme.s12)
            row.setSpacing(theme.s16)
        self._bar_row.setContentsMargins(theme.s12, theme.s8, theme.s12, theme.s8)
        self._bar_row.setSpacing(theme.s12)
        self._none.setContentsMargins(theme.s20, theme.s20, theme.s20, theme.s20)
        for part in (self._three, self._result, self._titles):
            part.set_theme(theme)

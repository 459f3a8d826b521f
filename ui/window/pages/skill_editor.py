"""The editor of a skill: its SKILL.md with line numbers, and what is wrong with it while it is written."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.skill_records import Report, SkillDraft
from ui.language import _
from ui.skill_words import fault_text
from ui.window.approvals.editing import TextField
from ui.window.bridge import Bridge
from ui.window.pages.page import Card
from ui.window.parts import box, button, label
from ui.window.theme import Theme
from ui.window.transcript.legible import legible

PAUSE_MS = 250
_FAULTS = 8
_HEIGHT = 340
"""Of the text, in pixels of the design."""


class SkillEditor(Card):
    """Two ways: `edit` a whole SKILL.md, or `begin` a new one with fields for its name and what it is for."""

    saved = Signal(str)
    """The text of the SKILL.md that is to be written."""
    left = Signal()
    worded = Signal(str)
    """The model is to word it; carries the name."""

    def __init__(self, bridge: Bridge, theme: Theme) -> None:
        super().__init__(theme, "")
        self._bridge = bridge
        self.name = ""
        """The skill that is edited, "" for a new one."""
        self._original = ""
        self._tools: tuple[str, ...] = ()
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self.check)
        self._title = label("", "strong")
        self.rows.addWidget(self._title)
        self._fields = QWidget()
        fields = QVBoxLayout(self._fields)
        fields.setContentsMargins(0, 0, 0, 0)
        self.name_field = _line(_("Name, such as monthly-report"))
        self.what_field = _line(_("What it is for and when to use it, in one sentence"))
        for word, field in ((_("Name"), self.name_field), (_("What for"), self.what_field)):
            fields.addWidget(label(word, "caption"))
            fields.addWidget(field)
            field.textChanged.connect(lambda text: self._pause.start())
        fields.addWidget(label(_("Instructions"), "caption"))
        self.rows.addWidget(self._fields)
        self.field = TextField(theme)
        self.field.setAccessibleName(_("Instructions"))
        self.field.left.connect(self._leave)
        self.field.textChanged.connect(lambda: self._pause.start())
        self.field.setLineWrapMode(TextField.LineWrapMode.WidgetWidth)
        frame = box("card")
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(1, 1, 1, 1)
        inside.addWidget(self.field)
        self.rows.addWidget(frame)
        self._faults = QVBoxLayout()
        self.rows.addLayout(self._faults)
        self._word = button(
            _("Let the model word it"), "", lambda: self.worded.emit(self.name_field.text().strip())
        )
        self.save = button(_("Save"), "main", self._finish)
        keys = QShortcut(QKeySequence(QKeySequence.StandardKey.Save), self)
        keys.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        keys.activated.connect(self._finish)
        self.save.setToolTip(_("Save ({keys})").replace("{keys}", "Ctrl+S"))
        self._foot = QHBoxLayout()
        self._foot.addWidget(self._word)
        self._foot.addStretch(1)
        self._foot.addWidget(button(_("Leave it"), "", self._leave))
        self._foot.addWidget(self.save)
        self.rows.addLayout(self._foot)
        self.hide()
        self.set_theme(theme)

    def edit(self, name: str, text: str, note: str = "") -> None:
        """Edit the whole SKILL.md of a skill; `note` says what saving does where that is not plain."""
        self.name = name
        self._fields.hide()
        self._word.hide()
        self._open(_("Edit {name}").replace("{name}", legible(name)) + (f" · {note}" if note else ""), text)
        self.field.setFocus()

    def begin(self, draft: SkillDraft, title: str, *, model: bool = False) -> None:
        """Write a new skill that begins as a draft; with `model` a model may word it instead."""
        self.name = ""
        self._tools = draft.tools
        self._fields.show()
        self._word.setVisible(model)
        self.name_field.setText(draft.name)
        self.what_field.setText(draft.description)
        self.what_field.setCursorPosition(0)  # a long one is read from its beginning
        self._open(title, draft.body)
        self.name_field.setFocus()
        self.name_field.selectAll()

    def _open(self, title: str, text: str) -> None:
        self._title.setText(title)
        self.setAccessibleName(title)
        self.field.setAccessibleName(_("Instructions") if not self.name else _("Text of the skill"))
        self.field.setPlainText(text)
        self._original = self._typed()
        self.show()
        self.check()

    def changed(self) -> bool:
        """Whether something was typed that is not saved."""
        return self.isVisible() and self._typed() != self._original

    def kept(self) -> Callable[[], None]:
        """Return how to open the editor again as it is now."""
        name, title, original, body = self.name, self._title.text(), self._original, self.field.text()
        model = self._word.isVisibleTo(self)
        draft = SkillDraft(
            name=self.name_field.text(), description=self.what_field.text(), body=body, tools=self._tools
        )

        def open_again() -> None:
            if name:
                self.edit(name, body)
            else:
                self.begin(draft, title, model=model)
            self._original = original

        return open_again

    def _typed(self) -> str:
        return "\0".join((self.name_field.text(), self.what_field.text(), self.field.text()))

    def check(self) -> None:
        """Look at what is written."""
        self._pause.stop()
        self._made(self._take)

    def _made(self, then: Callable[[tuple[str, Report]], object]) -> None:
        """Hand the whole text with what is wrong with it on."""
        name, body = self.name, self.field.text()
        title, what = self.name_field.text().strip(), " ".join(self.what_field.text().split())
        tools = () if name else self._tools

        async def look(engine: Any) -> tuple[str, Report]:
            text = body if name else engine.skills.document(title, what, body, tools=tools)
            return text, engine.skills.check_text(text, name)

        self._bridge.call(look, then)

    def _take(self, found: tuple[str, Report]) -> None:
        """Name each fault; a click leads to its line."""
        report = found[1]
        self._empty()
        for fault in report.problems[:_FAULTS]:
            words = legible(fault_text(fault) if self.name else fault.message)
            made = button(words, "link", partial(self.go_to, fault.line))
            made.setToolTip(_("Go to the line"))
            self._faults.addWidget(made)
        if not report.problems and self.name:
            self._faults.addWidget(label(_("Nothing is wrong with it."), "caption"))
        self.save.setEnabled(report.ok)

    def refuse(self, words: str) -> None:
        """Say why it was not saved."""
        self._empty()
        made = label(words, "danger", wrap=True)
        self._faults.addWidget(made)

    def _empty(self) -> None:
        while self._faults.count():
            item = self._faults.takeAt(0)
            widget = item.widget() if item else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()

    def go_to(self, line: int) -> None:
        """Put the caret on a line, from 1; only where the whole file is edited lines are its own."""
        block = self.field.document().findBlockByNumber(max(0, line - 1))
        if self.name and block.isValid():
            self.field.setTextCursor(QTextCursor(block))
        self.field.setFocus()

    def close_editor(self) -> None:
        """Hide it; what was typed is gone."""
        self._pause.stop()
        self.hide()

    def _leave(self) -> None:
        self.left.emit()

    def _finish(self) -> None:
        self._made(lambda found: self.saved.emit(found[0]))

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        super().set_theme(theme)
        if hasattr(self, "_foot"):
            self.field.set_theme(theme)
            self.field.setFixedHeight(theme.px(_HEIGHT))
            self._foot.setSpacing(theme.s8)
            self._faults.setSpacing(theme.px(2))


def _line(hint: str) -> QLineEdit:
    made = QLineEdit()
    made.setPlaceholderText(hint)
    made.setAccessibleName(hint)
    made.setMaxLength(1_000)
    return made

"""One thing that is remembered as a row: its words, its age and source, what it speaks against, what can be
done to it; and the form that changes one or makes a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.memory_records import MemoryItem
from ui.language import _
from ui.memory_words import age_text, doubt_text, kind_text, source_text
from ui.window.approvals.facts import wrapping
from ui.window.pages.page import Card
from ui.window.parts import Choice, IconButton, button, label
from ui.window.theme import Theme
from ui.window.transcript.legible import legible

_TICKED = ("open_item", "todo")


class MemoryRow(QWidget):
    """Its buttons act at once; what they do can be undone."""

    pinned = Signal(object, bool)
    edited = Signal(object)
    forgotten = Signal(object)
    confirmed = Signal(object)
    ticked = Signal(object, bool)
    settled = Signal(object, str)
    """For a flag: this item stands for the other (`keep`), or both are right (`both`)."""

    def __init__(
        self, theme: Theme, item: MemoryItem, now: float, against: Sequence[MemoryItem] = (), *, kind: bool
    ) -> None:
        """`against` are those that it seems to contradict; `kind` says what it is, where rows differ."""
        super().__init__()
        self.item = item
        text = legible(item.text)
        self.setAccessibleName(text)
        self._line = QHBoxLayout(self)
        self._words = QVBoxLayout()
        self._words.addWidget(wrapping(text, "small" if item.done else "body"))
        told = [kind_text(item) if kind else "", _("done") if item.done else "", legible(item.topic)]
        told += [_("due {day}").replace("{day}", legible(item.due)) if item.due else "", age_text(item, now)]
        whose = "" if item.marks else source_text(item)
        self._words.addWidget(wrapping(" · ".join(filter(None, [*told, whose, item.id])), "caption"))
        self._lines: list[QHBoxLayout] = []
        if item.marks:
            self._add_line(doubt_text(item), (_("This is right"), self._confirm))
        for other in against:
            words = _("Seems to speak against: {text}").replace("{text}", legible(other.text))
            self._add_line(words, (_("Keep this one"), self._keep), (_("Both are right"), self._both))
        self._line.addLayout(self._words, 1)
        self._icons = list(self._buttons(theme, text))
        for icon in self._icons:
            self._line.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        self.set_theme(theme)

    def _add_line(self, words: str, *does: tuple[str, Callable[[], object]]) -> None:
        self._words.addWidget(wrapping(words, "caution"))
        line = QHBoxLayout()
        for name, clicked in does:
            made = button(name, "link", clicked)
            made.setAccessibleDescription(legible(self.item.text))
            line.addWidget(made)
        line.addStretch(1)
        self._lines.append(line)
        self._words.addLayout(line)

    def _buttons(self, theme: Theme, text: str) -> Sequence[IconButton]:
        item, short = self.item, text[:60]
        made: list[IconButton] = []
        if item.kind == "fact" and not item.marks:
            words = _("Unpin: {text}") if item.pinned else _("Tell every new conversation: {text}")
            self.pin = IconButton(theme, "pin", words.replace("{text}", short), px=16)
            self.pin.show_icon(theme, "pin", "accent" if item.pinned else "muted")
            self.pin.clicked.connect(lambda: self.pinned.emit(self.item, not self.item.pinned))
            made.append(self.pin)
        if item.kind in _TICKED:
            words = _("Open again: {text}") if item.done else _("Tick off: {text}")
            icon = "rotate-ccw" if item.done else "check"
            self.tick = IconButton(theme, icon, words.replace("{text}", short), px=16)
            self.tick.clicked.connect(lambda: self.ticked.emit(self.item, not self.item.done))
            made.append(self.tick)
        self.edit = IconButton(theme, "pencil", _("Change: {text}").replace("{text}", short), px=16)
        self.edit.clicked.connect(lambda: self.edited.emit(self.item))
        self.forget = IconButton(theme, "trash-2", _("Forget: {text}").replace("{text}", short), px=16)
        self.forget.clicked.connect(lambda: self.forgotten.emit(self.item))
        return [*made, self.edit, self.forget]

    def _confirm(self) -> None:
        self.confirmed.emit(self.item)

    def _keep(self) -> None:
        self.settled.emit(self.item, "keep")

    def _both(self) -> None:
        self.settled.emit(self.item, "both")

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        self._line.setContentsMargins(0, theme.s4, 0, theme.s4)
        self._line.setSpacing(theme.s4)
        self._words.setSpacing(theme.px(2))
        for line in self._lines:
            line.setSpacing(theme.s12)
        for icon in self._icons:
            icon.set_theme(theme)


class MemoryForm(Card):
    """Hidden until something is to be changed or added; Esc leaves it, Enter keeps it."""

    kept = Signal(object, str, str, str)
    """The item that is changed (None for a new one), its text, its topic or list, its day."""
    merged = Signal(object, str)
    """The item, and the id of another one that it is to stand for."""

    def __init__(self, theme: Theme) -> None:
        self._second, self._foot = QHBoxLayout(), QHBoxLayout()
        super().__init__(theme, "")
        self._title = label("", "strong")
        self.rows.addWidget(self._title)
        self._item: MemoryItem | None = None
        self.text, self.topic, self.due = QLineEdit(), QLineEdit(), QLineEdit()
        for field, name in (
            (self.text, _("In one sentence")),
            (self.topic, ""),
            (self.due, _("Due (optional)")),
        ):
            field.setPlaceholderText(name)
            field.setAccessibleName(name)
            field.returnPressed.connect(self._keep)
        self.rows.addWidget(self.text)
        self._second.addWidget(self.topic, 1)
        self._second.addWidget(self.due, 1)
        self.rows.addLayout(self._second)
        self._why = wrapping("", "caution")
        self._why.hide()
        self.rows.addWidget(self._why)
        self.same = Choice(theme, _("Says the same as"))
        self.same.activated.connect(self._merge)
        self._foot.addWidget(self.same)
        self._foot.addStretch(1)
        self._foot.addWidget(button(_("Leave it"), "", self.close_form))
        self.save = button(_("Keep it"), "main", self._keep)
        self._foot.addWidget(self.save)
        self.rows.addLayout(self._foot)
        self.hide()
        self.set_theme(theme)

    def begin(self, kind: str) -> None:
        """Ask for a new item of a kind."""
        self._open(None, kind, ())

    def change(self, item: MemoryItem, near: Sequence[MemoryItem]) -> None:
        """Change an item; `near` are those that it may say the same as."""
        self._open(item, item.kind, near)

    def _open(self, item: MemoryItem | None, kind: str, near: Sequence[MemoryItem]) -> None:
        self._item = item
        title = _("Change what is remembered") if item else _("Remember something")
        self._title.setText(title)
        self.setAccessibleName(title)
        self.text.setText(item.text if item else "")
        self.topic.setText(item.topic if item else "")
        self.due.setText(item.due if item else "")
        name = _("List (optional)") if kind == "todo" else _("Topic (optional)")
        self.topic.setPlaceholderText(name)
        self.topic.setAccessibleName(name)
        self.topic.setVisible(kind in ("fact", "todo"))
        self.due.setVisible(kind == "todo")
        self.same.clear()
        self.same.addItem(_("Says the same as…"), "")
        for one in near:
            self.same.addItem(legible(one.text[:60]), one.id)
        self.same.setVisible(bool(near))
        self._why.hide()
        self.show()
        self.text.setFocus()

    def refuse(self, words: str) -> None:
        """Say why it cannot be kept; what was typed stays."""
        self._why.setText(words)
        self._why.show()
        self.text.setFocus()

    def close_form(self) -> None:
        """Hide it; what was typed is gone."""
        self.text.clear()
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_form()
        else:
            super().keyPressEvent(event)

    def _keep(self) -> None:
        self.kept.emit(self._item, self.text.text(), self.topic.text(), self.due.text())

    def _merge(self, at: int) -> None:
        other = str(self.same.itemData(at) or "")
        if other and self._item is not None:
            self.merged.emit(self._item, other)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        super().set_theme(theme)
        self._second.setSpacing(theme.s8)
        self._foot.setSpacing(theme.s8)

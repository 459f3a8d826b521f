"""The typed fields of a server of the registry: text, numbers, choices, yes or no, files, secrets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from app.mcp_offers import Field
from ui.server_words import fault_text, field_text
from ui.window import dialogs
from ui.window.approvals.facts import wrapping
from ui.window.parts import Choice, Switch, button, label
from ui.window.theme import Theme
from ui.window.transcript.legible import legible
from ui.words import _

LONGEST = 8_000


class FieldRow(QWidget):
    """One field with its name, what it is for, and below it what is wrong with its value."""

    changed = Signal()

    def __init__(self, theme: Theme, field: Field) -> None:
        super().__init__()
        self.field, self._theme = field, theme
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        name = legible(field_text(field))
        self._column.addWidget(wrapping(name, "body"))
        if field.description:
            self._column.addWidget(wrapping(field.description, "caption"))
        self._line = QHBoxLayout()
        self.control = self._made(name)
        self._line.addWidget(self.control, 0 if isinstance(self.control, Switch | Choice) else 1)
        if field.kind == "file":
            pick = button(_("Choose…"), "", self._pick)
            pick.setAccessibleName(f"{_('Choose…')}: {name}")
            self._line.addWidget(pick)
        if isinstance(self.control, Switch | Choice):
            self._line.addStretch(1)
        self._column.addLayout(self._line)
        self._wrong = label("", "danger", wrap=True)
        self._wrong.hide()
        self._column.addWidget(self._wrong)
        self.set_theme(theme)

    def _made(self, name: str) -> QWidget:
        field = self.field
        if field.choices:
            choice = Choice(self._theme, name)
            if not field.required:
                choice.addItem("", "")
            for value in field.choices:
                choice.addItem(legible(value), value)
            choice.setCurrentIndex(max(0, choice.findData(field.default)))
            choice.currentIndexChanged.connect(lambda at: self.changed.emit())
            return choice
        if field.kind == "boolean":
            switch = Switch(self._theme, name)
            switch.setChecked(field.default.lower() == "true")
            switch.clicked.connect(lambda on: self.changed.emit())
            return switch
        if field.repeated:
            several = QPlainTextEdit(field.default)
            several.setProperty("box", "field")
            several.setAccessibleName(name)
            several.setPlaceholderText(_("One to a line"))
            several.setTabChangesFocus(True)
            several.textChanged.connect(self.changed.emit)
            return several
        line = QLineEdit(field.default)
        line.setMaxLength(LONGEST)
        line.setAccessibleName(name)
        line.setPlaceholderText(legible(field.placeholder))
        if field.secret:
            line.setEchoMode(QLineEdit.EchoMode.Password)
        line.textChanged.connect(lambda text: self.changed.emit())
        return line

    def value(self) -> str | Sequence[str]:
        """Return what was given, "" for nothing."""
        control = self.control
        if isinstance(control, Choice):
            return str(control.currentData() or "")
        if isinstance(control, Switch):
            on, usual = control.isChecked(), self.field.default.lower() == "true"
            return ("true" if on else "false") if on or usual or self.field.required else ""
        if isinstance(control, QPlainTextEdit):
            return [line for line in control.toPlainText().split("\n") if line.strip()]
        assert isinstance(control, QLineEdit)
        return control.text()

    def show_fault(self, code: str) -> None:
        """Say what is wrong with the value; "" for nothing."""
        self._wrong.setText(fault_text(code) if code else "")
        self._wrong.setVisible(bool(code))
        self.control.setAccessibleDescription(self._wrong.text())

    def _pick(self) -> None:
        def take(path: str) -> None:
            if isinstance(self.control, QPlainTextEdit):
                self.control.appendPlainText(path)
            elif isinstance(self.control, QLineEdit):
                self.control.setText(path)

        dialogs.pick_folder(self.window(), "", take)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self._column.setSpacing(theme.s4)
        self._line.setSpacing(theme.s8)
        if isinstance(self.control, Choice | Switch):
            self.control.set_theme(theme)
        if isinstance(self.control, QPlainTextEdit):
            self.control.setFixedHeight(theme.px(72))


class Fields(QWidget):
    """All fields of one way, those that are needed first."""

    changed = Signal()

    def __init__(self, theme: Theme, fields: Sequence[Field]) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.rows = [FieldRow(theme, one) for one in sorted(fields, key=lambda one: not one.required)]
        for row in self.rows:
            row.changed.connect(self.changed)
            self._column.addWidget(row)
        self.set_theme(theme)

    def values(self) -> dict[str, str | Sequence[str]]:
        """Return what was given, by the key of each field."""
        return {row.field.key: row.value() for row in self.rows if row.value()}

    def show_faults(self, faults: Mapping[str, str]) -> None:
        """Say at each field what is wrong with it, and give the keyboard to the first."""
        for row in self.rows:
            row.show_fault(faults.get(row.field.key, ""))
        first = next((row for row in self.rows if row.field.key in faults), None)
        if first is not None:
            first.control.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._column.setSpacing(theme.s12)
        for row in self.rows:
            row.set_theme(theme)

"""The rows of the limits: requests, calls, tokens and money, a field for a number each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDoubleValidator, QIntValidator, QKeyEvent
from PySide6.QtWidgets import QLineEdit

from ui.language import _
from ui.window.pages.page import Card, give_room


class NumberField(QLineEdit):
    """A number between two bounds; the arrow keys step. `changed` comes when it was edited, not when it
    was set."""

    changed = Signal(float)

    def __init__(self, least: float, most: float, step: float, *, digits: int = 0) -> None:
        super().__init__()
        self._least, self._most, self._step, self._digits = least, most, step, digits
        whole = QIntValidator(int(least), int(most), self)
        self.setValidator(whole if not digits else QDoubleValidator(least, most, digits, self))
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.editingFinished.connect(self._edited)
        self._value = least
        self.set_value(least)

    def value(self) -> float:
        """Return the number that is shown."""
        return self._value

    def set_value(self, value: float) -> None:
        """Show a number, within the bounds."""
        self._value = min(max(value, self._least), self._most)
        self.setText(self.locale().toString(float(self._value), "f", self._digits))

    def step(self, by: int) -> None:
        """Go up or down by so many steps."""
        self.set_value(self._value + by * self._step)
        self.changed.emit(self._value)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.step(1 if event.key() == Qt.Key.Key_Up else -1)
        else:
            super().keyPressEvent(event)

    def _edited(self) -> None:
        value, readable = self.locale().toDouble(self.text())
        before = self._value
        self.set_value(value if readable else before)
        if self._value != before:
            self.changed.emit(self._value)


def limit_rows(card: Card, change: Callable[[str, float], None]) -> dict[str, NumberField]:
    """Add a row for each limit; `change(name, value)` is called when one was edited. Returns the fields by
    name."""
    fields: dict[str, NumberField] = {}
    for name, words, least, most, step, digits in (
        ("rounds", _("Requests to the model in a turn"), 1, 10_000, 10, 0),
        ("calls_per_round", _("Calls of tools in one request"), 1, 10_000, 10, 0),
        ("turn_tokens", _("Tokens in a turn"), 0, 1_000_000_000, 10_000, 0),
        ("day_tokens", _("Tokens in a day"), 0, 1_000_000_000, 100_000, 0),
        ("turn_money", _("US dollars in a turn"), 0, 100_000, 1, 2),
        ("day_money", _("US dollars in a day"), 0, 100_000, 1, 2),
    ):
        field = NumberField(least, most, step, digits=digits)
        give_room(field, card.theme, 130)
        field.changed.connect(partial(change, name))
        card.add_row(words, field)
        fields[name] = field
    return fields

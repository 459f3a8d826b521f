"""The rows of the limits: rounds, tokens and money, a number field each."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox

from ui.language import _
from ui.window.pages.page import Card


def bare_number(field: QAbstractSpinBox, width: int) -> None:
    """Show a number field without its small arrows; the arrow keys and the wheel still step."""
    field.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
    field.setAlignment(Qt.AlignmentFlag.AlignCenter)
    field.setFixedWidth(width)


def limit_rows(card: Card, change: Callable[[str, float], None]) -> dict[str, QSpinBox | QDoubleSpinBox]:
    """Add a row for each limit; `change(name, value)` is called when one was edited. Returns the fields by
    name."""
    fields: dict[str, QSpinBox | QDoubleSpinBox] = {}
    for name, words, most, step, least in (
        ("rounds", _("Requests to the model in a turn"), 1000, 10, 1),
        ("calls_per_round", _("Calls of tools in one request"), 1000, 10, 1),
        ("turn_tokens", _("Tokens in a turn"), 100_000_000, 10_000, 0),
        ("day_tokens", _("Tokens in a day"), 1_000_000_000, 100_000, 0),
    ):
        whole = QSpinBox()
        whole.setRange(least, most)
        whole.setSingleStep(step)
        whole.setGroupSeparatorShown(True)
        whole.editingFinished.connect(lambda name=name, field=whole: change(name, field.value()))
        bare_number(whole, card.theme.px(120))
        card.add_row(words, whole)
        fields[name] = whole
    for name, words in (("turn_money", _("Money in a turn")), ("day_money", _("Money in a day"))):
        money = QDoubleSpinBox()
        money.setRange(0, 100_000)
        money.setDecimals(2)
        money.setPrefix("$ ")
        money.editingFinished.connect(lambda name=name, field=money: change(name, field.value()))
        bare_number(money, card.theme.px(120))
        card.add_row(words, money)
        fields[name] = money
    return fields

"""Conditions in plain words, in the fixed forms of the command line, and said back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from app.watch_records import Condition
from app.watches.conditions import NoCondition, form_of, read, say


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("any change", Condition()),
        ("when anything changes", Condition()),
        ("new lines", Condition(kind="new_lines")),
        ("when new posts appear", Condition(kind="new_lines")),
        ("when the price falls below 20 €", Condition(kind="below", amount="20", currency="EUR")),
        ("When the price of the red lamp is under 1.299,00 €.",
         Condition(kind="below", amount="1299.00", currency="EUR")),
        ("below $20", Condition(kind="below", amount="20")),
        ("above 1,000", Condition(kind="above", amount="1000")),
        ("if it exceeds 100", Condition(kind="above", amount="100")),
        ("it changes by more than 5 percent", Condition(kind="by_percent", amount="5")),
        ("by more than 2,50 EUR", Condition(kind="by_more", amount="2.50", currency="EUR")),
        ("tell me when the price drops", Condition(kind="falls")),
        ("when it goes up", Condition(kind="rises")),
        ("when it is back in stock", Condition(kind="in_stock")),
        ("as soon as the lamp is available again", Condition(kind="in_stock")),
        ("when it goes out of stock", Condition(kind="out_of_stock")),
        ("when 'Tickets' appears", Condition(kind="appears", text="Tickets")),
        ("when it says Sale", Condition(kind="appears", text="Sale")),
        ("when sold out disappears", Condition(kind="disappears", text="sold out")),
        ("when Jobs is no longer on the page", Condition(kind="disappears", text="Jobs")),
        ("when pigs fly", None),
    ],
)  # fmt: skip
def test_plain_words(text: str, condition: Condition | None) -> None:
    if condition is None:
        with pytest.raises(NoCondition):
            read(text)
    else:
        assert read(text) == condition
        assert read(say(condition)) == condition, "what is said back is read the same"


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("any change", Condition()),
        ("new lines", Condition(kind="new_lines")),
        ("appears Tickets on sale", Condition(kind="appears", text="Tickets on sale")),
        ("disappears sold out", Condition(kind="disappears", text="sold out")),
        ("above 100", Condition(kind="above", amount="100")),
        ("below 19.99", Condition(kind="below", amount="19.99")),
        ("by more than 5%", Condition(kind="by_percent", amount="5")),
        ("above -2.5", Condition(kind="above", amount="-2.5")),
    ],
)
def test_the_fixed_forms(text: str, condition: Condition) -> None:
    assert form_of(text) == condition


@pytest.mark.parametrize(
    "text",
    ["", "sometimes", "appears", "above", "above high", "below 1 2 3", "by more than 5", "by more than %",
     "by more than -5%", "when the price falls below 20 €", "new lines please", "x" * 5_000],
)  # fmt: skip
def test_anything_else_is_refused_with_what_would_do(text: str) -> None:
    with pytest.raises(NoCondition, match="any change, new lines, appears TEXT"):
        form_of(text)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_a_condition_or_refused(text: str) -> None:
    try:
        condition = read(text)
    except NoCondition:
        return
    assert say(condition)

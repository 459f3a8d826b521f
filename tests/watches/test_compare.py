"""Whether a page has changed, and whether a person would be told."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings, strategies as st

from app.watch_records import Condition, Difference, Noise, Seen, TellKind
from app.watches.compare import amount, compare, difference_of, keys, suited
from app.watches.conditions import read
from app.watches.noise import clicked


def text(*lines: str, value: str = "", currency: str = "", language: str = "") -> Seen:
    return Seen(text="\n".join(lines), value=value, currency=currency, language=language)


def money(value: str, currency: str = "EUR") -> Seen:
    return text(f"{value} {currency}", value=value, currency=currency)


def met(old: Seen, new: Seen, condition: str, noise: Noise = Noise()) -> bool:  # noqa: B008
    return compare(old, new, read(condition), noise).met


def test_lines_that_came_and_went() -> None:
    verdict = compare(text("a", "b", "c"), text("a", "B", "c", "d"), Condition())
    assert verdict.changed and verdict.met
    assert verdict.difference == Difference(added=("B", "d"), removed=("b",))
    same = compare(text("a", "b"), text("a", "b"), Condition())
    assert not same.changed and not same.met and same.difference == Difference()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Posted 3 minutes ago", "Posted 2 hours ago"),
        ("vor 5 Minuten", "vor einer Stunde"),
        ("il y a 3 heures", "il y a 2 jours"),
        ("Last updated: 12 May 2026 10:15 UTC", "Last updated: 13 May 2026 9:01 UTC"),
        ("Stand: 12.05.2026, 10:15 Uhr", "Stand: 13.05.2026, 11:00 Uhr"),
        ("1,234 views", "1,240 views"),
        ("Views: 1234", "Views: 99"),
        ("3 people are viewing this", "17 people are viewing this"),
        ("© 2025 Shop", "© 2026 Shop"),
        ("Trace 9f86d081884c7d659a2f", "Trace 60303ae22b998861bce3"),
        ("Generated in 0.12 s", "Generated in 1.5 s"),
        ("a\u00a0b", "a b"),
        ("caf\u00e9", "cafe\u0301"),
        ("a\u200bb", "ab"),
    ],
)
def test_moments_counters_and_blanks_are_no_change(old: str, new: str) -> None:
    assert not compare(text(old), text(new), Condition()).changed


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Opening hours 9:00-18:00", "Opening hours 10:00-18:00"),
        ("Next meeting: 5 May 2026", "Next meeting: 6 May 2026"),
        ("Price 12 €, updated 10:15", "Price 13 €, updated 10:20"),
        ("Version 1.2", "Version 1.3"),
        ("Now 1999 €", "Now 1899 €"),
        ("Stand 12", "Stand 13"),
    ],
)
def test_other_times_and_numbers_are_a_change(old: str, new: str) -> None:
    assert compare(text(old), text(new), Condition()).changed
    assert not compare(text(old), text(new), Condition(), Noise(digits=True)).changed


def test_without_moments_every_difference_counts() -> None:
    assert compare(text("1 view"), text("2 views"), Condition(), Noise(moments=False)).changed


def test_a_line_that_was_clicked_away_stays_away_whatever_its_numbers() -> None:
    noise = Noise(clicked=(clicked("  Visitors   today: 1,234 "),))
    assert not compare(
        text("a", "Visitors today: 1,234"), text("a", "VISITORS today: 9"), Condition(), noise
    ).changed
    assert not compare(text("a"), text("a", "Visitors today: 7"), Condition(), noise).changed
    assert compare(text("a"), text("a", "Visitors this week: 7"), Condition(), noise).changed


def test_lines_that_hold_an_ignored_text_are_left_out() -> None:
    noise = Noise(ignore=("weather",))
    assert not compare(text("a", "Weather: sun"), text("a", "The WEATHER is bad"), Condition(), noise).changed
    assert not compare(text("a"), text("a"), Condition(), Noise(ignore=("",))).changed
    assert compare(text("a"), text("b"), Condition(), Noise(ignore=("", " "))).changed


def test_order_and_repeats_by_choice() -> None:
    old, new = text("a", "b", "c"), text("c", "a", "b")
    assert compare(old, new, Condition()).changed
    assert not compare(old, new, Condition(), Noise(any_order=True)).changed
    assert compare(text("a"), text("a", "a"), Condition(), Noise(any_order=True)).changed
    assert not compare(text("a"), text("a", "a"), Condition(), Noise(once=True)).changed


def test_new_lines_are_those_that_never_stood_there() -> None:
    old, new = text("a", "b"), text("b", "a", "c")
    assert met(old, new, "new lines")
    assert not met(old, text("b", "a"), "new lines"), "moved"
    assert not met(old, text("a"), "new lines"), "gone"
    again = compare(text("a"), text("a", "b"), read("new lines"), known=keys(old))
    assert again.changed and not again.met, "it came back"


@pytest.mark.parametrize(
    ("old", "new", "condition", "told"),
    [
        ("21", "19.99", "below 20", True),
        ("21", "20", "below 20", False),
        ("19", "18", "below 20", False),
        ("99", "101", "above 100", True),
        ("99", "100", "above 100", False),
        ("101", "102", "above 100", False),
        ("100", "105", "by more than 5%", False),
        ("100", "105.01", "by more than 5%", True),
        ("100", "94.99", "by more than 5%", True),
        ("-100", "-106", "by more than 5%", True),
        ("0", "1", "by more than 5%", True),
        ("10", "12.5", "by more than 2.50", False),
        ("10", "7.49", "by more than 2.50", True),
        ("10", "9", "when it falls", True),
        ("10", "9", "when it rises", False),
        ("19.9", "19.90", "any change", False),
        ("19.90", "19.91", "any change", True),
        ("0.1", "0.3", "above 0.2", True),
    ],
)
def test_numbers(old: str, new: str, condition: str, told: bool) -> None:
    assert met(money(old), money(new), condition) is told


def test_a_price_that_creeps_is_told_from_what_was_told_last() -> None:
    condition = read("by more than 5%")
    assert not compare(money("104"), money("106"), condition).met
    assert compare(money("104"), money("106"), condition, told="100").met


def test_numbers_in_a_text_are_read_as_its_language_writes_them() -> None:
    old, new = text("Preis: 1.250,00 €", language="de"), text("Preis: 999,99 €", language="de")
    verdict = compare(old, new, read("below 1000"))
    assert (verdict.met, verdict.before, verdict.value) == (True, "1250.00", "999.99")


def test_money_of_another_country_is_a_failure_not_a_fall() -> None:
    assert suited(money("9", "USD"), Condition(), money("10")).why == "other_currency"
    assert suited(money("9", "USD"), read("below 20 €")).why == "other_currency"
    assert suited(money("9"), read("below 20 €"), money("10")) == money("9")
    assert not met(money("30"), money("9", "USD"), "below 20 €")
    assert suited(text("words"), read("below 20")).why == "no_number"


def test_a_condition_that_is_met_in_what_is_noise_is_a_change_that_is_shown() -> None:
    for noise in (Noise(), Noise(digits=True)):
        verdict = compare(text("90 views"), text("120 views"), read("above 100"), noise)
        assert verdict.met and verdict.changed
        assert verdict.difference == Difference(added=("120 views",), removed=("90 views",))
    assert not compare(text("120 views"), text("130 views"), read("above 100")).changed


def test_what_did_not_move_tells_nobody_whatever_was_told() -> None:
    verdict = compare(money("104"), money("104"), read("by more than 3%"), told="100")
    assert not verdict.met and not verdict.changed


def test_appears_and_disappears_across_lines_and_case() -> None:
    old, new = text("Tickets", "sold out"), text("Buy TICKETS", "now")
    assert met(old, new, "appears tickets now")
    assert met(old, new, "disappears Sold Out")
    assert not met(old, new, "appears tickets")
    assert not met(new, new, "appears tickets now")


def test_stock_tells_nobody_of_what_it_does_not_know() -> None:
    there, gone, unknown = (text(one, value=one) for one in ("in_stock", "out_of_stock", "unknown"))
    assert met(gone, there, "when it is back in stock")
    assert met(there, gone, "when it is out of stock")
    assert met(there, gone, "any change")
    assert not met(there, there, "when it is back in stock")
    assert not compare(there, unknown, Condition()).changed
    assert not met(there, unknown, "any change")


def test_a_change_of_few_words_is_none_where_that_is_asked() -> None:
    old, new = text("one two three"), text("one two four")
    assert not compare(old, new, Condition(), Noise(words=2)).changed
    assert compare(old, text("five six"), Condition(), Noise(words=2)).changed


LINES = st.lists(st.text("ab1 .€", min_size=1, max_size=4), max_size=12)
NOISES = st.builds(
    Noise, digits=st.booleans(), any_order=st.booleans(), once=st.booleans(), moments=st.booleans()
)
KINDS = st.sampled_from(["any", "new_lines", "rises", "falls", "in_stock"])


@settings(max_examples=200, deadline=None)
@given(LINES, NOISES, KINDS)
def test_a_page_never_differs_from_itself(lines: list[str], noise: Noise, kind: TellKind) -> None:
    seen = text(*lines)
    verdict = compare(seen, seen, Condition(kind=kind), noise)
    assert not verdict.changed and not verdict.met


@settings(max_examples=200, deadline=None)
@given(LINES, LINES, NOISES)
def test_a_difference_is_the_same_backwards_and_never_empty(
    old: list[str], new: list[str], noise: Noise
) -> None:
    forth = difference_of(text(*old), text(*new), noise)
    back = difference_of(text(*new), text(*old), noise)
    if noise.any_order:
        assert (forth.added, forth.removed) == (back.removed, back.added)
    verdict = compare(text(*old), text(*new), Condition(), noise)
    assert verdict.changed == bool(forth.added or forth.removed), "no difference, nothing to tell"


@settings(max_examples=100, deadline=None)
@given(LINES, st.randoms(use_true_random=False))
def test_in_any_order_means_any(lines: list[str], chance: object) -> None:
    shuffled = list(lines)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert not compare(text(*lines), text(*shuffled), Condition(), Noise(any_order=True)).changed


@pytest.mark.parametrize(
    "lines", [[f"line {n}" for n in range(60_000)], ["same"] * 15_000, list("ab") * 9_000]
)
def test_large_pages_are_compared_in_bounded_time(lines: list[str]) -> None:
    began = time.process_time()
    compare(text(*lines), text(*reversed(lines), "new"), Condition(), Noise(once=False))
    assert time.process_time() - began < 10.0


def test_the_number_of_a_sight() -> None:
    assert amount(money("19.90")) is not None
    assert amount(text("in_stock", value="in_stock")) is None
    assert amount(text("words")) is None

"""One check of two saved pages, as the terminal does it."""

from __future__ import annotations

import pytest

from app.watch_records import Condition, Look, Noise
from app.watches.conditions import form_of
from app.watches.saved import Checked, compare_saved
from tests.watches import pages
from tests.watches.pages import page

STRICT = Noise(moments=False)
TEXT = Look()


def check(
    old: str,
    new: str,
    look: Look = TEXT,
    when: str = "any change",
    noise: Noise = STRICT,
    ending: str = "html",
) -> Checked:
    names = (f"old.{ending}", f"new.{ending}")
    return compare_saved((names[0], old.encode()), (names[1], new.encode()), look, form_of(when), noise)


def test_what_changed_is_said_and_told() -> None:
    done = check(page("<p>One<p>Two"), page("<p>One<p>Three"))
    assert done == Checked("changed", ("- Two", "+ Three"), "", True)
    assert check(page("<p>One"), page("<p>One")) == Checked("same")


@pytest.mark.parametrize(
    ("when", "notified"),
    [("above 100", True), ("below 100", False), ("by more than 50%", True), ("new lines", True)],
)
def test_numbers_of_a_selection(when: str, notified: bool) -> None:
    look = Look(kind="css", expression=".stars")
    done = check(page("<b class=stars>80</b>"), page("<b class=stars>1,234</b>"), look, when)
    assert (done.state, done.notified) == ("changed", notified)
    assert done.value == ("" if when == "new lines" else "1234")


def test_100_is_not_above_100() -> None:
    look = Look(kind="css", expression="b")
    assert not check(page("<b>80</b>"), page("<b>100</b>"), look, "above 100").notified


@pytest.mark.parametrize(
    ("body", "state"),
    [
        (pages.CLOUDFLARE, "blocked"),
        (page(" "), "empty"),
        ("", "empty"),
        (page("<p>Nothing of it"), "error"),
    ],
)
def test_failures_of_the_new_page_are_states_and_tell_nobody(body: str, state: str) -> None:
    done = check(page("<b>1</b>"), body, Look(kind="css", expression="b"))
    assert (done.state, done.notified, done.diff) == (state, False, ())
    assert done.why


def test_a_new_page_after_a_wall_is_a_baseline() -> None:
    assert check(pages.CLOUDFLARE, page("<p>One")) == Checked("baseline")


def test_price_stock_feed_and_json() -> None:
    cheap, dear = page("<p>Price: 19,99 €", lang="de"), page("<p>Price: 1.299,00 €", lang="de")
    done = check(dear, cheap, Look(kind="price"), "below 20")
    assert (done.state, done.value, done.currency, done.notified) == ("changed", "19.99", "EUR", True)
    stock = check(page("<p>Sold out"), page("<p>In stock"), Look(kind="stock"))
    assert (stock.value, stock.notified) == ("in_stock", True)
    unknown = check(page("<p>Sold out"), page("<p>A lamp"), Look(kind="stock"))
    assert (unknown.state, unknown.value, unknown.notified) == ("same", "unknown", False)
    look = Look(kind="json_path", expression="$.n")
    assert check('{"n": 1}', '{"n": 3}', look, "above 2", ending="json").value == "3"


def test_options_of_noise() -> None:
    old, new = page("<p>Views: 12<p>a<p>b"), page("<p>Views: 13<p>b<p>a")
    assert check(old, new).state == "changed"
    assert check(old, new, noise=Noise(moments=False, digits=True)).state == "changed"
    assert check(old, new, noise=Noise(moments=False, digits=True, any_order=True)).state == "same"
    assert check(old, new, noise=Noise(moments=False, ignore=("views",), any_order=True)).state == "same"
    assert compare_saved(("a", b""), ("b", b""), Look(), Condition(), STRICT).state == "empty"

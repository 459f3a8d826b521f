"""The page of vain searches: counts, misses newest first, nothing at first, cleared and had back."""

from __future__ import annotations

from typing import Any

from app.events import TurnEnded
from app.records import Usage
from tests.window.furnished import Furnished
from tests.window.seen import words
from ui.window.pages.misses import MissRow


def page_of(furnished: Furnished) -> Any:
    page: Any = furnished.life.rest.toolbox.show("misses")
    furnished.until(lambda: page.sentence.text() != "Looking…", "the counts")
    return page


async def search(engine: Any, queries: list[str]) -> None:
    """Search as a model does: each of these in vain, and once for what there is."""
    for query in queries:
        await engine.lookups.searched(query, ())
    await engine.lookups.searched("unpack it", ("archive",))
    await engine.lookups.called("archive")


def test_nothing_was_searched_for_yet(furnished: Furnished) -> None:
    furnished.open()
    page = page_of(furnished)
    assert "Nothing was searched for yet" in words(page) and "leaves this computer" in words(page)
    assert page.clear_button.isHidden() and page.numbers.isHidden()


def test_misses_are_counted_listed_cleared_and_had_back(furnished: Furnished) -> None:
    life = furnished.open()
    furnished.ask(lambda engine: search(engine, ["post a toot", "dim the light", "post a toot"]))
    page = page_of(furnished)
    assert "4 searches for a tool, 3 of them found none." in page.sentence.text()
    counts = ["4", "Searched", "1", "Found", "1", "Called", "3", "Missed"]
    furnished.until(lambda: words(page.numbers).split() == counts, "the numbers")
    rows = [row.accessibleName() for row in page.misses.rows]
    assert rows == ["post a toot, 2 times, just now", "dim the light, 1 time, just now"]
    assert page.tools.rows[0].accessibleName() == "archive, found 1, called 1"
    page.clear_button.click()
    assert life.rest is not None
    toast = life.rest.toast
    furnished.until(lambda: "forgotten" in toast._words.text() and not page.misses.rows, "the clearing")
    assert page.empty.isVisible()
    furnished.ask(lambda engine: search(engine, ["dim the light"]))
    toast._act()
    furnished.until(lambda: page.misses.rows, "the way back")
    rows = [row.accessibleName() for row in page.misses.rows]
    assert rows == ["dim the light, 2 times, just now", "post a toot, 2 times, just now"]
    assert "6 searches for a tool, 4 of them found none." in page.sentence.text()


def test_a_turn_brings_what_it_missed(furnished: Furnished) -> None:
    life = furnished.open()
    page = page_of(furnished)
    furnished.ask(lambda engine: search(engine, ["brew coffee"]))
    assert life.rest is not None
    life.rest.toolbox.apply(TurnEnded(session="s", turn="t", stop="done", rounds=1, usage=Usage()))
    furnished.until(lambda: page.misses.rows, "the miss")


def test_many_misses_come_by_pages_and_long_ones_are_wrapped(furnished: Furnished) -> None:
    furnished.open()
    furnished.ask(lambda engine: search(engine, [f"wish {n} {'x' * 150}" for n in range(90)]))
    page = page_of(furnished)
    furnished.until(lambda: page.misses.rows, "the misses")
    assert len(page.misses.rows) == 20 and page.misses.more.text() == "Show 50 more of 70"
    page.misses.more.setFocus()
    page.misses.more.click()
    assert len(page.misses.rows) == 70 and page.misses.more.text() == "Show 20 more"
    page.misses.more.click()
    assert len(page.misses.rows) == 90 and page.misses.more.isHidden()
    furnished.until(lambda: page.misses.rows[0].height() > 0, "the layout")
    assert all(row.width() <= page.missed.width() for row in page.misses.rows)
    assert isinstance(page.misses.rows[0], MissRow)

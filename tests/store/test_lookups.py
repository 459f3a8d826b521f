"""Counters of searches for tools, and what found none, kept in the store."""

from __future__ import annotations

from app.records import LookupCounts, MissedSearch, ToolLookups
from app.store import lookups
from app.store.database import Store


async def test_searches_and_calls_add_up(store: Store) -> None:
    await store.write(lookups.searched, "rain", ("weather", "timer", "weather"), 1.0)
    await store.write(lookups.searched, "snow", ("weather",), 2.0)
    await store.write(lookups.called, "weather")
    await store.write(lookups.called, "odd \ud800\0name")
    assert await store.read(lookups.counts) == LookupCounts(
        searched=2,
        missed=0,
        tools=(
            ToolLookups(name="weather", found=2, called=1),
            ToolLookups(name="timer", found=1),
            ToolLookups(name="odd \ud800\0name", called=1),
        ),
    )
    assert await store.read(lookups.misses) == ()


async def test_a_miss_is_kept_once_with_its_count_the_newest_first(store: Store) -> None:
    for when, query in enumerate(("fly \ud800", "swim", "fly \ud800", "\0"), 1):
        await store.write(lookups.searched, query, (), float(when))
    assert await store.read(lookups.misses) == (
        MissedSearch(query="\0", times=1, last=4.0),
        MissedSearch(query="fly \ud800", times=2, last=3.0),
        MissedSearch(query="swim", times=1, last=2.0),
    )
    assert (await store.read(lookups.counts)).missed == 4


async def test_only_the_newest_misses_are_kept(store: Store) -> None:
    for number in range(lookups.MOST_MISSES + 3):
        await store.write(lookups.searched, f"q{number}", (), float(number))
    kept = await store.read(lookups.misses)
    assert len(kept) == lookups.MOST_MISSES and (kept[0].query, kept[-1].query) == ("q502", "q3")


async def test_clearing_forgets_everything(store: Store) -> None:
    await store.write(lookups.searched, "fly", (), 1.0)
    await store.write(lookups.clear)
    assert await store.read(lookups.misses) == () and await store.read(lookups.counts) == LookupCounts()

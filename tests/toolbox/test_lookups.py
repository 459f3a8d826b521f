"""The facade over counters of searches: keys taken out, bounded, and never in the way of an answer."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from app.errors import StoreError
from app.store.database import Store
from app.toolbox.lookups import LONGEST, Lookups


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """An open store in a folder of its own."""
    made = Store(tmp_path / "bramble.db")
    await made.open()
    yield made
    await made.close()


async def test_what_is_kept_of_a_miss_has_no_keys_and_an_end(store: Store) -> None:
    lookups = Lookups(store, lambda: 7.0)
    await lookups.searched("post\n with  sk-proj-abcdefgh12345678 to the board", ())
    await lookups.searched("x" * 10_000, ())
    long, short = await lookups.misses()
    assert short.query == "post with [key] to the board" and short.last == 7.0
    assert len(long.query) == LONGEST


async def test_a_search_that_found_something_keeps_no_words(store: Store) -> None:
    lookups = Lookups(store, lambda: 7.0)
    await lookups.searched("rain", ("weather",))
    await lookups.called("weather")
    counts = await lookups.counts()
    assert (counts.searched, counts.missed, counts.tools[0].found, counts.tools[0].called) == (1, 0, 1, 1)
    assert await lookups.misses() == ()
    await lookups.clear()
    assert (await lookups.counts()).searched == 0


async def test_a_store_that_cannot_be_written_loses_only_the_count(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(sqlite3.connect(store.path)) as db:
        db.execute("PRAGMA user_version = 9999")  # of a later program: it can only be read
        db.commit()
    newer = Store(store.path)
    with suppress(StoreError):
        await newer.open()
    lookups = Lookups(newer, lambda: 7.0)
    await lookups.searched("rain", ())
    await lookups.called("weather")
    assert caplog.text.count("was not counted") == 2
    await newer.close()

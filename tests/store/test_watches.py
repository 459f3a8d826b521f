"""Snapshots of page watches: whole as they were, and never more of them than their bounds."""

from __future__ import annotations

import random

from app.store import watches
from app.store.database import Store
from app.store.watches import Bounds
from app.watch_records import ChartPoint, Seen, Snapshot


def snapshot(at: float, text: str = "Hello", value: str = "", watch: str = "w") -> Snapshot:
    return Snapshot(watch=watch, at=at, seen=Seen(text=text, value=value, title="Odd \ud800"))


async def test_a_snapshot_comes_back_as_it_was(store: Store) -> None:
    long = "\n".join(f"line {number} äöü 漢字 \ud800" for number in range(500))
    kept = await store.write(watches.add, snapshot(5.0, long, "19.90"), 19.9)
    assert kept.id > 0
    assert await store.read(watches.get, kept.id) == kept
    assert kept.seen.text == long
    assert await store.read(watches.get, kept.id + 1) is None
    await store.write(watches.mark_told, kept.id)
    assert (await store.read(watches.snapshots, "w"))[0].told is True


async def test_only_so_many_are_kept_the_newest_first(store: Store) -> None:
    bounds = Bounds(most=3)
    for at in range(10):
        await store.write(watches.add, snapshot(float(at), f"text {at}"), float(at), bounds)
    await store.write(watches.add, snapshot(99.0, watch="other"), None, bounds)
    kept = await store.read(watches.snapshots, "w")
    assert [one.seen.text for one in kept] == ["text 9", "text 8", "text 7"]
    assert [one.seen.text for one in await store.read(watches.snapshots, "w", 5, 9.0)] == ["text 8", "text 7"]
    assert len(await store.read(watches.values, "w")) == 10, "numbers for the chart are kept longer"
    assert await store.read(watches.values, "w", 8.0) == [
        ChartPoint(at=8.0, value=8.0),
        ChartPoint(at=9.0, value=9.0),
    ]


async def test_size_and_age_let_the_oldest_go_but_never_the_newest(store: Store) -> None:
    chance = random.Random(7)
    noise = "".join(chance.choice("abcdefghijklmnop") for _ in range(60_000))
    for at in range(5):
        await store.write(watches.add, snapshot(float(at), noise), None, Bounds(size=70_000))
    sizes = await store.read(lambda db: [row[0] for row in db.execute("SELECT size FROM watch_snapshots")])
    assert 1 <= len(sizes) < 5 and sum(sizes) <= 70_000
    await store.write(watches.add, snapshot(10.0, noise * 4), None, Bounds(size=10))
    assert [one.at for one in await store.read(watches.snapshots, "w")] == [10.0]
    await store.write(watches.add, snapshot(1_000.0), None, Bounds(age=100.0))
    assert [one.at for one in await store.read(watches.snapshots, "w")] == [1_000.0]
    assert await store.write(watches.prune, "w", 9e9, Bounds(age=1.0)) == 0


async def test_values_have_their_own_bound_and_one_a_time(store: Store) -> None:
    for at in range(8):
        await store.write(watches.note_value, "w", float(at), at * 2.0, Bounds(values=3))
    await store.write(watches.note_value, "w", 7.0, 1.5, Bounds(values=3))
    assert [(one.at, one.value) for one in await store.read(watches.values, "w")] == [
        (5.0, 10.0),
        (6.0, 12.0),
        (7.0, 1.5),
    ]


async def test_a_watch_that_is_removed_leaves_nothing(store: Store) -> None:
    await store.write(watches.add, snapshot(1.0), 1.0)
    await store.write(watches.add, snapshot(1.0, watch="other"), 1.0)
    assert await store.write(watches.remove, "w") == 1
    assert await store.read(watches.snapshots, "w") == []
    assert await store.read(watches.values, "w") == []
    assert len(await store.read(watches.snapshots, "other")) == 1

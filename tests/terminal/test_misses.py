"""`bramble tools misses`: what was searched for in vain, for scripts and for a person."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from app.platform.paths import home as home_of
from app.store.database import Store
from app.toolbox.lookups import Lookups
from tests.terminal.conftest import Bramble


def search(place: Path, searches: Sequence[tuple[str, tuple[str, ...]]]) -> None:
    """Count these searches, each with what it named, in the store of a home."""

    async def work() -> None:
        home = home_of({"BRAMBLE_HOME": str(place)})
        home.make()
        store = Store(home.database)
        await store.open()
        lookups = Lookups(store, lambda: 1_000_000_000.0)
        for query, names in searches:
            await lookups.searched(query, names)
        await lookups.called("weather")
        await store.close()

    asyncio.run(work())


def test_nothing_yet(bramble: Bramble) -> None:
    ran = bramble("tools", "misses", "--json")
    assert (ran.code, ran.value) == (0, {"searched": 0, "missed": 0, "tools": [], "misses": []})
    assert "No model has searched" in bramble("tools", "misses").err


@pytest.mark.parametrize("last", ["fold \x1b[31mmy laundry \u202e"])
def test_misses_and_counts(bramble: Bramble, home: Path, last: str) -> None:
    search(home, [("rain", ("weather", "timer")), ("feed the cat", ()), ("feed the cat", ()), (last, ())])
    value = bramble("tools", "misses", "--json").value
    assert (value["searched"], value["missed"]) == (4, 3)
    assert value["tools"][1] == {"name": "weather", "found": 1, "called": 1}
    assert {one["query"]: one["times"] for one in value["misses"]} == {"feed the cat": 2, last: 1}
    assert set(value["misses"][0]) == {"query", "times", "last"}
    ran = bramble("tools", "misses")
    assert (
        "feed the cat" in ran.out
        and "\x1b" not in ran.out
        and "laundry \\u202e" in ran.out
        and "4 searches" in ran.err
    )


def test_clear(bramble: Bramble, home: Path) -> None:
    search(home, [("feed the cat", ())])
    assert bramble("tools", "misses", "--clear", "--json").value == {"ok": True}
    assert bramble("tools", "misses", "--json").value["misses"] == []

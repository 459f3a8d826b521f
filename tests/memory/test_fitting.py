"""What a message is told of: what fits it comes first, and what does not is left out."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from app.memory_records import MemoryItem
from app.store import search
from tests.memory.conftest import Desk

CASES: dict[str, Any] = tomllib.loads((Path(__file__).parent / "fitting.toml").read_text("utf-8"))


async def told(desk: Desk, says: str) -> list[str]:
    return [one.text for one in await desk.memory.fitting(says, "")]


@pytest.mark.parametrize(("name", "least"), [("seen", 1.0), ("unseen", 0.9)])
async def test_what_fits_is_told_and_nothing_else(desk: Desk, name: str, least: float) -> None:
    for fact in CASES["facts"]:
        await desk.memory.remember(MemoryItem(text=fact))
    wrong = []
    for case in CASES[name]:
        found, wanted = await told(desk, case["says"]), case.get("told", "")
        if (found[:1] != [wanted]) if wanted else found:
            wrong.append((case["says"], found))
    assert 1 - len(wrong) / len(CASES[name]) >= least, wrong


async def test_a_damaged_index_is_no_reason_to_know_nothing(desk: Desk) -> None:
    await desk.memory.remember(MemoryItem(text="My dog is called Bruno"))
    await desk.store.write(lambda db: db.execute("DELETE FROM memory_words_data WHERE id > 10") and None)
    assert await told(desk, "What should I feed my dog?") == ["My dog is called Bruno"]
    assert desk.store.problem is None
    assert not await desk.store.write(search.verify) and await desk.store.write(search.verify)
    await desk.memory.remember(MemoryItem(text="I live in Graz"))
    assert [one.text for one in await desk.memory.search("Graz")] == ["I live in Graz"]

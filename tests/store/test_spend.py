"""What a day cost, over models and processes."""

from __future__ import annotations

from app.records import Usage
from app.store import spend
from app.store.database import Store


async def test_a_day_adds_up_over_models(store: Store) -> None:
    await store.write(spend.add, "2026-11-29", "a/x", Usage(input=10, output=5, cached=3), 0.25)
    await store.write(spend.add, "2026-11-29", "a/x", Usage(input=1, output=1, reasoning=1), 0.5)
    await store.write(spend.add, "2026-11-29", "b/\ud800", Usage(input=100, output=0, exact=False), None)
    await store.write(spend.add, "2026-11-30", "a/x", Usage(input=7), 9.0)
    day = await store.read(spend.spent, "2026-11-29")
    assert day.usage == Usage(input=111, output=6, cached=3, reasoning=1, exact=False)
    assert (day.requests, day.tokens, day.cost, day.unpriced) == (3, 117, 0.75, 1)


async def test_a_day_without_requests_is_zero(store: Store) -> None:
    day = await store.read(spend.spent, "2026-11-29")
    assert (day.requests, day.tokens, day.cost, day.unpriced) == (0, 0, 0.0, 0)
    assert day.usage == Usage()

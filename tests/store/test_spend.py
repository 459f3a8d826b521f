"""What a day cost, over models and processes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from app.errors import StoreError
from app.records import Message, SessionInfo, Usage
from app.store import messages, sessions, spend
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


async def test_an_answer_and_its_use_are_stored_together(
    store: Store, session: Callable[..., SessionInfo]
) -> None:
    await store.write(sessions.create, session())
    answer = Message(
        id="a", session="s", parent=None, turn="t", role="assistant", created=1e9, model="a/x",
        usage=Usage(input=10, output=5), cost=0.25,
    )  # fmt: skip
    with pytest.raises(StoreError):  # no such message yet: nothing is counted either
        await store.write(spend.put_counted, answer)
    assert (await store.read(spend.spent, spend.day_of(1e9))).requests == 0
    await store.write(messages.add, answer)
    await store.write(spend.put_counted, answer)
    day = await store.read(spend.spent, spend.day_of(1e9))
    assert (day.requests, day.tokens, day.cost) == (1, 15, 0.25)


async def test_a_session_adds_up_over_branches_and_helpers(
    store: Store, session: Callable[..., SessionInfo]
) -> None:
    await store.write(sessions.create, session())
    await store.write(sessions.create, session("helper", parent="s"))
    await store.write(sessions.create, session("other"))
    used = Usage(input=10, output=5, exact=False)
    made: list[tuple[str, str, str | None, dict[str, Any]]] = [
        ("u", "s", None, {"role": "user", "text": "Hello \ud800"}),
        ("a", "s", "u", {"usage": used, "cost": 0.25, "text": "odd \ud800", "reasoning": "\ud800"}),
        ("b", "s", "u", {"usage": used, "cost": 0.5}),  # another branch
        ("c", "s", "b", {"usage": used, "cost": None}),
        ("d", "s", "c", {"state": "stopped", "text": "half an ans"}),
        ("e", "s", "d", {"state": "failed"}),  # nothing had arrived
        ("z", "s", "e", {"role": "summary", "usage": used, "cost": 1.0}),
        ("h", "helper", None, {"usage": used, "cost": 2.0}),
        ("o", "other", None, {"usage": used, "cost": 64.0}),
    ]
    for id_, home, parent, more in made:
        fields = {"turn": "t", "role": "assistant", "created": 1e9, **more}
        await store.write(messages.add, Message(id=id_, session=home, parent=parent, **fields))
    found = await store.read(spend.spent_by, "s")
    assert (found.requests, found.tokens, found.usage.exact) == (5, 75, False)
    assert (found.cost, found.unpriced, found.uncounted) == (3.75, 1, 1)
    nothing = await store.read(spend.spent_by, "")
    assert (nothing.requests, nothing.cost, nothing.uncounted) == (0, 0.0, 0)

"""News of other processes: what cannot be read is said, and what stands behind it is told all the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.engine import Engine
from app.errors import StoreError
from app.events import Event, Noticed, SessionChanged, SkillsChanged
from app.platform.paths import home
from app.store import sessions
from app.store.feed import FeedKind, FeedRow
from tests.capabilities.shell_desk import until

KINDS: tuple[FeedKind, ...] = ("session", "skills")


@pytest.mark.parametrize("error", [StoreError("store_locked", "locked"), RuntimeError("a fault of ours")])
async def test_what_cannot_be_read_is_said_and_the_rest_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    environ = {"BRAMBLE_HOME": str(tmp_path / "home")}
    engine = Engine(home(environ), environ)
    await engine.open()
    heard: list[Event] = []
    engine.subscribe(heard.append)
    real = engine._parts.store.read

    async def read(work: Any, *given: Any) -> Any:
        if work is sessions.get:
            raise error
        return await real(work, *given)

    monkeypatch.setattr(engine._parts.store, "read", read)
    rows = [FeedRow(seq=1, owner="other", kind=kind, session="s", ref="") for kind in KINDS]
    engine._parts._news.take(tuple(rows))
    await until(lambda: any(isinstance(event, SkillsChanged) for event in heard))
    noticed = [event.problem.code for event in heard if isinstance(event, Noticed)]
    assert noticed == (["store_locked"] if isinstance(error, StoreError) else [])
    assert not any(isinstance(event, SessionChanged) for event in heard)
    await engine.close()

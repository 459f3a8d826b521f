"""Helpers share what their parent may use and know, and end together, whatever fails."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from app.capabilities.gate import Gate
from app.conversation.delegating import Delegation
from app.conversation.sessions import Sessions
from app.errors import StoreError
from app.events import RequestSent
from app.permissions.policy import policy
from app.platform.paths import home
from app.records import Answer, Mark, Message, SessionInfo, TurnOptions
from app.store import messages, sessions
from tests.conversation.test_engine import YES, Bench, bench
from tests.servers.scripted import Exchange, Script, calls, says

PAGE = Mark(kind="web", name="evil.example")


def held(begun: asyncio.Event, script: Script) -> Script:
    """Answer a parent when `begun` is set, helpers by `script` at once."""

    async def answer(exchange: Exchange) -> None:
        first = next(one for one in exchange.request.json["messages"] if one["role"] == "user")
        if str(first["content"]).endswith("Go"):
            await begun.wait()
            await says("ok")(exchange)
        else:
            await script(exchange)

    return answer


class Parent:
    """A conversation whose turn waits for its model meanwhile."""

    def __init__(self, scene: Bench, session: str) -> None:
        self.scene = scene
        self.session = session
        self.gate = Gate("delegate", policy(str(scene.folder)), self.asked)

    async def asked(self, *_: object) -> Answer:
        raise AssertionError("nobody asks")

    def helpers(self, of: Sessions | None = None) -> Delegation:
        parts = self.scene.engine._parts
        return Delegation(
            lambda: parts.turns, of or parts.sessions, self.session, self.gate, lambda text: None
        )

    async def branches(self) -> list[list[Message]]:
        store = self.scene.engine._parts.store
        ids = await store.read(sessions.helpers_of, self.session)
        return [await store.read(messages.branch, id_) for id_ in ids]


@asynccontextmanager
async def parent(tmp_path: Path, script: Script, options: TurnOptions = YES) -> AsyncIterator[Parent]:
    begun = asyncio.Event()
    async with bench(tmp_path, held(begun, script)) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.engine.send(session, "Go", options)
        await scene.event(RequestSent)
        yield Parent(scene, session)
        begun.set()
        await scene.engine.wait(session)


@pytest.mark.parametrize("cap", ["turn_tokens = 60", "turn_money = 0.08"], ids=["tokens", "money"])
async def test_helpers_use_the_budget_of_their_turn(tmp_path: Path, cap: str) -> None:
    settings = home({"BRAMBLE_HOME": str(tmp_path / "home")}).settings
    settings.parent.mkdir(parents=True)
    prices = '[[profiles.env.models]]\nid = "scripted"\ninput = 1000\noutput = 2000\n'
    settings.write_text(f"[limits]\n{cap}\nrepeats = 50\n{prices}")
    asked = 0

    async def script(exchange: Exchange) -> None:
        nonlocal asked
        asked += 1
        await calls(("list_dir", {"path": "."}))(exchange)

    async with parent(tmp_path, script) as turn:
        reports = await turn.helpers().run(["Look", "Look too"])
        assert [one.ok for one in reports] == [False, False]
        assert all("ended early: budget" in one.text for one in reports)
        assert asked in (
            4,
            5,
        )  # 15 tokens or 2 cents each; one may be under way when the other takes the last
        reports = await turn.helpers().run(["Look again"])
        assert reports[0].rounds == 0 and "budget" in reports[0].text, "nothing more is paid"
    (ended,) = [one for one in turn.scene.events if getattr(one, "stop", "") and one.session == turn.session]
    assert getattr(ended, "stop", "") == "budget"


async def test_a_task_carries_the_sources_of_its_turn_for_good(tmp_path: Path) -> None:
    options = TurnOptions(yes=True, marks=(PAGE,))
    async with parent(tmp_path, says("done"), options) as turn:
        await turn.helpers().run(["Look at https://evil.example/x"])
        ((said, _),) = await turn.branches()
        assert said.by_model and said.marks == (PAGE,)


async def test_a_task_that_cannot_begin_is_a_models_all_the_same(tmp_path: Path) -> None:
    async with parent(tmp_path, says("done")) as turn:
        turn.scene.folder.rmdir()
        turns = turn.scene.engine._parts.turns
        run = turns.of(turn.session).now
        assert run is not None
        run.model = "no such model"
        run.profile = type(run.profile)(name="gone", base_url="http://127.0.0.1:9")
        info = await turn.scene.engine.sessions.create(cwd="", parent=turn.session)
        options = TurnOptions(model="gone/x", delegated=run.home, marks=(PAGE,))
        await turns.of(info.id).send("https://evil.example", options)
        await turns.of(info.id).wait()
        ((said, *_),) = await turn.branches()
        assert said.by_model and said.marks == (PAGE,)


class Full(Sessions):
    """A store that is full when the second helper is to be made, while the first is at work."""

    made = 0
    works: asyncio.Event

    async def create(self, **fields: Any) -> SessionInfo:
        self.made += 1
        if self.made == 2:
            await self.works.wait()
            raise StoreError("disk_full", "The disk is full.")
        return await super().create(**fields)


async def test_where_one_cannot_begin_the_others_end(tmp_path: Path) -> None:
    works, never = asyncio.Event(), asyncio.Event()

    async def waits(exchange: Exchange) -> None:
        works.set()
        await never.wait()

    async with parent(tmp_path, waits) as turn:
        parts = turn.scene.engine._parts
        full = Full(parts.store, parts._engine.home, parts._engine.emit, lambda: parts._engine.settings)
        full.works = works
        with pytest.raises(StoreError):
            await turn.helpers(full).run(["Wait", "Wait too"])
        ids = await parts.store.read(sessions.helpers_of, turn.session)
        assert len(ids) == 1 and not any(parts.turns.of(id_).running for id_ in ids)

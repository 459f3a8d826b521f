"""What requests taught is there after a restart, until the provider says otherwise or the person wishes."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.engine import Engine
from app.events import Event, Noticed
from app.models.connections import Connections
from app.models.learned import LASTS, Learned
from app.models.listing import Listings
from app.models.profile import ModelData, Profile
from app.models.window import Windows
from app.platform.paths import home as home_of
from tests.servers.scripted import ScriptedServer, fails, says, scripted
from tests.wires.test_refused_effort import UNSUPPORTED, effort_of

NOON = 1_780_000_000.0
AT = Profile(name="p", base_url="https://one.example/v1", models=(ModelData(id="m", window=100_000),))


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> float:
        return self.now


def windows(folder: Path, clock: Clock) -> Windows:
    """As after a restart."""
    return Windows(Connections(), clock, Learned(folder, clock))


def test_a_learned_window_is_there_after_a_restart(tmp_path: Path) -> None:
    clock = Clock()
    windows(tmp_path, clock).learn(AT, "m", 8_000)
    assert windows(tmp_path, clock).of(AT, "m") == 8_000
    assert windows(tmp_path, clock).of(AT, "other") == 128_000
    elsewhere = msgspec.structs.replace(AT, base_url="https://two.example/v1")
    assert windows(tmp_path, clock).of(elsewhere, "m") == 100_000


def test_it_is_over_when_the_data_say_another_one_or_a_month_has_passed(tmp_path: Path) -> None:
    clock = Clock()
    windows(tmp_path, clock).learn(AT, "m", 8_000)
    listed = msgspec.structs.replace(AT, models=(ModelData(id="m", window=64_000),))
    assert windows(tmp_path, clock).of(listed, "m") == 64_000
    clock.now += LASTS
    assert windows(tmp_path, clock).of(AT, "m") == 100_000


def test_what_fits_nothing_is_forgotten_for_good(tmp_path: Path) -> None:
    clock = Clock()
    one = windows(tmp_path, clock)
    one.learn(AT, "m", 8_000)
    one.forget(AT, "m")
    assert one.of(AT, "m") == windows(tmp_path, clock).of(AT, "m") == 100_000


async def test_a_list_that_names_another_window_wins(tmp_path: Path) -> None:
    clock = Clock()
    unknown = msgspec.structs.replace(AT, models=())
    listings = Listings(tmp_path / "lists", clock)
    one = windows(tmp_path / "learned", clock)
    one.learn(listings.enriched(unknown), "m", 8_000)
    assert one.of(listings.enriched(unknown), "m") == 8_000
    await listings.keep(unknown, (ModelData(id="m", window=32_000),))
    assert one.of(listings.enriched(unknown), "m") == 32_000


def test_another_process_is_followed_and_a_damaged_file_is_nothing(tmp_path: Path) -> None:
    clock = Clock()
    one, other = Learned(tmp_path, clock), Learned(tmp_path, clock)
    assert one.refused(AT, "m") == frozenset()
    other.refuse(AT, "m", "high")
    other.learn_window(AT, "m", 100_000, 5_000)
    assert one.refused(AT, "m") == {"high"} and one.window(AT, "m", 100_000) == 5_000
    (tmp_path / "p.json").write_bytes(b'{"m": {"place": 1')
    assert Learned(tmp_path, clock).refused(AT, "m") == frozenset()
    one.try_again(AT, "m")


def test_a_home_that_cannot_be_written_keeps_it_for_the_process(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    learned = Learned(blocked, Clock())
    learned.refuse(AT, "m", "high")
    assert learned.refused(AT, "m") == {"high"}


@asynccontextmanager
async def life(place: Path, server: ScriptedServer) -> AsyncIterator[tuple[Engine, list[Event]]]:
    """An engine whose OpenAI is the test's server, as after a start."""
    environ = {
        **os.environ, "BRAMBLE_HOME": str(place), "OPENAI_API_KEY": "k-test", "BRAMBLE_BASE_URL": "",
    }  # fmt: skip
    home = home_of(environ)
    home.make()
    home.settings.write_text(
        'model = "openai/some-model"\n'
        f'[profiles.openai]\nbase_url = "{server.url}"\nwire = "chat"\nlists = false\n'
    )
    engine, events = Engine(home, environ), list[Event]()
    await engine.open()
    engine.subscribe(events.append)
    try:
        yield engine, events
    finally:
        await engine.close()


@pytest.mark.parametrize("again", [False, True])
async def test_a_person_is_told_once_and_a_wish_asks_anew(tmp_path: Path, again: bool) -> None:
    async with scripted(fails(400, UNSUPPORTED), *(says("ok") for _ in range(4))) as server:
        told = list[str]()
        session = ""
        for start in range(2):
            async with life(tmp_path / "home", server) as (engine, events):
                if not session:
                    session = (await engine.sessions.create(effort="high")).id
                elif again:
                    await engine.sessions.configure(session, effort="high")
                await engine.send(session, "Hello")
                ended = await engine.wait(session)
                assert ended is not None and ended.stop == "done", (start, ended)
                told += [one.problem.code for one in events if isinstance(one, Noticed)]
        sent: list[Any] = [effort_of(one.json) for one in server.requests]
        assert sent == ["high", None, "high" if again else None]
        assert told == ["effort_refused"]

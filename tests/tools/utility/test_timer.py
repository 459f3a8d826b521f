"""Timers: words for times, waiting that lasts over a restart, one that rings once among processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from app.capabilities.timers import TimerClock, Timers, moment_of, seconds_of
from app.errors import ToolError
from app.events import Event, TimerRang
from app.store.database import Store

NOON = datetime(2026, 11, 30, 12, 0).astimezone()  # a Monday


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = Store(tmp_path / "bramble.db")
    await store.open()
    yield store
    await store.close()


class Now:
    """A clock that stands where a test puts it."""

    def __init__(self) -> None:
        self.time = NOON.timestamp()

    def __call__(self) -> float:
        return self.time


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90s", 90), ("10 minutes", 600), ("1h30m", 5400), ("1 hour and 5 min", 3900), ("1:30:00", 5400),
        ("2:30", 150), ("in 2 days", 172800), ("0.5 h", 1800), ("1,5 Stunden", 5400), ("3 Wochen", 1814400),
    ],
)  # fmt: skip
def test_durations(text: str, seconds: float) -> None:
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["", "soon", "10", "-5 min", "0s", "5 parsecs", "1h x"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(ValueError, match="duration"):
        seconds_of(text)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("13:30", "2026-11-30 13:30"),
        ("07:30", "2026-12-01 07:30"),
        ("6 pm", "2026-11-30 18:00"),
        ("12am", "2026-12-01 00:00"),
        ("tomorrow 9:00", "2026-12-01 09:00"),
        ("monday 8:00", "2026-12-07 08:00"),
        ("2026-12-24 18:00", "2026-12-24 18:00"),
        ("2026-12-24T18:00", "2026-12-24 18:00"),
    ],
)
def test_times(text: str, wanted: str) -> None:
    assert f"{moment_of(text, NOON):%Y-%m-%d %H:%M}" == wanted


def test_a_time_after_the_change_of_clocks_is_that_of_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Vienna")
    import time

    time.tzset()
    try:
        eve = datetime(2026, 10, 24, 22, 0, tzinfo=ZoneInfo("Europe/Vienna"))
        made = moment_of("tomorrow 7:00", eve)
        assert made.timestamp() - eve.timestamp() == 10 * 3600, "the night has one hour more"
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "25:00",
        "later",
        "13 pm",
        "2026-13-01 10:00",
        "2026-02-30 9:00",
        "0000-01-01 10:00",
        "12:61",
        "9:00:75",
    ],
)
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no time; write 07:30"):
        moment_of(text, NOON)


def rung(events: list[Event]) -> list[str]:
    return [event.timer.label for event in events if isinstance(event, TimerRang)]


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.01)


async def test_one_that_became_due_while_nothing_ran_rings_at_the_next_start(store: Store) -> None:
    now, events = Now(), list[Event]()
    first = TimerClock(store, events.append, now)
    timers = Timers(first, "s", now)
    made = await timers.start_timer("10 minutes", "", "Tea")
    assert made.left == 600 and made.when.startswith("Mon 2026-11-30 12:10:00")
    await first.close()
    now.time += 3600
    second = TimerClock(store, events.append, now)
    second.begin()
    await until(lambda: rung(events))
    (kept,) = await second.list()
    assert rung(events) == ["Tea"] and kept.rang == now.time, "it stays until the person has seen it"
    assert [one.left for one in await Timers(second, "", now).running_timers()] == [-3000]
    await second.close()


async def test_two_processes_tell_of_it_once(store: Store, tmp_path: Path) -> None:
    now, events = Now(), list[Event]()
    other = Store(tmp_path / "bramble.db")
    await other.open()
    clocks = [TimerClock(one, events.append, now) for one in (store, other)]
    await clocks[0].set(now() + 5, "Tea")
    now.time += 10
    for clock in clocks:
        clock.begin()
        clock.look()
    await until(lambda: rung(events))
    for clock in clocks:
        clock.look()
        assert [one.rang for one in await clock.list()] == [now.time]
        await clock.close()
    assert rung(events) == ["Tea"]
    await other.close()


async def test_cancelling_and_what_cannot_be_set(store: Store) -> None:
    now = Now()
    clock = TimerClock(store, lambda event: None, now)
    timers = Timers(clock, "s", now)
    for after, at in (("", ""), ("5m", "07:00"), ("soon", ""), ("2000 days", ""), ("", "2020-01-01 10:00")):
        with pytest.raises(ToolError):
            await timers.start_timer(after, at, "x")
    await timers.start_timer("5m", "", "Tea\n ready")
    await timers.start_timer("6m", "", "eggs")
    assert [one.label for one in await timers.running_timers()] == ["Tea ready", "eggs"]
    assert [one.label for one in await timers.cancel_timer("TEA ready")] == ["Tea ready"]
    assert await timers.cancel_timer("nothing") == ()
    assert len(await timers.cancel_timer("all")) == 1 and await timers.running_timers() == ()
    await clock.close()

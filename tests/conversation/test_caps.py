"""The caps of money and tokens: of a turn, and of a day over all that work on it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from app.events import Noticed, RequestSent, TurnEnded
from app.platform.paths import home as home_of
from app.records import Problem, Usage
from app.settings import Limits
from app.store import spend
from tests.conversation.story import DAY, OPTIONS, Story
from tests.servers.scripted import Exchange, Script, ScriptedServer, calls, says, scripted

PRICES = '[[profiles.env.models]]\nid = "scripted"\ninput = 1000\noutput = 2000\n'
"""US dollars for a million tokens: a request of 10 tokens and its answer of 5 cost two cents."""


async def works(exchange: Exchange) -> None:
    """Look for something new each time, without end."""
    await calls(("find_files", {"pattern": f"*.{exchange.number}"}))(exchange)


@asynccontextmanager
async def story(
    place: Path, script: Script, limits: Limits, prices: str = PRICES
) -> AsyncIterator[tuple[Story, ScriptedServer, list[object]]]:
    """A conversation with caps, whose clock is the test's own."""
    async with scripted(script) as server:
        one = Story(place, server)
        settings = home_of(one.environ).settings
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text(prices)
        await one.begin()
        events: list[object] = []
        one.engine.subscribe(events.append)
        await one.engine.change_settings(limits=limits)
        try:
            yield one, server, events
        finally:
            await one.engine.close()


async def said(one: Story, words: str) -> TurnEnded:
    """Say something and wait for the end of the turn."""
    one.now += 60
    await one.engine.send(one.session, words, OPTIONS)
    ended = await one.engine.wait(one.session)
    assert ended is not None
    return ended


def reached(what: str, limit: str) -> Problem:
    return Problem(code="budget", fields={"what": what, "limit": limit})


@pytest.mark.parametrize(
    ("limits", "what", "limit"),
    [
        (Limits(turn_tokens=40), "turn_tokens", "40"),
        (Limits(day_tokens=40), "day_tokens", "40"),
        (Limits(turn_money=0.05), "turn_money", "0.05"),
        (Limits(day_money=0.05), "day_money", "0.05"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_a_cap_ends_a_turn(tmp_path: Path, limits: Limits, what: str, limit: str) -> None:
    async with story(tmp_path, works, limits) as (one, server, _):
        ended = await said(one, "Go.")
        assert (ended.stop, ended.problem, ended.rounds) == ("budget", reached(what, limit), 3)
        assert ended.usage.input + ended.usage.output == 45 and ended.cost == pytest.approx(0.06)
        last = (await one.engine.sessions.messages(one.session))[-1]
        assert (last.role, last.ok) == ("tool", False)
        assert last.text == "Not run: the budget of this turn is used up."
        again = await said(one, "Go on.")
        assert (again.stop, again.problem) == ("budget", reached(what, limit))
        of_day = what.startswith("day")
        assert (again.rounds, len(server.requests)) == ((0, 3) if of_day else (3, 6)), "nothing more is paid"


@pytest.mark.parametrize("limits", [Limits(day_money=0.05), Limits(day_tokens=40)], ids=["money", "tokens"])
async def test_the_cap_of_a_day_holds_after_a_restart_and_in_another_conversation_until_tomorrow(
    tmp_path: Path, limits: Limits
) -> None:
    async with story(tmp_path, works, limits) as (one, server, _):
        assert (await said(one, "Go.")).rounds == 3
        await one.engine.close()
        await one.begin()
        one.session = (await one.engine.sessions.create(cwd=str(one.folder))).id
        assert (await said(one, "Go on.")).stop == "budget" and len(server.requests) == 3
        one.now += DAY
        ended = await said(one, "And now?")
        assert (ended.stop, ended.rounds) == ("budget", 3), "a new day, a new cap"
        await one.engine.change_settings(limits=Limits())
        server.scripts = (says("There."),)
        assert (await said(one, "And without?")).stop == "done"
        history = await one.engine.sessions.messages(one.session)
    assert [message.text for message in history if message.role == "user"] == [
        "Go on.", "And now?", "And without?",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("limits", "what", "used"),
    [
        (Limits(day_money=50), "day_money", (Usage(input=1), 50.0)),
        (Limits(day_tokens=900_000), "day_tokens", (Usage(input=900_000), 0.0)),
    ],
    ids=["money", "tokens"],
)
async def test_what_others_use_meanwhile_counts_for_the_cap_of_a_day(
    tmp_path: Path, limits: Limits, what: str, used: tuple[Usage, float]
) -> None:
    stories: list[Story] = []

    async def script(exchange: Exchange) -> None:
        if exchange.number == 3:  # another process answers something large
            store, day = stories[0].engine._parts.store, spend.day_of(stories[0].now)
            await store.write(spend.add, day, "env/x", *used)
        await works(exchange)

    async with story(tmp_path, script, limits) as (one, _, _events):
        stories.append(one)
        ended = await said(one, "Go.")
    assert ended.problem is not None
    assert (ended.stop, ended.problem.fields["what"], ended.rounds) == ("budget", what, 3)


async def test_money_that_cannot_be_counted_is_told_of_and_a_cap_in_tokens_holds(tmp_path: Path) -> None:
    limits = Limits(turn_money=0.01, day_money=0.01, turn_tokens=70)
    async with story(tmp_path, works, limits, prices="") as (one, _, events):
        ended = await said(one, "Go.")
    assert (ended.stop, ended.problem, ended.rounds) == ("budget", reached("turn_tokens", "70"), 5)
    assert ended.cost is None
    assert [event.problem.code for event in events if isinstance(event, Noticed)] == ["no_price"]


async def test_a_cap_that_is_raised_or_set_meanwhile_counts_at_once(tmp_path: Path) -> None:
    stories: list[Story] = []

    async def script(exchange: Exchange) -> None:
        if exchange.number == 2:
            await stories[0].engine.change_settings(limits=Limits(turn_money=0.13))
        await works(exchange)

    async with story(tmp_path, script, Limits(turn_money=0.05)) as (one, _, _events):
        stories.append(one)
        assert (await said(one, "Go.")).rounds == 7


async def test_a_summary_by_hand_costs_nothing_where_the_day_is_used_up(tmp_path: Path) -> None:
    async with story(tmp_path, works, Limits(day_money=0.05)) as (one, server, events):
        await said(one, "Go.")
        ended = await one.engine.compact(one.session)
        assert ended is not None and (ended.stop, ended.problem) == ("budget", reached("day_money", "0.05"))
        assert len(server.requests) == 3
        assert sum(isinstance(event, RequestSent) for event in events) == 3


@pytest.mark.parametrize("name", ["turn_tokens", "day_tokens", "turn_money", "day_money"])
@pytest.mark.parametrize("value", [-1, float("nan"), "much"])
def test_a_cap_is_a_number_that_is_not_negative(name: str, value: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({name: value}, Limits)

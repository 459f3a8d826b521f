"""A summary that the person wishes for, the fall-back model, and the effort."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest

from app.errors import BrambleError
from app.events import CompactionProgressed, Noticed, RetryWaited, TurnEnded
from app.records import TurnOptions
from tests.conversation.long_talk import YES, SmallModel, Talk
from tests.servers.scripted import Exchange, Script, fails, says, scripted

WIDE = 128_000


async def roles(talk: Talk) -> list[str]:
    """Return who spoke, in order."""
    return [message.role for message in await talk.engine.sessions.messages(talk.session)]


async def test_a_person_may_ask_for_a_summary(tmp_path: Path) -> None:
    model = SmallModel(WIDE, rounds=6)
    async with scripted(model) as server, Talk(tmp_path, server.url, WIDE) as talk:
        assert await talk.say("Read the notes.") == "done"
        ended = await talk.engine.compact(talk.session)
        assert ended is not None and (ended.stop, ended.problem, ended.rounds) == ("done", None, 0)
        assert ended.usage.input == model.sizes[-1]
        assert (await roles(talk))[-1] == "summary"
        (step,) = [event for event in talk.events if isinstance(event, CompactionProgressed)]
        assert (step.done, step.total) == (1, 1)
        model.since = 6
        assert await talk.say("And?") == "done"
        assert model.sizes[-1] < model.sizes[-2] - 1_000
        assert str(model.bodies[-1]["messages"][1]["content"]).startswith("<summary>")
        assert (await roles(talk))[-3:] == ["summary", "user", "assistant"]


@pytest.mark.parametrize("words", ["", "Hello."])
async def test_a_short_conversation_is_not_summarised(tmp_path: Path, words: str) -> None:
    async with scripted(says("Hello!")) as server, Talk(tmp_path, server.url, WIDE) as talk:
        if words:
            assert await talk.say(words) == "done"
        before = await roles(talk)
        ended = await talk.engine.compact(talk.session)
        assert ended is not None and ended.problem is not None
        assert ended.problem.code == "nothing_to_compact"
        assert await roles(talk) == before, "what was not done leaves nothing behind"


async def test_a_summary_begins_as_the_requests_before_it_so_that_a_cache_holds(tmp_path: Path) -> None:
    model = SmallModel(WIDE, rounds=6)
    async with scripted(model) as server, Talk(tmp_path, server.url, WIDE) as talk:
        assert await talk.say("Read the notes.") == "done"
        await talk.engine.compact(talk.session)
    before, asked = model.bodies[-2:]
    assert asked["tools"] == before["tools"] and asked["tool_choice"] == "none"
    own = asked["messages"][:-1]
    assert own == before["messages"][: len(own)]


async def test_nothing_of_a_useless_summary_by_hand_is_kept(tmp_path: Path) -> None:
    model = SmallModel(WIDE, rounds=6)
    model.on_summary = lambda exchange, body: says("No.")(exchange)
    async with scripted(model) as server, Talk(tmp_path, server.url, WIDE) as talk:
        assert await talk.say("Read the notes.") == "done"
        ended = await talk.engine.compact(talk.session)
        assert ended is not None and ended.problem is not None
        assert ended.problem.code == "compaction_failed"
        assert "summary" not in await roles(talk)


async def test_a_summary_by_hand_is_stopped_and_what_was_said_meanwhile_is_answered(tmp_path: Path) -> None:
    model = SmallModel(WIDE, rounds=6)
    begun, go_on = asyncio.Event(), asyncio.Event()

    def wait(exchange: Exchange, body: dict[str, Any]) -> Awaitable[None]:
        async def hold() -> None:
            begun.set()
            await go_on.wait()
            await says("No.")(exchange)

        return hold()

    model.on_summary = wait
    async with scripted(model) as server, Talk(tmp_path, server.url, WIDE) as talk:
        assert await talk.say("Read the notes.") == "done"
        working = asyncio.create_task(talk.engine.compact(talk.session))
        await asyncio.wait_for(begun.wait(), 30)
        with pytest.raises(BrambleError) as error:
            await talk.engine.compact(talk.session)
        assert error.value.code == "session_busy"
        await talk.engine.stop(talk.session)
        ended = await working
        assert ended is not None and ended.stop == "stopped"
        assert "summary" not in await roles(talk)

        begun.clear()
        working = asyncio.create_task(talk.engine.compact(talk.session))
        await asyncio.wait_for(begun.wait(), 30)
        assert (await talk.engine.send(talk.session, "Meanwhile.", YES)).queued
        model.since = 6
        go_on.set()
        ended = await working
        assert ended is not None and ended.problem is not None  # "No." is no summary
        found = [event.stop for event in talk.events if isinstance(event, TurnEnded)]
        assert found == ["done", "stopped", "failed", "done"]
        history = await talk.engine.sessions.messages(talk.session)
        assert [one.text for one in history if one.role == "user"] == ["Read the notes.", "Meanwhile."]


def by_model(**scripts: Script) -> Script:
    """Answer by the model that is asked."""

    async def script(exchange: Exchange) -> None:
        await scripts[exchange.request.json["model"]](exchange)

    return script


LIMITED = fails(429, {"error": {"message": "slow down"}}, {"retry-after": "50"})


async def test_the_fall_back_model_answers_by_itself_where_the_person_set_it_so(tmp_path: Path) -> None:
    script = by_model(scripted=LIMITED, other=says("From the other one."))
    settings = {"fallback_model": "env/other", "fall_back": "auto"}
    async with scripted(script) as server, Talk(tmp_path, server.url, WIDE, **settings) as talk:
        assert await talk.say("Hello.") == "done"
        history = await talk.engine.sessions.messages(talk.session)
        noticed = [event.problem for event in talk.events if isinstance(event, Noticed)]
    assert (history[-1].text, history[-1].model) == ("From the other one.", "env/other")
    assert [(one.code, one.fields) for one in noticed] == [("fell_back", {"model": "env/other"})]
    assert not any(isinstance(event, RetryWaited) for event in talk.events)
    assert all(message.problem is None for message in history)
    assert len(server.requests) == 2


async def test_without_a_word_of_the_person_the_chosen_model_is_waited_for(tmp_path: Path) -> None:
    limited = fails(429, {"error": {"message": "slow down"}}, {"retry-after": "3600"})
    script = by_model(scripted=limited, other=says("no"))
    settings = {"fallback_model": "env/other"}
    async with scripted(script) as server, Talk(tmp_path, server.url, WIDE, **settings) as talk:
        await talk.engine.send(talk.session, "Hello.", YES)
        ended = await talk.engine.wait(talk.session)
    assert ended is not None and ended.problem is not None
    assert (ended.problem.code, ended.problem.fields["fallback"]) == ("rate_limit_other", "env/other")
    assert len(server.requests) == 1


async def test_the_effort_of_a_conversation_goes_with_its_requests(tmp_path: Path) -> None:
    settings = {"profiles.env.quirks": {"effort": "reasoning_effort"}}
    async with scripted(says("yes")) as server, Talk(tmp_path, server.url, WIDE) as talk:
        changed = talk.engine.settings.profiles["env"] | {"quirks": settings["profiles.env.quirks"]}
        await talk.engine.change_settings(profiles={"env": changed})
        await talk.say("One.")
        info = await talk.engine.sessions.configure(talk.session, effort="high")
        assert info.effort == "high" and (await talk.engine.sessions.get(talk.session)).effort == "high"
        await talk.say("Two.")
        await talk.say("Three.", TurnOptions(effort="low"))
    assert [request.json.get("reasoning_effort") for request in server.requests] == [None, "high", "low"]


async def test_where_the_fall_back_model_cannot_answer_the_chosen_one_is_waited_for(tmp_path: Path) -> None:
    limited = fails(429, {"error": {"message": "slow down"}}, {"retry-after": "0"})
    settings = {"fallback_model": "nowhere/other", "fall_back": "auto"}
    async with (
        scripted(limited, limited, says("At last.")) as server,
        Talk(tmp_path, server.url, WIDE, **settings) as talk,
    ):
        assert await talk.say("Hello.") == "done"
        codes = [event.problem.code for event in talk.events if isinstance(event, Noticed)]
        history = await talk.engine.sessions.messages(talk.session)
    assert codes == ["no_profile"] and history[-1].text == "At last."
    assert len(server.requests) == 3


async def test_the_person_lets_the_fall_back_model_answer_while_the_chosen_one_is_waited_for(
    tmp_path: Path,
) -> None:
    script = by_model(scripted=LIMITED, other=says("From the other one."))
    async with (
        scripted(script) as server,
        Talk(tmp_path, server.url, WIDE, fallback_model="env/other") as talk,
    ):
        assert not talk.engine.switch_model(talk.session), "nothing runs"
        waiting = asyncio.Event()
        talk.engine.subscribe(lambda event: waiting.set() if isinstance(event, RetryWaited) else None)
        await talk.engine.send(talk.session, "Hello.", YES)
        await asyncio.wait_for(waiting.wait(), 30)
        (wait,) = [event for event in talk.events if isinstance(event, RetryWaited)]
        assert (wait.problem.code, wait.problem.fields["fallback"]) == ("rate_limit_other", "env/other")
        assert wait.seconds == 50
        assert talk.engine.switch_model(talk.session)
        ended = await talk.engine.wait(talk.session)
        history = await talk.engine.sessions.messages(talk.session)
    assert ended is not None and ended.stop == "done"
    assert history[-1].text == "From the other one."
    assert all(message.problem is None for message in history)

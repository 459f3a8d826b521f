"""A summary in many requests stops at a cap of tokens before the next one, and pays for nothing twice."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from app.events import TurnEnded
from app.settings import Limits, Settings
from tests.conversation.long_talk import SmallModel, Talk, size_of
from tests.conversation.test_compaction_trouble import WINDOW, messages, whole
from tests.servers.scripted import scripted


async def read_much(place: Path) -> None:
    """Have a conversation that is far too long for the small window."""
    big = SmallModel(128_000, rounds=40)
    async with scripted(big) as server, Talk(place, server.url, 128_000) as talk:
        assert await talk.say("Read all notes.") == "done"


async def test_each_portion_is_asked_for_only_while_there_is_something_left(tmp_path: Path) -> None:
    await read_much(tmp_path)
    free = SmallModel(WINDOW, rounds=1)
    small = SmallModel(WINDOW, rounds=1)
    async with scripted(small) as server, Talk(tmp_path, server.url, WINDOW) as talk:
        await talk.engine.change_settings(limits=Limits(turn_tokens=10_000))
        assert await talk.say("What did they say?") == "budget: budget"
        ended = [event for event in talk.events if isinstance(event, TurnEnded)][-1]
        assert ended.rounds == 0 and ended.usage.input >= 10_000
        assert small.summaries == len(small.sizes) == 2, (
            "two took it up, and no more was sent, nor the question"
        )
        history = await messages(talk)
        (made,) = [message for message in history if message.role == "summary"]
        assert made.compaction is not None and made.compaction.by == "cut"
        assert "read notes up to" in made.text and "left out without a summary" in made.text
        assert whole(history)
    async with scripted(free) as server, Talk(tmp_path, server.url, WINDOW) as talk:
        await talk.engine.change_settings(limits=Limits())
        assert await talk.say("And now?") == "done"
        assert free.summaries <= 1, "what was paid for is not paid for again"
        assert free.refused == []


async def test_a_wish_for_a_summary_ends_at_the_cap_and_leaves_all_as_it_was(tmp_path: Path) -> None:
    await read_much(tmp_path)
    small = SmallModel(WINDOW, rounds=1)
    async with scripted(small) as server, Talk(tmp_path, server.url, WINDOW) as talk:
        await talk.engine.change_settings(limits=Limits(turn_tokens=10_000))
        ended = await talk.engine.compact(talk.session)
        assert ended is not None and ended.problem is not None
        assert (ended.stop, ended.problem.code) == ("budget", "budget")
        assert ended.problem.fields["what"] == "turn_tokens" and ended.usage.input >= 10_000
        assert small.summaries == 2
        assert not [one for one in await messages(talk) if one.role == "summary"]


@pytest.mark.parametrize("times", [1, 2])
async def test_a_summary_that_just_uses_it_up_ends_the_turn_before_its_request(
    tmp_path: Path, times: int
) -> None:
    """One request may go over; the next one is not sent."""
    model = SmallModel(WINDOW, rounds=60)
    async with scripted(model) as server, Talk(tmp_path, server.url, WINDOW) as talk:

        def cap(exchange: object, body: dict[str, object]) -> None:
            if model.summaries == times:
                used = sum(map(size_of, model.bodies))
                talk.engine.settings = settings(talk, used)

        model.on_summary = cap
        assert await talk.say("Read the notes.") == "budget: budget"
        assert model.summaries == times and "six headings" in str(model.bodies[-1]["messages"][-1])
        assert whole(await messages(talk))


def settings(talk: Talk, tokens: int) -> Settings:
    """The settings with a cap of so many tokens a turn."""
    return msgspec.structs.replace(talk.engine.settings, limits=Limits(turn_tokens=tokens))

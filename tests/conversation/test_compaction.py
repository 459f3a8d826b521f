"""A conversation that is longer than its model's window goes on: real store, sockets, files and tools."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from app.events import CompactionEnded, CompactionStarted
from app.records import Message
from tests.conversation.long_talk import ASKED, SmallModel, Talk
from tests.servers.scripted import scripted

PIN = "Never touch the folder `archive`.\nAsk before you delete anything: 7f3a."


def whole(history: list[Message]) -> bool:
    """Whether every call has exactly one result."""
    declared = [call.id for message in history for call in message.calls]
    return declared == [message.call for message in history if message.role == "tool"]


def anew(model: SmallModel) -> int:
    """Return how many requests of the conversation do not begin with the one before."""
    asked = [body for body in model.bodies if ASKED not in str(body["messages"][-1]["content"])]
    pairs = itertools.pairwise(body["messages"] for body in asked)
    return sum(now[: len(before)] != before for before, now in pairs)


@pytest.mark.proof("compaction", small=4, full=30)
@pytest.mark.parametrize("window", [8_192, 16_384])
async def test_a_long_conversation_stays_within_a_small_window(
    tmp_path: Path, count: int, window: int
) -> None:
    """Ten rounds a turn: 30 turns are 300 rounds and more, each turn after a restart."""
    model = SmallModel(window)
    begun: tuple[CompactionStarted, ...] = ()
    ended: tuple[CompactionEnded, ...] = ()
    async with scripted(model) as server:
        for turn in range(count):
            async with Talk(tmp_path, server.url, window) as talk:  # each turn in a process of its own
                if not turn:
                    await talk.engine.sessions.pins.add(talk.session, PIN)
                assert await talk.say(f"Read the next notes, part {turn}.") == "done"
                begun += tuple(event for event in talk.events if isinstance(event, CompactionStarted))
                ended += tuple(event for event in talk.events if isinstance(event, CompactionEnded))
        async with Talk(tmp_path, server.url, window) as talk:
            history = list(await talk.engine.sessions.messages(talk.session))
            report = await talk.engine.context(session=talk.session)
            texts = [await talk.engine.sessions.search(f"part {turn}") for turn in range(count)]
    assert model.refused == []
    assert max(model.sizes) <= window * 0.9
    assert len(model.read) == 10 * count
    assert model.read == sorted(set(model.read))
    summaries = [message for message in history if message.role == "summary"]
    assert model.summaries == len(summaries) >= count // 2
    assert report.total_tokens < window * 0.8
    for body in model.bodies[10:]:
        assert sum(PIN in str(message["content"]) for message in body["messages"]) == 1
    assert anew(model) == len(summaries), "each request begins with the one before, but behind a summary"
    said = [message.text for message in history if message.role == "user"]
    assert said == [f"Read the next notes, part {turn}." for turn in range(count)]
    assert whole(history)
    results = [message.text for message in history if message.role == "tool"]
    originals = [f"of note {number % 40}: words." for number in range(10 * count)]
    assert len(results) == len(originals), "what was summarised is there, whole, and in its order"
    assert all(words in text for words, text in zip(originals, results, strict=True))
    assert all(texts)
    for message in summaries:
        assert message.compaction is not None
        assert message.compaction.by == "model" and message.compaction.after < message.compaction.before
        assert any(one.id == message.compaction.kept for one in history)
    assert len(begun) == len(ended) == len(summaries)
    assert [event.message for event in ended] == [message.id for message in summaries]

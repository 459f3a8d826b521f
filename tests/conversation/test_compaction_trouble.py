"""What goes wrong while a conversation is summarised: it goes on or stops in sight, and loses nothing."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest

from app.events import CompactionEnded, CompactionStarted, Noticed, TurnEnded
from app.records import Message
from tests.conversation.long_talk import YES, SmallModel, Talk, size_of
from tests.servers.scripted import Exchange, chunk, piece, says, scripted, usage_chunk

ROOT = Path(__file__).resolve().parents[2]
WINDOW = 8_192


def whole(history: list[Message]) -> bool:
    """Whether every call has exactly one result."""
    declared = [call.id for message in history for call in message.calls]
    return declared == [message.call for message in history if message.role == "tool"]


async def messages(talk: Talk) -> list[Message]:
    """Return the shown branch as it is stored."""
    return list(await talk.engine.sessions.messages(talk.session))


def codes(talk: Talk) -> list[str]:
    """Return the codes of what was noticed."""
    return [event.problem.code for event in talk.events if isinstance(event, Noticed)]


@pytest.mark.parametrize("words", ["", "Sure, I go on reading.", "## Goal\n## Done\n## Open\nNone."])
async def test_a_useless_summary_is_refused_and_the_conversation_goes_on(tmp_path: Path, words: str) -> None:
    model = SmallModel(WINDOW, rounds=20)
    model.on_summary = lambda exchange, body: says(words, prompt=size_of(body))(exchange)
    async with scripted(model) as server, Talk(tmp_path, server.url, WINDOW) as talk:
        assert await talk.say("Read the notes.") == "done"
        history = await messages(talk)
    assert "summary_refused" in codes(talk)
    made = [message for message in history if message.role == "summary"]
    assert made and all(message.compaction and message.compaction.by == "cut" for message in made)
    assert "Read the notes." in made[0].text + made[0].context
    assert "note-0.txt" in made[0].text
    assert len(model.read) == 20 and model.refused == []
    assert whole(history)


async def test_a_turn_that_reads_the_same_again_and_again_stops_after_three_compactions(
    tmp_path: Path,
) -> None:
    model = SmallModel(WINDOW, rounds=10_000)

    async def circles(exchange: Exchange) -> None:
        model.read = list(range(len(model.read) % 6))  # six files, over and over
        await model(exchange)

    async with scripted(circles) as server, Talk(tmp_path, server.url, WINDOW) as talk:
        assert await talk.say("Read the notes.") == "failed: compaction_stuck"
        history = await messages(talk)
        begun = sum(isinstance(event, CompactionStarted) for event in talk.events)
        assert (
            await talk.say("Then stop.", YES) == "failed: compaction_stuck"
        )  # no endless refills then either
    assert begun == 3
    assert history[-1].problem is not None and history[-1].problem.code == "compaction_stuck"
    assert whole(history)


async def test_a_provider_that_says_the_request_is_too_long_gets_a_shorter_one(tmp_path: Path) -> None:
    model = SmallModel(WINDOW, rounds=25)
    async with scripted(model) as server, Talk(tmp_path, server.url, 128_000) as talk:
        assert await talk.say("Read the notes.") == "done"
        assert await talk.say("And the others.") == "done"
        history = await messages(talk)
    assert len(model.refused) == 1, "what was learned of the window is kept"
    assert len(model.read) == 50
    made = [message for message in history if message.role == "summary"]
    assert made[0].compaction is not None and made[0].compaction.why == "overflow"
    assert all(message.state == "complete" and message.problem is None for message in history)
    assert whole(history)


async def test_a_provider_that_takes_nothing_is_told_of_as_such(tmp_path: Path) -> None:
    model = SmallModel(WINDOW, rounds=5)
    async with scripted(model) as server, Talk(tmp_path, server.url, 128_000) as talk:
        assert await talk.say("Read the notes.") == "done"
        model.window = 1_000  # less than the prompt and the tools
        assert await talk.say("And now?") == "failed: overflow"
        history = await messages(talk)
    assert history[-1].problem is not None and history[-1].problem.code == "overflow"
    assert [message.text for message in history if message.role == "user"] == ["Read the notes.", "And now?"]


async def test_words_that_are_longer_than_the_window_are_cut_for_the_model_alone(tmp_path: Path) -> None:
    model = SmallModel(WINDOW, rounds=2)
    words = "Read this. " + "Many words stand here. " * 4_000 + "The end."
    async with scripted(model) as server, Talk(tmp_path, server.url, WINDOW) as talk:
        assert await talk.say(words) == "done"
        history = await messages(talk)
    assert history[0].text == words
    assert model.refused == []
    sent = str(model.bodies[0]["messages"][-1]["content"])
    assert "characters left out here" in sent and sent.endswith("The end.")
    assert sent.startswith("<summary>\nNo message is left out") and "<context>" in sent


async def test_several_long_results_at_once_fit_into_a_small_window(tmp_path: Path) -> None:
    model = SmallModel(WINDOW)
    asked = 0

    async def many(exchange: Exchange) -> None:
        nonlocal asked
        size = size_of(exchange.request.json)
        if size > WINDOW or "six headings" in str(exchange.request.json["messages"][-1]["content"]):
            await model(exchange)
            return
        model.sizes.append(size)
        asked += 1
        if asked > 3:
            await says("done", prompt=size)(exchange)
            return
        made = [
            piece(
                n, f"call_{asked}_{n}", "read_file", json.dumps({"path": "long.txt", "offset": 1 + n * asked})
            )
            for n in range(4)
        ]
        await exchange.head()
        await exchange.events(
            *(chunk({"tool_calls": [one]}) for one in made),
            chunk(finish="tool_calls"),
            usage_chunk(size, 100),
            "[DONE]",
        )
        await exchange.end()

    async with scripted(many) as server, Talk(tmp_path, server.url, WINDOW) as talk:
        (talk.folder / "long.txt").write_text("".join(f"line {n} is long enough\n" for n in range(20_000)))
        assert await talk.say("Read it.") == "done"
        history = await messages(talk)
    assert model.refused == [] and max(model.sizes) < WINDOW
    assert whole(history)


async def test_a_history_that_is_far_too_long_for_another_model_is_summarised_in_portions(
    tmp_path: Path,
) -> None:
    big = SmallModel(128_000, rounds=40)
    async with scripted(big) as server, Talk(tmp_path, server.url, 128_000) as talk:
        assert await talk.say("Read all notes.") == "done"
    small = SmallModel(WINDOW, rounds=1)
    async with scripted(small) as server, Talk(tmp_path, server.url, WINDOW) as talk:
        assert await talk.say("What did they say?") == "done"
        history = await messages(talk)
    assert small.refused == [] and max(small.sizes) <= WINDOW
    assert small.summaries > 3
    assert sum(message.role == "summary" for message in history) == 1


async def test_a_server_that_counts_nothing_is_measured_by_our_own_estimate(tmp_path: Path) -> None:
    model = SmallModel(WINDOW, rounds=30, counts=False)
    async with scripted(model) as server, Talk(tmp_path, server.url, WINDOW) as talk:
        assert await talk.say("Read the notes.") == "done"
    assert model.refused == [] and model.summaries >= 2


async def test_a_stop_in_the_middle_of_a_summary_leaves_everything_as_it_was(tmp_path: Path) -> None:
    model = SmallModel(WINDOW, rounds=30)
    begun, gone = asyncio.Event(), asyncio.Event()

    def wait(exchange: Exchange, body: dict[str, Any]) -> Awaitable[None]:
        async def hold() -> None:
            await exchange.head()
            begun.set()
            await exchange.gone()
            gone.set()

        return hold()

    model.on_summary = wait
    async with scripted(model) as server, Talk(tmp_path, server.url, WINDOW) as talk:
        await talk.engine.send(talk.session, "Read the notes.", YES)
        await asyncio.wait_for(begun.wait(), 30)
        await talk.engine.stop(talk.session)
        await asyncio.wait_for(gone.wait(), 30)
        history = await messages(talk)
        assert not any(message.role == "summary" for message in history) and whole(history)
        ended = [event for event in talk.events if isinstance(event, CompactionEnded)]
        assert [event.message for event in ended] == [""]
        model.on_summary = None
        model.since = 100
        assert await talk.say("Go on.") == "done"
        assert sum(message.role == "summary" for message in await messages(talk)) == 1


async def killed(talk: Talk, when: asyncio.Event, delay: float) -> None:
    """Begin a turn in the real program, and kill it so many seconds after `when`."""
    command = [sys.executable, "-P", str(ROOT / "ui" / "launch.py"), "ask", "--yes", "--cwd"]
    process = subprocess.Popen(
        [*command, str(talk.folder), "Read the notes."],
        env={**talk.environ, "PATH": os.environ["PATH"]},
        cwd=talk.place,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        await asyncio.wait_for(when.wait(), 60)
        await asyncio.sleep(delay)  # where in the program's writing the kill falls
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


@pytest.mark.proof("compaction-kill", small=2, full=25)
async def test_a_kill_in_the_middle_of_a_summary_loses_nothing(tmp_path: Path, count: int) -> None:
    for number in range(count):
        model = SmallModel(WINDOW, rounds=30)
        begun = asyncio.Event()

        def half(exchange: Exchange, body: dict[str, Any], begun: asyncio.Event = begun) -> Awaitable[None]:
            async def hold() -> None:
                await exchange.head()
                await exchange.events(chunk({"content": "## Goal\n- read all notes\n## Done\n- "}))
                begun.set()
                await exchange.gone()

            return hold()

        model.on_summary = half
        async with scripted(model) as server:
            talk = Talk(tmp_path / str(number), server.url, WINDOW)
            await killed(talk, begun, 0.0)
            read = len(model.read)
            model.on_summary = None
            model.since = 25
            async with talk:
                before = await messages(talk)
                assert whole(before) and sum(one.role == "tool" for one in before) == read
                assert await talk.say("Go on.") == "done"
                after = await messages(talk)
        assert [one.id for one in after[: len(before)]] == [one.id for one in before]
        assert sum(one.role == "summary" for one in after) == 1
        assert whole(after) and model.refused == []


@pytest.mark.proof("compaction-kill-anywhere", small=2, full=40)
async def test_a_kill_anywhere_keeps_all_that_a_request_held(tmp_path: Path, count: int, seed: int) -> None:
    """Whatever the model was sent is in the store: each result, and each summary."""
    chance = random.Random(seed)
    for number in range(count):
        model, last = SmallModel(WINDOW, rounds=60), chance.randrange(2, 45)
        reached = asyncio.Event()

        async def script(
            exchange: Exchange, model: SmallModel = model, last: int = last, reached: asyncio.Event = reached
        ) -> None:
            if exchange.number == last:
                reached.set()
            await model(exchange)

        async with scripted(script) as server:
            talk = Talk(tmp_path / str(number), server.url, WINDOW)
            await killed(talk, reached, chance.random() * 0.06)
            model.since = 58
            async with talk:
                before = await messages(talk)
                assert await talk.say("Go on.") == "done"
                after = await messages(talk)
        sent = {
            one["tool_call_id"] for body in model.bodies for one in body["messages"] if one["role"] == "tool"
        }
        assert sent <= {one.call for one in after if one.role == "tool"}
        told = {
            text
            for body in model.bodies
            for one in body["messages"]
            if "<summary>" in (text := str(one["content"]))
        }
        made = {f"{one.context}\n\n{one.text}" for one in after if one.role == "summary"}
        assert all(any(text.startswith(one) for one in made) for text in told)
        assert whole(before) and whole(after) and model.refused == []
        kept = [one.id for one in before if one.summary != "interrupted"]  # such a result is made when read
        assert [one.id for one in after if one.id in set(kept)] == kept


async def test_the_ends_of_turns_are_told_once_each(tmp_path: Path) -> None:
    model = SmallModel(WINDOW, rounds=20)
    async with scripted(model) as server, Talk(tmp_path, server.url, WINDOW) as talk:
        assert await talk.say("Read the notes.") == "done"
        (ended,) = [event for event in talk.events if isinstance(event, TurnEnded)]
    assert ended.usage.input == sum(model.sizes), "what summaries take is counted in the turn"


@pytest.mark.parametrize(("status", "code"), [(401, "bad_key"), (402, "no_credit")])
async def test_a_failure_that_has_nothing_to_do_with_the_summary_leaves_nothing_out(
    tmp_path: Path, status: int, code: str
) -> None:
    model = SmallModel(WINDOW, rounds=20)
    model.on_summary = lambda exchange, body: exchange.answer(status, {"error": {"message": "no"}})
    async with scripted(model) as server, Talk(tmp_path, server.url, WINDOW) as talk:
        assert await talk.say("Read the notes.") == f"failed: {code}"
        history = await messages(talk)
        assert not any(message.role == "summary" for message in history)
        assert whole(history)
        model.on_summary = None
        assert await talk.say("Go on.") == "done"


async def test_the_words_of_the_person_outlive_every_summary_of_one_long_turn(tmp_path: Path) -> None:
    words = "Read all notes; write nothing. The word is heron-4711."
    model = SmallModel(WINDOW, rounds=60)
    async with scripted(model) as server, Talk(tmp_path, server.url, WINDOW) as talk:
        assert await talk.say(words) == "done"
    assert model.summaries >= 4
    assert all("heron-4711" in str(body["messages"]) for body in model.bodies)
    assert len(model.read) == 60 and model.refused == []

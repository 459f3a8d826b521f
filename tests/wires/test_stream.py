"""How a stream is read: however its bytes are cut, however it ends, and never without end."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from itertools import pairwise
from typing import Any

import pytest

from app.errors import ModelError
from app.models.answer import Patience
from app.models.request import Finished, Restarted, Text, Waiting
from tests.servers.scripted import Exchange, Script, chunk, fails, piece, says, scripted, streams, usage_chunk
from tests.wires.asking import QUICK, Ask, failure, profile, request


def bytewise(data: bytes, *cuts: int) -> Script:
    """A script that sends an event stream cut at the given places, each piece in a packet of its own."""

    async def script(exchange: Exchange) -> None:
        await exchange.head()
        places = [0, *cuts, len(data)]
        for start, end in pairwise(places):
            await exchange.send(data[start:end])
            await asyncio.sleep(0)
        await exchange.end()

    return script


def stream_of(*payloads: Any, ending: bytes = b"\n") -> bytes:
    events = [*(json.dumps(payload, ensure_ascii=False) for payload in payloads), "[DONE]"]
    return b"".join(b"data: " + event.encode() + ending * 2 for event in events)


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b"\r"])
async def test_c12_split_letters_and_every_line_ending(asking: Ask, ending: bytes) -> None:
    text = "a 🍍 b 漢字 c\u2028d\u2029e\u0085f\x0bg\x0ch"
    data = stream_of(chunk({"content": text}), chunk(finish="stop"), ending=ending)
    pineapple, kanji = data.index(b"\xf0\x9f") + 2, data.index("漢".encode()) + 2
    async with scripted(bytewise(data, pineapple, kanji), bytewise(data, *range(1, len(data)))) as server:
        for _ in range(2):
            reply = await asking().reply(request(profile("env", server.url)))
            assert reply.text == text and "\ufffd" not in reply.text


async def test_c12_a_letter_cut_over_two_events_by_a_javascript_server(asking: Ask) -> None:
    halves = [
        '{"choices":[{"delta":{"content":"x\\ud83d"}}]}',
        '{"choices":[{"delta":{"content":"\\ude00y\\ud83d"}}]}',
        chunk(finish="stop"),
    ]
    async with scripted(streams(*halves)) as server:
        events = await asking().events(request(profile("env", server.url)))
    assert [event.text for event in events if isinstance(event, Text)] == ["x", "😀y"]


async def test_c13_comments_are_ignored_and_keep_the_stream_alive(asking: Ask) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.head()
        for _ in range(8):
            await exchange.send(b": PROCESSING\n\n:\n")
            await asyncio.sleep(0.2)  # real time is what this is about: twice the limit in all
        await exchange.events(chunk({"content": "ok"}, "stop"), "[DONE]")
        await exchange.end()

    async with scripted(script) as server:
        reply = await asking(patience=Patience(first_byte=0.8, between=0.8)).reply(
            request(profile("env", server.url))
        )
    assert reply.text == "ok"


async def test_c14_a_stream_that_ends_in_a_call_is_cut_and_tried_again(asking: Ask) -> None:
    async def cut(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events(
            chunk({"content": "I look."}), chunk({"tool_calls": [piece(0, "a1", "read_file", '{"path":"')]})
        )
        await exchange.end()

    error, count = await failure(asking, cut)
    assert (error.code, count) == ("cut_stream", 3)
    async with scripted(cut, says("Hello")) as server:
        asked = asking()
        events = await asked.events(request(profile("env", server.url)))
    kinds = [type(event) for event in events]
    assert kinds.index(Waiting) < kinds.index(Restarted) < kinds.index(Finished)
    assert events[-1].reply.text == "Hello" and not events[-1].reply.calls
    assert asked.waits == [0.5]


async def test_c14_a_broken_connection_is_a_cut_stream_too(asking: Ask) -> None:
    async def broken(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events(chunk({"content": "par"}))
        exchange.abort()

    async def ended(exchange: Exchange) -> None:
        await exchange.head(chunked=False)
        await exchange.events(chunk({"content": "par"}))
        exchange.close()

    for script in (broken, ended):
        error, count = await failure(asking, script)
        assert (error.code, count) == ("cut_stream", 3)


async def test_c14_half_an_event_at_the_end_is_a_cut(asking: Ask) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.send(b'data: {"choices":[{"delta":{"con')
        await exchange.end()

    assert (await failure(asking, script))[0].code == "cut_stream"


async def test_c14_an_unterminated_done_is_taken(asking: Ask) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events(chunk({"content": "ok"}))
        await exchange.send(b"data: [DONE]")
        await exchange.end()

    async with scripted(script) as server:
        assert (await asking().reply(request(profile("env", server.url)))).text == "ok"


async def test_c14_done_without_a_finish_after_half_a_call_is_a_cut(asking: Ask) -> None:
    script = streams(chunk({"tool_calls": [piece(0, "a1", "read_file", '{"pa')]}))
    assert (await failure(asking, script))[0].code == "cut_stream"


async def test_c14_done_alone_is_no_answer(asking: Ask) -> None:
    assert (await failure(asking, streams()))[0].code == "cut_stream"


@pytest.mark.parametrize("comments", [False, True])
async def test_c14_a_finish_with_the_socket_left_open_ends_after_the_grace(
    asking: Ask, comments: bool
) -> None:
    left = asyncio.Event()

    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events(chunk({"content": "ok"}), chunk(finish="stop"), usage_chunk(7, 3))
        if comments:
            while not left.is_set():
                await exchange.send(b": still here\n\n")
                await asyncio.sleep(0.02)
        await exchange.gone()
        left.set()

    async with scripted(script) as server:
        started = asyncio.get_running_loop().time()
        reply = await asking(patience=QUICK).reply(request(profile("env", server.url)))
        assert 0.15 < asyncio.get_running_loop().time() - started < 3.0
        assert (reply.text, reply.usage.input) == ("ok", 7)
        if not comments:
            await asyncio.wait_for(left.wait(), 2)


async def test_done_with_the_socket_left_open_ends_at_once(asking: Ask) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events(chunk({"content": "ok"}, "stop"), "[DONE]")
        await exchange.gone()

    async with scripted(script) as server:
        async with asyncio.timeout(5):
            assert (await asking().reply(request(profile("env", server.url)))).text == "ok"


async def test_done_ends_the_answer_though_the_server_goes_on_talking(asking: Ask) -> None:
    left = asyncio.Event()

    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events(chunk({"content": "ok"}, "stop"), "[DONE]")
        try:
            while True:
                await exchange.send(b": still here\n\n")
                await asyncio.sleep(0.005)
        finally:
            left.set()

    async with scripted(script) as server:
        async with asyncio.timeout(5):
            assert (await asking().reply(request(profile("env", server.url)))).text == "ok"
            await left.wait()


@pytest.mark.parametrize(
    "filler", [b": waiting\n\n", b'data: {"choices":[{"index":0,"delta":{}}]}\n\n', b"\n"]
)
@pytest.mark.parametrize("begun", [True, False], ids=["in the answer", "before it"])
async def test_a_stream_that_only_keeps_the_connection_busy_is_given_up(
    asking: Ask, filler: bytes, begun: bool
) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.head()
        if begun:
            await exchange.events(chunk({"content": "half"}))
        while True:
            await exchange.send(filler)
            await asyncio.sleep(0.01)

    patience = Patience(first_byte=30, between=30, quiet=0.3, retries=0)
    async with asyncio.timeout(10):
        error, count = await failure(asking, script, patience=patience)
    assert (error.code, count) == ("stalled", 1)


async def test_calls_without_end_are_cut(asking: Ask) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.head()
        for number in range(100_000):
            call = piece(number, f"c{number}", "read_file", "{}")
            await exchange.events(chunk({"tool_calls": [call]}))

    async with asyncio.timeout(20):
        error, count = await failure(asking, script)
    assert (error.code, error.problem.fields["host"][:10], count) == ("endless", "127.0.0.1:", 1)


async def test_what_follows_the_answer_is_no_error(asking: Ask) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events(chunk({"content": "ok"}, "stop"), "{broken")
        exchange.abort()

    async with scripted(script) as server:
        assert (await asking(patience=QUICK).reply(request(profile("env", server.url)))).text == "ok"


async def test_connections_are_used_again(asking: Ask) -> None:
    async with scripted(
        says("one"), says("two"), fails(400, {"error": {"message": "no"}}), says("three")
    ) as server:
        asked, to = asking(), profile("env", server.url)
        assert (await asked.reply(request(to))).text == "one"
        assert (await asked.reply(request(to))).text == "two"
        with pytest.raises(ModelError):
            await asked.reply(request(to))
        assert (await asked.reply(request(to))).text == "three"
        assert server.connections <= 2


async def test_silence_before_the_first_byte_and_in_the_stream(asking: Ask) -> None:
    async def mute(exchange: Exchange) -> None:
        await exchange.gone()

    async def headers_only(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.gone()

    async def stops(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events(chunk({"content": "par"}))
        await exchange.gone()

    for script in (mute, headers_only, stops):
        error, count = await failure(
            asking, script, patience=Patience(connect=0.1, first_byte=0.2, between=0.2)
        )
        assert (error.code, count) == ("stalled", 1)


async def test_cancelling_closes_the_connection_within_300_ms(asking: Ask) -> None:
    begun, gone = asyncio.Event(), asyncio.Event()

    async def streaming(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events(chunk({"content": "par"}))
        begun.set()
        await exchange.gone()
        gone.set()

    async def silent(exchange: Exchange) -> None:
        begun.set()
        await exchange.gone()
        gone.set()

    for script in (streaming, silent):
        begun.clear()
        gone.clear()
        async with scripted(script) as server:
            task = asyncio.create_task(asking().reply(request(profile("env", server.url))))
            await asyncio.wait_for(begun.wait(), 2)
            await asyncio.sleep(0)
            started = asyncio.get_running_loop().time()
            task.cancel()
            await asyncio.wait_for(gone.wait(), 0.3)
            with pytest.raises(asyncio.CancelledError):
                await task
            assert asyncio.get_running_loop().time() - started < 0.3


async def test_closing_the_iterator_closes_the_connection(asking: Ask) -> None:
    gone = asyncio.Event()

    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events(chunk({"content": "par"}))
        await exchange.gone()
        gone.set()

    async with scripted(script) as server:
        async with aclosing(asking().client.stream(request(profile("env", server.url)))) as stream:
            async for event in stream:
                assert isinstance(event, Text)
                break
        await asyncio.wait_for(gone.wait(), 0.3)


async def test_cancelling_while_it_waits_for_the_next_try(asking: Ask) -> None:
    waiting = asyncio.Event()

    async def sleep(seconds: float) -> None:
        waiting.set()
        await asyncio.Event().wait()

    async with scripted(fails(503, b"")) as server:
        asked = asking()
        asked.client._sleep = sleep
        task = asyncio.create_task(asked.reply(request(profile("env", server.url))))
        await asyncio.wait_for(waiting.wait(), 2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(server.requests) == 1

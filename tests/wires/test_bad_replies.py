"""What comes in place of an answer, and answers without end."""

from __future__ import annotations

import gzip
import json
import zlib
from typing import Any

import pytest

from app.models.answer import Bounds, Patience
from tests.servers.scripted import Exchange, chunk, fails, piece, says, scripted, streams
from tests.wires.asking import Ask, failure, profile, request


def stream_of(*payloads: Any, ending: bytes = b"\n") -> bytes:
    events = [*(json.dumps(payload, ensure_ascii=False) for payload in payloads), "[DONE]"]
    return b"".join(b"data: " + event.encode() + ending * 2 for event in events)


PAGE = b"<!DOCTYPE html><html><title>Sign in\n to Wi-Fi</title><body>sk-secret-0123456789</body></html>"


@pytest.mark.parametrize("kind", ["text/html", "text/event-stream", "application/json"])
async def test_a_page_in_place_of_an_answer(asking: Ask, kind: str) -> None:
    error, count = await failure(asking, fails(200, PAGE, kind=kind))
    assert (error.code, count) == ("web_page", 1)
    assert error.problem.detail == "Sign in to Wi-Fi"


async def test_plain_words_in_place_of_an_answer(asking: Ask) -> None:
    error, _ = await failure(asking, fails(200, b"It works!", kind="text/plain"))
    assert error.code == "bad_reply" and "It works!" in error.problem.detail


async def test_an_answer_that_is_not_streamed(asking: Ask) -> None:
    whole = {
        "model": "m",
        "choices": [
            {
                "message": {
                    "role": "assistant",
                    "content": "ok",
                    "tool_calls": [piece(None, "a1", "list_dir", "{}")],
                },
                "finish_reason": "tool_calls",
            }
        ],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2},
    }
    async with scripted(fails(200, whole)) as server:
        events = await asking().events(request(profile("env", server.url)))
    reply = events[-1].reply
    assert (reply.text, reply.calls[0].name, reply.usage.input, reply.finish) == (
        "ok",
        "list_dir",
        3,
        "calls",
    )


async def test_an_error_that_comes_as_a_200(asking: Ask) -> None:
    error, count = await failure(
        asking, fails(200, {"error": {"message": "Rate limit reached, try again in 2s", "code": 429}})
    )
    assert (error.code, error.retry_after, count) == ("rate_limit", 2.0, 6)


async def test_half_json_and_wrong_json(asking: Ask) -> None:
    whole = json.dumps({"choices": [{"message": {"content": "ok"}}]}).encode()
    assert (await failure(asking, fails(200, whole[:20])))[0].code == "cut_stream"
    assert (await failure(asking, fails(200, b"{'choices': 1}")))[0].code == "bad_reply"
    assert (await failure(asking, fails(200, b"[1, 2]")))[0].code == "bad_reply"
    error, count = await failure(asking, streams(chunk({"content": "x"}), "{broken json"))
    assert (error.code, count) == ("bad_reply", 1)
    assert (await failure(asking, streams("[1]")))[0].code == "bad_reply"


async def test_nothing_at_all(asking: Ask) -> None:
    async def closes(exchange: Exchange) -> None:
        exchange.close()

    error, count = await failure(asking, closes)
    assert (error.code, count) == ("server_error", 3)
    error, count = await failure(asking, fails(200, b""))
    assert (error.code, count) == ("cut_stream", 3)


async def test_strange_shapes_are_survived(asking: Ask) -> None:
    odd = [
        {"choices": None},
        {"choices": [None, 3]},
        {"choices": [{"delta": None}]},
        {"choices": [{"delta": {"content": 3}}]},
        {"choices": [{"delta": {"tool_calls": [None, 1, {}]}}]},
        {"choices": [{"delta": {"tool_calls": "x", "reasoning": {"a": 1}}}]},
        {"choices": [{"index": "x", "delta": {"tool_calls": [{"index": "0", "function": None, "id": 7}]}}]},
        {"type": "ping"},
        {},
        {"choices": [], "usage": {"prompt_tokens": "many", "completion_tokens": -4, "total_tokens": 1e99}},
        {"error": None, "model": 4},
        chunk({"content": "ok"}),
        chunk(finish="stop"),
    ]
    async with scripted(streams(*odd)) as server:
        reply = await asking().reply(request(profile("env", server.url)))
    assert (reply.text, reply.calls) == ("ok", ())


@pytest.mark.parametrize("kind", ["text", "reasoning", "arguments"])
async def test_a_server_that_never_stops(asking: Ask, kind: str) -> None:
    deltas = {
        "text": {"content": "y" * 1000},
        "reasoning": {"reasoning_content": "y" * 1000},
        "arguments": {"tool_calls": [piece(0, "a1", "read_file", "y" * 1000)]},
    }

    async def script(exchange: Exchange) -> None:
        await exchange.head()
        while True:
            await exchange.events(chunk(deltas[kind]))

    error, count = await failure(asking, script, bounds=Bounds(characters=50_000), patience=Patience())
    assert (error.code, count) == ("endless", 1)


@pytest.mark.parametrize("piece_of_line", [b"data: " + b"x" * 4096, b" " * 4096, b": comment" * 500 + b"\n"])
async def test_a_line_or_comments_that_never_stop(asking: Ask, piece_of_line: bytes) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.head()
        while True:
            await exchange.send(piece_of_line)

    error, count = await failure(
        asking, script, bounds=Bounds(line=100_000, raw=1_000_000), patience=Patience()
    )
    assert (error.code, count) == ("endless", 1)


async def test_json_that_never_stops(asking: Ask) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.head(kind="application/json")
        await exchange.send(b'{"choices": "')
        while True:
            await exchange.send(b"x" * 4096)

    assert (await failure(asking, script, bounds=Bounds(whole=100_000), patience=Patience()))[
        0
    ].code == "endless"


async def test_no_compression_is_asked_for(asking: Ask) -> None:
    async with scripted(says("ok")) as server:
        await asking().reply(request(profile("env", server.url)))
        assert server.requests[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "identity"])
async def test_a_compressed_stream_is_read_all_the_same(asking: Ask, encoding: str) -> None:
    data = stream_of(chunk({"content": "packed 🍍"}), chunk(finish="stop"))
    packed = {"gzip": gzip.compress(data), "deflate": zlib.compress(data), "identity": data}[encoding]

    async def script(exchange: Exchange) -> None:
        await exchange.head(headers={"content-encoding": encoding})
        for place in range(0, len(packed), 7):
            await exchange.send(packed[place : place + 7])
        await exchange.end()

    async with scripted(script) as server:
        assert (await asking().reply(request(profile("env", server.url)))).text == "packed 🍍"


async def test_a_compressed_bomb_stays_small(asking: Ask) -> None:
    import tracemalloc

    bomb = gzip.compress(b"data: " + b" " * 200_000_000, 9)
    assert len(bomb) < 300_000

    async def script(exchange: Exchange) -> None:
        await exchange.head(headers={"content-encoding": "gzip"})
        await exchange.send(bomb)
        await exchange.end()

    tracemalloc.start()
    try:
        error, _ = await failure(asking, script)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert error.code == "endless"
    assert peak < 40_000_000


async def test_an_unknown_compression_is_refused(asking: Ask) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.head(headers={"content-encoding": "br"})
        await exchange.send(b"\x00\x01")
        await exchange.end()

    assert (await failure(asking, script))[0].code == "bad_reply"


async def test_damaged_compression_is_a_bad_reply(asking: Ask) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.head(headers={"content-encoding": "gzip"})
        await exchange.send(b"this is not gzip")
        await exchange.end()

    assert (await failure(asking, script))[0].code == "bad_reply"

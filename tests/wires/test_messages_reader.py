"""How a Messages answer is read: every event, every end, every error, also when it is not streamed."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import Any

import pytest

from app.models.answer import Bounds, Patience
from app.models.profile import Profile
from app.models.request import CallPart, Finished, Reasoning, Reply, Restarted, Text, Waiting
from app.records import Usage
from tests.servers import anthropic
from tests.servers.anthropic import block, end, error, says, start, streams, text, thinking, tool_use
from tests.servers.scripted import Exchange, Script, scripted
from tests.wires import asking as asks
from tests.wires.asking import KEY, Ask, assistant, profile, request, result, user

refused = partial(asks.refused, name="anthropic")


def claude(url: str) -> Profile:
    return profile("anthropic", url)


async def read(asking: Ask, *scripts: Script, **fields: Any) -> Reply:
    async with scripted(*scripts) as server:
        return await asking(key=KEY).reply(request(claude(server.url), **fields))


async def test_headers_and_path(asking: Ask) -> None:
    async with scripted(says("ok")) as server:
        await asking(key=KEY).reply(request(claude(server.url)))
        asked = server.requests[0]
    assert asked.path == "/v1/messages" and asked.headers["x-api-key"] == KEY
    assert asked.headers["anthropic-version"] == "2023-06-01" and "authorization" not in asked.headers


async def test_text_pings_and_what_nobody_knows(asking: Ask) -> None:
    script = streams(
        start(),
        {"type": "ping"},
        {"type": "something_new", "data": 3},
        block(
            0,
            {"type": "text", "text": "H"},
            {"type": "text_delta", "text": "el"},
            {"type": "new_delta", "x": 1},
        ),
        block(1, {"type": "text", "text": ""}, {"type": "text_delta", "text": "lo"}),
        {"type": "content_block_delta", "index": 7, "delta": {"type": "text_delta", "text": "lost"}},
        end(),
    )
    async with scripted(script) as server:
        events = await asking(key=KEY).events(request(claude(server.url)))
    assert [one.text for one in events if isinstance(one, Text)] == ["H", "el", "lo"]
    reply = events[-1].reply
    assert (reply.text, reply.finish, reply.calls, reply.model) == ("Hello", "stop", (), "test-model")


async def test_parallel_calls_in_pieces_and_an_input_of_nothing(asking: Ask) -> None:
    script = streams(
        start(),
        text(0, "I look."),
        tool_use(1, "toolu_1", "read_file", {"path": "ä/🍍.txt"}),
        tool_use(2, "toolu_2", "list_dir"),
        tool_use(3, "", "list_dir", "{}"),
        block(4, {"type": "tool_use", "id": "toolu_1", "name": "whole", "input": {"a": 1}}),
        end("tool_use"),
    )
    async with scripted(script) as server:
        events = await asking(key=KEY).events(request(claude(server.url)))
    reply = events[-1].reply
    assert [(one.id, one.name, json.loads(one.arguments)) for one in reply.calls] == [
        ("toolu_1", "read_file", {"path": "ä/🍍.txt"}),
        ("toolu_2", "list_dir", {}),
        ("minted_1", "list_dir", {}),
        ("minted_2", "whole", {"a": 1}),
    ]
    assert reply.finish == "calls" and reply.extra == {}
    parts = [one for one in events if isinstance(one, CallPart)]
    assert {part.index for part in parts} == {0, 1, 2, 3}
    assert [part.size for part in parts if part.index == 0][-1] == len(reply.calls[0].arguments)


async def test_an_id_that_the_conversation_has_used_is_made_anew(asking: Ask) -> None:
    script = streams(start(), tool_use(0, "toolu_1", "list_dir"), end("tool_use"))
    async with scripted(script) as server:
        reply = await asking(key=KEY).reply(request(claude(server.url)))
        said = (user("x"), assistant("", *reply.calls), result("toolu_1"))
        again = await asking(key=KEY).reply(request(claude(server.url), *said))
    assert [reply.calls[0].id, again.calls[0].id] == ["toolu_1", "minted_1"]


async def test_thinking_is_shown_kept_and_sent_back_unchanged(asking: Ask) -> None:
    script = streams(
        start(),
        thinking(0, "Let me see.", "sig-1"),
        block(1, {"type": "redacted_thinking", "data": "secret"}),
        text(2, "I look. "),
        tool_use(3, "toolu_1", "list_dir"),
        thinking(4, "", "sig-2"),
        text(5, "And again."),
        tool_use(6, "toolu_2", "list_dir"),
        end("tool_use"),
    )
    async with scripted(script, says("done")) as server:
        to, model = claude(server.url), "claude-sonnet-5-5"
        client = asking(key=KEY)
        events = await client.events(request(to, model=model))
        reply = events[-1].reply
        assert [one.text for one in events if isinstance(one, Reasoning)] == ["Let me see.", "\n\n"]
        assert reply.text == "I look. And again."
        answer = assistant(reply.text, *reply.calls, model=f"anthropic/{model}", extra=reply.extra)
        said = (user("x"), answer, result("toolu_1"), result("toolu_2"))
        await client.reply(request(to, *said, model=model))
        sent = server.requests[1].json["messages"][1]["content"]
    assert sent == [
        {"type": "thinking", "thinking": "Let me see.", "signature": "sig-1"},
        {"type": "redacted_thinking", "data": "secret"},
        {"type": "text", "text": "I look. "},
        {"type": "tool_use", "id": "toolu_1", "name": "list_dir", "input": {}},
        {"type": "thinking", "thinking": "", "signature": "sig-2"},
        {"type": "text", "text": "And again."},
        {"type": "tool_use", "id": "toolu_2", "name": "list_dir", "input": {}},
    ]


async def test_texts_with_something_between_are_parted_for_a_person_but_not_for_the_model(
    asking: Ask,
) -> None:
    script = streams(start(), text(0, "One."), thinking(1, "Hm."), text(2, "Two."), end())
    async with scripted(script, says("ok")) as server:
        client = asking(key=KEY)
        reply = await client.reply(request(claude(server.url)))
        answer = assistant(reply.text, model="anthropic/test-model", extra=reply.extra)
        await client.reply(request(claude(server.url), user("x"), answer, user("y")))
        sent = server.requests[1].json["messages"][1]["content"]
    assert reply.text == "One.\n\nTwo."
    assert [one.get("text", "") for one in sent] == ["One.", "", "Two."]


async def test_thinking_without_a_signature_is_not_kept(asking: Ask) -> None:
    reply = await read(asking, streams(start(), thinking(0, "Hm.", ""), text(1, "Hi"), end()))
    assert (reply.text, reply.reasoning, reply.extra) == ("Hi", "Hm.", {})


async def test_halves_of_a_letter_in_two_pieces(asking: Ask) -> None:
    pieces = block(0, {"type": "text", "text": ""}, *({"type": "text_delta", "text": one} for one in "ab"))
    raw = [json.dumps(one) for one in [start(), *pieces, *end()]]
    raw[2], raw[3] = raw[2].replace('"a"', '"x\\ud83d"'), raw[3].replace('"b"', '"\\ude00y\\ud83d"')

    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events(*raw)
        await exchange.end()

    assert (await read(asking, script)).text == "x😀y"


# --- ends --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "refused"),
        ("pause_turn", "paused"),
        ("something_new", "stop"),
    ],
)
async def test_every_reason_to_stop(asking: Ask, reason: str, finish: str) -> None:
    reply = await read(asking, streams(start(), text(0, "Hi"), end(reason)))
    assert (reply.text, reply.finish) == ("Hi", finish)


async def test_a_call_that_the_limit_cut_is_dropped_and_a_whole_one_is_not(asking: Ask) -> None:
    whole, half = tool_use(0, "t1", "list_dir", {}), tool_use(1, "t2", "read_file", '{"path": "a')
    reply = await read(asking, streams(start(), whole, half, end("max_tokens")))
    assert [one.id for one in reply.calls] == ["t1"] and reply.finish == "calls"
    reply = await read(asking, streams(start(), text(0, "Hi"), half, end("max_tokens")))
    assert (reply.calls, reply.finish, reply.text) == ((), "length", "Hi")


async def test_a_refused_answer_calls_nothing(asking: Ask) -> None:
    reply = await read(asking, streams(start(), tool_use(0, "t1", "list_dir", {}), end("refusal")))
    assert (reply.calls, reply.finish) == ((), "refused")


async def test_arguments_that_are_no_json_are_left_to_the_turn(asking: Ask) -> None:
    reply = await read(
        asking, streams(start(), tool_use(0, "t1", "read_file", '{"path": oops}'), end("tool_use"))
    )
    assert reply.calls[0].arguments == '{"path": oops}'
    reply = await read(
        asking, streams(start(), tool_use(0, "t1", "x", '{"a": "line\nend"}'), end("tool_use"))
    )
    assert json.loads(reply.calls[0].arguments) == {"a": "line\nend"}


async def test_a_paused_answer_goes_back_as_it_is(asking: Ask) -> None:
    search = {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {}}
    found = {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": [{"title": "x"}]}
    script = streams(
        start(),
        text(0, "I search."),
        block(1, search, {"type": "input_json_delta", "partial_json": '{"query": "x"}'}),
        block(2, found),
        end("pause_turn"),
    )
    async with scripted(script, says("ok")) as server:
        client, to = asking(key=KEY), claude(server.url)
        reply = await client.reply(request(to))
        answer = assistant(reply.text, model="anthropic/test-model", extra=reply.extra)
        await client.reply(request(to, user("x"), answer))
        sent = server.requests[1].json["messages"]
    assert reply.finish == "paused" and [one["role"] for one in sent] == ["user", "assistant"]
    assert sent[1]["content"] == [
        {"type": "text", "text": "I search."},
        {**search, "input": {"query": "x"}},
        found,
    ]


# --- usage -------------------------------------------------------------------------------------------------


async def test_usage_counts_what_the_cache_read_and_wrote_as_input(asking: Ask) -> None:
    began = start(cache_creation_input_tokens=200, cache_read_input_tokens=3000, output_tokens=1)
    reply = await read(asking, streams(began, text(0, "Hi"), end(output_tokens=42)))
    assert reply.usage == Usage(input=3210, output=42, cached=3000, written=200)


async def test_usage_of_the_end_wins_and_tells_thinking(asking: Ask) -> None:
    late = end(input_tokens=12, cache_read_input_tokens=100, output_tokens=50)
    late[0]["usage"]["output_tokens_details"] = {"thinking_tokens": 30}
    reply = await read(asking, streams(start(), text(0, "Hi"), late))
    assert reply.usage == Usage(input=112, output=50, cached=100, reasoning=30)


async def test_usage_that_is_not_told_is_an_estimate(asking: Ask) -> None:
    silent = [{**start(), "message": {"model": "m"}}, *text(0, "Hi there"), *end()]
    silent[-2].pop("usage")
    reply = await read(asking, streams(silent))
    assert not reply.usage.exact and reply.usage.input > 0
    empty = start()
    empty["message"]["usage"] = {"input_tokens": 0, "output_tokens": 7}
    reply = await read(asking, streams(empty, text(0, "Hi there"), end()))
    assert not reply.usage.exact and reply.usage.input > 0


# --- not streamed ------------------------------------------------------------------------------------------


def whole(payload: Any) -> Script:
    async def script(exchange: Exchange) -> None:
        await exchange.answer(200, payload)

    return script


async def test_an_answer_as_one_value(asking: Ask) -> None:
    payload = {
        "type": "message",
        "model": "m",
        "content": [
            {"type": "thinking", "thinking": "Hm.", "signature": "s"},
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "t1", "name": "list_dir", "input": {"path": "."}},
        ],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 3, "output_tokens": 4},
    }
    reply = await read(asking, whole(payload))
    assert (reply.text, reply.reasoning, reply.finish, reply.model) == ("I look.", "Hm.", "calls", "m")
    assert json.loads(reply.calls[0].arguments) == {"path": "."} and len(reply.extra["blocks"]) == 3
    assert reply.usage == Usage(input=3, output=4)


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        ({"type": "message"}, "bad_reply"),
        ([], "bad_reply"),
        (error("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"), "overflow"),
    ],
)
async def test_what_is_no_answer(asking: Ask, payload: Any, code: str) -> None:
    assert (await refused(asking, whole(payload)))[0].code == code


# --- cut, endless, stalled ---------------------------------------------------------------------------------


@pytest.mark.parametrize("after", range(7))
async def test_a_stream_that_breaks_off_is_cut_and_tried_again(asking: Ask, after: int) -> None:
    events = [start(), *text(0, "I look."), *tool_use(1, "t1", "list_dir", {"path": "."})][: after + 1]
    async with scripted(streams(events), says("Whole.")) as server:
        asked = asking(key=KEY)
        found = await asked.events(request(claude(server.url)))
    kinds = [type(one) for one in found]
    assert Waiting in kinds and (after < 2 or Restarted in kinds)
    assert isinstance(found[-1], Finished) and found[-1].reply.text == "Whole." and not found[-1].reply.calls


async def test_an_end_without_a_reason_counts_where_something_was_said(asking: Ask) -> None:
    assert (await read(asking, streams(start(), text(0, "Hi"), {"type": "message_stop"}))).text == "Hi"
    failure, _, count = await refused(asking, streams(start(), {"type": "message_stop"}))
    assert (failure.code, count) == ("cut_stream", 3)
    half = tool_use(0, "t1", "read_file", '{"pa')
    assert (await refused(asking, streams(start(), half, {"type": "message_stop"})))[0].code == "cut_stream"


async def test_an_answer_without_end_is_cut(asking: Ask) -> None:
    many = streams(start(), text(0, *["x" * 100] * 20), end())
    assert (await refused(asking, many, bounds=Bounds(characters=1_000)))[0].code == "endless"
    signed = streams(start(), thinking(0, "", "s" * 2_000), end())
    assert (await refused(asking, signed, bounds=Bounds(characters=1_000)))[0].code == "endless"
    blocks = streams(start(), *(text(at) for at in range(2_100)), end())
    assert (await refused(asking, blocks))[0].code == "endless"


async def test_a_server_that_only_pings_is_given_up(asking: Ask) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await anthropic.send(exchange, start())
        while True:
            await anthropic.send(exchange, {"type": "ping"})
            await asyncio.sleep(0.01)

    patience = Patience(first_byte=30, between=30, quiet=0.3, retries=0)
    assert (await refused(asking, script, patience=patience))[0].code == "stalled"


async def test_the_socket_may_stay_open_after_the_end(asking: Ask) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await anthropic.send(exchange, start(), *text(0, "ok"), *end())
        await exchange.gone()

    async with scripted(script) as server, asyncio.timeout(5):
        assert (await asking(key=KEY).reply(request(claude(server.url)))).text == "ok"


@pytest.mark.parametrize("piece", ["3", "{half", '"text"'])
async def test_pieces_that_are_none(asking: Ask, piece: str) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events(piece)
        await exchange.end()

    assert (await refused(asking, script))[0].code == "bad_reply"


@pytest.mark.parametrize("shape", [None, 3, "x", [], {}, {"type": 3}])
async def test_odd_shapes_inside_events_bring_nothing(asking: Ask, shape: Any) -> None:
    odd = [
        {"type": "message_start", "message": shape},
        {"type": "content_block_start", "index": shape, "content_block": shape},
        {"type": "content_block_delta", "index": shape, "delta": shape},
        {"type": "message_delta", "delta": shape, "usage": shape},
    ]
    assert (await read(asking, streams(odd, text(9, "Hi"), end()))).text == "Hi"

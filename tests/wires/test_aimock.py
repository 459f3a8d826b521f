"""The client against an independent implementation of the protocol, in good order and in bad."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from app.errors import ModelError
from app.models.answer import Patience
from app.models.client import body
from app.models.request import Finished, Restarted, Text, Waiting
from tests.servers.aimock import Aimock
from tests.wires.asking import Ask, assistant, profile, request, result, user

TWO_CALLS: dict[str, Any] = {
    "toolCalls": [
        {"id": "call_one", "name": "read_file", "arguments": {"path": "ä/🍍.txt"}},
        {"id": "call_two", "name": "list_dir", "arguments": {}},
    ]
}


def requests(server: Aimock) -> list[dict[str, Any]]:
    """The chat requests of the journal."""
    return [entry for entry in server.journal() if entry["path"].startswith("/v1/chat/completions")]


async def test_a_turn_with_parallel_calls(asking: Ask, aimock: Aimock) -> None:
    aimock.add({"userMessage": "look around", "hasToolResult": False}, TWO_CALLS, chunkSize=3)
    aimock.add({"toolCallId": "call_two"}, {"content": "Two things 🍍 and more."}, chunkSize=2)
    client, to = asking(key="sk-test"), profile("env", aimock.url)
    first = request(to, user("Please look around"), system="Be kind.")
    reply = await client.reply(first)
    assert [(call.id, call.name, json.loads(call.arguments)) for call in reply.calls] == [
        ("call_one", "read_file", {"path": "ä/🍍.txt"}),
        ("call_two", "list_dir", {}),
    ]
    assert reply.finish == "calls" and reply.usage.exact and reply.usage.input > 0
    answer = assistant(reply.text, *reply.calls, model="env/test-model", extra=reply.extra)
    second = request(
        to, user("Please look around"), answer, result("call_one"), result("call_two"), system="Be kind."
    )
    events = await client.events(second)
    assert events[-1].reply.text == "Two things 🍍 and more."
    assert "".join(event.text for event in events if isinstance(event, Text)) == events[-1].reply.text
    seen = requests(aimock)
    assert [entry["response"]["status"] for entry in seen] == [200, 200]
    assert seen[1]["body"]["messages"] == json.loads(body(second))["messages"]
    assert seen[1]["body"]["tools"] == seen[0]["body"]["tools"]


async def test_text_first_and_calls_between(asking: Ask, aimock: Aimock) -> None:
    blocks = [
        {"type": "text", "text": "I look. "},
        {"type": "toolCall", "id": "call_a", "name": "read_file", "arguments": {"path": "a"}},
        {"type": "text", "text": "And again."},
        {"type": "toolCall", "id": "call_b", "name": "read_file", "arguments": {"path": "b"}},
    ]
    aimock.add({"userMessage": "mixed"}, {"blocks": blocks})
    reply = await asking().reply(request(profile("env", aimock.url), user("mixed")))
    assert reply.text == "I look. And again."
    assert [(call.id, json.loads(call.arguments)) for call in reply.calls] == [
        ("call_a", {"path": "a"}),
        ("call_b", {"path": "b"}),
    ]


async def test_reasoning(asking: Ask, aimock: Aimock) -> None:
    aimock.add({"userMessage": "think"}, {"content": "42", "reasoning": "Let me see."})
    reply = await asking().reply(request(profile("env", aimock.url), user("think")))
    assert (reply.text, reply.reasoning) == ("42", "Let me see.")


async def test_a_stream_that_is_cut(asking: Ask, aimock: Aimock) -> None:
    long = {"content": "This will be cut short before it comes to its end."}
    aimock.add(
        {"userMessage": "story", "sequenceIndex": 0}, long, chunkSize=5, truncateAfterChunks=4, latency=20
    )
    aimock.add({"userMessage": "story"}, {"content": "The whole story."})
    asked = asking()
    events = await asked.events(request(profile("env", aimock.url), user("story")))
    kinds = [type(event) for event in events]
    assert kinds.index(Text) < kinds.index(Waiting) < kinds.index(Restarted)
    assert isinstance(events[-1], Finished) and events[-1].reply.text == "The whole story."
    assert len(requests(aimock)) == 2


@pytest.mark.parametrize(
    ("rates", "code", "count"),
    [
        ({"dropRate": 1.0}, "server_error", 3),
        ({"disconnectRate": 1.0}, "server_error", 3),
        ({"malformedRate": 1.0}, "bad_reply", 1),
        ({"rateLimitRate": 1.0}, "rate_limit", 6),
    ],
)
async def test_chaos(asking: Ask, aimock: Aimock, rates: dict[str, float], code: str, count: int) -> None:
    aimock.add({"userMessage": "x"}, {"content": "fine"})
    aimock.chaos(**rates)
    asked = asking()
    with pytest.raises(ModelError) as caught:
        await asked.reply(request(profile("env", aimock.url), user("x")))
    assert caught.value.code == code
    assert len(asked.waits) == count - 1


async def test_rate_limit_says_how_long_and_then_passes(asking: Ask, aimock: Aimock) -> None:
    limited = {
        "error": {"message": "Rate limited", "type": "rate_limit_error"},
        "status": 429,
        "retryAfter": 3,
    }
    aimock.add({"userMessage": "x", "sequenceIndex": 0}, limited)
    aimock.add({"userMessage": "x"}, {"content": "fine"})
    asked = asking()
    assert (await asked.reply(request(profile("env", aimock.url), user("x")))).text == "fine"
    assert len(asked.waits) == 1


async def test_latency_is_waited_for_or_not(asking: Ask, aimock: Aimock) -> None:
    aimock.add({"userMessage": "x"}, {"content": "fine"})
    aimock.chaos(latencyMs=400)
    to = profile("env", aimock.url)
    assert (await asking().reply(request(to, user("x")))).text == "fine"
    with pytest.raises(ModelError) as caught:
        await asking(patience=Patience(connect=0.05, first_byte=0.05)).reply(request(to, user("x")))
    assert caught.value.code == "stalled"


@pytest.mark.parametrize(
    ("status", "code"),
    [(401, "bad_key"), (402, "no_credit"), (404, "no_endpoint"), (413, "overflow"), (503, "server_error")],
)
async def test_errors(asking: Ask, aimock: Aimock, status: int, code: str) -> None:
    aimock.add({"userMessage": "x"}, {"error": {"message": "No.", "type": "some_error"}, "status": status})
    with pytest.raises(ModelError) as caught:
        await asking(key="sk-test").reply(request(profile("env", aimock.url), user("x")))
    assert (caught.value.code, caught.value.status) == (code, status)


async def test_what_no_fixture_matches_is_an_error(asking: Ask, aimock: Aimock) -> None:
    with pytest.raises(ModelError):
        await asking().reply(request(profile("env", aimock.url), user("nobody expects this")))


async def test_four_side_by_side(asking: Ask, aimock: Aimock) -> None:
    for number in range(4):
        aimock.add({"userMessage": f"number {number}"}, {"content": f"answer {number} " * 50}, chunkSize=4)
    client, to = asking(), profile("env", aimock.url)
    replies = await asyncio.gather(
        *(client.reply(request(to, user(f"number {number}"))) for number in range(4))
    )
    assert [reply.text for reply in replies] == [f"answer {number} " * 50 for number in range(4)]

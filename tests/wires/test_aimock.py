"""Each wire against an independent implementation of it, in good order and in bad."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from app.errors import ModelError
from app.models.answer import Patience
from app.models.client import body
from app.models.messages import layout as messages
from app.models.profile import Profile
from app.models.request import Finished, Reasoning, Restarted, Text, Waiting
from app.models.responses import layout as responses
from tests.conversation.story import unmarked
from tests.servers.aimock import Aimock
from tests.wires.asking import Ask, assistant, request, result, speaking, user
from tests.wires.failing import PATHS, WIRES

TWO_CALLS: dict[str, Any] = {
    "reasoning": "Both at once.",
    "toolCalls": [
        {"id": "call_one", "name": "read_file", "arguments": {"path": "ä/🍍.txt"}},
        {"id": "call_two", "name": "list_dir", "arguments": {}},
    ],
}
KEPT = {
    "responses": (responses.FIELD, ["reasoning", "function_call", "function_call"]),
    "messages": (messages.FIELD, ["thinking", "tool_use", "tool_use"]),
}
"""Where an answer's parts are kept as they came, and of which kinds these are."""
EVENTS = {"chat": 4, "responses": 10, "messages": 10}
"""Events of an answer after which some of its text has come, and not all."""


@pytest.fixture(params=WIRES)
def wire(request: pytest.FixtureRequest) -> str:
    """The wire that is spoken."""
    return str(request.param)


@pytest.fixture
def to(wire: str, aimock: Aimock) -> Profile:
    """A profile that speaks the wire to the server."""
    return speaking(wire, aimock.url)


def requests(server: Aimock, wire: str) -> list[dict[str, Any]]:
    """The requests of a wire in the journal."""
    return [entry for entry in server.journal() if entry["path"].startswith(f"/v1{PATHS[wire]}")]


async def test_a_turn_with_reasoning_and_parallel_calls(
    asking: Ask, aimock: Aimock, wire: str, to: Profile
) -> None:
    aimock.add({"userMessage": "look around", "hasToolResult": False}, TWO_CALLS, chunkSize=3)
    aimock.add({"toolCallId": "call_two"}, {"content": "Two things 🍍 and more."}, chunkSize=2)
    client = asking(key="sk-test")
    first = request(to, user("Please look around"), system="Be kind.")
    reply = await client.reply(first)
    assert [(call.id, call.name, json.loads(call.arguments)) for call in reply.calls] == [
        ("call_one", "read_file", {"path": "ä/🍍.txt"}),
        ("call_two", "list_dir", {}),
    ]
    assert (reply.finish, reply.reasoning) == ("calls", "Both at once.")
    # It counts tokens on Chat Completions alone, and says 0 elsewhere.
    assert reply.usage.input > 0 and reply.usage.exact is (wire == "chat")
    if wire in KEPT:
        field, kinds = KEPT[wire]
        assert [part["type"] for part in reply.extra[field]] == kinds
    answer = assistant(reply.text, *reply.calls, model="env/test-model", extra=reply.extra)
    said = (user("Please look around"), answer, result("call_one"), result("call_two"))
    second = request(to, *said, system="Be kind.")
    events = await client.events(second)
    assert events[-1].reply.text == "Two things 🍍 and more."
    assert "".join(event.text for event in events if isinstance(event, Text)) == events[-1].reply.text
    before, after = (json.dumps(unmarked(json.loads(body(one)))) for one in (first, second))
    assert after.startswith(before[: before.rindex("]}")])
    seen = requests(aimock, wire)
    assert [entry["response"]["status"] for entry in seen] == [200, 200]
    read = seen[1]["body"]["messages"]  # as it understood them, in the words of Chat Completions
    roles = [one["role"] for one in read]
    assert roles[:3] == ["system", "user", "assistant"] and set(roles[3:-2]) <= {"assistant"}
    made = [call["id"] for one in read for call in one.get("tool_calls", ())]
    told = [one["tool_call_id"] for one in read if one["role"] == "tool"]
    assert made == told == ["call_one", "call_two"] and roles[-2:] == ["tool", "tool"]


async def test_text_reasoning_and_calls_between(asking: Ask, aimock: Aimock, to: Profile) -> None:
    blocks = [
        {"type": "text", "text": "I look. "},
        {"type": "toolCall", "id": "call_a", "name": "read_file", "arguments": {"path": "a"}},
        {"type": "text", "text": "And again."},
        {"type": "toolCall", "id": "call_b", "name": "read_file", "arguments": {"path": "b"}},
    ]
    aimock.add({"userMessage": "mixed"}, {"blocks": blocks})
    aimock.add({"userMessage": "think"}, {"content": "42", "reasoning": "Let me see."}, chunkSize=3)
    client = asking()
    reply = await client.reply(request(to, user("mixed")))
    assert [(call.id, json.loads(call.arguments)) for call in reply.calls] == [
        ("call_a", {"path": "a"}),
        ("call_b", {"path": "b"}),
    ]
    assert "I look. " in reply.text and reply.text.endswith("And again.")
    events = await client.events(request(to, user("think")))
    thought = "".join(event.text for event in events if isinstance(event, Reasoning))
    assert (events[-1].reply.text, thought) == ("42", "Let me see.")


async def test_a_stream_that_is_cut(asking: Ask, aimock: Aimock, wire: str, to: Profile) -> None:
    long = {"content": "This will be cut short before it comes to its end."}
    cut = {"chunkSize": 5, "truncateAfterChunks": EVENTS[wire], "latency": 20}
    aimock.add({"userMessage": "story", "sequenceIndex": 0}, long, **cut)
    aimock.add({"userMessage": "story"}, {"content": "The whole story."})
    events = await asking().events(request(to, user("story")))
    kinds = [type(event) for event in events]
    assert kinds.index(Text) < kinds.index(Waiting) < kinds.index(Restarted)
    assert isinstance(events[-1], Finished) and events[-1].reply.text == "The whole story."
    assert len(requests(aimock, wire)) == 2


@pytest.mark.parametrize(
    ("rates", "code", "count"),
    [
        ({"dropRate": 1.0}, "server_error", 3),
        ({"disconnectRate": 1.0}, "server_error", 3),
        ({"malformedRate": 1.0}, "bad_reply", 1),
        ({"rateLimitRate": 1.0}, "rate_limit", 6),
    ],
    ids=["drop", "disconnect", "malformed", "429"],
)
async def test_chaos(
    asking: Ask, aimock: Aimock, wire: str, to: Profile, rates: dict[str, float], code: str, count: int
) -> None:
    aimock.add({"userMessage": "x"}, {"content": "fine"})
    aimock.chaos(**rates)
    asked = asking()
    with pytest.raises(ModelError) as caught:
        await asked.reply(request(to, user("x")))
    assert (caught.value.code, len(asked.waits)) == (code, count - 1)
    assert len(requests(aimock, wire)) == count


async def test_rate_limit_says_how_long_and_then_passes(asking: Ask, aimock: Aimock, to: Profile) -> None:
    limited = {
        "error": {"message": "Rate limited", "type": "rate_limit_error"},
        "status": 429,
        "retryAfter": 3,
    }
    aimock.add({"userMessage": "x", "sequenceIndex": 0}, limited)
    aimock.add({"userMessage": "x"}, {"content": "fine"})
    asked = asking()
    assert (await asked.reply(request(to, user("x")))).text == "fine"
    assert len(asked.waits) == 1


async def test_latency_is_waited_for_or_not(asking: Ask, aimock: Aimock, to: Profile) -> None:
    aimock.add({"userMessage": "x"}, {"content": "fine"})
    aimock.chaos(latencyMs=400)
    assert (await asking().reply(request(to, user("x")))).text == "fine"
    with pytest.raises(ModelError) as caught:
        await asking(patience=Patience(connect=0.05, first_byte=0.05)).reply(request(to, user("x")))
    assert caught.value.code == "stalled"


@pytest.mark.parametrize(
    ("status", "code"),
    [(401, "bad_key"), (402, "no_credit"), (404, "no_endpoint"), (413, "overflow"), (503, "server_error")],
)
async def test_errors(asking: Ask, aimock: Aimock, to: Profile, status: int, code: str) -> None:
    aimock.add({"userMessage": "x"}, {"error": {"message": "No.", "type": "some_error"}, "status": status})
    with pytest.raises(ModelError) as caught:
        await asking(key="sk-test").reply(request(to, user("x")))
    assert (caught.value.code, caught.value.status) == (code, status)


async def test_an_answer_that_hits_the_limit(asking: Ask, aimock: Aimock, to: Profile) -> None:
    aimock.add({"userMessage": "x"}, {"content": "half an ans", "finishReason": "length"})
    reply = await asking().reply(request(to, user("x")))
    assert (reply.text, reply.finish) == ("half an ans", "length")


async def test_what_no_fixture_matches_is_an_error(asking: Ask, aimock: Aimock, to: Profile) -> None:
    with pytest.raises(ModelError) as caught:
        await asking().reply(request(to, user("nobody expects this")))
    assert caught.value.code == "server_error"


async def test_four_side_by_side(asking: Ask, aimock: Aimock, to: Profile) -> None:
    for number in range(4):
        aimock.add({"userMessage": f"number {number}"}, {"content": f"answer {number} " * 50}, chunkSize=4)
    client = asking()
    replies = await asyncio.gather(
        *(client.reply(request(to, user(f"number {number}"))) for number in range(4))
    )
    assert [reply.text for reply in replies] == [f"answer {number} " * 50 for number in range(4)]

"""Each wire against a server that breaks on demand and judges its client: waits are real here."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from app.errors import ModelError
from app.models.answer import Patience
from app.models.client import ModelClient
from app.models.profile import Profile
from app.models.request import Finished, ModelEvent, ModelRequest, Reply, Restarted, Text, Waiting
from tests.servers.llmock import Llmock
from tests.wires.asking import LIST, READ, Asking, assistant, request, result, speaking, user
from tests.wires.failing import WIRES

MODELS = {"chat": "gpt-4o", "responses": "gpt-4o", "messages": "claude-sonnet-5-5"}
LONG = "A long answer that comes in many pieces, so that there is something to break. " * 3
EARLY = {"chat": 4, "responses": 7, "messages": 4}
"""Events of an answer after which some of its text has come, and not all."""


@pytest.fixture(params=WIRES)
def wire(request: pytest.FixtureRequest) -> str:
    """The wire that is spoken."""
    return str(request.param)


@pytest.fixture
async def asking() -> AsyncIterator[Asking]:
    """A client that really waits, though not for long."""

    async def key_of(profile: Profile) -> str:
        return "sk-ant-test-0123456789"

    client = ModelClient(key_of, patience=Patience(first_byte=2.0, between=2.0), chance=lambda: 0.0)
    yield Asking(client)
    await client.close()


def asks(server: Llmock, wire: str, *messages: Any, **fields: Any) -> ModelRequest:
    to = msgspec.structs.replace(speaking(wire, server.url(wire)), between=1.0)
    return request(to, *messages, model=MODELS[wire], **{"tools": (), **fields})


def reply_of(events: list[ModelEvent]) -> Reply:
    assert isinstance(events[-1], Finished)
    return events[-1].reply


async def test_a_round_with_a_tool(asking: Asking, llmock: Llmock, wire: str) -> None:
    first = await asking.reply(asks(llmock, wire, tools=(READ,)))
    assert first.finish == "calls" and first.calls[0].name == "read_file" and first.usage.exact
    assert json.loads(first.calls[0].arguments).keys() == {"path"}
    answer = assistant(first.text, *first.calls, model=f"env/{MODELS[wire]}", extra=first.extra)
    said = (user("Hello"), answer, result(first.calls[0].id))
    second = await asking.reply(asks(llmock, wire, *said, tools=(READ,)))
    assert second.text and second.finish == "stop" and not second.calls
    assert llmock.verdict() == (True, [])


async def test_two_calls_at_once(asking: Asking, llmock: Llmock, wire: str) -> None:
    made = [{"name": "read_file", "arguments": {"path": "ä/🍍.txt"}}, {"name": "list_dir", "arguments": {}}]
    llmock.will({"type": "reply", "text": "Both. ", "tool_calls": made})
    found = await asking.reply(asks(llmock, wire, tools=(READ, LIST)))
    assert found.text.strip() == "Both."
    assert [(call.name, json.loads(call.arguments)) for call in found.calls] == [
        ("read_file", {"path": "ä/🍍.txt"}),
        ("list_dir", {}),
    ]
    assert len({call.id for call in found.calls}) == 2


@pytest.mark.parametrize(
    "fault",
    [
        {"type": "fail", "status": 429, "retry_after": 1, "times": 2},
        {"type": "fail", "status": 529},
        {"type": "fail", "status": 500},
        {"type": "fail", "status": 503},
    ],
    ids=lambda fault: str(fault["status"]),
)
async def test_what_passes_is_waited_out(
    asking: Asking, llmock: Llmock, wire: str, fault: dict[str, Any]
) -> None:
    llmock.will(fault)
    events = await asking.events(asks(llmock, wire))
    assert reply_of(events).text and Waiting in map(type, events)
    assert llmock.verdict() == (True, [])


@pytest.mark.parametrize("kind", ["truncate", "disconnect"])
async def test_a_broken_stream_is_begun_anew(asking: Asking, llmock: Llmock, wire: str, kind: str) -> None:
    fault = {"type": "stream_fault", "kind": kind, "after_chunks": EARLY[wire]}
    llmock.will(fault, {"type": "reply", "text": LONG, "times": 2})
    events = await asking.events(asks(llmock, wire))
    kinds = [type(event) for event in events]
    assert kinds.index(Text) < kinds.index(Waiting) < kinds.index(Restarted)
    assert reply_of(events).text == LONG
    assert llmock.verdict() == (True, [])


async def test_a_silence_ends_the_answer(asking: Asking, llmock: Llmock, wire: str) -> None:
    stall = {"type": "stream_fault", "kind": "stall", "after_chunks": EARLY[wire], "stall_seconds": 3}
    llmock.will(stall, {"type": "reply", "text": LONG})
    with pytest.raises(ModelError) as caught:
        await asking.reply(asks(llmock, wire))
    assert caught.value.code == "stalled"


async def test_a_piece_that_is_no_json_is_an_error(asking: Asking, llmock: Llmock, wire: str) -> None:
    llmock.will({"type": "stream_fault", "kind": "malformed", "after_chunks": 3})
    with pytest.raises(ModelError) as caught:
        await asking.reply(asks(llmock, wire))
    assert caught.value.code == "bad_reply"


@pytest.mark.parametrize(
    ("status", "message", "code"),
    [
        (400, "prompt is too long: 210000 tokens > 200000 maximum", "overflow"),
        (401, "invalid x-api-key", "bad_key"),
        (403, "Your API key does not have permission.", "bad_key"),
        (404, "model: {model}", "model_gone"),
        (413, "Request exceeds the maximum size", "overflow"),
    ],
)
async def test_what_stays_is_not_asked_again(
    asking: Asking, llmock: Llmock, wire: str, status: int, message: str, code: str
) -> None:
    llmock.will({"type": "fail", "status": status, "message": message.format(model=MODELS[wire])})
    with pytest.raises(ModelError) as caught:
        await asking.reply(asks(llmock, wire))
    assert (caught.value.code, caught.value.status) == (code, status)
    assert llmock.verdict()[1] == []


async def test_arguments_that_are_broken_never_become_others(
    asking: Asking, llmock: Llmock, wire: str
) -> None:
    llmock.will({"type": "tool_fault", "kind": "malformed_arguments"})
    found = await asking.reply(asks(llmock, wire, tools=(READ,)))
    with pytest.raises(ValueError):
        json.loads(found.calls[0].arguments)

"""Each request begins with the bytes of the one before, and the same conversation is always the same
bytes.
"""

from __future__ import annotations

import json
import random
import string
from itertools import pairwise

import msgspec
import pytest

from app.models.client import body
from app.models.profiles import load_profile, profile_names
from app.models.request import ModelRequest, ToolSchema
from app.records import Message, ToolCall
from tests.servers.scripted import Exchange, calls, says, scripted
from tests.wires.asking import LIST, READ, Ask, assistant, call, profile, request, result, user


def stem(sent: bytes) -> bytes:
    """A body without what closes it: a longer conversation's body begins with this."""
    assert sent.endswith(b"]}")
    return sent[:-2]


def history_of(chance: random.Random, turns: int, name: str) -> list[Message]:
    """A conversation with calls, foreign answers, odd text and empty answers."""

    def text() -> str:
        return "".join(
            chance.choice(string.printable + "äß漢🍍\u2028\ud83d\udc00\x00")
            for _ in range(chance.randrange(30))
        )

    messages: list[Message] = []
    for turn in range(turns):
        messages.append(user(text() + "?", context=chance.choice(["", "<context/>"])))
        for round_ in range(chance.randrange(4)):
            made = [
                ToolCall(
                    id=chance.choice(
                        [
                            f"call_{turn}_{round_}_{number}",
                            f"{turn:03}{round_:03}{number:03}",
                            "x" * 60 + f"{turn}.{round_}.{number}",
                        ]
                    ),
                    name=chance.choice(["read_file", "list.dir", "x" * 80]),
                    arguments=chance.choice(["", "{}", '{"path":"a"}', '{"half', "[1]"]),
                    extra=chance.choice([{}, {"extra_content": {"google": {"thought_signature": "s"}}}]),
                )
                for number in range(chance.randrange(1, 4))
            ]
            model = chance.choice([f"{name}/test-model", "other/model"])
            messages.append(
                assistant(
                    text(),
                    *made,
                    model=model,
                    reasoning="hm",
                    extra=chance.choice([{}, {"reasoning_content": "hm"}]),
                )
            )
            messages += [result(one.id, text()) for one in made]
        messages.append(assistant(chance.choice(["", " ", text()]), model=f"{name}/test-model"))
    return messages


NAMES = [
    name
    for name in profile_names({}, {}, hidden=True)
    if name not in ("openrouter", "local") and load_profile(name, {}, {}).wire == "chat"
]


@pytest.mark.parametrize("name", NAMES)
def test_every_prefix_of_a_conversation_is_a_prefix_of_its_bytes(name: str) -> None:
    chance = random.Random(name)
    loaded = load_profile(name, {}, {})
    for _ in range(10):
        whole = history_of(chance, 4, name)
        sent = [
            body(request(loaded, *whole[:length], system="Be kind.", session="s1"))
            for length in range(1, len(whole) + 1)
        ]
        for shorter, longer in pairwise(sent):
            assert longer.startswith(stem(shorter))
        json.loads(sent[-1])
        last = body(request(loaded, *whole, system="Be kind.", session="s1", tool_choice="none"))
        assert last.startswith(stem(sent[-1]))
        assert last == body(request(loaded, *whole, system="Be kind.", session="s1", tool_choice="none"))


@pytest.mark.proof("wire-prefix", small=50, full=5000)
def test_prefix_over_random_conversations(count: int, seed: int) -> None:
    chance = random.Random(seed)
    profiles = {name: load_profile(name, {}, {}) for name in NAMES}
    for _ in range(count):
        name = chance.choice(NAMES)
        whole = history_of(chance, chance.randrange(1, 5), name)
        cut = chance.randrange(1, len(whole) + 1)
        shorter, longer = (
            body(request(profiles[name], *messages, system="s")) for messages in (whole[:cut], whole)
        )
        assert longer.startswith(stem(shorter))


async def test_the_bytes_on_the_wire_are_those_of_body(asking: Ask) -> None:
    async with scripted(calls(("read_file", {"path": "ä\u2028"})), says("Done")) as server:
        client, to = asking(), profile("env", server.url)
        first = request(to, system="Be kind.")
        reply = await client.reply(first)
        answer = assistant(reply.text, *reply.calls, model="env/test-model", extra=reply.extra)
        second = msgspec.structs.replace(
            first, messages=(*first.messages, answer, result(reply.calls[0].id, "x"))
        )
        await client.reply(second)
        one, two = server.requests
    assert (one.body, two.body) == (body(first), body(second))
    assert two.body.startswith(stem(one.body))
    assert two.path == "/v1/chat/completions"


def test_cache_marks_are_all_that_differs_where_they_are_set() -> None:
    loaded = load_profile("openrouter", {}, {})
    whole = [
        user("a"),
        assistant("", call("c1")),
        result("c1"),
        assistant("ok"),
        user("b"),
        assistant("", call("c2")),
        result("c2"),
    ]

    def unmarked(sent: bytes) -> list[object]:
        messages = json.loads(sent)["messages"]
        marks = [
            part
            for message in messages
            for part in (message["content"] or [])
            if isinstance(message["content"], list) and "cache_control" in part
        ]
        assert 1 <= len(marks) <= 4
        return [
            {
                **message,
                "content": message["content"][0]["text"]
                if isinstance(message["content"], list)
                else message["content"],
            }
            for message in messages
        ]

    sent = [
        unmarked(body(request(loaded, *whole[:length], model="anthropic/claude-x", system="s")))
        for length in range(1, len(whole) + 1)
    ]
    for shorter, longer in pairwise(sent):
        assert longer[: len(shorter)] == shorter


def test_schemas_are_canonical_but_parameters_keep_their_order() -> None:
    one = {
        "type": "object",
        "required": ["path"],
        "properties": {
            "path": {"type": "string", "description": "d"},
            "content": {"description": "c", "type": "string"},
        },
    }
    two = {
        "properties": {
            "path": {"description": "d", "type": "string"},
            "content": {"type": "string", "description": "c"},
        },
        "type": "object",
        "required": ["path"],
    }
    loaded = load_profile("custom", {}, {})
    sent = {
        body(request(loaded, tools=(ToolSchema(name="t", description="d", parameters=schema),)))
        for schema in (one, two)
    }
    assert len(sent) == 1
    assert list(json.loads(sent.pop())["tools"][0]["function"]["parameters"]["properties"]) == [
        "path",
        "content",
    ]


def test_tools_keep_the_order_that_they_are_given_in() -> None:
    loaded = load_profile("custom", {}, {})
    for tools in ((READ, LIST), (LIST, READ)):
        sent = json.loads(body(request(loaded, tools=tools)))
        assert [tool["function"]["name"] for tool in sent["tools"]] == [tool.name for tool in tools]


def test_a_person_s_message_is_its_context_and_its_text() -> None:
    sent = json.loads(
        body(request(load_profile("custom", {}, {}), user("Hi", context="<context>now</context>")))
    )
    assert sent["messages"] == [{"role": "user", "content": "<context>now</context>\n\nHi"}]


async def test_headers_of_the_profile_go_with_the_request(asking: Ask) -> None:
    async def script(exchange: Exchange) -> None:
        await says("ok")(exchange)

    async with scripted(script) as server:
        to = msgspec.structs.replace(
            profile("custom", server.url), headers={"x-team": "7"}, key_header="x-api-key", key_prefix=""
        )
        await asking(key="k-1234").reply(ModelRequest(profile=to, model="m", messages=(user("x"),)))
        headers = server.requests[0].headers
    assert (headers["x-team"], headers["x-api-key"]) == ("7", "k-1234") and "authorization" not in headers

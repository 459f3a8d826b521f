"""Tools that the wire's own search loads: what stands in the list, what a search brings, what calls of
loaded tools carry, and that nothing of it changes what went before.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from app.models.client import body
from app.models.profile import Profile
from app.models.request import CallPart, ToolSchema
from app.models.responses.search import FIND, USE
from app.records import Message
from app.toolbox.activation import FIND as FIND_TOOL
from app.toolbox.bridge import BRIDGE
from tests.servers.responses import answers, arrives, called, ends, event, message, streams, thought
from tests.servers.scripted import scripted
from tests.wires.asking import LIST, READ, Ask, assistant, call, profile, request, result, user
from tests.wires.test_body import stem

FINDING = ToolSchema(
    name="find_tools",
    description="Find further tools.",
    parameters={"type": "object", "required": ["query"], "properties": {"query": {"type": "string"}}},
)
SHOT = ToolSchema(
    name="take_shot", description="Take a picture.", parameters={"type": "object", "properties": {}}
)
MAIL = ToolSchema(
    name="send_mail",
    description="Send mail.",
    parameters={"properties": {"to": {"type": "string"}}, "type": "object"},
)
NATIVE: dict[str, Any] = {"tools": (FINDING, READ), "deferred": (SHOT, MAIL, READ)}


def speaking(url: str = "http://127.0.0.1:9/v1") -> Profile:
    """A profile that speaks Responses."""
    return msgspec.structs.replace(profile("custom", url), wire="responses")


def sent(*messages: Message, **fields: Any) -> Any:
    """The body as JSON."""
    return json.loads(body(request(speaking(), *messages, **{**NATIVE, **fields})))


def search(id_: str = "f1", query: str = "screen") -> Any:
    """A call of find_tools."""
    return call(id_, "find_tools", json.dumps({"query": query}))


def found(id_: str = "f1", text: str = "") -> Message:
    """Its result, without the schemas that the search brings."""
    return result(id_, text, "find_tools")


def test_the_names_are_those_of_the_toolbox() -> None:
    assert (FIND, USE) == (FIND_TOOL, BRIDGE)


def test_find_tools_stands_in_the_list_as_the_search_and_nothing_deferred_does() -> None:
    tools = sent()["tools"]
    assert tools[0] == {
        "type": "tool_search",
        "execution": "client",
        "description": "Find further tools.",
        "parameters": {
            "properties": {"query": {"type": "string"}},
            "required": ["query"],
            "type": "object",
        },
    }
    assert [(tool["type"], tool.get("name")) for tool in tools[1:]] == [("function", "read_file")]
    assert b"take_shot" not in body(request(speaking(), **NATIVE))


def test_without_deferred_tools_it_is_a_function_like_others() -> None:
    asked = sent(user("x"), assistant("", search()), found(), deferred=(), found={"f1": ("take_shot",)})
    assert [tool["type"] for tool in asked["tools"]] == ["function", "function"]
    assert [item["type"] for item in asked["input"][1:]] == ["function_call", "function_call_output"]


def test_a_search_and_a_call_of_what_it_brought() -> None:
    asked = sent(
        user("A picture, please"),
        assistant("", search()),
        found(),
        assistant("", call("s1", "take_shot", "{}", namespace="take_shot"), model="custom/test-model"),
        result("s1", "done", "take_shot"),
        found={"f1": ("take_shot",)},
    )
    assert asked["input"][1:] == [
        {
            "type": "tool_search_call",
            "call_id": "f1",
            "execution": "client",
            "status": "completed",
            "arguments": {"query": "screen"},
        },
        {
            "type": "tool_search_output",
            "call_id": "f1",
            "execution": "client",
            "status": "completed",
            "tools": [
                {
                    "type": "function",
                    "name": "take_shot",
                    "description": "Take a picture.",
                    "parameters": {"properties": {}, "type": "object"},
                    "strict": False,
                    "defer_loading": True,
                }
            ],
        },
        {
            "type": "function_call",
            "call_id": "s1",
            "name": "take_shot",
            "arguments": "{}",
            "namespace": "take_shot",
        },
        {"type": "function_call_output", "call_id": "s1", "output": "done"},
    ]


def test_a_miss_says_its_words_after_all_results_of_the_round() -> None:
    asked = sent(
        user("x"),
        assistant("", search("f1"), search("f2"), call("c1")),
        found("f1", "Nothing fits."),
        found("f2"),
        result("c1", "text"),
        found={"f2": ("take_shot", "read_file", "unheard_of", "take_shot")},
    )
    outputs = asked["input"][4:]
    assert [item["type"] for item in outputs] == [
        "tool_search_output", "tool_search_output", "function_call_output", "message",
    ]  # fmt: skip
    assert outputs[0]["tools"] == []
    assert [tool["name"] for tool in outputs[1]["tools"]] == ["take_shot"], (
        "one that is offered is not loaded"
    )
    assert outputs[3] == {
        "type": "message",
        "role": "user",
        "content": "Result of find_tools:\nNothing fits.",
    }


@pytest.mark.parametrize("model", ["custom/test-model", "anthropic/claude"])
def test_a_loaded_tool_s_call_has_a_namespace_whoever_made_it(model: str) -> None:
    asked = sent(
        user("x"),
        assistant("", search(), model=model),
        found(),
        assistant("", call("s1", "take_shot", "{}"), model=model),
        result("s1", "done", "take_shot"),
        found={"f1": ("take_shot",)},
    )
    assert asked["input"][3]["namespace"] == "take_shot"


def test_a_call_from_before_its_tool_was_loaded_goes_by_use_tool() -> None:
    asked = sent(
        user("x"),
        assistant("", call("s0", "send_mail", '{"to":"ä"}'), model="local/small"),
        result("s0", "sent", "send_mail"),
        assistant("", search()),
        found(),
        assistant("", call("s1", "send_mail", '{"to":"b"}')),
        result("s1", "sent", "send_mail"),
        found={"f1": ("send_mail",)},
    )
    early, late = asked["input"][1], asked["input"][5]
    assert (early["name"], json.loads(early["arguments"])) == (
        "use_tool",
        {"name": "send_mail", "arguments": {"to": "ä"}},
    )
    assert "namespace" not in early
    assert (late["name"], late["namespace"]) == ("send_mail", "send_mail")


def test_what_a_search_brings_changes_nothing_before_it() -> None:
    whole = [
        user("x"),
        assistant("", call("s0", "send_mail", "{}"), model="local/small"),
        result("s0", "sent", "send_mail"),
        assistant("I look.", search()),
        found(),
        assistant("", call("s1", "take_shot", "{}", namespace="take_shot"), model="custom/test-model"),
        result("s1", "done", "take_shot"),
        user("And mail it"),
        assistant("", search("f2", "mail"), search("f3", "nothing")),
        found("f2"),
        found("f3", "Nothing fits."),
        assistant("", call("s2", "send_mail", "{}")),
        result("s2", "sent", "send_mail"),
        assistant("Done."),
        user("Thanks"),
    ]
    brought = {"f1": ("take_shot",), "f2": ("send_mail",)}
    ends_of_rounds = [1, 3, 5, 7, 8, 11, 13, 15]
    made = [
        body(request(speaking(), *whole[:length], system="s", found=_known(brought, length, whole), **NATIVE))
        for length in ends_of_rounds
    ]
    for shorter, longer in pairwise(made):
        assert longer.startswith(stem(shorter))


def _known(brought: dict[str, tuple[str, ...]], length: int, whole: list[Message]) -> dict[str, Any]:
    """What searches had brought when a conversation was that long."""
    results = {one.call for one in whole[:length] if one.role == "tool"}
    return {id_: names for id_, names in brought.items() if id_ in results}


async def test_a_search_of_the_model_is_a_call_of_find_tools(asking: Ask) -> None:
    item = {
        "type": "tool_search_call",
        "id": "ts_1",
        "call_id": "f1",
        "execution": "client",
        "status": "completed",
        "arguments": {"query": "screen ä"},
    }
    begun = {**item, "status": "in_progress", "arguments": None}
    search_events = [
        event("output_item.added", output_index=1, item=begun),
        event("output_item.done", output_index=1, item=item),
    ]
    loaded = called("s1", "take_shot", {}, namespace="take_shot")
    scripts = (
        streams(*arrives(0, thought("Hm.")), *search_events, ends()),
        answers(loaded),
        answers(message("Done")),
    )
    async with scripted(*scripts) as server:
        client, to = asking(), speaking(server.url)
        first = request(to, user("A picture"), **NATIVE)
        events = await client.events(first)
        one = events[-1].reply
        assert [(made.id, made.name, json.loads(made.arguments)) for made in one.calls] == [
            ("f1", "find_tools", {"query": "screen ä"})
        ]
        assert CallPart(index=0, name="find_tools", size=0) in events
        answer = assistant("", *one.calls, model="custom/test-model", extra=one.extra)
        second = msgspec.structs.replace(
            first, messages=(*first.messages, answer, found()), found={"f1": ("take_shot",)}
        )
        two = await client.reply(second)
        assert two.calls[0].extra == {"namespace": "take_shot"}
        again = assistant("", *two.calls, model="custom/test-model", extra=two.extra)
        third = msgspec.structs.replace(
            second, messages=(*second.messages, again, result("s1", "done", "take_shot"))
        )
        assert (await client.reply(third)).text == "Done"
        bodies = [received.body for received in server.requests]
    assert bodies[1].startswith(stem(bodies[0])) and bodies[2].startswith(stem(bodies[1]))
    kinds = [item["type"] for item in json.loads(bodies[2])["input"]]
    assert kinds == [
        "message", "reasoning", "tool_search_call", "tool_search_output", "function_call",
        "function_call_output",
    ]  # fmt: skip


def test_other_tools_keep_their_names_here() -> None:
    asked = sent(user("x"), assistant("", call("c1", "list.dir", "{}")), result("c1"), tools=(FINDING, LIST))
    assert asked["input"][1]["name"] == "list_dir" and "namespace" not in asked["input"][1]

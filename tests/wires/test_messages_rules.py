"""No history whatever becomes a request that the Messages API refuses: its rules, read from its own words."""

from __future__ import annotations

import json
import random
import re
import string
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from app.models.client import body
from app.models.messages.schemas import taken
from app.models.profiles import load_profile
from app.records import Message, Picture, ToolCall
from tests.wires.asking import LIST, READ, assistant, request, result, user

MODEL = "claude-sonnet-5-5"
ODD = ("", "{}", "[", "3")
_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def faults(whole: Any) -> Iterator[str]:
    """Yield each rule that a request breaks (facts: providers 1.4)."""
    messages = whole["messages"]
    if not whole.get("max_tokens"):
        yield "max_tokens is missing"
    if not messages or messages[0]["role"] != "user" or messages[-1]["role"] != "user":
        yield "it does not begin and end with the person"
    marked = [one for one in _all(whole) if "cache_control" in one]
    if len(marked) > 4 or any(one.get("defer_loading") or one.get("type") == "thinking" for one in marked):
        yield "marks"
    if any(one.get("type") == "text" and not one["text"].strip() for one in _all(whole)):
        yield "empty text"
    yield from _rounds(messages)


def _rounds(messages: list[Any]) -> Iterator[str]:
    """Yield what is wrong with calls and their results."""
    seen: set[str] = set()
    for message, following in zip(messages, [*messages[1:], {"content": []}], strict=True):
        blocks, after = message["content"], following["content"]
        uses = [one["id"] for one in blocks if one["type"] == "tool_use"]
        if not blocks or (uses and message["role"] != "assistant"):
            yield "blocks"
        if seen.intersection(uses) or len(set(uses)) < len(uses) or not all(map(_ID.fullmatch, uses)):
            yield f"ids {uses}"
        if not all(isinstance(one["input"], dict) for one in blocks if one["type"] == "tool_use"):
            yield "input"
        seen.update(uses)
        results = [one["tool_use_id"] for one in after if one["type"] == "tool_result"]
        if results != uses or [one["type"] for one in after[: len(uses)]] != ["tool_result"] * len(uses):
            yield f"results {results} of {uses}"


def _all(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _all(one)


def anything(chance: random.Random) -> list[Message]:
    """A history out of order: strays, twins, half rounds, odd ids, broken layouts, empty texts."""

    def text() -> str:
        letters = string.printable + "äß漢🍍\u2028\ud83d\udc00\x00"
        return "".join(chance.choice(letters) for _ in range(chance.choice([0, 0, 3, 30])))

    def id_() -> str:
        return chance.choice(["", "a", "a b", "x" * 70, "ü", f"call_{chance.randrange(40)}"])

    entries: list[Any] = [
        {"type": "thinking", "thinking": "Hm.", "signature": "s"},
        {"type": "redacted_thinking", "data": "x"},
        {"type": "text", "from": 0, "size": 2},
        {"type": "tool_use", "call": "a"},
        None,
    ]
    messages: list[Message] = []
    for _ in range(chance.randrange(1, 12)):
        kind = chance.randrange(4)
        if kind == 0:
            picture = Picture(id=chance.choice("pq"), media="image/png")
            messages.append(user(text(), context=text(), pictures=(picture,) * chance.randrange(2)))
            continue
        made = [
            ToolCall(
                id=id_(), name=chance.choice(["read_file", "", "a.b" * 40]), arguments=chance.choice(ODD)
            )
            for _ in range(chance.choice([0, 0, 1, 3]))
        ]
        layout = chance.choice(
            [{}, {}, {"blocks": [chance.choice(entries) for _ in range(chance.randrange(4))]}]
        )
        model = chance.choice([f"anthropic/{MODEL}", "other/model"])
        messages.append(assistant(text(), *made, model=model, extra=layout))
        answered = [one.id for one in made if chance.randrange(4)] + [
            id_() for _ in range(chance.randrange(2))
        ]
        chance.shuffle(answered)
        messages += [result(one, text(), ok=bool(chance.randrange(2))) for one in answered]
    return [*messages, user(text())]


@pytest.mark.proof("messages-rules", small=400, full=40_000)
def test_no_history_breaks_a_rule(count: int, seed: int) -> None:
    chance = random.Random(seed)
    to = load_profile("anthropic", {}, {})
    for _ in range(count):
        asked = request(
            to,
            *anything(chance),
            model=MODEL,
            system=chance.choice(["", " ", "Be kind."]),
            tools=chance.choice([(), (READ,), (READ, LIST)]),
            images={"p": b"\x89PNG"},
        )
        whole = json.loads(body(asked))
        assert not list(faults(whole)), msgspec.json.encode(whole["messages"]).decode()


@pytest.mark.parametrize(
    ("schema", "sent"),
    [
        ({}, {"type": "object", "properties": {}}),
        (
            {"properties": {"a": {}, "b": {}}, "required": ["a"], "anyOf": [{"required": ["b"]}, {}]},
            {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a"]},
        ),
        (
            {
                "oneOf": [
                    {"properties": {"a": {"type": "string"}, "b": {}}, "required": ["a", "b"]},
                    {"properties": {"a": {}, "c": {}}, "required": ["c", "a"]},
                ]
            },
            {
                "type": "object",
                "properties": {"a": {"type": "string"}, "b": {}, "c": {}},
                "required": ["a"],
            },
        ),
        (
            {
                "allOf": [{"properties": {"a": {}}, "required": ["a"]}, {"required": ["b"]}],
                "properties": {"b": {}},
            },
            {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a", "b"]},
        ),
        (
            {"properties": {"good.name-1": {"anyOf": [{}]}, "bad name": {}}, "required": ["bad name"]},
            {"type": "object", "properties": {"good.name-1": {"anyOf": [{}]}}},
        ),
        ({"type": "string", "oneOf": 3, "required": "a"}, {"type": "object", "properties": {}}),
    ],
)
def test_schemas_of_others_are_made_to_be_taken(schema: dict[str, Any], sent: dict[str, Any]) -> None:
    found = taken(schema)
    assert found == sent
    assert taken(found) == found


def test_our_own_schemas_go_as_they_are() -> None:
    asked = request(load_profile("anthropic", {}, {}), model=MODEL)
    tools = json.loads(body(asked))["tools"]
    assert [tool["input_schema"] for tool in tools] == [READ.parameters, LIST.parameters]


def test_twins_of_one_id_get_ids_and_results_of_their_own() -> None:
    one, two = (ToolCall(id="c1", name="read_file", arguments="{}") for _ in range(2))
    messages = (user("x"), assistant("", one, two), result("c1", "first"), result("c1", "second"), user("y"))
    asked = request(
        load_profile("anthropic", {}, {}), *messages, assistant("", one), result("c1", "third"), user("z")
    )
    whole = json.loads(body(asked))
    assert not list(faults(whole))
    said = [
        block
        for message in whole["messages"]
        for block in message["content"]
        if block["type"] == "tool_result"
    ]
    assert [block["content"][0]["text"] for block in said] == ["first", "second", "third"]
    assert len({block["tool_use_id"] for block in said}) == 3 and said[0]["tool_use_id"] == "c1"

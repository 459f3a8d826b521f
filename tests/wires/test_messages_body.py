"""What a Messages request holds, rule by rule, and that each begins with the one before but for its marks."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from app.models.client import body
from app.models.profile import Profile
from app.models.profiles import load_profile, quirks_of
from app.models.request import ModelRequest, ToolSchema
from app.records import Message, Picture
from tests.servers import anthropic
from tests.servers.scripted import scripted
from tests.wires.asking import LIST, READ, Ask, assistant, call, profile, request, result, user

MODEL = "claude-sonnet-5-5"
MARK = {"type": "ephemeral"}
LATE = ToolSchema(name="late_tool", description="Comes late.", parameters={"type": "object"})
PNG = Picture(id="p1", media="image/png", width=2, height=2, name="plot.png")


def claude(**changes: Any) -> Profile:
    return msgspec.structs.replace(load_profile("anthropic", {}, {}), **changes)


def sent(*messages: Message, model: str = MODEL, to: Profile | None = None, **fields: Any) -> Any:
    return json.loads(body(request(to or claude(), *messages, model=model, **fields)))


def contents(*messages: Message, **fields: Any) -> list[tuple[str, list[dict[str, Any]]]]:
    """Roles with their blocks, without marks."""
    return [(one["role"], one["content"]) for one in _unmarked(sent(*messages, **fields))["messages"]]


def _unmarked(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _unmarked(one) for key, one in value.items() if key != "cache_control"}
    return [_unmarked(one) for one in value] if isinstance(value, list) else value


def marks(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every block that carries a mark."""
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from marks(one)
    if isinstance(value, dict) and "cache_control" in value:
        yield value


# --- the frame of a request --------------------------------------------------------------------------------


def test_what_stays_comes_before_the_messages() -> None:
    whole = sent(user("Hi"), system="Be kind.", tool_choice="none")
    assert list(whole) == [
        "model", "stream", "max_tokens", "thinking", "tools", "system", "messages", "tool_choice",
    ]  # fmt: skip
    assert whole["stream"] is True and whole["tool_choice"] == {"type": "none"}
    assert whole["system"] == [{"type": "text", "text": "Be kind.", "cache_control": MARK}]
    assert [tool["name"] for tool in whole["tools"]] == ["read_file", "list_dir"]
    assert list(whole["tools"][0]) == ["name", "description", "input_schema"]
    assert "system" not in sent(user("Hi"), system="  ") and "tools" not in sent(user("Hi"), tools=())


@pytest.mark.parametrize(
    ("model", "asked", "most"),
    [(MODEL, 0, 128_000), (MODEL, 700, 700), ("claude-haiku-4-5-20251001", 0, 64_000), ("other", 0, 32_000)],
)
def test_the_output_limit_is_always_there(model: str, asked: int, most: int) -> None:
    assert sent(user("Hi"), model=model, max_output=asked)["max_tokens"] == most


def test_a_small_window_leaves_room_for_the_prompt() -> None:
    assert sent(user("Hi"), model="other", to=claude(window=16_384))["max_tokens"] == 4_096


@pytest.mark.parametrize(
    ("model", "effort", "thinking", "word"),
    [
        (MODEL, "", "adaptive", None),
        (MODEL, "high", "adaptive", "high"),
        (MODEL, "off", "between_tools", None),
        ("claude-opus-5-5", "off", "adaptive", "low"),
        ("claude-haiku-5-5", "off", "disabled", None),
        ("claude-haiku-5-5", "medium", "adaptive", "medium"),
        ("claude-of-next-year", "low", "adaptive", "low"),
        ("claude-haiku-4-5-20251001", "", None, None),
        ("claude-sonnet-4-5-20250929", "low", "enabled", None),
        ("claude-sonnet-4-20250514", "low", "enabled", None),
        ("claude-opus-4-6", "low", "adaptive", "low"),
        ("claude-3-haiku-20240307", "low", None, None),
        ("claude-haiku-4-5-20251001", "off", None, None),
        ("claude-haiku-4-5-20251001", "medium", "enabled", None),
        ("other", "high", None, None),
    ],
)
def test_effort_is_asked_for_as_the_model_takes_it(
    model: str, effort: str, thinking: str | None, word: str | None
) -> None:
    whole = sent(user("Hi"), model=model, effort=effort)
    assert whole.get("thinking", {}).get("type") == thinking
    assert whole.get("output_config") == ({"effort": word} if word else None)


def test_a_budget_leaves_room_for_the_answer_and_never_breaks_a_round_that_did_not_think() -> None:
    haiku = "claude-haiku-4-5-20251001"
    asked = {"model": haiku, "effort": "high"}
    assert sent(user("Hi"), **asked)["thinking"]["budget_tokens"] == 32_768
    assert sent(user("Hi"), max_output=5_000, **asked)["thinking"]["budget_tokens"] == 5_000 - 1_024
    assert "thinking" not in sent(user("Hi"), max_output=2_000, **asked)
    round_ = (user("Hi"), assistant("", call("c1"), model="other/model"), result("c1"))
    assert "thinking" not in sent(*round_, **asked)
    assert "thinking" in sent(*round_, assistant("ok"), user("More"), **asked)
    kept = {
        "blocks": [{"type": "thinking", "thinking": "", "signature": "s"}, {"type": "tool_use", "call": "c1"}]
    }
    own = assistant("", call("c1"), model=f"anthropic/{haiku}", extra=kept)
    assert "thinking" in sent(user("Hi"), own, result("c1"), **asked)


# --- messages ----------------------------------------------------------------------------------------------


def test_a_round_of_calls_is_answered_in_the_one_next_message_in_its_order() -> None:
    found = contents(
        user("Look", context="<now/>"),
        assistant("I look.", call("c1"), call("c2", "list_dir", "{}"), call("c3")),
        result("c2", "two"),
        result("c1", "", ok=False),
        result("stray", "lost"),
        user("And be quick"),
    )
    assert found == [
        ("user", [{"type": "text", "text": "<now/>\n\nLook"}]),
        (
            "assistant",
            [
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "c1", "name": "read_file", "input": {"path": "a"}},
                {"type": "tool_use", "id": "c2", "name": "list_dir", "input": {}},
                {"type": "tool_use", "id": "c3", "name": "read_file", "input": {"path": "a"}},
            ],
        ),
        (
            "user",
            [
                {
                    "type": "tool_result",
                    "tool_use_id": "c1",
                    "content": [{"type": "text", "text": "(no output)"}],
                    "is_error": True,
                },
                {"type": "tool_result", "tool_use_id": "c2", "content": [{"type": "text", "text": "two"}]},
                {
                    "type": "tool_result",
                    "tool_use_id": "c3",
                    "content": [{"type": "text", "text": "(no result: interrupted)"}],
                    "is_error": True,
                },
            ],
        ),
        ("user", [{"type": "text", "text": "And be quick"}]),
    ]


def test_empty_text_is_left_out_and_empty_answers_with_it() -> None:
    found = contents(
        user(""), assistant(" \n"), user("  ", context=""), assistant("", call("c1")), result("c1")
    )
    assert [role for role, _ in found] == ["user", "user", "assistant", "user"]
    assert found[0][1] == found[1][1] == [{"type": "text", "text": "(no text)"}]
    assert [one["type"] for one in found[2][1]] == ["tool_use"]


@pytest.mark.parametrize("arguments", ["", "{}", '{"half', "[1]", "null"])
def test_an_input_is_always_an_object(arguments: str) -> None:
    assert contents(user("x"), assistant("", call("c1", arguments=arguments)))[1][1][0]["input"] == {}


def test_ids_and_names_are_made_to_fit_and_stay_apart() -> None:
    odd = ["call.1", "call 1", "x" * 65, "x" * 66, "", "nine-char"]
    found = contents(user("x"), assistant("", *(call(id_, "my.tool" * 20) for id_ in odd)))
    uses, results = found[1][1], found[2][1]
    ids = [one["id"] for one in uses]
    assert len(set(ids)) == len(odd) and ids == [one["tool_use_id"] for one in results]
    assert all(0 < len(id_) <= 64 and id_.replace("_", "").replace("-", "").isalnum() for id_ in ids)
    assert ids[-1] == "nine-char" and uses[0]["name"] == ("my_tool" * 20)[:64]


async def test_lone_surrogates_are_mended(asking: Ask) -> None:
    async with scripted(anthropic.says("ok")) as server:
        to = profile("env", server.url)
        to = msgspec.structs.replace(to, wire="messages")
        await asking(key="k").reply(request(to, user("half \ud83d, whole \ud83d\udc00"), model="m"))
        assert server.requests[0].json["messages"][0]["content"][0]["text"] == "half \ufffd, whole \U0001f400"


def test_pictures_are_blocks_also_inside_results() -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAE="}}
    found = contents(
        user("What is this?", pictures=(PNG,)),
        assistant("", call("c1")),
        result("c1", "", pictures=(PNG,)),
        images={"p1": b"\x00\x01"},
    )
    assert found[0][1] == [image, {"type": "text", "text": "What is this?"}]
    assert found[2][1][0]["content"] == [image]
    named = contents(user("What is this?", pictures=(PNG,)))[0][1]
    assert len(named) == 1 and "plot.png" in named[0]["text"]


# --- thinking ----------------------------------------------------------------------------------------------

BLOCKS = [
    {"type": "thinking", "thinking": "Hm.", "signature": "s1"},
    {"type": "text", "from": 0, "size": 7},
    {"type": "redacted_thinking", "data": "xyz"},
    {"type": "tool_use", "call": "c1"},
    {"type": "server_tool_use", "id": "srv", "name": "web_search", "input": {"query": "x"}},
    {"type": "text", "from": 9, "size": 4},
]


def thought(model: str, **changes: Any) -> Message:
    text = "I look.\n\nNow."
    return assistant(text, call("c1"), model=model, reasoning="Hm.", extra={"blocks": BLOCKS}, **changes)


def test_an_answer_goes_back_to_its_model_as_it_came() -> None:
    found = contents(user("x"), thought(f"anthropic/{MODEL}"), result("c1"))
    assert found[1][1] == [
        BLOCKS[0],
        {"type": "text", "text": "I look."},
        BLOCKS[2],
        {"type": "tool_use", "id": "c1", "name": "read_file", "input": {"path": "a"}},
        BLOCKS[4],
        {"type": "text", "text": "Now."},
    ]


@pytest.mark.parametrize("model", ["anthropic/claude-opus-5-5", "openai/gpt-6-sol"])
def test_thinking_of_another_model_stays_behind(model: str) -> None:
    found = contents(user("x"), thought(model), result("c1"))
    assert [one["type"] for one in found[1][1]] == ["text", "tool_use"]
    assert found[1][1][0]["text"] == "I look.\n\nNow."


@pytest.mark.parametrize(
    "blocks",
    [
        "none",
        [3],
        [{"type": "text", "from": 0, "size": 99}],
        [{"type": "text", "from": "0", "size": 1}],
        [{"type": "tool_use", "call": "other"}],
        [{"type": "text", "from": 0, "size": 7}],
        [{"type": "text", "from": 0, "size": 6}, {"type": "tool_use", "call": "c1"}],
        [{"type": "thinking", "thinking": "", "signature": "s"}, {"type": "tool_use", "call": "c1"}],
    ],
)
def test_a_layout_that_does_not_fit_is_not_used(blocks: Any) -> None:
    answer = assistant("I look.", call("c1"), model=f"anthropic/{MODEL}", extra={"blocks": blocks})
    assert [one["type"] for one in contents(user("x"), answer)[1][1]] == ["text", "tool_use"]


def test_an_answer_that_only_thought_is_no_message() -> None:
    answer = assistant("", model=f"anthropic/{MODEL}", extra={"blocks": BLOCKS[:1]})
    assert [role for role, _ in contents(user("x"), answer, user("y"))] == ["user", "user"]


# --- deferred tools ----------------------------------------------------------------------------------------


def test_deferred_tools_stand_unloaded_behind_the_others() -> None:
    tools = sent(user("x"), tools=(READ,), deferred=(LATE, LIST))["tools"]
    assert [(tool["name"], tool.get("defer_loading")) for tool in tools] == [
        ("read_file", None), ("late_tool", True), ("list_dir", True),
    ]  # fmt: skip
    assert [tool["name"] for tool in tools if "cache_control" in tool] == ["read_file"]


def test_what_was_found_is_named_in_the_result() -> None:
    messages = (user("x"), assistant("", call("f1", "find_tools")), result("f1", "", tool="find_tools"))
    reference = {"type": "tool_reference", "tool_name": "late_tool"}
    found = contents(*messages, deferred=(LATE,), found={"f1": ("late_tool",)})
    assert found[2][1] == [{"type": "tool_result", "tool_use_id": "f1", "content": [reference]}]
    said = (*messages[:2], result("f1", "Another is there.", tool="find_tools"))
    found = contents(*said, deferred=(LATE,), found={"f1": ("late_tool",)})
    assert found[2][1][0]["content"] == [{"type": "text", "text": "Another is there."}, reference]


# --- marks -------------------------------------------------------------------------------------------------


def conversation(chance: random.Random, turns: int) -> list[Message]:
    messages: list[Message] = []
    for turn in range(turns):
        messages.append(user(f"Question {turn}"))
        for round_ in range(chance.randrange(4)):
            made = [call(f"c{turn}_{round_}_{at}") for at in range(chance.choice([1, 2, 30]))]
            messages.append(assistant(chance.choice(["", "So."]), *made, model=f"anthropic/{MODEL}"))
            messages += [result(one.id, chance.choice(["", "done"])) for one in made]
            if not chance.randrange(4):
                messages.append(user("Steer"))
        messages.append(assistant(chance.choice(["Done.", ""]), model=f"anthropic/{MODEL}"))
    return messages


def requests_of(messages: list[Message]) -> list[list[Message]]:
    """Every history that was sent while a conversation came to be: what stands before each answer."""
    return [messages[:at] for at, one in enumerate(messages) if one.role == "assistant"]


def test_at_most_four_marks_and_each_request_reads_what_the_one_before_wrote() -> None:
    chance = random.Random(5)
    for _ in range(30):
        sent_before: Any = None
        for said in requests_of(conversation(chance, 4)):
            whole = sent(*said, system="S", tools=(READ, LIST), deferred=(LATE,))
            assert 3 <= len(list(marks(whole))) <= 4
            assert whole["messages"][-1]["content"][-1]["cache_control"] == MARK
            if sent_before is not None and len(sent_before["messages"]) != len(whole["messages"]):
                there = whole["messages"][len(sent_before["messages"]) - 1]
                same = _unmarked(there) == _unmarked(sent_before["messages"][-1])
                assert same and "cache_control" in there["content"][-1]
            sent_before = whole


@pytest.mark.parametrize(
    ("model", "way"),
    [(MODEL, "native"), ("claude-sonnet-4-5-20250929", "native"), ("claude-opus-4-1-20250805", "bridge")],
)
def test_models_that_cannot_load_tools_by_themselves_are_bridged(model: str, way: str) -> None:
    assert quirks_of(claude(), model).calling == way


def test_marks_stand_on_no_thinking_and_are_not_sent_where_they_are_not_wanted() -> None:
    quiet = claude(quirks=msgspec.structs.replace(claude().quirks, cache_marks=False))
    assert not list(marks(sent(user("x"), system="S", to=quiet)))
    assert len(list(marks(sent(user("x"), system="S", tools=())))) == 2
    whole = sent(user("x"), thought(f"anthropic/{MODEL}"), result("c1"), tools=())
    assert {one["type"] for one in marks(whole)} == {"text", "tool_result"}


# --- the prefix --------------------------------------------------------------------------------------------


def bare(whole: ModelRequest) -> bytes:
    """The body without its marks, which slide, as bytes."""
    return msgspec.json.encode(_unmarked(msgspec.json.decode(body(whole))))


@pytest.mark.proof("messages-prefix", small=20, full=2000)
def test_every_request_begins_with_the_one_before(count: int, seed: int) -> None:
    chance = random.Random(seed)
    fields: dict[str, Any] = {"model": MODEL, "system": "Be kind.", "deferred": (LATE,)}
    for _ in range(count):
        messages = conversation(chance, chance.randrange(1, 6))
        all_sent = [bare(request(claude(), *said, **fields)) for said in requests_of(messages)]
        for shorter, longer in pairwise(all_sent):
            assert shorter.endswith(b"]}") and longer.startswith(shorter[:-2])
        closed = bare(request(claude(), *requests_of(messages)[-1], tool_choice="none", **fields))
        assert closed.startswith(all_sent[-1][:-2])


def test_without_marks_the_bytes_themselves_are_a_prefix() -> None:
    quiet = claude(quirks=msgspec.structs.replace(claude().quirks, cache_marks=False))
    chance = random.Random(3)
    all_sent = [
        body(request(quiet, *said, model=MODEL, system="S")) for said in requests_of(conversation(chance, 6))
    ]
    for shorter, longer in pairwise(all_sent):
        assert longer.startswith(shorter[:-2])

"""Requests over the Responses wire: their items, what goes back to which model, and that each begins with the
bytes of the one before.
"""

from __future__ import annotations

import json
import random
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from app.models.client import body
from app.models.profile import ModelData, Profile
from app.models.profiles import load_profile, profile_names
from app.models.responses.layout import FIELD
from app.records import Message
from tests.servers.responses import BLOB, answers, called, message, thought
from tests.servers.scripted import scripted
from tests.wires.asking import LIST, READ, Ask, assistant, call, profile, request, result, user
from tests.wires.test_body import history_of, stem
from tests.wires.test_pictures import IMAGES, SHOT, URL, results, seeing

THOUGHT = {"type": "reasoning", "summary": [], "encrypted_content": BLOB}


def speaking(name: str = "custom", **fields: Any) -> Profile:
    """A profile that speaks Responses; fields of Quirks go into these."""
    return msgspec.structs.replace(profile(name, "http://127.0.0.1:9/v1", **fields), wire="responses")


def sent(to: Profile, *messages: Message, **fields: Any) -> Any:
    """The body as JSON."""
    return json.loads(body(request(to, *messages, **fields)))


def thinking(text: str, *made: Any, parts: list[dict[str, Any]], **fields: Any) -> Message:
    """An answer of the test model with its layout."""
    return assistant(text, *made, extra={FIELD: parts}, model="custom/test-model", **fields)


def test_a_first_request() -> None:
    whole = body(
        request(speaking(), user("Hi", context="<now/>"), system="Be kind.", max_output=9, tools=(LIST,))
    )
    assert whole == (
        b'{"model":"test-model","stream":true,"store":false,"include":["reasoning.encrypted_content"],'
        b'"max_output_tokens":16,"instructions":"Be kind.","tools":[{"type":"function","name":"list_dir",'
        b'"description":"List a folder.","parameters":{"properties":{},"type":"object"},"strict":false}],'
        b'"input":[{"type":"message","role":"user","content":"<now/>\\n\\nHi"}]}'
    )


def test_openai_gets_effort_summary_and_a_key_for_its_cache() -> None:
    openai = msgspec.structs.replace(load_profile("openai", {}, {}), wire="responses")
    asked = sent(openai, model="gpt-6-sol", effort="high", session="s1", max_output=500)
    assert asked["reasoning"] == {"effort": "high", "summary": "auto"}
    assert (asked["prompt_cache_key"], asked["max_output_tokens"]) == ("s1", 500)
    assert "reasoning_effort" not in asked and "max_completion_tokens" not in asked
    assert sent(openai, model="gpt-6-sol")["reasoning"] == {"summary": "auto"}
    assert sent(openai, model="gpt-6-sol", effort="off")["reasoning"] == {"effort": "none"}
    plain = sent(openai, model="gpt-4o", effort="high")
    assert "reasoning" not in plain and "include" not in plain


def test_a_server_of_the_environment_is_asked_for_effort_where_a_person_wants_it() -> None:
    environ = {"BRAMBLE_BASE_URL": "http://127.0.0.1:9/v1/responses/", "BRAMBLE_WIRE": "responses"}
    env = load_profile("env", {}, environ)
    assert (env.base_url, env.wire) == ("http://127.0.0.1:9/v1", "responses")
    assert sent(env, effort="low")["reasoning"] == {"effort": "low"}
    assert "reasoning" not in sent(env)


def test_tools_are_kept_and_forbidden_behind_everything_else() -> None:
    asked = sent(speaking(), tools=(READ, LIST), tool_choice="none")
    assert list(asked)[-2:] == ["input", "tool_choice"] and asked["tool_choice"] == "none"
    assert [tool["name"] for tool in asked["tools"]] == ["read_file", "list_dir"]
    assert "tool_choice" not in sent(speaking(), tools=(), tool_choice="none")


def test_calls_and_results_are_items_without_ids_of_their_own() -> None:
    asked = sent(
        speaking(),
        user("Look"),
        assistant("I look.", call("c1"), call("c2", "list.dir", "")),
        result("c1", "text"),
        result("c2", ""),
        assistant("Done."),
        assistant(""),
    )
    said = {"type": "message", "role": "assistant"}
    assert asked["input"] == [
        {"type": "message", "role": "user", "content": "Look"},
        {**said, "content": [{"type": "output_text", "text": "I look."}]},
        {"type": "function_call", "call_id": "c1", "name": "read_file", "arguments": '{"path":"a"}'},
        {"type": "function_call", "call_id": "c2", "name": "list_dir", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "text"},
        {"type": "function_call_output", "call_id": "c2", "output": "(no output)"},
        {**said, "content": [{"type": "output_text", "text": "Done."}]},
    ]


def test_ids_of_other_providers_are_cut_to_what_fits() -> None:
    odd, long = "toolu:1/ä", "x" * 400
    asked = sent(speaking(), user("x"), assistant("", call(odd), call(long)), result(odd), result(long))
    made = [item["call_id"] for item in asked["input"] if "call_id" in item]
    assert made[:2] == made[2:] and len(set(made)) == 2
    assert all(len(id_) <= 64 and id_.replace("_", "").isalnum() and id_.isascii() for id_ in made)


def test_broken_arguments_do_not_spoil_later_requests() -> None:
    asked = sent(speaking(), user("x"), assistant("", call("c1", arguments='{"half')), result("c1"))
    assert asked["input"][1]["arguments"] == "{}"


def layout_of(*kinds: Any) -> list[dict[str, Any]]:
    """Parts: "think", the size of a text, or the id of a call."""
    made: list[dict[str, Any]] = []
    for kind in kinds:
        if kind == "think":
            made.append(THOUGHT)
        elif isinstance(kind, int):
            made.append({"type": "message", "size": kind, "phase": f"phase {kind}"})
        else:
            made.append({"type": "function_call", "call_id": kind})
    return made


def test_an_answer_goes_back_to_its_own_model_as_it_came() -> None:
    answer = thinking(
        "I look.\n\nDone", call("c1"), call("c2"), parts=layout_of("think", 7, "c1", "think", "c2", 4)
    )
    asked = sent(speaking(), user("x"), answer, result("c1"), result("c2"))
    items = asked["input"][1:7]
    assert [item["type"] for item in items] == [
        "reasoning", "message", "function_call", "reasoning", "function_call", "message",
    ]  # fmt: skip
    assert items[0] == THOUGHT
    assert [(item["content"][0]["text"], item["phase"]) for item in (items[1], items[5])] == [
        ("I look.", "phase 7"),
        ("Done", "phase 4"),
    ]


@pytest.mark.parametrize("model", ["custom/other-model", "openai/test-model"])
def test_reasoning_of_another_model_is_dropped(model: str) -> None:
    answer = msgspec.structs.replace(
        thinking("Ok", call("c1"), parts=layout_of("think", 2, "c1")), model=model
    )
    asked = sent(speaking(), user("x"), answer, result("c1"))
    assert [item["type"] for item in asked["input"]] == [
        "message", "message", "function_call", "function_call_output",
    ]  # fmt: skip
    assert BLOB not in json.dumps(asked) and "phase" not in json.dumps(asked)


def test_reasoning_without_what_it_led_to_stays_out() -> None:
    cut = thinking("", parts=layout_of("think"))
    lost = thinking("Ok", parts=layout_of("think", 2, "think", "c_gone"))
    blank = thinking("\n", parts=layout_of("think", 1))
    half = thinking("Ok\n\n ", parts=layout_of("think", 2, "think", 1))
    asked = sent(speaking(), user("x"), cut, user("y"), lost, user("z"), blank, half)
    assert [item["type"] for item in asked["input"]] == [
        "message", "message", "reasoning", "message", "message", "reasoning", "message",
    ]  # fmt: skip


def test_a_layout_that_does_not_fit_its_message_counts_for_nothing() -> None:
    for odd in ("odd", [7, {"type": "message", "size": "2"}], layout_of("think", 99), layout_of(1)):
        answer = assistant("Ok", call("c1"), extra={FIELD: odd}, model="custom/test-model")
        asked = sent(speaking(), user("x"), answer, result("c1"))
        assert [item["type"] for item in asked["input"][1:3]] == ["message", "function_call"]
        assert asked["input"][1]["content"][0]["text"] == "Ok"


async def test_what_came_goes_back_byte_for_byte(asking: Ask) -> None:
    output = (thought("Hm."), message("🍍 looks", phase="commentary"), called("c1", "list_dir", {}))
    async with scripted(answers(*output), answers(message("Done"))) as server:
        client, to = asking(), msgspec.structs.replace(profile("env", server.url), wire="responses")
        first = request(to, user("Look"), system="Be kind.")
        reply = await client.reply(first)
        answer = assistant(reply.text, *reply.calls, model="env/test-model", extra=reply.extra)
        second = msgspec.structs.replace(first, messages=(*first.messages, answer, result("c1", "x")))
        await client.reply(second)
        one, two = server.requests
    assert (one.body, two.body, two.path) == (body(first), body(second), "/v1/responses")
    assert two.body.startswith(stem(one.body))
    assert two.json["input"][1:4] == [
        {
            "type": "reasoning",
            "summary": [{"type": "summary_text", "text": "Hm."}],
            "encrypted_content": BLOB,
        },
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "🍍 looks"}],
            "phase": "commentary",
        },
        {"type": "function_call", "call_id": "c1", "name": "list_dir", "arguments": "{}"},
    ]
    assert b"opaque" not in two.body and b"unfinished" not in two.body


def test_pictures_of_a_person() -> None:
    asked = sent(seeing(wire="responses"), user("What?", pictures=(SHOT,)), images=IMAGES)
    picture = {"type": "input_image", "image_url": URL, "detail": "auto"}
    assert asked["input"][0]["content"] == [{"type": "input_text", "text": "What?"}, picture]
    blind = sent(speaking("deepseek"), user("What?", pictures=(SHOT,)), images=IMAGES, model="deepseek-flash")
    assert blind["input"][0]["content"].startswith("What?\n\n[A picture was not sent, since this model")


def test_pictures_of_results_stand_in_them_or_after_all_of_them() -> None:
    picture = {"type": "input_image", "image_url": URL, "detail": "auto"}
    after = sent(seeing(wire="responses"), *results(), images=IMAGES)["input"]
    assert [item["type"] for item in after[4:9]] == ["function_call_output"] * 3 + ["message"] * 2
    words = {"type": "input_text", "text": "Pictures from the result of take_shot:"}
    assert after[7]["content"] == [words, picture, picture]
    assert after[8]["content"] == [words, picture]
    inside = sent(seeing(wire="responses", result_pictures=True), *results(), images=IMAGES)["input"]
    assert inside[4]["output"] == [{"type": "input_text", "text": "first"}, picture, picture]
    assert inside[5]["output"] == "text"
    assert [part["type"] for part in inside[6]["output"]] == ["input_text", "input_image"]
    assert inside[7]["content"] == "And now?"


def with_layouts(chance: random.Random, history: list[Message], name: str) -> list[Message]:
    """Give answers a layout, right or wrong, and pictures to what may have some."""
    found: list[Message] = []
    for one in history:
        if one.role == "assistant":
            calls = [made.id for made in one.calls]
            parts = layout_of("think", len(one.text) - chance.choice([0, 0, 1]), *calls[:2], "think")
            one = msgspec.structs.replace(one, extra={FIELD: chance.choice([parts, parts, parts[1:], "odd"])})
        elif one.role == "user" and chance.random() < 0.3:
            one = msgspec.structs.replace(one, pictures=(SHOT,))
        found.append(one)
    return found


def lengths(history: list[Message]) -> list[int]:
    """Where a request may end: never between the results of one round."""
    following = [one.role for one in history[1:]] + ["user"]
    return [number for number, role in enumerate(following, 1) if role != "tool"]


@pytest.mark.proof("wire-prefix", small=60, full=5000)
def test_every_request_begins_with_the_one_before(count: int, seed: int) -> None:
    chance = random.Random(seed)
    names = [name for name in profile_names({}, {}, hidden=True) if name != "local"]
    for _ in range(count):
        name = chance.choice(names)
        loaded = load_profile(name, {}, {})
        entry = ModelData(id="test-model", abilities=("tools", "vision"), wire="responses")
        to = msgspec.structs.replace(loaded, models=(entry,))
        whole = with_layouts(chance, history_of(chance, chance.randrange(1, 5), name), name)
        made = [
            body(request(to, *whole[:length], system="s", session="1", images=IMAGES))
            for length in lengths(whole)
        ]
        for shorter, longer in pairwise(made):
            assert longer.startswith(stem(shorter))
        last = body(request(to, *whole, system="s", session="1", images=IMAGES, tool_choice="none"))
        assert last.startswith(stem(made[-1])) and json.loads(last)["tool_choice"] == "none"

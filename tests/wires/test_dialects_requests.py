"""What each dialect wants to be asked like; numbers are those of facts, providers 1.2."""

from __future__ import annotations

import json

import pytest

from app.models.profiles import load_profile, quirks_of
from app.models.request import ToolSchema
from tests.servers.scripted import (
    chunk,
    says,
    scripted,
    streams,
)
from tests.wires.asking import Ask, assistant, call, profile, request, result, sent, user


async def test_02_arguments_that_are_no_json_are_never_sent_again(asking: Ask) -> None:
    body = await sent(
        asking,
        "env",
        user("x"),
        assistant("", call("a1", arguments='{"path":"a"}{"pa')),
        result("a1"),
        user("y"),
    )
    assert body["messages"][1]["tool_calls"][0]["function"]["arguments"] == "{}"


async def test_08_mistral_gets_ids_of_nine_names_and_an_assistant_between(asking: Ask) -> None:
    history = (
        user("x"),
        assistant("", call("call_abcdefghijkl"), call("AbCdEf123")),
        result("call_abcdefghijkl"),
        result("AbCdEf123"),
        user("y"),
    )
    body = await sent(asking, "mistral", *history)
    _, answer, first, second, between, last = body["messages"]
    ids = [one["id"] for one in answer["tool_calls"]]
    assert all(len(id_) == 9 and id_.isalnum() and id_.isascii() for id_ in ids)
    assert ids[1] == "AbCdEf123"
    assert [first["tool_call_id"], second["tool_call_id"]] == ids
    assert first["name"] == "read_file"
    assert between["role"] == "assistant" and between["content"]
    assert last["role"] == "user"
    assert body["messages"] == (await sent(asking, "mistral", *history))["messages"]


async def test_09_openai_gets_ids_of_at_most_forty_characters(asking: Ask) -> None:
    long = "fc_" + "x" * 420
    body = await sent(
        asking,
        "openai",
        user("x"),
        assistant("", call(long), call("call_ok")),
        result(long),
        result("call_ok"),
        user("y"),
    )
    first, second = (one["id"] for one in body["messages"][1]["tool_calls"])
    assert len(first) <= 40 and second == "call_ok"
    assert body["messages"][2]["tool_call_id"] == first


async def test_10_deepseek_gets_its_reasoning_back_with_calls(asking: Ask) -> None:
    own = assistant(
        "", call("a1"), model="deepseek/test-model", reasoning="hm", extra={"reasoning_content": "hm"}
    )
    foreign = assistant("", call("b1"), model="openai/gpt-6-sol", reasoning="aha")
    last = assistant("ok", model="deepseek/test-model", reasoning="so", extra={"reasoning_content": "so"})
    body = await sent(
        asking, "deepseek", user("x"), own, result("a1"), foreign, result("b1"), last, user("y"), effort="off"
    )
    assert body["messages"][1]["reasoning_content"] == "hm"
    assert body["messages"][3]["reasoning_content"] == "aha"
    assert "reasoning_content" not in body["messages"][5]
    assert body["thinking"] == {"type": "disabled"} and "reasoning_effort" not in body
    body = await sent(asking, "deepseek", effort="medium")
    assert (body["thinking"], body["reasoning_effort"]) == ({"type": "enabled"}, "high")


async def test_14_groq_models_have_words_of_their_own_for_effort(asking: Ask) -> None:
    assert (await sent(asking, "groq", model="qwen/qwen3.8-27b", effort="off"))["reasoning_effort"] == "none"
    assert (await sent(asking, "groq", model="openai/gpt-oss-120b", effort="off"))[
        "reasoning_effort"
    ] == "low"
    assert "reasoning_effort" not in await sent(
        asking, "groq", model="llama-3.3-70b-versatile", effort="high"
    )


@pytest.mark.parametrize(
    ("name", "field"), [("openai", "max_completion_tokens"), ("ollama", "max_tokens"), ("env", "max_tokens")]
)
async def test_15_the_name_of_the_output_limit(asking: Ask, name: str, field: str) -> None:
    body = await sent(asking, name, max_output=77, tools=())
    assert body[field] == 77
    assert len({"max_tokens", "max_completion_tokens"} & set(body)) == 1
    assert not {"max_tokens", "max_completion_tokens"} & set(await sent(asking, name, tools=()))


@pytest.mark.parametrize(
    ("name", "role"), [("openai", "developer"), ("xai", "system"), ("deepseek", "system"), ("env", "system")]
)
async def test_16_the_role_of_the_system_text(asking: Ask, name: str, role: str) -> None:
    assert (await sent(asking, name, system="Be kind."))["messages"][0] == {
        "role": role,
        "content": "Be kind.",
    }


@pytest.mark.parametrize("name", ["xai", "deepseek", "env", "custom", "mistral", "gemini"])
async def test_17_store_and_strict_only_go_to_openai(asking: Ask, name: str) -> None:
    body = await sent(asking, name)
    assert "store" not in body and "strict" not in body["tools"][0]["function"]
    body = await sent(asking, "openai")
    assert body["store"] is False and body["tools"][0]["function"]["strict"] is False


async def test_18_stream_options_are_left_out_where_they_are_refused(asking: Ask) -> None:
    assert (await sent(asking, "env"))["stream_options"] == {"include_usage": True}
    assert "stream_options" not in await sent(asking, "mistral")


async def test_21_llamacpp_gets_text_or_reasoning_with_calls_never_both(asking: Ask) -> None:
    both = assistant("I look.", call("a1"), model="llamacpp/test-model", extra={"reasoning_content": "hm"})
    only = assistant("", call("b1"), model="llamacpp/test-model", extra={"reasoning_content": "hm"})
    async with scripted(says("ok")) as server:
        await asking().reply(
            request(
                profile("llamacpp", server.url, window_from=""),
                user("x"),
                both,
                result("a1"),
                only,
                result("b1"),
            )
        )
        messages = server.requests[0].json["messages"]
    assert "reasoning_content" not in messages[1] and messages[1]["content"] == "I look."
    assert messages[3]["reasoning_content"] == "hm" and messages[3]["content"] is None


async def test_23_litellm_wants_tools_when_the_history_has_calls(asking: Ask) -> None:
    history = (user("x"), assistant("", call("a1")), result("a1"), user("y"))
    assert "tools" not in await sent(asking, "custom", *history, tools=())
    assert (await sent(asking, "custom", *history, tools=(), quirks={"empty_tools": True}))["tools"] == []
    assert "tools" not in await sent(asking, "custom", user("x"), tools=(), quirks={"empty_tools": True})


async def test_24_null_or_empty_content_and_no_empty_answers(asking: Ask) -> None:
    history = (user("x"), assistant("", call("a1")), result("a1", ""), assistant(" \n"), user("y"))
    body = await sent(asking, "env", *history)
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "tool", "user"]
    assert body["messages"][1]["content"] is None
    assert body["messages"][2]["content"] == "(no output)"
    assert (await sent(asking, "mistral", *history))["messages"][1]["content"] == ""


async def test_24_lone_surrogates_never_leave(asking: Ask) -> None:
    tool = ToolSchema(
        name="t",
        description="d\udc00",
        parameters={"type": "object", "properties": {"a\ud800": {"type": "string"}}},
    )
    body = await sent(
        asking,
        "env",
        user("a\ud83d b \ud83d\ude00 \x00 c"),
        assistant("x\ude00", call("a1", arguments='{"path":"\ud83d"}')),
        result("a1", "\udcff"),
        tools=(tool,),
    )
    assert body["messages"][0]["content"] == "a\ufffd b 😀 \x00 c"
    assert body["messages"][1]["content"] == "x\ufffd" and body["messages"][2]["content"] == "\ufffd"
    json.dumps(body, ensure_ascii=False).encode()


async def test_28_text_of_an_answer_goes_back_as_a_plain_string(asking: Ask) -> None:
    parts = [{"type": "text", "text": "one "}, {"type": "text", "text": "two"}]
    async with scripted(streams(chunk({"content": parts}), chunk(finish="stop")), says("ok")) as server:
        client, to = asking(), profile("env", server.url)
        reply = await client.reply(request(to))
        assert reply.text == "one two"
        await client.reply(
            request(
                to, user("x"), assistant(reply.text, extra=reply.extra, model="env/test-model"), user("y")
            )
        )
        assert server.requests[1].json["messages"][1] == {"role": "assistant", "content": "one two"}


async def test_openai_models_that_take_tools_only_without_reasoning(asking: Ask) -> None:
    assert (await sent(asking, "openai", model="gpt-6-sol", effort="high"))["reasoning_effort"] == "none"
    assert (await sent(asking, "openai", model="gpt-6-sol", effort="high", tools=()))[
        "reasoning_effort"
    ] == "high"
    assert "reasoning_effort" not in await sent(asking, "openai", model="gpt-4.1", effort="high")


async def test_small_local_models_get_the_last_answer_in_a_fresh_request(asking: Ask) -> None:
    history = (
        user("What is in a?", context="<context/>"),
        assistant("", call("a1")),
        result("a1", "forty two"),
    )
    body = await sent(asking, "local", *history, tool_choice="none", system="Be kind.")
    assert "tools" not in body and "tool_choice" not in body
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert (
        "What is in a?" in body["messages"][1]["content"]
        and "read_file: forty two" in body["messages"][1]["content"]
    )


async def test_tool_choice_none_keeps_the_tools(asking: Ask) -> None:
    body = await sent(asking, "env", tool_choice="none")
    assert body["tool_choice"] == "none" and [one["function"]["name"] for one in body["tools"]] == [
        "read_file",
        "list_dir",
    ]
    assert "tool_choice" not in await sent(asking, "env")


def test_every_quirk_of_a_model_is_a_known_one() -> None:
    for name in ("openai", "openrouter", "groq", "mistral", "gemini", "deepseek", "xai"):
        loaded = load_profile(name, {}, {})
        for model in loaded.models:
            quirks_of(loaded, model.id.replace("*", "x"))

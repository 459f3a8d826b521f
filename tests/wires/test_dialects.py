"""The dialect differences of Chat Completions servers, one test a number of facts 1.2, over real sockets."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.errors import ModelError
from app.models.profiles import load_profile, quirks_of
from app.models.request import CallPart, Reasoning, Text, ToolSchema
from tests.servers.scripted import (
    Exchange,
    Script,
    calls,
    chunk,
    fails,
    piece,
    says,
    scripted,
    streams,
    usage_chunk,
)
from tests.wires.asking import Ask, assistant, call, profile, request, result, user

A, B = '{"path":"a"}', '{"path":"b"}'


def made(*pieces: dict[str, Any]) -> Script:
    """A stream that brings one piece of tool_calls a chunk."""
    return streams(*(chunk({"tool_calls": [one]}) for one in pieces), chunk(finish="tool_calls"))


async def called(asking: Ask, script: Script, name: str = "env") -> list[tuple[str, str, str]]:
    """(id, name, arguments) of the calls that a script brings."""
    async with scripted(script) as server:
        reply = await asking(key="k-test").reply(request(profile(name, server.url)))
    assert reply.finish == "calls"
    return [(one.id, one.name, one.arguments) for one in reply.calls]


async def sent(
    asking: Ask,
    name: str,
    *messages: Any,
    script: Script | None = None,
    quirks: dict[str, Any] | None = None,
    **fields: Any,
) -> Any:
    """The body that a server of a profile gets."""
    async with scripted(script or says("fine")) as server:
        await asking(key="k-test").reply(
            request(profile(name, server.url, **(quirks or {})), *messages, **fields)
        )
        return server.requests[-1].json


async def test_01_ollama_gives_every_call_index_0_with_an_id_of_its_own(asking: Ask) -> None:
    found = await called(
        asking, made(piece(0, "a1", "read_file", A), piece(0, "b1", "read_file", B)), "custom"
    )
    assert found == [("a1", "read_file", A), ("b1", "read_file", B)]


async def test_01_a_missing_index_with_ids(asking: Ask) -> None:
    found = await called(asking, made(piece(None, "a1", "read_file", A), piece(None, "b1", "list_dir", "{}")))
    assert found == [("a1", "read_file", A), ("b1", "list_dir", "{}")]


async def test_02_litellm_runs_the_arguments_of_two_calls_together(asking: Ask) -> None:
    found = await called(asking, made(piece(0, "a1", "read_file", A), piece(0, None, None, B)))
    assert [(name, arguments) for _, name, arguments in found] == [
        ("read_file", json.dumps(json.loads(A))),
        ("read_file", json.dumps(json.loads(B))),
    ]
    assert len({id_ for id_, _, _ in found}) == 2


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


async def test_03_gemini_goes_on_with_the_last_call_without_index_or_id(asking: Ask) -> None:
    found = await called(
        asking,
        made(
            piece(None, "a1", "read_file", '{"pa'),
            piece(None, None, None, 'th":"a"}'),
            piece(None, "b1", "read_file", B),
        ),
    )
    assert found == [("a1", "read_file", A), ("b1", "read_file", B)]


async def test_04_parallel_calls_that_all_have_index_0_and_come_in_pieces(asking: Ask) -> None:
    found = await called(
        asking,
        made(
            piece(0, "a1", "read_file", ""),
            piece(0, None, None, A),
            piece(0, "b1", "list_dir", ""),
            piece(0, None, None, "{}"),
        ),
    )
    assert found == [("a1", "read_file", A), ("b1", "list_dir", "{}")]


async def test_05_a_missing_id_is_minted_and_used_in_the_reply(asking: Ask) -> None:
    found = await called(asking, made(piece(0, None, "read_file", A), piece(1, None, "read_file", B)))
    assert found == [("minted_1", "read_file", A), ("minted_2", "read_file", B)]


async def test_05_calls_without_ids_on_one_index(asking: Ask) -> None:
    found = await called(asking, made(piece(0, None, "read_file", A), piece(0, None, "read_file", B)))
    assert [arguments for _, _, arguments in found] == [A, B]


async def test_05_an_id_that_the_conversation_used_before_is_replaced(asking: Ask) -> None:
    async with scripted(made(piece(0, "call_0", "read_file", B))) as server:
        history = (user("x"), assistant("", call("call_0")), result("call_0"), user("y"))
        reply = await asking().reply(request(profile("env", server.url), *history))
    assert reply.calls[0].id == "minted_1"


async def test_05_one_id_for_several_indexes_is_a_call_each(asking: Ask) -> None:
    found = await called(asking, made(piece(0, "same", "read_file", A), piece(1, "same", "read_file", B)))
    assert [arguments for _, _, arguments in found] == [A, B]
    assert found[0][0] == "same" != found[1][0]


async def test_06_an_empty_id_counts_as_none(asking: Ask) -> None:
    found = await called(
        asking,
        made(piece(0, "a1", "read_file", '{"pa'), piece(0, "", None, 'th":'), piece(0, "", "", '"a"}')),
    )
    assert found == [("a1", "read_file", A)]
    found = await called(asking, made(piece(0, "", "read_file", A)))
    assert found[0][0].startswith("minted")


async def test_06_name_and_id_repeated_in_every_piece(asking: Ask) -> None:
    found = await called(
        asking,
        made(
            piece(0, "a1", "read_file", '{"pa'),
            piece(0, "a1", "read_file", 'th":"a"}'),
            piece(0, "a1", "read_file", ""),
        ),
    )
    assert found == [("a1", "read_file", A)]
    found = await called(
        asking,
        made(
            piece(0, None, "read_file", '{"pa'),
            piece(0, None, "read_file", 'th":"a"}'),
            piece(0, None, "read_file", ""),
        ),
    )
    assert [arguments for _, _, arguments in found] == [A]


async def test_07_no_arguments_are_an_empty_object(asking: Ask) -> None:
    found = await called(asking, made(piece(0, "a1", "list_dir", ""), piece(1, "b1", "list_dir")))
    assert found == [("a1", "list_dir", "{}"), ("b1", "list_dir", "{}")]


async def test_07_arguments_sent_as_an_object(asking: Ask) -> None:
    found = await called(
        asking, made({"index": 0, "id": "a1", "function": {"name": "read_file", "arguments": {"path": "ä"}}})
    )
    assert json.loads(found[0][2]) == {"path": "ä"}


async def test_07_raw_line_ends_in_the_strings_of_arguments_become_valid_json(asking: Ask) -> None:
    found = await called(asking, made(piece(0, "a1", "read_file", '{"path":"a\nb"}')))
    assert json.loads(found[0][2]) == {"path": "a\nb"}


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


async def test_11_gemini_gets_its_thought_signature_back(asking: Ask) -> None:
    signed = {"google": {"thought_signature": "c2ln"}}
    async with scripted(
        made({**piece(0, "a1", "read_file", A), "extra_content": signed}), says("ok")
    ) as server:
        client, to = asking(key="k-test"), profile("gemini", server.url)
        first = await client.reply(request(to))
        assert first.calls[0].extra == {"extra_content": signed}
        answer = assistant("", *first.calls, model="gemini/test-model", extra=first.extra)
        foreign = assistant("", call("b1"), model="openai/gpt-6-sol")
        await client.reply(request(to, user("x"), answer, result("a1"), foreign, result("b1")))
        own, other = (server.requests[1].json["messages"][place]["tool_calls"][0] for place in (1, 3))
    assert own["extra_content"] == signed
    assert other["extra_content"]["google"]["thought_signature"] == "skip_thought_signature_validator"


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning", "reasoning_text"])
async def test_12_reasoning_under_each_of_its_names(asking: Ask, name: str) -> None:
    async with scripted(
        streams(
            chunk({name: "let "}), chunk({name: "me see"}), chunk({"content": "yes"}), chunk(finish="stop")
        )
    ) as server:
        events = await asking().events(request(profile("env", server.url)))
    assert [event.text for event in events if isinstance(event, Reasoning)] == ["let ", "me see"]
    reply = events[-1].reply
    assert (reply.reasoning, reply.text, reply.extra) == ("let me see", "yes", {name: "let me see"})


async def test_12_two_copies_of_the_reasoning_are_shown_once(asking: Ask) -> None:
    both = {"reasoning_content": "", "reasoning": "hm", "reasoning_text": "hm"}
    async with scripted(streams(chunk(both), chunk(both), chunk({"content": "x"}, "stop"))) as server:
        reply = await asking().reply(request(profile("env", server.url)))
    assert reply.reasoning == "hmhm"


async def test_13_openrouter_comments_details_and_marks(asking: Ask) -> None:
    details = [
        {"type": "reasoning.text", "index": 0, "text": "let ", "format": "anthropic-claude-v1"},
        {"type": "reasoning.text", "index": 0, "text": "me", "format": "anthropic-claude-v1"},
        {"type": "reasoning.text", "index": 0, "text": "", "signature": "sig"},
        {"type": "reasoning.encrypted", "index": 1, "data": "abc"},
    ]

    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.send(b": OPENROUTER PROCESSING\n\n:\n\n")
        for detail in details:
            await exchange.events(chunk({"reasoning_details": [detail], "reasoning": detail.get("text", "")}))
        await exchange.events(
            chunk({"tool_calls": [piece(0, "a1", "read_file", A)]}),
            chunk(finish="tool_calls"),
            usage_chunk(),
            "[DONE]",
        )
        await exchange.end()

    async with scripted(script, says("ok")) as server:
        client, to = asking(key="k-test"), profile("openrouter", server.url)
        model = "anthropic/claude-x"
        first = await client.reply(request(to, model=model, system="Be kind."))
        assert first.reasoning == "let me"
        answer = assistant("", *first.calls, model=f"openrouter/{model}", extra=first.extra)
        await client.reply(request(to, user("x"), answer, result("a1"), model=model, system="Be kind."))
        system, person, again, tool = server.requests[1].json["messages"]
    assert again["reasoning_details"] == [
        {
            "type": "reasoning.text",
            "index": 0,
            "text": "let me",
            "format": "anthropic-claude-v1",
            "signature": "sig",
        },
        {"type": "reasoning.encrypted", "index": 1, "data": "abc"},
    ]
    assert "reasoning" not in again
    mark = {"type": "ephemeral"}
    assert [message["content"][0]["cache_control"] for message in (system, person, tool)] == [mark] * 3


async def test_13_an_error_in_the_stream_of_a_200(asking: Ask) -> None:
    failed = {
        "error": {"code": 502, "message": "Upstream went away"},
        "choices": [{"delta": {"content": ""}, "finish_reason": "error"}],
    }
    async with scripted(streams(chunk({"content": "par"}), failed)) as server:
        asked = asking(key="k-test")
        with pytest.raises(ModelError) as caught:
            await asked.reply(request(profile("openrouter", server.url)))
    assert (caught.value.code, len(server.requests), asked.waits) == ("server_error", 1, [])
    assert "Upstream went away" in caught.value.problem.detail


async def test_13_a_finish_of_error_is_no_answer(asking: Ask) -> None:
    async with scripted(streams(chunk({"content": "par"}), chunk(finish="error"))) as server:
        with pytest.raises(ModelError) as caught:
            await asking().reply(request(profile("env", server.url)))
    assert caught.value.code == "server_error"


@pytest.mark.parametrize(
    ("generation", "name", "arguments"),
    [
        ('<function=read_file{"path": "a"}</function>', "read_file", '{"path": "a"}'),
        ('<function=read_file>{"path": "a"</function>', "read_file", '{"path": "a"'),
        ('{"name": "list_dir", "arguments": {"depth": 1}}', "list_dir", '{"depth": 1}'),
        ("I will call list_dir now", "list_dir", "I will call list_dir now"),
    ],
)
async def test_14_groq_refuses_arguments_which_go_back_as_a_failed_call(
    asking: Ask, generation: str, name: str, arguments: str
) -> None:
    failed = {
        "error": {
            "message": "Failed to call a function.",
            "code": "tool_use_failed",
            "failed_generation": generation,
        }
    }
    async with scripted(fails(400, failed)) as server:
        client, to = asking(key="k-test"), profile("groq", server.url)
        reply = await client.reply(request(to))
        assert [(one.name, one.arguments) for one in reply.calls] == [(name, arguments)]
        answer = assistant("", *reply.calls, extra=reply.extra, model="groq/test-model")
        with pytest.raises(ModelError) as caught:
            await client.reply(request(to, user("x"), answer, result(reply.calls[0].id, "bad arguments")))
        assert caught.value.code == "unsupported"
        assert "failed_generation" not in server.requests[1].json["messages"][1]
    async with scripted(streams(failed)) as server:
        assert (await asking(key="k").reply(request(profile("groq", server.url)))).calls[0].name == name


async def test_14_groq_leaves_reasoning_out_of_the_total(asking: Ask) -> None:
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 50,
        "total_tokens": 120,
        "completion_tokens_details": {"reasoning_tokens": 30},
    }
    async with scripted(
        streams(chunk({"content": "x"}, "stop"), {"choices": [], "x_groq": {"usage": usage}})
    ) as server:
        reply = await asking(key="k-test").reply(request(profile("groq", server.url)))
    assert (reply.usage.input, reply.usage.output, reply.usage.reasoning) == (100, 50, 30)


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


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        ([usage_chunk(100, 20, prompt_tokens_details={"cached_tokens": 64})], (100, 20, 64, 0)),
        (
            [
                {
                    "choices": [
                        {
                            "index": 0,
                            "delta": {},
                            "usage": {"prompt_tokens": 9, "completion_tokens": 3, "cached_tokens": 4},
                        }
                    ]
                }
            ],
            (9, 3, 4, 0),
        ),
        ([usage_chunk(100, 20, prompt_cache_hit_tokens=70, prompt_cache_miss_tokens=30)], (100, 20, 70, 0)),
        ([usage_chunk(100, 20, cache_read_input_tokens=40, cache_creation_input_tokens=9)], (100, 20, 40, 9)),
        (
            [usage_chunk(100, 20, prompt_tokens_details={"cached_tokens": 8, "cache_write_tokens": 5})],
            (100, 20, 8, 5),
        ),
        (
            [{**usage_chunk(), "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 45}}],
            (10, 35, 0, 0),
        ),
        ([{**usage_chunk(), "usage": {"input_tokens": 10, "output_tokens": 5}}], (10, 5, 0, 0)),
        ([usage_chunk(1, 1), usage_chunk(10, 5)], (10, 5, 0, 0)),
        ([{**usage_chunk(), "usage": None}, {**usage_chunk(10, 5)}], (10, 5, 0, 0)),
    ],
)
async def test_19_usage_in_every_known_place(
    asking: Ask, chunks: list[Any], expected: tuple[int, ...]
) -> None:
    async with scripted(streams(chunk({"content": "x"}, "stop"), *chunks)) as server:
        usage = (await asking().reply(request(profile("env", server.url)))).usage
    assert (usage.input, usage.output, usage.cached, usage.written) == expected
    assert usage.exact


async def test_19_no_usage_is_an_estimate(asking: Ask) -> None:
    async with scripted(streams(chunk({"content": "one two three four"}, "stop"))) as server:
        usage = (await asking().reply(request(profile("env", server.url)))).usage
    assert not usage.exact and usage.input > 20 and 3 <= usage.output <= 6


def ollama(window: int | None, *, loaded: bool = True) -> Script:
    """An Ollama that tells its window once the model is loaded."""
    state = {"loaded": loaded}

    async def script(exchange: Exchange) -> None:
        path = exchange.request.path
        if path == "/api/ps":
            entry = {"name": "test-model:latest", **({} if window is None else {"context_length": window})}
            await exchange.answer(200, {"models": [entry] if state["loaded"] else []})
        elif path == "/api/generate":
            assert "prompt" not in exchange.request.json
            state["loaded"] = True
            await exchange.answer(200, {"done": True, "done_reason": "load"})
        else:
            await says("ok")(exchange)

    return script


async def test_20_ollama_with_a_small_window_is_refused_for_tools_only(asking: Ask) -> None:
    async with scripted(ollama(4096, loaded=False)) as server:
        asked, to = asking(), profile("ollama", server.url)
        with pytest.raises(ModelError) as caught:
            await asked.reply(request(to))
        assert caught.value.code == "unsupported" and caught.value.problem.fields["window"] == "4096"
        assert [one.path for one in server.requests] == ["/api/ps", "/api/generate", "/api/ps"]
        assert (await asked.reply(request(to, tools=()))).text == "ok"
        assert asked.client.windows.of(to, "test-model") == 4096


@pytest.mark.parametrize("window", [32768, None])
async def test_20_ollama_with_room_or_without_news_is_asked(asking: Ask, window: int | None) -> None:
    async with scripted(ollama(window)) as server:
        asked, to = asking(), profile("ollama", server.url)
        assert (await asked.reply(request(to))).text == "ok"
        assert (await asked.reply(request(to))).text == "ok"
        assert [one.path for one in server.requests] == [
            "/api/ps",
            "/v1/chat/completions",
            "/v1/chat/completions",
        ]


async def test_20_ollama_that_cut_the_question_away_is_an_overflow(asking: Ask) -> None:
    async def script(exchange: Exchange) -> None:
        body = {"error": {"message": "template error: No user query found in messages."}}
        await exchange.answer(500 if "chat" in exchange.request.path else 404, body)

    async with scripted(script) as server:
        asked = asking()
        with pytest.raises(ModelError) as caught:
            await asked.reply(request(profile("ollama", server.url)))
    assert (caught.value.code, asked.waits) == ("overflow", [])


@pytest.mark.parametrize(
    "said",
    [
        "Unsupported param: tools",
        "Cannot pass both content and thinking in an assistant message with tool calls!",
        "Failed to parse jinja template",
    ],
)
async def test_21_llamacpp_template_errors_are_not_retried(asking: Ask, said: str) -> None:
    async def script(exchange: Exchange) -> None:
        if exchange.request.path == "/props":
            await exchange.answer(200, {"default_generation_settings": {"n_ctx": 20_480}})
        else:
            await exchange.answer(500, {"error": {"code": 500, "message": said, "type": "server_error"}})

    async with scripted(script) as server:
        asked, to = asking(), profile("llamacpp", server.url)
        with pytest.raises(ModelError) as caught:
            await asked.reply(request(to))
    assert (caught.value.code, asked.waits) == ("unsupported", [])
    assert asked.client.windows.of(to, "test-model") == 20_480


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


async def test_22_vllm_without_its_flags_says_what_is_missing(asking: Ask) -> None:
    said = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
    async with scripted(
        fails(404, {}), fails(400, {"object": "error", "message": said, "code": 400})
    ) as server:
        with pytest.raises(ModelError) as caught:
            await asking().reply(request(profile("vllm", server.url)))
    assert caught.value.code == "unsupported" and "--enable-auto-tool-choice" in caught.value.problem.detail


async def test_22_vllm_tells_its_window_and_leaves_ids_out(asking: Ask) -> None:
    async def script(exchange: Exchange) -> None:
        if exchange.request.path == "/v1/models":
            await exchange.answer(200, {"data": [{"id": "test-model", "max_model_len": 40_960}]})
        else:
            await made(piece(0, None, "read_file", ""), piece(0, None, None, A))(exchange)

    async with scripted(script) as server:
        asked, to = asking(), profile("vllm", server.url)
        reply = await asked.reply(request(to))
    assert [(one.id, one.arguments) for one in reply.calls] == [("minted_1", A)]
    assert asked.client.windows.of(to, "test-model") == 40_960


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


@pytest.mark.parametrize(
    "reason",
    [
        "stop",
        "tool_call",
        "tool_calls",
        "function_call",
        "end",
        "eos",
        "length",
        "model_context_window_exceeded",
        None,
    ],
)
async def test_25_calls_count_whatever_the_finish_reason(asking: Ask, reason: str | None) -> None:
    ending = [chunk(finish=reason)] if reason else []
    async with scripted(streams(chunk({"tool_calls": [piece(0, "a1", "read_file", A)]}), *ending)) as server:
        reply = await asking().reply(request(profile("env", server.url)))
    assert (reply.finish, len(reply.calls)) == ("calls", 1)


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("stop", "stop"),
        ("end", "stop"),
        ("tool_calls", "stop"),
        ("length", "length"),
        ("MAX_TOKENS", "length"),
        ("model_context_window_exceeded", "length"),
        ("content_filter", "refused"),
    ],
)
async def test_25_finishes_without_calls(asking: Ask, reason: str, finish: str) -> None:
    async with scripted(streams(chunk({"content": "x"}), chunk(finish=reason))) as server:
        assert (await asking().reply(request(profile("env", server.url)))).finish == finish


async def test_25_a_call_that_the_output_limit_cut_is_left_out(asking: Ask) -> None:
    pieces = [piece(0, "a1", "read_file", A), piece(1, "b1", "read_file", '{"path": "b')]
    async with scripted(streams(chunk({"tool_calls": pieces}), chunk(finish="length"))) as server:
        reply = await asking().reply(request(profile("env", server.url)))
    assert [one.id for one in reply.calls] == ["a1"]


async def test_26_calls_written_as_text_are_read_where_the_profile_says_so(asking: Ask) -> None:
    text = '```json\n{"name": "read_file", "arguments": {"path": "a"}}\n```'
    for name, expected in (("lmstudio", [("read_file", {"path": "a"})]), ("env", [])):
        async with scripted(streams(chunk({"content": text}), chunk(finish="stop"))) as server:
            reply = await asking().reply(request(profile(name, server.url, window_from="")))
            assert [(one.name, json.loads(one.arguments)) for one in reply.calls] == expected
            assert reply.finish == ("calls" if expected else "stop")
            reply = await asking().reply(
                request(profile(name, server.url, window_from=""), tool_choice="none")
            )
            assert not reply.calls


OVERFLOWS = [
    (400, "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens"),
    (400, "Your input exceeds the context window of this model"),
    (400, "prompt is too long: 213462 tokens > 200000 maximum"),
    (400, "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)."),
    (400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens."),
    (400, "Please reduce the length of the messages or completion."),
    (400, "prompt token count of 140000 exceeds the limit of 128000"),
    (400, "the request exceeds the available context size. try increasing the context size"),
    (400, "tokens to keep from the initial prompt is greater than the context length"),
    (400, "invalid params, context window exceeds limit"),
    (400, "Your request exceeded model token limit: 262144"),
    (400, "Prompt contains 300000 tokens, too large for model with 262144 maximum context length"),
    (400, "prompt too long; exceeded max context length by 4 tokens"),
    (400, "Input is too long for requested model."),
    (413, ""),
    (500, "the request exceeds the available context size (4096 tokens)"),
]


@pytest.mark.parametrize(("status", "said"), OVERFLOWS)
async def test_27_overflow_in_each_wording(asking: Ask, status: int, said: str) -> None:
    async with scripted(fails(status, {"error": {"message": said}} if said else b"")) as server:
        asked = asking()
        with pytest.raises(ModelError) as caught:
            await asked.reply(request(profile("env", server.url)))
    assert (caught.value.code, asked.waits) == ("overflow", [])


async def test_27_a_profile_may_add_wordings_such_as_an_empty_400(asking: Ask) -> None:
    async with scripted(fails(400, b"")) as server:
        with pytest.raises(ModelError) as caught:
            await asking().reply(request(profile("custom", server.url, overflow=["^\\s*$"])))
    assert caught.value.code == "overflow"


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


async def test_copilot_splits_text_and_calls_over_several_choices(asking: Ask) -> None:
    both = chunk({"content": "I look."})
    both["choices"].append({"index": 1, "delta": {"tool_calls": [piece(0, "a1", "read_file", A)]}})
    both["choices"].append({"index": 2, "delta": {"tool_calls": [piece(0, "b1", "list_dir", "{}")]}})
    async with scripted(streams({"choices": []}, both, chunk(finish="tool_calls"))) as server:
        reply = await asking().reply(request(profile("env", server.url)))
    assert (reply.text, [one.id for one in reply.calls]) == ("I look.", ["a1", "b1"])


async def test_env_gives_thinking_blocks_and_parts_with_signatures_back(asking: Ask) -> None:
    deltas = [
        {"thinking_blocks": [{"type": "thinking", "thinking": "let ", "signature": None}]},
        {"thinking_blocks": [{"type": "thinking", "thinking": "me", "signature": "sig1"}]},
        {"thinking_blocks": [{"type": "redacted_thinking", "data": "xyz"}]},
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "th"}]}]},
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "ink"}], "signature": "s2"}]},
        {"content": "Hi"},
        {"extra_content": {"google": {"thought_signature": "abc"}}},
    ]
    async with scripted(streams(*map(chunk, deltas), chunk(finish="stop")), says("ok")) as server:
        client, to = asking(), profile("env", server.url)
        reply = await client.reply(request(to))
        assert (reply.text, reply.reasoning) == ("Hi", "think")
        await client.reply(
            request(
                to, user("x"), assistant(reply.text, extra=reply.extra, model="env/test-model"), user("y")
            )
        )
        await client.reply(
            request(to, user("x"), assistant(reply.text, extra=reply.extra, model="env/other"), user("y"))
        )
        again, foreign = (server.requests[place].json["messages"][1] for place in (1, 2))
    assert again["thinking_blocks"] == [
        {"type": "thinking", "thinking": "let me", "signature": "sig1"},
        {"type": "redacted_thinking", "data": "xyz"},
    ]
    assert again["content"] == [
        {"type": "thinking", "thinking": [{"type": "text", "text": "think"}], "signature": "s2"},
        {"type": "text", "text": "Hi"},
    ]
    assert again["extra_content"] == {"google": {"thought_signature": "abc"}}
    assert foreign == {"role": "assistant", "content": "Hi"}


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


async def test_the_old_form_of_a_call(asking: Ask) -> None:
    deltas = [
        {"function_call": {"name": "read_file", "arguments": '{"pa'}},
        {"function_call": {"arguments": 'th":"a"}'}},
    ]
    found = await called(asking, streams(*map(chunk, deltas), chunk(finish="function_call")))
    assert found == [("minted_1", "read_file", A)]


async def test_call_parts_tell_name_and_size(asking: Ask) -> None:
    async with scripted(calls(("read_file", {"path": "a"}), ("list_dir", {}))) as server:
        events = await asking().events(request(profile("env", server.url)))
    parts = [(event.index, event.name, event.size) for event in events if isinstance(event, CallPart)]
    assert parts == [
        (0, "read_file", 0),
        (0, "read_file", 5),
        (0, "read_file", 13),
        (1, "list_dir", 0),
        (1, "list_dir", 2),
        (1, "list_dir", 2),
    ]
    assert not [event for event in events if isinstance(event, Text)]


def test_every_quirk_of_a_model_is_a_known_one() -> None:
    for name in ("openai", "openrouter", "groq", "mistral", "gemini", "deepseek", "xai"):
        loaded = load_profile(name, {}, {})
        for model in loaded.models:
            quirks_of(loaded, model.id.replace("*", "x"))

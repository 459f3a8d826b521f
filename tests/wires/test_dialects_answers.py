"""What each dialect answers like, beyond its calls; numbers are those of facts, providers 1.2."""

from __future__ import annotations

import json

import pytest

from app.errors import ModelError
from app.models.request import Reasoning
from tests.servers.scripted import (
    Exchange,
    chunk,
    fails,
    piece,
    says,
    scripted,
    streams,
    usage_chunk,
)
from tests.wires.asking import Ask, assistant, call, made, profile, request, result, user

A = '{"path":"a"}'


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


async def test_22_vllm_without_its_flags_says_what_is_missing(asking: Ask) -> None:
    said = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
    async with scripted(
        fails(404, {}), fails(400, {"object": "error", "message": said, "code": 400})
    ) as server:
        with pytest.raises(ModelError) as caught:
            await asking().reply(request(profile("vllm", server.url)))
    assert caught.value.code == "unsupported" and "--enable-auto-tool-choice" in caught.value.problem.detail


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

"""Windows, usage and overflow as each dialect tells them; numbers are those of facts, providers 1.2."""

from __future__ import annotations

from typing import Any

import pytest

from app.errors import ModelError
from tests.servers.scripted import (
    Exchange,
    Script,
    chunk,
    fails,
    piece,
    says,
    scripted,
    streams,
    usage_chunk,
)
from tests.wires.asking import Ask, made, profile, request

A = '{"path":"a"}'


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


@pytest.mark.parametrize(
    "counts",
    [
        {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
        {"prompt_tokens": -5, "completion_tokens": -10},
        {"prompt_tokens": 10**30, "completion_tokens": "12"},
    ],
)
async def test_19_counts_that_cannot_be_true_are_none(asking: Ask, counts: dict[str, object]) -> None:
    answer = streams(chunk({"content": "Hello there"}, "stop"), {"choices": [], "usage": counts})
    async with scripted(answer) as server:
        usage = (await asking().reply(request(profile("env", server.url)))).usage
    assert not usage.exact and usage.input > 20 and usage.output > 0


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

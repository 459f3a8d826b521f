"""Refusals over the Responses wire, and what is left out of a request so that a conversation goes on."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from app.errors import ModelError
from app.models.profile import Profile
from app.models.responses.layout import FIELD
from tests.servers.responses import BLOB, answers, message
from tests.servers.scripted import Exchange, Script, fails, scripted
from tests.wires.asking import Ask, assistant, call, profile, request, result, user

THOUGHT = {"type": "reasoning", "summary": [], "encrypted_content": BLOB}


def speaking(url: str, name: str = "openai", **quirks: Any) -> Profile:
    """A profile that speaks Responses."""
    return msgspec.structs.replace(profile(name, url, **quirks), wire="responses")


def error(code: str, said: str, param: str | None = None) -> dict[str, Any]:
    """An error body as OpenAI words it."""
    return {"error": {"message": said, "type": "invalid_request_error", "param": param, "code": code}}


@pytest.mark.parametrize(
    ("status", "told", "code", "count"),
    [
        (400, error("context_length_exceeded", "Your input exceeds the context window."), "overflow", 1),
        (400, error("unsupported_api_for_model", "Not over /responses."), "unsupported", 1),
        (400, error("model_not_supported", "The requested model is not supported."), "unsupported", 1),
        (404, error("model_not_found", "The model `test-model` does not exist."), "model_gone", 1),
        (429, error("insufficient_quota", "You exceeded your current quota."), "no_credit", 1),
        (429, error("rate_limit_exceeded", "Rate limit reached. Please try again in 1.5s."), "rate_limit", 6),
        (401, error("invalid_api_key", "Incorrect API key provided: sk-te**."), "bad_key", 1),
        (
            403,
            error("unsupported_country_region_territory", "Country not supported"),
            "region_refused",
            1,
        ),
        (400, error("invalid_prompt", "Invalid prompt: it was flagged."), "content_refused", 1),
        (500, error("server_error", "The server had an error."), "server_error", 3),
        (503, error("server_is_overloaded", "Overloaded."), "overloaded", 3),
    ],
)
async def test_refusals(asking: Ask, status: int, told: dict[str, Any], code: str, count: int) -> None:
    async with scripted(fails(status, told)) as server:
        asked = asking(key="sk-test")
        with pytest.raises(ModelError) as caught:
            await asked.reply(request(speaking(server.url)))
        assert (caught.value.code, len(server.requests)) == (code, count)
    if code == "rate_limit":
        assert asked.waits[0] == pytest.approx(1.5)


UNVERIFIED = error(
    "unsupported_value",
    "Your organization must be verified to generate reasoning summaries.",
    "reasoning.summary",
)
NO_REASONING = error("invalid_value", "Encrypted content is not supported with this model.", "include")
FOREIGN = error("invalid_encrypted_content", "The encrypted content for item rs_1 could not be verified.")


def takes(refused: dict[str, Any], wanted: Any) -> Script:
    """A server that refuses every body for which `wanted` is true."""

    async def script(exchange: Exchange) -> None:
        if wanted(exchange.request.json):
            await exchange.answer(400, refused)
        else:
            await answers(message("fine"))(exchange)

    return script


async def test_an_organization_that_is_not_verified_goes_without_summaries(asking: Ask) -> None:
    refuses = takes(UNVERIFIED, lambda body: "summary" in body.get("reasoning", {}))
    async with scripted(refuses) as server:
        client, to = asking(key="sk-test"), speaking(server.url)
        asked = request(to, model="gpt-6-sol", effort="high")
        assert [(await client.reply(asked)).text for _ in range(2)] == ["fine", "fine"]
        sent = [received.json.get("reasoning") for received in server.requests]
        assert sent == [{"effort": "high", "summary": "auto"}, {"effort": "high"}, {"effort": "high"}]
        changed = msgspec.structs.replace(to, title="Changed in the settings")
        await client.reply(msgspec.structs.replace(asked, profile=changed))
        assert "summary" in server.requests[3].json["reasoning"], "a changed profile is tried anew"


async def test_a_model_without_reasoning_is_not_asked_for_it(asking: Ask) -> None:
    def wanted(body: dict[str, Any]) -> bool:
        return "include" in body or "summary" in body.get("reasoning", {})

    async def script(exchange: Exchange) -> None:
        told = UNVERIFIED if "summary" in exchange.request.json.get("reasoning", {}) else NO_REASONING
        await takes(told, wanted)(exchange)

    async with scripted(script) as server:
        client, to = asking(key="sk-test"), speaking(server.url)
        for _ in range(2):
            assert (await client.reply(request(to, model="gpt-9-new"))).text == "fine"
        assert len(server.requests) == 4, "what is refused is learned, one thing after the other"
        assert "include" not in server.requests[3].json


async def test_reasoning_that_cannot_be_read_any_more_is_left_out(asking: Ask) -> None:
    refuses = takes(FOREIGN, lambda body: any(item["type"] == "reasoning" for item in body["input"]))
    layout = [THOUGHT, {"type": "message", "size": 2, "phase": "commentary"}]
    history = (
        user("x"),
        assistant("Ok", call("c1"), model="openai/test-model", extra={FIELD: layout}),
        result("c1"),
    )
    async with scripted(refuses) as server:
        reply = await asking(key="sk-test").reply(request(speaking(server.url), *history))
        kinds = [[item["type"] for item in received.json["input"]] for received in server.requests]
        kept = server.requests[1].json["input"][1]
    assert reply.text == "fine"
    assert kinds == [
        ["message", "reasoning", "message", "function_call", "function_call_output"],
        ["message", "message", "function_call", "function_call_output"],
    ]
    assert kept["phase"] == "commentary"


@pytest.mark.parametrize("told", [UNVERIFIED, NO_REASONING, FOREIGN])
async def test_a_server_that_is_never_content_is_not_asked_for_ever(
    asking: Ask, told: dict[str, Any]
) -> None:
    async with scripted(fails(400, told)) as server:
        with pytest.raises(ModelError) as caught:
            await asking(key="sk-test").reply(request(speaking(server.url), model="gpt-6-sol"))
        assert caught.value.code == "unsupported" and len(server.requests) <= 3
        assert told["error"]["message"] in caught.value.problem.detail


async def test_another_refusal_is_not_sent_again(asking: Ask) -> None:
    for told in (error("invalid_value", "Bad tool."), {"error": "odd"}, {"detail": "odd"}, [], "odd"):
        async with scripted(fails(400, told)) as server:
            with pytest.raises(ModelError):
                await asking(key="sk-test").reply(request(speaking(server.url)))
            assert len(server.requests) == 1

"""What goes wrong on the Messages wire, each as one code, and where such a server is found."""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec
import pytest

from app.errors import ModelError
from app.models.profile import Profile
from app.models.profiles import load_profile
from app.models.request import Restarted, Waiting
from tests.servers.anthropic import error, says, start, streams, text
from tests.servers.scripted import fails, scripted
from tests.wires import asking as asks
from tests.wires.asking import KEY, Ask, assistant, call, profile, request, result, user

refused = partial(asks.refused, name="anthropic")


def claude(url: str) -> Profile:
    return profile("anthropic", url)


CASES = [
    (401, error("authentication_error", "invalid x-api-key"), "bad_key"),
    (403, error("permission_error", "Your API key does not have permission."), "bad_key"),
    (400, error("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"), "overflow"),
    (
        400,
        error(
            "invalid_request_error",
            "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
        ),
        "overflow",
    ),
    (413, error("request_too_large", "Request exceeds the maximum size"), "overflow"),
    (400, error("invalid_request_error", "Your credit balance is too low to access the API."), "no_credit"),
    (402, error("billing_error", "Pay first."), "no_credit"),
    (404, error("not_found_error", "model: test-model"), "model_gone"),
    (400, error("invalid_request_error", "tools.0: Extra inputs are not permitted"), "unsupported"),
    (400, error("invalid_request_error", "Output blocked by content filtering policy"), "content_refused"),
]


@pytest.mark.parametrize(("status", "said", "code"), CASES)
async def test_refusals_that_no_retry_mends(asking: Ask, status: int, said: Any, code: str) -> None:
    failure, waits, count = await refused(asking, fails(status, said))
    assert (failure.code, failure.status, waits, count) == (code, status, [], 1)
    assert failure.problem.fields["profile"] == "anthropic" and KEY not in failure.problem.detail


async def test_a_limit_is_waited_out_as_long_as_the_server_says(asking: Ask) -> None:
    limited = fails(429, error("rate_limit_error", "Slow down."), {"retry-after": "7"})
    async with scripted(limited, says("ok")) as server:
        asked = asking(key=KEY)
        assert (await asked.reply(request(claude(server.url)))).text == "ok"
        assert asked.waits == [7.0]


@pytest.mark.parametrize(
    ("status", "kind"), [(529, "overloaded_error"), (500, "api_error"), (504, "timeout_error")]
)
async def test_an_overloaded_server_is_asked_again(asking: Ask, status: int, kind: str) -> None:
    failure, waits, count = await refused(asking, fails(status, error(kind, "Overloaded")))
    assert (failure.code, failure.status, len(waits), count) == ("overloaded", status, 2, 3)


@pytest.mark.parametrize("begun", [False, True])
async def test_an_overload_inside_the_stream_is_tried_again(asking: Ask, begun: bool) -> None:
    said = text(0, "Half an")[:2] if begun else []
    async with scripted(
        streams(start(), said, error("overloaded_error", "Overloaded")), says("Whole.")
    ) as server:
        events = await asking(key=KEY).events(request(claude(server.url)))
    kinds = [type(one) for one in events]
    assert (Restarted in kinds) is begun and Waiting in kinds and events[-1].reply.text == "Whole."


async def test_other_errors_inside_the_stream_are_not_tried_again(asking: Ask) -> None:
    said = error("invalid_request_error", "No.")
    failure, _, count = await refused(asking, streams(start(), said))
    assert (failure.code, count) == ("server_error", 1)
    said = error("invalid_request_error", "prompt is too long: 3 tokens > 2 maximum")
    assert (await refused(asking, streams(start(), said)))[0].code == "overflow"


async def test_the_environment_s_server_may_speak_this_wire(asking: Ask) -> None:
    async with scripted(says("ok")) as server:
        for base in (server.url, server.url.removesuffix("/v1"), f"{server.url}/messages"):
            to = profile_of(base)
            await asking(key="k").reply(request(to, model="m"))
        paths = [(one.path, one.headers.get("x-api-key")) for one in server.requests]
    assert paths == [("/v1/messages", "k")] * 3


def profile_of(base: str) -> Profile:
    return load_profile("env", {}, {"BRAMBLE_BASE_URL": base, "BRAMBLE_WIRE": "messages"})


def test_an_own_profile_of_this_wire_has_its_headers_and_may_change_them() -> None:
    own = {"mine": {"wire": "messages", "base_url": "https://models.example/anthropic/"}}
    loaded = load_profile("mine", own, {})
    assert (loaded.base_url, loaded.key_header) == ("https://models.example/anthropic/v1", "x-api-key")
    bearer = {"mine": {**own["mine"], "key_header": "authorization", "key_prefix": "Bearer "}}
    assert load_profile("mine", bearer, {}).key_prefix == "Bearer "
    assert msgspec.structs.asdict(load_profile("custom", {}, {}))["key_header"] == "authorization"


# --- what is left out where it is refused ------------------------------------------------------------------

THOUGHT = {
    "blocks": [{"type": "thinking", "thinking": "Hm.", "signature": "s"}, {"type": "tool_use", "call": "c1"}]
}


@pytest.mark.parametrize(
    "said",
    [
        "messages.1.content.0: Invalid `signature` in `thinking` block",
        "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different"
        " conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to"
        ' "drop_block".',
        "messages.3.content.8: `thinking` or `redacted_thinking` blocks in the latest assistant message"
        " cannot be modified.",
        "messages.2.content.1.thinking.signature: Field required",
    ],
)
async def test_thinking_that_is_refused_is_left_out(asking: Ask, said: str) -> None:
    async with scripted(fails(400, error("invalid_request_error", said)), says("ok")) as server:
        answer = assistant("", call("c1"), model="anthropic/test-model", extra=THOUGHT)
        asked = request(claude(server.url), user("x"), answer, result("c1"))
        assert (await asking(key=KEY).reply(asked)).text == "ok"
        kinds = [[block["type"] for block in one.json["messages"][1]["content"]] for one in server.requests]
    assert kinds == [["thinking", "tool_use"], ["tool_use"]]
    failure, _, count = await refused(asking, fails(400, error("invalid_request_error", said)))
    assert (failure.code, count) == ("unsupported", 1)  # there was none to leave out


@pytest.mark.parametrize(
    ("said", "there"),
    [
        ("thinking.adaptive.block_binding: Extra inputs are not permitted", "block_binding"),
        ("system.0.cache_control: Extra inputs are not permitted", "cache_control"),
        ("output_config: Extra inputs are not permitted", "output_config"),
        ('"thinking.type.adaptive" is not supported for this model.', "adaptive"),
    ],
)
async def test_fields_that_are_refused_are_left_out_from_then_on(asking: Ask, said: str, there: str) -> None:
    async with scripted(fails(400, error("invalid_request_error", said)), says("ok")) as server:
        asked = request(claude(server.url), model="claude-sonnet-5-5", effort="low", system="S")
        client = asking(key=KEY)
        for _ in range(2):
            assert (await client.reply(asked)).text == "ok"
        found = [there in one.body.decode() for one in server.requests]
    assert found == [True, False, False]


async def test_what_did_not_help_is_not_left_out_from_then_on(asking: Ask) -> None:
    said = "messages.0: this session's cache_control budget is used up"
    refusal = fails(400, error("invalid_request_error", said))
    async with scripted(refusal, refusal, says("ok")) as server:
        asked = request(claude(server.url), model="claude-sonnet-5-5", system="S")
        client = asking(key=KEY)
        with pytest.raises(ModelError):
            await client.reply(asked)
        assert (await client.reply(asked)).text == "ok"
        assert ["cache_control" in one.body.decode() for one in server.requests] == [True, False, True]


async def test_a_round_that_did_not_think_goes_on_without(asking: Ask) -> None:
    said = "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`."
    async with scripted(fails(400, error("invalid_request_error", said)), says("ok")) as server:
        asked = request(claude(server.url), model="claude-haiku-4-5-20251001", effort="low")
        assert (await asking(key=KEY).reply(asked)).text == "ok"
        assert ["thinking" in one.json for one in server.requests] == [True, False]

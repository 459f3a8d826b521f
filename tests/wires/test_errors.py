"""What goes wrong, each as one code that a person can act on; keys never show, and waits are those that
servers ask for.
"""

from __future__ import annotations

import asyncio
import email.utils
import socket
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.errors import ModelError
from app.models.answer import Patience, patience_with
from app.models.profiles import load_profile
from app.models.request import Finished, ModelRequest, Restarted, Waiting
from tests.servers.certificates import serving
from tests.servers.scripted import Exchange, chunk, fails, says, scripted, streams
from tests.wires.asking import KEY, Ask, profile, refused, request


def openai(message: str, code: str = "", type_: str = "") -> dict[str, Any]:
    """An error body in OpenAI's form."""
    return {"error": {"message": message, "code": code or None, "type": type_ or None, "param": None}}


CASES = [
    (401, openai("Incorrect API key provided", "invalid_api_key"), "bad_key"),
    (401, b"", "bad_key"),
    (403, openai("Forbidden"), "bad_key"),
    (400, openai("API key not valid. Please pass a valid API key."), "bad_key"),
    (
        400,
        [{"error": {"code": 400, "message": "API key not valid", "status": "INVALID_ARGUMENT"}}],
        "bad_key",
    ),
    (402, openai("Insufficient Balance"), "no_credit"),
    (402, b"", "no_credit"),
    (429, openai("You exceeded your current quota", "insufficient_quota"), "no_credit"),
    (400, openai("Your credit balance is too low to access the API"), "no_credit"),
    (403, openai("API rate limit exceeded for user"), "rate_limit"),
    (
        403,
        {
            "error": {
                "message": "Your chosen model requires moderation and your input was flagged",
                "code": 403,
            }
        },
        "content_refused",
    ),
    (400, openai("The response was filtered", "content_filter"), "content_refused"),
    (404, openai("The model `test-model` does not exist", "model_not_found"), "model_gone"),
    (400, openai("test-model is not a valid model ID"), "model_gone"),
    (400, openai("The model `test-model` has been decommissioned", "model_decommissioned"), "model_gone"),
    (407, b"", "proxy_failed"),
    (404, b"<html><title>404 Not Found</title></html>", "no_endpoint"),
    (405, b"", "no_endpoint"),
    (400, openai("Unknown parameter: 'foo'"), "unsupported"),
    (422, {"detail": [{"loc": ["body", "tools"], "msg": "extra fields not permitted"}]}, "unsupported"),
    (301, b"", "web_page"),
]


@pytest.mark.parametrize(("status", "body", "code"), CASES)
async def test_refusals_that_no_retry_mends(asking: Ask, status: int, body: Any, code: str) -> None:
    if code == "rate_limit":
        error, waits, count = await refused(asking, fails(status, body))
        assert (error.code, len(waits), count) == (code, 5, 6)
        return
    error, waits, count = await refused(asking, fails(status, body))
    assert (error.code, error.status, waits, count) == (code, status, [], 1)
    assert error.problem.fields["profile"] == "env" and error.problem.fields["status"] == str(status)


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (403, "Country, region, or territory not supported"),
        (403, "unsupported_country_region_territory"),
        (400, "User location is not supported for the API use."),
        (403, "This service is not available in your region."),
    ],
)
async def test_a_place_that_is_not_served_is_no_wrong_key(asking: Ask, status: int, said: str) -> None:
    error, waits, count = await refused(asking, fails(status, openai(said)))
    assert (error.code, waits, count) == ("region_refused", [], 1) and said in error.problem.detail
    error, _, _ = await refused(asking, fails(403, openai("You are not allowed to use this key.")))
    assert error.code == "bad_key"


async def test_a_server_that_wants_a_key_where_there_is_none(asking: Ask) -> None:
    error, _, count = await refused(asking, fails(401, b""), key="")
    assert (error.code, count) == ("no_key", 1)
    async with scripted(says("x")) as server:
        with pytest.raises(ModelError) as caught:
            await asking(key="").reply(request(profile("openai", server.url)))
        assert (caught.value.code, server.requests) == ("no_key", [])


@pytest.mark.parametrize("key", ["sk-ä", "sk-a\nX-Evil: 1", "sk\x00"])
async def test_a_key_that_cannot_be_one_is_not_sent(asking: Ask, key: str) -> None:
    error, _, count = await refused(asking, says("x"), key=key)
    assert (error.code, count) == ("unusable_key", 0)


async def test_the_key_goes_into_the_header_and_never_into_an_error(asking: Ask) -> None:
    said = f"Bad key {KEY} in Authorization: Bearer {KEY}; also gsk_abcdefghijklmnopqrst and \x1b[31mred\x00"
    async with scripted(fails(401, openai(said))) as server:
        with pytest.raises(ModelError) as caught:
            await asking(key=f" {KEY}\n").reply(request(profile("env", server.url)))
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    shown = f"{caught.value} {msgspec.json.encode(caught.value.problem).decode()} {caught.value!r}"
    assert KEY not in shown and "gsk_abc" not in shown and "\x1b" not in shown
    assert "[key]" in caught.value.problem.detail


async def test_long_details_are_cut(asking: Ask) -> None:
    error, _, _ = await refused(asking, fails(400, openai("x" * 100_000)))
    assert len(error.problem.detail) <= 400


async def test_an_error_body_that_never_ends_is_cut(asking: Ask) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.head(400, kind="text/plain")
        while True:
            await exchange.send(b"x" * 4096)

    assert (await refused(asking, script))[0].code == "unsupported"


@pytest.mark.parametrize("status", [500, 502, 503, 504, 529, 408])
async def test_5xx_is_tried_three_times_with_growing_waits(asking: Ask, status: int) -> None:
    error, waits, count = await refused(
        asking, fails(status, b"<html><title>Bad gateway</title></html>", kind="text/html")
    )
    code = "overloaded" if status == 529 else "server_error"
    assert (error.code, waits, count) == (code, [0.5, 1.0], 3)
    assert error.problem.detail == "Bad gateway"


async def test_waits_vary_by_chance(asking: Ask) -> None:
    async with scripted(fails(500, b"")) as server:
        asked = asking(chance=0.0)
        with pytest.raises(ModelError):
            await asked.reply(request(profile("env", server.url)))
    assert asked.waits == [0.25, 0.5]


async def test_5xx_then_an_answer(asking: Ask) -> None:
    async with scripted(fails(503, b""), fails(500, b""), says("Hello")) as server:
        asked = asking()
        events = await asked.events(request(profile("env", server.url)))
    waits = [event for event in events if isinstance(event, Waiting)]
    assert [(event.attempt, event.problem.code, event.problem.fields["status"]) for event in waits] == [
        (2, "server_error", "503"),
        (3, "server_error", "500"),
    ]
    assert not [event for event in events if isinstance(event, Restarted)]
    assert isinstance(events[-1], Finished) and events[-1].reply.text == "Hello"
    bodies = {one.body for one in server.requests}
    assert len(bodies) == 1


async def test_5xx_and_cut_streams_share_their_retries(asking: Ask) -> None:
    async def cut(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events(chunk({"content": "x"}))
        await exchange.end()

    _, _, count = await refused(asking, fails(500, b""), cut, fails(500, b""), cut)
    assert count == 3


async def test_5xx_honours_retry_after(asking: Ask) -> None:
    _, waits, _ = await refused(asking, fails(503, b"", {"retry-after": "7"}))
    assert waits == [7.0, 7.0]


NOW = 1_800_000_000.0


@pytest.mark.parametrize(
    ("headers", "body", "seconds"),
    [
        ({"retry-after": "12"}, b"", 12.0),
        ({"retry-after": "0.5"}, b"", 0.5),
        ({"retry-after": email.utils.formatdate(NOW + 30, usegmt=True)}, b"", 30.0),
        ({"retry-after": email.utils.formatdate(NOW - 30, usegmt=True)}, b"", 0.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, b"", 1.5),
        ({}, openai("Rate limit reached. Please try again in 1m7.66s."), 67.66),
        ({}, openai("Please try again in 300ms."), 0.3),
        ({}, [{"error": {"code": 429, "details": [{"@type": "x"}, {"retryDelay": "34s"}]}}], 34.0),
        ({"retry-after": "soon"}, b"", 2.0),
        ({}, b"", 2.0),
    ],
)
async def test_429_waits_as_long_as_the_server_asks(
    asking: Ask, headers: dict[str, str], body: Any, seconds: float
) -> None:
    async with scripted(fails(429, body, headers), says("Hello")) as server:
        asked = asking(now=NOW)
        events = await asked.events(request(profile("env", server.url)))
    assert asked.waits == [pytest.approx(seconds)]
    assert isinstance(events[0], Waiting) and events[0].seconds == asked.waits[0] and events[0].attempt == 2
    assert events[0].problem.code == "rate_limit"


async def test_429_grows_its_waits_and_gives_up(asking: Ask) -> None:
    error, waits, count = await refused(asking, fails(429, b""))
    assert (error.code, waits, count) == ("rate_limit", [2.0, 4.0, 8.0, 16.0, 32.0], 6)


async def test_429_for_hours_is_told_at_once(asking: Ask) -> None:
    error, waits, count = await refused(asking, fails(429, b"", {"retry-after": "7200"}))
    assert (error.code, error.retry_after, waits, count) == ("rate_limit", 7200.0, [], 1)
    assert error.problem.fields["seconds"] == "7200"


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        ({"error": {"message": "overloaded", "type": "overloaded_error"}}, "overloaded"),
        ({"error": {"message": "Rate limit exceeded", "code": "rate_limit_exceeded"}}, "rate_limit"),
        ({"error": {"message": "maximum context length is 8192 tokens", "code": 400}}, "overflow"),
        ({"error": {"message": "Insufficient credits", "code": 402}}, "no_credit"),
        ({"error": "something broke"}, "server_error"),
        ({"error": {"message": "content_filter"}}, "content_refused"),
    ],
)
async def test_error_events_in_a_stream(asking: Ask, payload: Any, code: str) -> None:
    error, waits, _ = await refused(asking, streams(chunk({"content": "par"}), payload))
    assert error.code == code
    assert bool(waits) == (code == "rate_limit")


async def test_an_event_named_error(asking: Ask) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.send(b'event: error\ndata: {"message": "went wrong"}\n\n')
        await exchange.end()

    error, _, count = await refused(asking, script)
    assert (error.code, count) == ("server_error", 1) and error.problem.detail == "went wrong"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:{port}/v1",
        "http://127.0.0.1:99999/v1",
        "http://nowhere.invalid/v1",
        "nonsense",
        "http://",
        "http://[::1",
    ],
)
async def test_no_network(asking: Ask, url: str) -> None:
    asked = asking(key=KEY)
    with pytest.raises(ModelError) as caught:
        await asked.reply(request(profile("env", url.format(port=free_port()))))
    assert (caught.value.code, asked.waits) == ("no_network", [])


async def test_a_certificate_that_nobody_vouches_for(asking: Ask, certificate: tuple[Path, Path]) -> None:
    async with scripted(says("x"), tls=serving(certificate)) as server:
        with pytest.raises(ModelError) as caught:
            await asking(key=KEY).reply(request(profile("env", server.url)))
    assert not server.requests
    assert caught.value.code == "tls"


async def test_a_server_that_talks_no_http(asking: Ask) -> None:
    async def script(exchange: Exchange) -> None:
        await exchange.raw(b"SSH-2.0-OpenSSH_9.2\r\n")
        exchange.close()

    error, _, count = await refused(asking, script)
    assert (error.code, count) == ("server_error", 3)


async def test_redirects_are_not_followed_so_that_the_key_stays(asking: Ask) -> None:
    async with scripted(says("x")) as other:
        error, _, _ = await refused(asking, fails(307, b"", {"location": f"{other.url}/chat/completions"}))
        assert (error.code, other.requests) == ("web_page", [])


async def test_a_proxy_is_used_but_never_for_this_computer(
    asking: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scripted(says("by proxy")) as proxy, scripted(says("direct")) as server:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        monkeypatch.setenv("no_proxy", "")
        monkeypatch.setenv("NO_PROXY", "")
        asked = asking(key=KEY)
        assert (await asked.reply(request(profile("env", server.url)))).text == "direct"
        assert (await asked.reply(request(profile("env", "http://models.example/v1")))).text == "by proxy"
        assert proxy.requests[0].path == "http://models.example/v1/chat/completions"


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:1", "nonsense://x", "http://[::1"])
async def test_a_proxy_setting_that_cannot_be_used(
    asking: Ask, monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    monkeypatch.setenv("all_proxy", proxy)
    monkeypatch.setenv("no_proxy", "")
    monkeypatch.setenv("NO_PROXY", "")
    with pytest.raises(ModelError) as caught:
        await asking(key=KEY).reply(request(profile("env", "http://models.example/v1")))
    assert caught.value.code == "proxy_failed"
    assert caught.value.problem.fields["proxy"] in proxy


async def test_a_wire_that_is_not_there(asking: Ask) -> None:
    to = msgspec.structs.replace(profile("env", "http://127.0.0.1:1/v1"), wire="smoke")
    with pytest.raises(ModelError) as caught:
        await asking().reply(ModelRequest(profile=to, model="m"))
    assert caught.value.code == "unsupported" and "smoke" in caught.value.problem.fields["feature"]


async def test_patience_is_a_setting_and_a_profile_may_have_its_own(asking: Ask) -> None:
    async def slow(exchange: Exchange) -> None:
        await asyncio.sleep(0.3)
        await exchange.head()
        await exchange.events(chunk({"content": "la"}))
        await asyncio.sleep(0.3)
        await exchange.events(chunk({"content": "te"}, "stop"), "[DONE]")
        await exchange.end()

    async with scripted(slow) as server:
        impatient = asking(patience=Patience(connect=0.1, first_byte=0.05, between=0.05))
        to = profile("env", server.url)
        own = {"first_byte": 5.0}
        for expected in ("stalled", "stalled", "late"):
            try:
                found = (await impatient.reply(request(to))).text
            except ModelError as error:
                found = error.code
            assert found == expected
            to = msgspec.structs.replace(to, **own)
            own["between"] = 5.0


def test_times_of_the_environment_s_server_can_be_set() -> None:
    own = {"env": {"first_byte": 5, "between": 2.5}}
    loaded = load_profile("env", own, {"BRAMBLE_BASE_URL": "http://127.0.0.1:1/v1"})
    assert patience_with(Patience(), loaded) == Patience(first_byte=5.0, between=2.5)

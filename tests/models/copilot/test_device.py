"""The sign-in by a code, against a real server: every answer, no endless wait, and an end at any moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from app.errors import ModelError
from app.models.connections import Connections
from app.models.copilot.device import Device
from app.models.copilot.place import place_of
from app.models.profiles import load_profile
from tests.servers.copilot import CLIENT_ID, GITHUB_TOKEN, Copilot, copilot_server
from tests.servers.scripted import fails, scripted

SECRET = "a-secret-device-code-0123456789"


class Clock:
    """Time that goes on while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def time(self) -> float:
        return self.now


@pytest.fixture
async def connections() -> AsyncIterator[Connections]:
    made = Connections()
    yield made
    await made.close()


def device(connections: Connections, url: str, clock: Clock | None = None, client: str = CLIENT_ID) -> Device:
    profile = load_profile("copilot", {}, {})
    profile = msgspec.structs.replace(profile, github=url, github_api=url, base_url=url)
    ways: dict[str, Any] = {} if clock is None else {"sleep": clock.sleep, "clock": clock.time}
    return Device(connections, profile, place_of(profile, ""), client, **ways)


PENDING = {"error": "authorization_pending"}


async def test_it_waits_as_long_as_it_is_told_to(connections: Connections) -> None:
    polls = [PENDING, {"error": "slow_down", "interval": 10}, PENDING, {"error": "slow_down"}, PENDING]
    clock = Clock()
    with copilot_server(Copilot(polls=[dict(one) for one in polls])) as copilot:
        copilot.interval = 0  # what this server finds too early is tried below
        at = device(connections, copilot.url, clock)
        begun = (await at.begin())._replace(interval=5.0)
        assert (begun.code, begun.url) == ("WDJB-MJHT", f"{copilot.url}/login/device")
        assert begun.until == 1900.0
        assert await at.token(begun) == GITHUB_TOKEN
    assert clock.slept == pytest.approx([6.0, 6.0, 12.0, 12.0, 18.0, 18.0])
    asked = copilot.asked("/login/device/code")[0]
    assert asked.headers["accept"] == "application/json" and asked.headers["user-agent"].startswith(
        "Bramble/"
    )
    assert b"scope=read%3Auser" in asked.body


async def test_a_strict_server_is_never_asked_too_early(connections: Connections) -> None:
    with copilot_server(Copilot(polls=[dict(PENDING)], interval=1)) as copilot:
        at = device(connections, copilot.url)
        assert await at.token(await at.begin()) == GITHUB_TOKEN
        assert copilot.interval == 1, "it said nothing of slowing down"


async def test_the_wait_ends_with_the_code(connections: Connections) -> None:
    clock = Clock()
    with copilot_server(
        Copilot(polls=[dict(PENDING) for _ in range(50)], interval=0, expires_in=30)
    ) as copilot:
        at = device(connections, copilot.url, clock)
        begun = (await at.begin())._replace(interval=5.0)
        with pytest.raises(ModelError) as caught:
            await at.token(begun)
        assert caught.value.code == "code_expired"
        assert clock.now == 1030.0 and len(copilot.asked("/login/oauth/access_token")) == 4


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ("expired_token", "code_expired"),
        ("access_denied", "code_denied"),
        ("incorrect_client_credentials", "bad_client_id"),
        ("device_flow_disabled", "device_flow_off"),
        ("incorrect_device_code", "code_refused"),
        ("unsupported_grant_type", "code_refused"),
        ("something_new", "code_refused"),
    ],
)
@pytest.mark.parametrize("status", [200, 400])
async def test_every_refusal_has_its_own_code(
    connections: Connections, error: str, code: str, status: int
) -> None:
    said = {"error": error, "error_description": f"no: {SECRET[:6]}", "status": status}
    with copilot_server(Copilot(polls=[said], interval=0)) as copilot:
        at = device(connections, copilot.url, Clock())
        begun = await at.begin()
        with pytest.raises(ModelError) as caught:
            await at.token(begun)
        assert caught.value.code == code and len(copilot.asked("/login/oauth/access_token")) == 1
        assert SECRET not in f"{caught.value} {caught.value.problem}"


@pytest.mark.parametrize(
    ("begin", "code"),
    [
        ((404, {"error": "Not Found"}), "bad_client_id"),
        ((404, {}), "bad_client_id"),
        ((400, {"error": "device_flow_disabled"}), "device_flow_off"),
        ((200, {"error": "incorrect_client_credentials"}), "bad_client_id"),
        ((200, b"<html><title>Sign in to the hotel</title>"), "web_page"),
        ((200, b"hotel"), "bad_reply"),
        ((200, [1, 2]), "bad_reply"),
        (
            (200, {"device_code": "d", "user_code": "A", "verification_uri": "javascript:alert(1)"}),
            "bad_reply",
        ),
        ((200, {"device_code": "d", "user_code": "A\nB", "verification_uri": "https://x/"}), "bad_reply"),
        (
            (200, {"device_code": "d", "user_code": "A", "verification_uri": "http://far.example/"}),
            "bad_reply",
        ),
        ((302, b""), "bad_reply"),
        ((503, b"busy"), "server_error"),
        ((429, {"message": "slow"}), "rate_limit"),
    ],
)
async def test_what_is_no_code_is_told(connections: Connections, begin: tuple[int, Any], code: str) -> None:
    with copilot_server(Copilot(begin=begin)) as copilot, pytest.raises(ModelError) as caught:
        await device(connections, copilot.url).begin()
    assert caught.value.code in (code, "web_page" if begin[0] == 302 else code)


async def test_a_client_id_that_nobody_knows(connections: Connections) -> None:
    with copilot_server() as copilot, pytest.raises(ModelError) as caught:
        await device(connections, copilot.url, client="Ov23nobody").begin()
    assert caught.value.code == "bad_client_id"


async def test_a_reply_in_form_encoding_is_read(connections: Connections) -> None:
    page = (
        b"device_code=d&user_code=AB-CD&verification_uri=https%3A%2F%2Fgithub.com%2Flogin%2Fdevice&interval=7"
    )
    token = b"access_token=gho_x&scope=&token_type=bearer"
    kind = "application/x-www-form-urlencoded"
    async with scripted(fails(200, page, kind=kind), fails(200, token, kind=kind)) as server:
        clock = Clock()
        at = device(connections, server.url.removesuffix("/v1"), clock)
        begun = await at.begin()
        assert (begun.code, begun.interval) == ("AB-CD", 7.0)
        assert await at.token(begun) == "gho_x"


async def test_a_network_that_comes_back_ends_nothing(connections: Connections) -> None:
    polls = [{"status": 503}, {"status": 429, "error": "authorization_pending"}, dict(PENDING)]
    clock = Clock()
    with copilot_server(Copilot(polls=polls, interval=0)) as copilot:
        at = device(connections, copilot.url, clock)
        begun = await at.begin()
        assert await at.token(begun) == GITHUB_TOKEN
    assert clock.slept[1] > clock.slept[0], "less often where no answer comes"


async def test_nobody_there_is_told_at_once(connections: Connections) -> None:
    with copilot_server() as copilot:
        url = copilot.url
    with pytest.raises(ModelError) as caught:
        await device(connections, url).begin()
    assert caught.value.code == "no_network"


@pytest.mark.parametrize("held", ["the wait", "the question"])
async def test_it_can_be_cancelled_at_any_moment(connections: Connections, held: str) -> None:
    asked = asyncio.Event()

    async def mute(exchange: Any) -> None:
        asked.set()
        await exchange.gone()

    reply = {
        "device_code": SECRET,
        "user_code": "A-B",
        "verification_uri": "https://x.example/",
        "interval": 5,
    }
    async with scripted(fails(200, reply), mute) as server:
        url = server.url.removesuffix("/v1")
        at = device(connections, url, Clock() if held == "the question" else None)
        task = asyncio.create_task(at.token(await at.begin()))
        if held == "the question":
            await asked.wait()
        else:
            await asyncio.sleep(0)
        task.cancel()
        async with asyncio.timeout(1):
            with pytest.raises(asyncio.CancelledError):
                await task
        assert len(server.requests) == (2 if held == "the question" else 1)

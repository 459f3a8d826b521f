"""Sign-ins to servers that lie, hang, send us elsewhere or answer with what is no answer: one clear failure,
nothing kept of it, and no secret where it does not belong.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from app.errors import BrambleError
from app.events import SignInAsked
from app.toolbox.mcp import grants, oauth
from app.toolbox.mcp.reach import Reach
from app.toolbox.mcp.spec import ServerSpec
from tests.servers.scripted import Exchange
from tests.toolbox.mcp.engine_desk import Desk, opened
from tests.toolbox.mcp.hostile_sign_in import Hostile, Part, answers, authority, back, hostile, tokens
from tests.toolbox.mcp.server_desk import until


async def browse(desk: Desk, **fields: str) -> None:
    """Come back from the page as a browser does."""
    asked: list[str] = []
    await until(lambda: asked.extend(one.url for one in desk.events if isinstance(one, SignInAsked)) or asked)
    where, what = back(asked[-1], **fields)
    async with httpx.AsyncClient(trust_env=False) as browser:
        await browser.get(where, params=what)


async def sign_in(desk: Desk, **fields: str) -> Any:
    """Sign in as a person would, as far as it gets."""
    browsing = asyncio.create_task(browse(desk, **fields))
    try:
        return await asyncio.wait_for(desk.mcp.sign_in("web", file_consent=True), 20)
    finally:
        browsing.cancel()
        await asyncio.gather(browsing, return_exceptions=True)


async def added(desk: Desk, server: Hostile) -> None:
    spec = ServerSpec(id="web", url=server.url, headers=("X-Secret",))
    await desk.mcp.add(spec, {"X-Secret": "hush"}, approved=True, file_consent=True)


def kept(desk: Desk) -> list[str]:
    """The sign-ins that are kept."""
    return [path.name for path in desk.engine.home.keys.iterdir() if "sign-in" in path.name]


def says(**fields: Any) -> Part:
    return answers(200, authority("ROOT", **fields))


def refuses(challenge: str) -> Part:
    return answers(401, {}, {"www-authenticate": challenge})


HOSTILE: dict[str, tuple[dict[str, Part], str]] = {
    "another issuer": ({"authority": says(issuer="https://bank.example")}, "issuer mismatch"),
    "another resource": (
        {"resource": answers(200, {"resource": "https://bank.example/", "authorization_servers": ["ROOT"]})},
        "does not match",
    ),
    "an open page": (
        {"authority": says(authorization_endpoint="http://elsewhere.example/a")},
        "elsewhere.example without encryption",
    ),
    "an open token": ({"authority": says(token_endpoint="http://8.8.8.8/t")}, "8.8.8.8 without encr"),
    "metadata elsewhere": (
        {"mcp": refuses('Bearer resource_metadata="http://8.8.8.8/x"')},
        "8.8.8.8 without",
    ),
    "no address": ({"mcp": refuses('Bearer resource_metadata="http://[::1"')}, "Invalid port"),
    "a moved token": ({"token": answers(307, b"", {"location": "http://127.0.0.1:9/steal"})}, "not followed"),
    "no text": ({"token": answers(400, b"\xff\xfe\x00")}, "does not follow the protocol"),
    "a page": ({"token": answers(200, b"<html>")}, "does not follow the protocol"),
    "a long body": ({"token": answers(200, b" " * (17 << 20))}, "more than 16 MB"),
    "beyond any time": ({"token": answers(200, tokens(expires_in=10**400))}, "does not follow the protocol"),
    "two headers": ({"token": answers(200, tokens(access_token="a\r\nX: 1"))}, "cannot be sent"),
    "no header": ({"token": answers(200, tokens(access_token="\u00e4\u202e"))}, "cannot be sent"),
    "an empty token": ({"token": answers(200, tokens(access_token=""))}, "cannot be sent"),
    "an odd client": ({"register": answers(201, b"[]")}, "does not follow the protocol"),
    "refused all the same": (
        {"mcp": refuses('Bearer resource_metadata="ROOT/.well-known/oauth-protected-resource/mcp"')},
        "refused what the sign-in gave",
    ),
}


@pytest.mark.parametrize("case", HOSTILE)
async def test_a_hostile_sign_in_is_one_clear_failure(case: str, tmp_path: Path) -> None:
    parts, words = HOSTILE[case]
    async with hostile(**parts) as server, opened(tmp_path) as desk:
        await added(desk, server)
        with pytest.raises(BrambleError) as caught:
            await sign_in(desk)
        assert caught.value.code == "sign_in_failed" and words in str(caught.value), str(caught.value)
        assert kept(desk) == [] and (await desk.mcp.info("web")).signed_in is False
        assert all(one.path == "/mcp" for one in server.server.requests if "x-secret" in one.headers)


async def test_an_answer_by_another_issuer_is_refused(tmp_path: Path) -> None:
    def names(issuer: str) -> Part:
        return says(authorization_response_iss_parameter_supported=True, issuer=issuer)

    async with hostile(authority=names("ROOT")) as server, opened(tmp_path) as desk:
        await added(desk, server)
        with pytest.raises(BrambleError) as caught:
            await sign_in(desk, iss="https://bank.example")
        assert caught.value.code == "sign_in_failed" and kept(desk) == []
        assert server.asked("/token") == []


async def test_what_signs_in_and_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oauth, "RENEW_SECONDS", 0.3)

    async def hangs(exchange: Exchange, root: str) -> None:
        await exchange.gone()

    async with hostile(token=hangs) as server, opened(tmp_path) as desk:
        await added(desk, server)
        with pytest.raises(BrambleError) as caught:
            await sign_in(desk)
        assert caught.value.code == "sign_in_failed" and len(server.asked("/token")) == 1


async def test_a_sign_in_is_for_its_address_alone(tmp_path: Path) -> None:
    async with hostile() as first, hostile() as second, opened(tmp_path) as desk:
        await added(desk, first)
        assert (await sign_in(desk)).state == "ready"
        assert "Bearer a" in [one.headers.get("authorization") for one in first.asked("/mcp")]
        desk.file.edit("web", lambda spec: msgspec.structs.replace(spec, url=second.url))
        info = await desk.mcp.approve("web")
        assert (info.state, info.signed_in) == ("sign_in", False)
        assert second.asked("/mcp") and not [
            one for one in second.server.requests if "authorization" in one.headers
        ]


@pytest.mark.parametrize("jump", [-20 * 365 * 86_400, 20 * 365 * 86_400])
async def test_a_clock_that_jumps_costs_no_sign_in(
    jump: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = tokens()
    del given["refresh_token"]
    async with hostile(token=answers(200, given)) as server, opened(tmp_path) as desk:
        await added(desk, server)
        assert (await sign_in(desk)).state == "ready"
        for module in (oauth, grants):
            monkeypatch.setattr(module, "now", lambda: time.time() + jump)
        assert (await desk.mcp.restart("web")).state == "ready"
        assert (await desk.call("web__ping", yes=True))[1] == "Bearer a"


async def test_a_renewal_that_hangs_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def once(exchange: Exchange, root: str) -> None:
        if b"refresh_token" in exchange.request.body and b"grant_type=refresh_token" in exchange.request.body:
            await exchange.gone()
        await exchange.answer(200, tokens())

    async with hostile(token=once) as server, opened(tmp_path) as desk:
        await added(desk, server)
        assert (await sign_in(desk)).state == "ready"
        monkeypatch.setattr(oauth, "RENEW_SECONDS", 0.3)
        monkeypatch.setattr(oauth, "now", lambda: time.time() + 86_400)
        info = await desk.mcp.restart("web")
        assert info.state == "failed" and "signs in said nothing within 0.3 seconds" in info.reason, (
            info.reason
        )


PUBLIC, HOUSE = "https://mcp.example/mcp", "http://127.0.0.1:8000/mcp"


@pytest.mark.parametrize(
    ("server", "asked", "words"),
    [
        (PUBLIC, "https://mcp.example/token", ""),
        (PUBLIC, "https://login.example/token", ""),
        (PUBLIC, "http://login.example/token", "without encryption"),
        (PUBLIC, "http://mcp.example/token", "without encryption"),
        (PUBLIC, "https://127.0.0.1/token", "inside of this computer"),
        (PUBLIC, "https://[::ffff:10.0.0.1]/token", "inside of this computer"),
        (PUBLIC, "https://169.254.169.254/latest", "inside of this computer"),
        (PUBLIC, "https://localhost/token", "inside of this computer"),
        (PUBLIC, "https://rebound.example/token", "inside of this computer"),
        (PUBLIC, "https://nowhere.example/token", ""),
        (HOUSE, "http://127.0.0.1:9000/token", ""),
        (HOUSE, "https://login.example/token", ""),
        (HOUSE, "http://login.example/token", "without encryption"),
        ("http://mcp.example/mcp", "http://mcp.example/token", ""),
    ],
)
async def test_where_a_sign_in_may_lead(server: str, asked: str, words: str) -> None:
    known = {
        "mcp.example": ("93.184.215.14",),
        "login.example": ("93.184.215.15", "2606:2800:21f::1"),
        "rebound.example": ("93.184.215.16", "192.168.1.1"),
    }

    async def resolve(host: str) -> tuple[str, ...]:
        return known.get(host, ())

    fault = await Reach(server, resolve).fault(asked)
    assert words in fault if words else fault == ""

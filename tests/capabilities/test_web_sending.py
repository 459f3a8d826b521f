"""Requests of any method with their redirects: what is asked, what is sent on, and what is dropped."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.capabilities.web_following import is_credential, masked
from app.errors import Refused, ToolError
from tests.capabilities.web_desk import WebDesk, leads, open_web, page
from tests.servers.scripted import Script, ScriptedServer, scripted
from tools import Request, Response

URL = "http://site.example/a"
SECRET = {"Authorization": "Bearer abc123", "X-Api-Key": "k-1", "Cookie": "s=1", "X-Plain": "seen"}


async def sent(
    tmp_path: Path, request: Request, *scripts: Script
) -> tuple[Response, ScriptedServer, WebDesk]:
    async with scripted(*scripts) as server, open_web(tmp_path, server.port) as desk:
        return await desk.changer(desk.gate("http_request")).send(request), server, desk


async def test_a_question_shows_method_address_headers_and_all_of_the_body(tmp_path: Path) -> None:
    body = '{"a": "ä"}' + " " * 5_000
    request = Request(URL, "POST", SECRET, body)
    got, server, desk = await sent(tmp_path, request, page('{"ok": 1}', "application/json", status=201))
    asked = desk.asked[0]
    assert (asked.method, asked.url, asked.host, asked.body) == ("POST", URL, "site.example", body)
    assert asked.headers == (
        "authorization: Bearer ***",
        "x-api-key: ***",
        "cookie: ***",
        "x-plain: seen",
        "content-type: application/json",
    )
    came = server.requests[0]
    assert came.body == body.encode() and came.headers["authorization"] == "Bearer abc123"
    assert (came.headers["x-api-key"], came.headers["content-length"]) == ("k-1", str(len(body.encode())))
    assert (got.status, got.reason, got.text) == (201, "X", '{"ok": 1}')


async def test_what_a_server_sets_is_masked(tmp_path: Path) -> None:
    got, _, _ = await sent(tmp_path, Request(URL), page("x", set_cookie="id=secret", x_y="1"))
    assert got.headers["set-cookie"] == "***" and got.headers["x-y"] == "1"


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("Authorization", "Basic dXNlcjpwYXNz", "Basic ***"),
        ("authorization", "token", "***"),
        ("Private-Token", "x", "***"),
        ("X-Amz-Security-Token", "x y", "x ***"),
        ("X-Auth-Key", "1", "***"),
        ("Client-Secret", "1", "***"),
        ("Accept", "a", "a"),
        ("ETag", "a", "a"),
        ("Strict-Transport-Security", "max-age=1", "max-age=1"),
    ],
)
def test_which_headers_are_credentials(name: str, value: str, told: str) -> None:
    assert masked(name, value) == told and is_credential(name) == (told != value)


@pytest.mark.parametrize(
    ("location", "kept"),
    [
        ("/b", True),
        ("http://site.example/b", True),
        ("http://other.example/b", False),
        ("http://www.site.example/b", False),
        ("http://site.example:8080/b", False),
    ],
)
async def test_credentials_stay_with_their_host(tmp_path: Path, location: str, kept: bool) -> None:
    _, server, _ = await sent(tmp_path, Request(URL, headers=SECRET), leads(location), page("x"))
    second = server.requests[1].headers
    assert {"authorization", "x-api-key", "cookie"} <= set(second) if kept else "authorization" not in second
    assert ("cookie" in second, "x-api-key" in second) == (kept, kept) and second["x-plain"] == "seen"


@pytest.mark.parametrize(
    ("method", "status", "becomes", "body"),
    [
        ("POST", 301, "GET", b""),
        ("POST", 302, "GET", b""),
        ("POST", 303, "GET", b""),
        ("POST", 307, "POST", b"data"),
        ("POST", 308, "POST", b"data"),
        ("PUT", 302, "PUT", b"data"),
        ("PUT", 303, "GET", b""),
        ("DELETE", 307, "DELETE", b""),
        ("HEAD", 303, "HEAD", b""),
        ("GET", 308, "GET", b""),
    ],
)
async def test_what_a_redirect_makes_of_a_request(
    tmp_path: Path, method: str, status: int, becomes: str, body: bytes
) -> None:
    data = "data" if method in ("POST", "PUT") else ""
    request = Request(URL, method, {"content-type": "text/plain"} if data else {}, data)
    got, server, desk = await sent(tmp_path, request, leads("/b", status), page("x"))
    came = server.requests[1]
    assert (came.method, came.path, came.body) == (becomes, "/b", body)
    assert ("content-type" in came.headers) == bool(body) and got.hops == (URL,)
    assert len(desk.asked) == 1 + (method != becomes), "a page is read where something was only sent"


async def test_a_body_goes_to_no_other_host_without_a_question(tmp_path: Path) -> None:
    async with (
        scripted(leads("http://other.example/b", 307)) as server,
        open_web(tmp_path, server.port) as desk,
    ):
        gate = desk.gate("http_request", "http_request(POST site.example)", attended=False)
        with pytest.raises(Refused):
            await desk.changer(gate).send(Request(URL, "POST", {}, "data"))
        assert len(server.requests) == 1


async def test_each_sending_is_asked_about_anew(tmp_path: Path) -> None:
    async with scripted(page("x")) as server, open_web(tmp_path, server.port) as desk:
        web = desk.changer(desk.gate("http_request"))
        await web.send(Request(URL, "POST", {}, "1"))
        await web.send(Request(URL, "POST", {}, "2"))
        await web.send(Request(URL))
        assert [effect.body for effect in desk.asked] == ["1", "2", ""]


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[WebDesk]:
    async with scripted(leads("/a")) as server, open_web(tmp_path, server.port) as found:
        yield found


async def test_a_circle_is_noticed_at_once(desk: WebDesk) -> None:
    with pytest.raises(ToolError) as caught:
        await desk.reader().get(Request(URL))
    assert caught.value.code == "too_many_redirects" and "circle" in str(caught.value)
    assert len(desk.network.connected) == 1


async def test_five_redirects_are_followed_and_no_sixth(tmp_path: Path) -> None:
    steps = [leads(f"/{number}") for number in range(1, 7)]
    got, server, _ = await sent(tmp_path, Request(URL), *steps[:5], page("end"))
    assert got.text == "end" and len(got.hops) == 5 and len(server.requests) == 6
    with pytest.raises(ToolError) as caught:
        await sent(tmp_path / "b", Request(URL), *steps, page("end"))
    assert caught.value.code == "too_many_redirects"


async def test_a_redirect_can_be_looked_at_itself(desk: WebDesk) -> None:
    got = await desk.reader().get(Request(URL, redirects=0))
    assert (got.status, got.headers["location"], got.hops) == (302, "/a", ())


@pytest.mark.parametrize(
    "request_",
    [
        Request(URL, "TRACE"),
        Request(URL, "CONNECT"),
        Request(URL, "GET", {}, "a body"),
        Request(URL, headers={"Host": "other"}),
        Request(URL, headers={"Content-Length": "5"}),
        Request(URL, headers={"Transfer-Encoding": "chunked"}),
        Request(URL, headers={"a b": "x"}),
        Request(URL, headers={"x": "a\r\nhost: evil"}),
        Request(URL, headers={"x\r\ny": "a"}),
        Request(URL, headers={"x": "\ud800"}),
        Request(URL, "POST", {}, "\ud800"),
        Request(URL, seconds=0),
        Request(URL, seconds=1e9),
        Request(URL, "POST", {}, "x" * 1_000_001),
    ],
)
async def test_what_cannot_be_sent_is_refused_before_anybody_is_asked(
    desk: WebDesk, request_: Request
) -> None:
    with pytest.raises(ToolError) as caught:
        await desk.changer(desk.gate("http_request")).send(request_)
    assert caught.value.code in ("bad_arguments", "too_large")
    assert desk.asked == [] and desk.network.connected == []


async def test_a_reader_sends_nothing(desk: WebDesk) -> None:
    with pytest.raises(ToolError):
        await desk.reader().get(Request(URL, "POST"))
    assert not hasattr(desk.reader(), "send") and not hasattr(desk.reader(), "download")

"""Which hosts are reached: at every hop, by one resolution; real sockets on loopback."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.errors import Refused, ToolError
from app.records import Answer, Mark
from tests.capabilities.web_desk import PUBLIC, WebDesk, leads, open_web, page
from tests.servers.certificates import own_certificate, serving
from tests.servers.scripted import Exchange, ScriptedServer, scripted
from tests.servers.tunnel import tunnel
from tools import Request


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with scripted(page("<title>T</title><p>Hello")) as found:
        yield found


@pytest.fixture
async def desk(tmp_path: Path, server: ScriptedServer) -> AsyncIterator[WebDesk]:
    async with open_web(tmp_path, server.port) as found:
        yield found


async def refused(desk: WebDesk, url: str, *rules: str, **policy: object) -> ToolError:
    with pytest.raises(ToolError) as caught:
        await desk.reader(desk.gate("web_fetch", *rules, **policy)).get(Request(url))  # type: ignore[arg-type]
    return caught.value


async def test_a_public_host_is_asked_about_once_and_fetched(desk: WebDesk, server: ScriptedServer) -> None:
    reader = desk.reader(desk.gate())
    got = await reader.get(Request("http://site.example/a", query={"q": "ä b"}))
    assert (got.status, got.url, got.text) == (
        200,
        "http://site.example/a?q=%C3%A4+b",
        "<title>T</title><p>Hello",
    )
    assert (got.kind, got.charset, got.cut, got.hops) == ("text/html", "utf-8", False, ())
    asked = desk.asked[0]
    assert (asked.method, asked.url, asked.host, asked.private) == ("GET", got.url, "site.example", "")
    await reader.get(Request("http://site.example/b"))
    assert len(desk.asked) == 1, "one answer covers what a call reads from a host"
    sent = server.requests[0]
    assert sent.headers["host"] == "site.example" and sent.headers["accept-encoding"] == "gzip, deflate"
    assert "cookie" not in sent.headers and desk.network.connected == [PUBLIC, PUBLIC]


async def test_what_is_fetched_marks_the_conversation(desk: WebDesk) -> None:
    gate = desk.gate(yes=True)
    await desk.reader(gate).get(Request("http://site.example/"))
    assert gate.marks == (Mark(kind="web", name="site.example"),)


async def test_loopback_is_asked_about_and_opened_by_a_rule(desk: WebDesk, server: ScriptedServer) -> None:
    url = f"http://127.0.0.1:{server.port}/"
    await desk.reader(desk.gate()).get(Request(url))
    assert [effect.private for effect in desk.asked] == ["named"]
    await desk.reader(desk.gate("web_fetch", f"web_fetch(127.0.0.1:{server.port})", attended=False)).get(
        Request(url)
    )
    await desk.reader(desk.gate("web_fetch", yes=True, named=["127.0.0.1", f"127.0.0.1:{server.port}"])).get(
        Request(url)
    )
    assert len(desk.asked) == 1
    assert (await refused(desk, url, attended=False, yes=True)).code == "refused"
    assert (await refused(desk, url, "web_fetch(*)", attended=False)).code == "refused"
    assert len(server.requests) == 3


@pytest.mark.parametrize("host", ["0177.0.0.1", "2130706433", "127.1", "0x7f.1", "0.0.0.0", "localhost"])
async def test_odd_notations_are_judged_as_what_they_reach(
    desk: WebDesk, server: ScriptedServer, host: str
) -> None:
    desk.names.known["localhost"] = ["127.0.0.1"]
    url = f"http://{host}:{server.port}/"
    assert isinstance(await refused(desk, url, "web_fetch(*)", yes=True, attended=False), Refused)
    assert server.requests == []


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.0.0.7",
        "100.64.1.1",
        "169.254.169.254",
        "::1",
        "::ffff:127.0.0.1",
        "2002:7f00:1::",
        "224.0.0.1",
    ],
)
async def test_a_public_name_that_stands_in_a_private_place_is_refused(
    desk: WebDesk, server: ScriptedServer, address: str
) -> None:
    desk.names.known["site.example"] = [address]
    error = await refused(desk, "http://site.example/", "web_fetch(site.example)", yes=True)
    assert error.code == "private_address" and desk.network.connected == [] and server.requests == []
    rule = error.problem.fields["rule"]
    assert rule == ("" if address.startswith(("169", "224")) else "web_fetch(private site.example)")
    assert ("Only the person can open it" in str(error)) == bool(rule)


async def test_a_private_name_is_opened_by_the_rule_that_the_error_names(
    desk: WebDesk, server: ScriptedServer
) -> None:
    desk.names.known["wiki.example"] = ["127.0.0.1"]
    url = f"http://wiki.example:{server.port}/"
    error = await refused(desk, url, f"web_fetch(wiki.example:{server.port})")
    rule = error.problem.fields["rule"]
    assert rule == f"web_fetch(private wiki.example:{server.port})"
    got = await desk.reader(desk.gate("web_fetch", rule, attended=False)).get(Request(url))
    assert got.status == 200
    named = desk.gate("web_fetch", named=["wiki.example", f"wiki.example:{server.port}"])
    assert (await desk.reader(named).get(Request(url))).status == 200


async def test_a_name_is_resolved_once_for_check_and_connection(
    desk: WebDesk, server: ScriptedServer
) -> None:
    """DNS rebinding: the second answer would lead to this computer, and nobody ever asks for it."""
    desk.names.known["site.example"] = [[PUBLIC], ["127.0.0.1"]]
    got = await desk.reader().get(Request("http://site.example/"))
    assert got.status == 200 and desk.names.asked == ["site.example"] and desk.network.connected == [PUBLIC]
    error = await refused(desk, "http://site.example/", yes=True)
    assert error.code == "private_address" and desk.network.connected == [PUBLIC]


async def test_of_mixed_answers_only_public_ones_are_connected(desk: WebDesk) -> None:
    desk.names.known["site.example"] = ["127.0.0.1", "::1", PUBLIC, "169.254.169.254"]
    assert (await desk.reader().get(Request("http://site.example/"))).status == 200
    assert desk.network.connected == [PUBLIC]


async def test_another_address_is_tried_where_one_does_not_answer(desk: WebDesk) -> None:
    desk.names.known["near.local"] = ["127.0.0.2", "127.0.0.1"]
    port = desk.network.ports[80]
    got = await desk.reader(desk.gate()).get(Request(f"http://near.local:{port}/"))
    assert got.status == 200 and desk.network.connected == ["127.0.0.2", "127.0.0.1"]


@pytest.mark.parametrize(
    "location",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://[0:0:0:0:0:0:0:1]/",
        "http://127.0.0.1:{port}/",
        "http://localhost:{port}/",
        "//127.0.0.1:{port}/x",
        "http://2130706433:{port}/",
        "http://inner.example/",
        "file:///etc/passwd",
        "ftp://site.example/",
        "http://site.example\\@127.0.0.1/",
        "http://user:secret@site.example/",
    ],
)
async def test_no_redirect_leads_into_the_own_network(tmp_path: Path, location: str) -> None:
    async with (
        scripted(page("secret")) as inner,
        scripted(leads(location.replace("{port}", str(inner.port)))) as outer,
        open_web(tmp_path, outer.port) as desk,
    ):
        desk.names.known |= {"inner.example": ["127.0.0.1"], "localhost": ["127.0.0.1"]}
        error = await refused(desk, "http://site.example/", "web_fetch(*)", yes=True)
        assert error.code in ("private_address", "bad_address")
        assert inner.requests == [] and desk.network.connected == [PUBLIC] and desk.asked == []


async def test_a_redirect_into_a_place_that_a_rule_opens_is_followed(tmp_path: Path) -> None:
    async with (
        scripted(page("inner")) as inner,
        scripted(leads(f"http://127.0.0.1:{inner.port}/")) as outer,
        open_web(tmp_path, outer.port) as desk,
    ):
        rules = ("web_fetch(site.example)", f"web_fetch(127.0.0.1:{inner.port})")
        reader = desk.reader(desk.gate("web_fetch", *rules, attended=False))
        got = await reader.get(Request("http://site.example/"))
        assert got.text == "inner" and got.hops == ("http://site.example/",)


async def test_a_redirect_to_another_host_is_judged_again(tmp_path: Path) -> None:
    async with (
        scripted(leads("http://other.example/x"), page("there")) as server,
        open_web(tmp_path, server.port) as desk,
    ):
        got = await desk.reader(desk.gate()).get(Request("http://site.example/"))
        hosts = [effect.host for effect in desk.asked]
        assert got.text == "there" and hosts == ["site.example", "other.example"]


async def test_a_redirect_to_a_host_without_leave_is_not_followed(tmp_path: Path) -> None:
    async with scripted(leads("http://other.example/x")) as server, open_web(tmp_path, server.port) as desk:
        url = "http://site.example/"
        error = await refused(desk, url, "web_fetch(site.example)", attended=False)
        assert error.code == "refused" and len(server.requests) == 1
        error = await refused(desk, url, "web_fetch(*)", deny=["web_fetch(other.example)"])
        assert error.code == "denied" and len(server.requests) == 2


async def test_the_same_site_is_not_asked_about_twice(tmp_path: Path) -> None:
    pair = own_certificate(tmp_path)
    trust = ssl.create_default_context(cafile=pair[0])
    trust.check_hostname = False
    async with (
        scripted(leads("https://site.example/")) as plain,
        scripted(leads("https://www.site.example/y"), page("there"), tls=serving(pair)) as safe,
        open_web(tmp_path, plain.port, safe.port) as desk,
    ):
        desk.trust = trust
        got = await desk.reader(desk.gate()).get(Request("http://site.example/"))
        assert (got.text, got.url) == ("there", "https://www.site.example/y")
        assert len(desk.asked) == 1


async def test_other_ports_need_a_rule_of_their_own(desk: WebDesk) -> None:
    url = "http://site.example:8080/"
    assert (await refused(desk, url, "web_fetch(site.example)", attended=False)).code == "refused"
    assert (await refused(desk, url, "web_fetch(*)", attended=False)).code == "refused"
    got = await desk.reader(desk.gate("web_fetch", "web_fetch(site.example:8080)", attended=False)).get(
        Request(url)
    )
    assert got.status == 200
    await desk.reader(desk.gate()).get(Request(url))
    assert desk.asked[-1].port == 8080


async def test_the_question_comes_before_the_name_is_looked_up(desk: WebDesk) -> None:
    """A name alone can carry a secret away."""
    desk.desk.answer = lambda effect: Answer(decision="deny", reason="no", by="test")
    assert (await refused(desk, "http://secret-words.site.example/")).code == "denied"
    assert desk.names.asked == [] and desk.network.connected == []


async def test_text_from_elsewhere_keeps_rules_from_opening_a_way_out(desk: WebDesk) -> None:
    marks = [Mark(kind="web", name="evil.example")]
    rules = ("web_fetch(site.example)",)
    assert isinstance(
        await refused(desk, "http://site.example/", *rules, marks=marks, attended=False), Refused
    )
    gate = desk.gate("web_fetch", *rules, marks=marks, named=["site.example"], attended=False)
    assert (await desk.reader(gate).get(Request("http://site.example/"))).status == 200


async def test_the_environment_sends_nothing_elsewhere(
    desk: WebDesk, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert (await desk.reader().get(Request("http://site.example/"))).status == 200


async def test_the_proxy_of_the_settings_is_taken_for_public_hosts_alone(
    desk: WebDesk, server: ScriptedServer
) -> None:
    desk.proxy = f"http://127.0.0.1:{server.port}"
    assert (await desk.reader().get(Request("http://site.example/x"))).status == 200
    assert server.requests[-1].path == "http://site.example:80/x" and desk.network.connected == []
    desk.names.known["site.example"] = ["10.0.0.1"]
    assert (await refused(desk, "http://site.example/x", yes=True)).code == "private_address"
    desk.names.known.pop("site.example")  # only the proxy knows it
    assert (await desk.reader().get(Request("http://site.example/x"))).status == 200
    await desk.reader(desk.gate()).get(Request(f"http://127.0.0.1:{server.port}/"))
    assert server.requests[-1].path == "/" and desk.network.connected == ["127.0.0.1"]


async def test_a_proxy_with_a_password_leads_to_a_secure_host(tmp_path: Path) -> None:
    pair = own_certificate(tmp_path)
    async with scripted(page("far"), tls=serving(pair)) as server, open_web(tmp_path) as desk:
        desk.trust = ssl.create_default_context(cafile=pair[0])
        desk.trust.check_hostname = False
        url = "https://site.example/"
        with tunnel(server.port, "ann:p@ss") as proxy:
            desk.proxy = f"http://ann:p%40ss@127.0.0.1:{proxy.port}"
            got = await desk.reader().get(Request(url))
            assert (got.text, proxy.asked, proxy.refused) == ("far", ["site.example:443"], 0)
            desk.proxy = f"http://127.0.0.1:{proxy.port}"
            error = await refused(desk, url, yes=True)
            assert error.code == "no_answer" and "proxy" in str(error) and proxy.refused == 1
        assert desk.network.connected == []


async def test_ipv6_of_this_computer_is_judged_alike(tmp_path: Path) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nsix")
        writer.close()

    seen: list[bytes] = []
    try:
        listening = await asyncio.start_server(answer, "::1", 0)
    except OSError:
        pytest.skip("no IPv6 here")
    port = listening.sockets[0].getsockname()[1]
    async with listening, open_web(tmp_path) as desk:
        url = f"http://[::1]:{port}/"
        assert (await refused(desk, url, "web_fetch(*)", yes=True, attended=False)).code == "refused"
        got = await desk.reader(desk.gate("web_fetch", f"web_fetch([::1]:{port})")).get(Request(url))
        assert got.text == "six" and f"host: [::1]:{port}".encode() in seen[0].lower()


async def test_an_address_in_a_redirect_may_be_utf_8(tmp_path: Path) -> None:
    async def odd(exchange: Exchange) -> None:
        await exchange.raw("HTTP/1.1 302 X\r\nlocation: /größe?ä\r\ncontent-length: 0\r\n\r\n".encode())
        exchange.close()

    async with scripted(odd, page("there")) as server, open_web(tmp_path, server.port) as desk:
        got = await desk.reader().get(Request("http://site.example/"))
        assert got.url == "http://site.example/gr%C3%B6%C3%9Fe?%C3%A4" and got.text == "there"

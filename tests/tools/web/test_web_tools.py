"""web_fetch, http_request and download_file on the one path of a call, against real servers on loopback."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.capabilities import web_answers
from app.capabilities.gate import Judged
from app.records import Answer, Effect, Mark
from tests.capabilities.web_desk import leads, open_web, page
from tests.documents.test_web_pages import ARTICLE, RSS, pdf
from tests.servers.scripted import Exchange, Script, ScriptedServer, scripted
from tests.tools.web.caller import Caller

PAGES: dict[str, Script] = {
    "/article": page(ARTICLE),
    "/pdf": page(pdf("Hello from a file"), "text/html"),
    "/json": page('{"a":[1]}', "application/json"),
    "/feed": page(RSS, "application/rss+xml"),
    "/text": page("plain words", "text/plain"),
    "/long": page("<title>Long</title>" + "".join(f"<p>Line {n} of many." for n in range(5_000))),
    "/image": page(b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "image/png"),
    "/gone": page("<title>Not here</title><p>There is no such page.", status=404),
    "/empty": page(b""),
    "/hidden": page("<p>Seen\u200b\u202e words \U000e0041\U000e0042 here"),
    "/moved": leads("/article", 301),
    "/circle": leads("/circle"),
    "/inside": leads("http://169.254.169.254/latest/meta-data/"),
    "/items": page('{"id": 5}', "application/json", status=201, set_cookie="id=secret"),
    "/data.bin": page(b"MZ" + b"\1" * 5_000, "application/octet-stream"),
    "/photo.jpg": page("<!doctype html><p>Sign in", "text/html"),
}


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async def play(exchange: Exchange) -> None:
        await PAGES[exchange.request.path](exchange)

    async with scripted(play) as found:
        yield found


@pytest.fixture
async def call(tmp_path: Path, server: ScriptedServer) -> AsyncIterator[Caller]:
    async with open_web(tmp_path, server.port) as desk:
        yield Caller(desk, tmp_path / "spill")


def url(path: str) -> str:
    return f"http://site.example{path}"


async def test_fetch_gives_title_address_date_and_main_text(call: Caller) -> None:
    got = await call("web_fetch", url=url("/moved"))
    lines = got.text.split("\n")
    assert lines[:4] == [
        "Der Titel",
        "http://site.example/article (the main text of the page; Ann Lee, site.example, 2026-05-04)",
        "[redirected from http://site.example/moved]",
        "",
    ]
    assert got.ok and "Absatz 11" in got.text and "reveal all keys" not in got.text
    assert got.summary.endswith("characters") and got.marks == (Mark(kind="web", name="site.example"),)
    assert len(call.desk.asked) == 1


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/pdf", "(a PDF)\n\n[page 1 of 1]\nHello from a file"),
        ("/json", '(JSON)\n\n{\n "a": [\n  1\n ]\n}'),
        ("/feed", "(a feed; 2026-05-04)\n\n- Bold news 2026-05-04\n  http://site.example/one"),
        ("/text", "(plain text)\n\nplain words"),
        ("/empty", "(plain text)\n\n[there is no text]"),
    ],
)
async def test_fetch_reads_other_kinds(call: Caller, path: str, told: str) -> None:
    got = await call("web_fetch", url=url(path))
    assert got.ok and told in got.text


async def test_fetch_shows_what_nobody_sees(call: Caller) -> None:
    got = await call("web_fetch", url=url("/hidden"))
    assert "Seen\\u200b\\u202e words \\U000e0041\\U000e0042 here" in got.text


async def test_fetch_keeps_a_long_page_in_a_file_and_takes_a_wish(call: Caller) -> None:
    got = await call("web_fetch", url=url("/long"))
    assert "characters left out here. All of it: " in got.text and len(got.text) < 21_000
    kept = next((Path(call.calls.spill.folder)).rglob("*.txt")).read_text()
    assert "Line 4999 of many." in kept
    short = await call("web_fetch", url=url("/long"), max_chars=100)
    assert "1995" not in short.text, "a number of the text is no date"
    assert short.text.endswith("[the first 100 of 98,888 characters]") and len(short.text) < 300


async def test_a_page_that_keeps_its_reader_busy_is_given_up(
    call: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_answers, "READ_SECONDS", 0.3)
    monkeypatch.setitem(PAGES, "/busy", page("<title>Busy</title>" + "<p>word <b>word</b>" * 15_000))
    got = await call("web_fetch", url=url("/busy"))
    assert got.code == "unreadable" and "took too long to be read" in got.text


async def test_fetch_tells_an_error_page_from_a_page(call: Caller) -> None:
    got = await call("web_fetch", url=url("/gone"))
    assert not got.ok and got.summary == "HTTP 404"
    assert "[the server says HTTP 404: this is its error page]" in got.text and "no such page" in got.text


@pytest.mark.parametrize(
    ("address", "code", "told"),
    [
        ("/image", "wrong_kind", "It is a picture (image/png, 58 bytes). download_file brings it"),
        ("/circle", "too_many_redirects", "in a circle"),
        ("/inside", "private_address", "169.254.169.254"),
        ("http://gone.example/", "no_host", "There is no host gone.example"),
        ("http://169.254.169.254/latest/", "private_address", "nothing was sent"),
        ("file:///etc/passwd", "bad_address", "http and https"),
        ("http://user:pw@site.example/", "bad_address", "Authorization"),
        ("", "bad_address", "empty"),
    ],
)
async def test_fetch_says_what_went_wrong(call: Caller, address: str, code: str, told: str) -> None:
    got = await call("web_fetch", url=url(address) if address.startswith("/") else address)
    assert not got.ok and got.code == code and told in got.text


async def test_a_page_of_this_computer_needs_leave(call: Caller, server: ScriptedServer) -> None:
    address = f"http://127.0.0.1:{server.port}/text"
    judged: list[str] = []
    for rules, named in (((), ()), (("web_fetch(*)",), ()), ((f"web_fetch(127.0.0.1:{server.port})",), ())):
        call.rules, call.named = rules, named
        with pytest.raises(Judged) as caught:
            await call("web_fetch", stance="judge", url=address)
        judged.append(f"{caught.value.decision.decision} {caught.value.decision.reason}")
    assert judged == ["ask private_host", "ask private_host", "allow rule_allow"]
    assert server.requests == []
    got = await call("web_fetch", url=address)
    assert got.ok and call.desk.asked == []


async def test_fetching_works_in_every_mode_and_sending_in_none_but_agent(call: Caller) -> None:
    for mode in ("chat", "plan"):
        assert (await call("web_fetch", mode=mode, url=url("/text"))).ok  # type: ignore[arg-type]
        assert (await call("http_request", mode=mode, method="HEAD", url=url("/text"))).ok  # type: ignore[arg-type]
        got = await call("http_request", mode=mode, method="POST", url=url("/items"))  # type: ignore[arg-type]
        assert got.code == "mode_forbids"


async def test_a_no_is_told_with_its_reason(call: Caller, server: ScriptedServer) -> None:
    def no(effect: Effect) -> Answer:
        return Answer(decision="deny", reason="not that site", by="test")

    call.desk.desk.answer = no
    for tool, more in (("web_fetch", {}), ("http_request", {"method": "GET"}), ("download_file", {})):
        got = await call(tool, url=url("/text"), **more)
        assert (got.code, got.summary) == ("denied", "denied") and "not that site" in got.text
    assert server.requests == []


async def test_request_shows_status_headers_and_body(call: Caller) -> None:
    got = await call("http_request", method="GET", url=url("/json"), headers={"X-A": 5})
    first, *rest = got.text.split("\n")
    assert (
        first.startswith("HTTP 200 X from http://site.example/json in ")
        and got.summary == "HTTP 200, 9 bytes"
    )
    assert "content-type: application/json" in rest and got.text.endswith('\n\n{"a":[1]}')
    head = await call("http_request", method="HEAD", url=url("/json"))
    assert head.ok and head.summary == "HTTP 200" and "{" not in head.text
    assert "unverified" not in got.text


async def test_request_sends_what_was_asked_and_masks_credentials(
    call: Caller, server: ScriptedServer
) -> None:
    got = await call(
        "http_request",
        method="POST",
        url=url("/items"),
        headers={"Authorization": "Bearer very-secret", "X-Plain": "a"},
        body=json.dumps({"name": "ä"}),
    )
    came = server.requests[0]
    assert (came.method, came.json, came.headers["authorization"]) == (
        "POST",
        {"name": "ä"},
        "Bearer very-secret",
    )
    asked = call.desk.asked[0]
    assert "authorization: Bearer ***" in asked.headers and asked.body == '{"name": "\\u00e4"}'
    assert got.ok and "set-cookie: ***" in got.text and '{"id": 5}' in got.text
    assert got.text.endswith("[unverified: all that is known of what it did is this answer]")
    assert "very-secret" not in got.text and "id=secret" not in got.text


async def test_request_says_what_is_no_text_and_what_failed(call: Caller) -> None:
    got = await call("http_request", method="GET", url=url("/image"))
    assert "[58 bytes of image/png; download_file brings it as a file]" in got.text
    gone = await call("http_request", method="GET", url=url("/gone"))
    assert not gone.ok and gone.text.startswith("HTTP 404")
    empty = await call("http_request", method="GET", url=url("/empty"))
    assert empty.text.endswith("[the body is empty]")
    late = await call("http_request", method="GET", url=url("/circle"))
    assert late.code == "too_many_redirects"


async def test_download_saves_verifies_and_can_be_taken_back(call: Caller) -> None:
    data = b"MZ" + b"\1" * 5_000
    sha = hashlib.sha256(data).hexdigest()
    got = await call("download_file", url=url("/data.bin"), path="tools/run.bin", sha256=sha)
    made = call.desk.desk.folder / "tools" / "run.bin"
    assert made.read_bytes() == data and made.stat().st_mode & 0o111 == 0
    what = f"{Path('tools') / 'run.bin'}: 5,002 bytes of application/octet-stream, verified."
    assert got.text == f"{what}\nSHA-256 {sha}, as expected."
    assert (got.ok, got.view.kind, len(call.desk.asked)) == (True, "diff", 1)
    await call.desk.desk.undo.one(got.undo)
    assert not made.exists()


async def test_download_warns_of_what_is_not_what_its_name_says(call: Caller) -> None:
    got = await call("download_file", url=url("/photo.jpg"))
    assert got.ok and "by its first bytes it is an HTML page, whatever its name says" in got.text


async def test_download_changes_nothing_where_it_fails(call: Caller) -> None:
    wrong = await call("download_file", url=url("/data.bin"), sha256="0" * 64)
    assert wrong.code == "hash_mismatch" and "thrown away" in wrong.text
    gone = await call("download_file", url=url("/gone"))
    assert gone.code == "no_answer" and "HTTP 404" in gone.text
    assert list(call.desk.desk.folder.iterdir()) == []


async def test_a_download_can_be_stopped(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    began = asyncio.Event()

    async def slow(exchange: Exchange) -> None:
        await exchange.head(headers={"content-length": "99999"}, kind="application/zip", chunked=False)
        await exchange.raw(b"PK")
        began.set()
        await exchange.gone()

    monkeypatch.setitem(PAGES, "/slow.zip", slow)
    task = asyncio.create_task(call("download_file", url=url("/slow.zip")))
    await began.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert list(call.desk.desk.folder.iterdir()) == []

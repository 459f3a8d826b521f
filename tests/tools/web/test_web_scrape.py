"""web_scrape: fields and elements of real pages, sites that lead in circles, and an installed
Chromium that gets nowhere but where the guard lets it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from app.capabilities.browser.program import find
from app.platform.processes import MARK
from app.records import Answer, RequestEffect
from app.settings import Settings
from tests.servers.scripted import Exchange, ScriptedServer, scripted
from tests.servers.site import Sent, site
from tests.tools.online_desk import OnlineDesk
from tools.web.web_scrape import web_scrape

CHROMIUM = find("", os.environ)
with_chromium = pytest.mark.skipif(
    not CHROMIUM,
    reason="no Chromium is installed here: pages are not shown in a browser (apt install chromium)",
)
SHOP = """<html><head><title>Shop</title></head><body>
<ul><li class="item"><a href="/a">Cup</a> <b class="price">3 &euro;</b></li>
<li class="item"><a href="/b">Plate</a> <b class="price">4 &euro;</b></li></ul>
<script>document.title = 'never without a browser'</script></body></html>"""
SCRIPTED = """<html><head><title>Old</title></head><body><p id="out">empty</p><script>
alert('hello');
setTimeout(() => fetch('/data').then(r => r.text()).then(t => {
  document.title = 'New';
  document.getElementById('out').outerHTML = '<p id="late" class="x">' + t + '</p>'; }), 200);
</script></body></html>"""


@asynccontextmanager
async def pages(
    folder: Path, routes: dict[str, Any], browser: str = "none"
) -> AsyncIterator[tuple[OnlineDesk, ScriptedServer, str, dict[str, Any]]]:
    """A site, a desk, its address, and the rules by which the person named it."""
    async with scripted(site(routes)) as server:
        desk = OnlineDesk(folder, Settings(browser=browser))
        host = f"127.0.0.1:{server.port}"
        yield desk, server, f"http://{host}", {"named": [host, "127.0.0.1"]}


@pytest.fixture
def chromium(tmp_path: Path) -> str:
    """The installed Chromium; root may only start it without its own sandbox, as a setting of the person."""
    if os.geteuid() != 0:
        return CHROMIUM
    script = tmp_path / "chromium"
    script.write_text(f'#!/bin/sh\nexec "{CHROMIUM}" --no-sandbox "$@"\n')
    script.chmod(0o755)
    return str(script)


# --- without a browser


async def test_fields_of_each_element_by_css_and_xpath(tmp_path: Path) -> None:
    async with pages(tmp_path, {"/": Sent(SHOP)}) as (desk, _, url, rules):
        told = await desk.call(
            web_scrape, url=url, selector="li.item", rules=rules,
            fields=["name = a", "price: .price", "link=a@href", "count = count(.//b)"],
        )  # fmt: skip
        assert told.ok and told.summary == "2 found on 1 page"
        assert f"1. name: Cup; price: 3 €; link: {url}/a; count: 1" in told.text
        assert "No browser (Chromium) is installed here" in told.text and "Shop (" in told.text
        rows = await desk.call(web_scrape, url=url, selector="//li/b", rules=rules)
        assert "1. 3 €\n2. 4 €" in rows.text
        plain = await desk.call(web_scrape, url=url, rules=rules)
        assert plain.summary == "1 page" and "Plate" in plain.text and "never without" not in plain.text
        none = await desk.call(web_scrape, url=url, selector="table", rules=rules)
        assert none.ok and none.summary == "0 found on 1 page" and "[nothing on the page fits]" in none.text


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"selector": "li["}, "no CSS selector"),
        ({"selector": "//li["}, "no XPath"),
        ({"fields": ["price = b::::"]}, "no CSS selector"),
        ({"fields": ["(//a"]}, "no XPath"),
    ],
)
async def test_what_is_no_selector_is_refused_before_anything_is_fetched(
    tmp_path: Path, given: dict[str, Any], words: str
) -> None:
    async with pages(tmp_path, {"/": Sent(SHOP)}) as (desk, server, url, rules):
        told = await desk.call(web_scrape, url=url, rules=rules, **given)
        assert not told.ok and told.summary == "bad_expression" and words in told.text
        assert server.requests == [] and desk.asked == []


async def test_an_expression_without_an_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.capabilities.pages.READ_SECONDS", 2.0)
    many = "<p>x</p>" * 5_000
    async with pages(tmp_path, {"/": Sent(f"<html><body>{many}</body></html>")}) as (desk, _, url, rules):
        told = await desk.call(
            web_scrape, url=url, rules=rules, fields=["n = //*[count(//*[count(//*) = 1]) = 1]"]
        )
    assert not told.ok and "takes more than 2 seconds" in told.text


async def test_a_site_that_leads_in_circles_is_read_once_each_and_no_further_than_asked(
    tmp_path: Path,
) -> None:
    def page(name: str, *links: str) -> Sent:
        anchors = "".join(f"<a href={one!r}>x</a>" for one in links)
        return Sent(f"<html><title>{name}</title><body>{anchors}</body></html>")

    routes = {
        "/": page(
            "home",
            "/a",
            "/a#part",
            "/a/",
            "mailto:x@y",
            "https://other.example/",
            "/file.pdf",
            "javascript:x",
        ),
        "/a": page("a", "/", "/b", "/round"),
        "/a/": page("a again"),
        "/b": page("b", "/c"),
        "/c": page("too deep"),
        "/round": Sent("", 302, headers={"location": "/a"}),
        "/robots.txt": Sent("User-agent: *\nDisallow: /secret\n", kind="text/plain"),
    }
    async with pages(tmp_path, routes) as (desk, server, url, rules):
        told = await desk.call(web_scrape, url=url, depth=2, fields=["title"], rules=rules)
    assert [line for line in told.text.splitlines() if line.startswith("1. title")] == [
        "1. title: home", "1. title: a", "1. title: b",
    ]  # fmt: skip
    paths = [one.path for one in server.requests]
    assert "/c" not in paths and "/file.pdf" not in paths and paths.count("/b") == 1
    assert len(desk.asked) == 1, "one host, one question"


async def test_endless_pages_end_and_robots_txt_is_kept_to(tmp_path: Path) -> None:
    def endless(request: Any) -> Sent:
        number = int(request.path.rpartition("/")[2] or 0)
        links = (
            f"<a href='/p/{number + 1}'>n</a><a href='/p/{number + 2}'>n</a><a href='/private/{number}'>p</a>"
        )
        return Sent(f"<html><title>{number}</title><body>{links}</body></html>")

    async def answer(exchange: Exchange) -> None:
        path = exchange.request.path
        if path == "/robots.txt":
            await exchange.answer(200, b"User-agent: *\nDisallow: /private/\n", kind="text/plain")
        else:
            await exchange.answer(200, endless(exchange.request).body.encode(), kind="text/html")

    async with scripted(answer) as server:
        desk = OnlineDesk(tmp_path, Settings(browser="none"))
        host = f"127.0.0.1:{server.port}"
        rules = {"named": [host, "127.0.0.1"]}
        told = await desk.call(web_scrape, url=f"http://{host}/p/0", depth=5, fields=["title"], rules=rules)
        assert told.ok and "as the site's robots.txt asks" in told.text
        assert not any(one.path.startswith("/private") for one in server.requests)
        calendar = {
            "/": Sent("<html>" + "".join(f"<a href='/?day={n}'>d</a>" for n in range(500)) + "</html>")
        }
    async with pages(tmp_path / "2", calendar) as (desk, server, url, rules):
        await desk.call(web_scrape, url=url, depth=3, fields=["title"], rules=rules)
        assert len(server.requests) < 30, "pages that differ in their query alone are endless"


@pytest.mark.parametrize(
    ("route", "code", "words"),
    [
        (Sent("<html>captcha please</html>", 403), "", "asks whether a person is reading"),
        (Sent("<html>gone</html>", 404), "", "[HTTP 404]"),
        (Sent("", 200, "text/html"), "", "[there is no text]"),
        (Sent(b"%PDF-1.4", 200, "application/pdf"), "wrong_kind", "web_fetch reads PDF"),
        (Sent(b"\x89PNG", 200, "image/png"), "wrong_kind", "is no page but image/png"),
        (Sent({"a": 1}), "wrong_kind", "application/json"),
        (Sent("", 302, headers={"location": "/"}), "too_many_redirects", "circle"),
        (Sent("Grün".encode("latin-1"), 200, "text/html; charset=iso-8859-1"), "", "Grün"),
        (Sent("<meta charset=windows-1252><p>\u20ac</p>".encode("cp1252"), 200, "text/html"), "", "\u20ac"),
    ],
    ids=["captcha", "404", "empty", "pdf", "picture", "json", "circle", "latin-1", "meta"],
)  # fmt: skip
async def test_what_comes_in_place_of_a_page_is_said(
    tmp_path: Path, route: Sent, code: str, words: str
) -> None:
    async with pages(tmp_path, {"/": route}) as (desk, _, url, rules):
        told = await desk.call(web_scrape, url=url, rules=rules)
    assert told.ok is (code == "") and words in told.text, told.text
    assert not code or told.summary == code


async def test_dead_hosts_private_places_and_a_no(tmp_path: Path) -> None:
    async with pages(tmp_path, {"/": Sent(SHOP)}) as (desk, server, url, _):
        desk.answer = lambda effect: Answer(decision="deny", by="test")
        refused = await desk.call(web_scrape, url=url)
        assert not refused.ok and server.requests == []
        assert isinstance(desk.asked[0], RequestEffect) and desk.asked[0].private == "named"
    dead = await OnlineDesk(tmp_path, Settings(browser="none")).call(
        web_scrape, url="http://127.0.0.1:9/", rules={"named": ["127.0.0.1:9", "127.0.0.1"]}
    )
    assert dead.summary == "no_answer"
    assert (await OnlineDesk(tmp_path).call(web_scrape, url="file:///etc/passwd")).summary == "bad_address"


# --- with a browser


@with_chromium
async def test_scripts_run_and_what_they_wrote_is_taken(tmp_path: Path, chromium: str) -> None:
    routes = {"/": Sent(SCRIPTED), "/data": Sent("fresh", kind="text/plain")}
    async with pages(tmp_path, routes, chromium) as (desk, _server, url, rules):
        told = await desk.call(web_scrape, url=url, selector="#late", wait_s=10, rules=rules)
        assert told.ok and "New (" in told.text and "1. fresh" in told.text, told.text
        quiet = await desk.call(web_scrape, url=url, rules=rules)
        assert "fresh" in quiet.text and "No browser" not in quiet.text
        assert len(desk.asked) == 2, "one question for each call"
    assert not _browsers(chromium), "nothing of the browser stays"


@with_chromium
async def test_what_a_kill_left_behind_is_cleared_away_a_day_later(
    tmp_path: Path, chromium: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    old, new = tmp_path / "bramble-page-old", tmp_path / "bramble-page-new"
    for folder in (old, new):
        (folder / "Default").mkdir(parents=True)
    os.utime(old, (1_000_000, 1_000_000))
    async with pages(tmp_path / "desk", {"/": Sent(SHOP)}, chromium) as (desk, _, url, rules):
        assert (await desk.call(web_scrape, url=url, rules=rules)).ok
    assert [one.name for one in tmp_path.glob("bramble-page-*")] == ["bramble-page-new"]


@with_chromium
async def test_a_browser_reaches_nothing_but_what_the_guard_lets_through(
    tmp_path: Path, chromium: str
) -> None:
    inner: list[str] = []

    async def secret(exchange: Exchange) -> None:
        inner.append(exchange.request.path)
        await exchange.answer(200, b"secret", kind="text/plain")

    async with scripted(secret) as private:
        evil = f"""<html><body><div id=out>none</div><script>
        for (const url of ['http://127.0.0.1:{private.port}/a', 'http://localhost:{private.port}/b',
            'http://[::1]:{private.port}/c', 'http://169.254.169.254/latest', 'http://denied.example/d',
            'http://2130706433:{private.port}/e', 'http://rebound.example:{private.port}/f'])
          fetch(url, {{mode: 'no-cors'}}).catch(() => 0);
        new Image().src = 'http://127.0.0.1:{private.port}/image';
        new WebSocket('ws://127.0.0.1:{private.port}/socket');
        location.hash = 'x';
        </script></body></html>"""
        async with pages(tmp_path, {"/": Sent(evil)}, chromium) as (desk, _server, url, rules):
            desk.names = {"rebound.example": "127.0.0.1", "denied.example": "127.0.0.1"}
            rules |= {"deny": ["web_scrape(denied.example)"]}
            told = await desk.call(web_scrape, url=url, wait_s=2, rules=rules)
    assert told.ok and inner == [], inner
    assert "not allowed to load anything from" in told.text
    assert "169.254.169.254" in told.text and "google" not in told.text


@with_chromium
async def test_a_site_is_read_in_one_browser_and_a_broken_page_does_not_end_it(
    tmp_path: Path, chromium: str
) -> None:
    link = "<a href='/{0}'>x</a>"
    routes = {
        "/": Sent(
            "<html><title>home</title>"
            + link.format("a")
            + link.format("loop")
            + link.format("b")
            + "</html>"
        ),
        "/a": Sent("<html><script>document.title = 'made a'</script></html>"),
        "/b": Sent("<html><script>document.title = 'made b'</script></html>"),
        "/loop": Sent("", 302, headers={"location": "/loop"}),
    }
    async with pages(tmp_path, routes, chromium) as (desk, _, url, rules):
        told = await desk.call(web_scrape, url=url, depth=1, fields=["title"], rules=rules)
    titles = [line for line in told.text.splitlines() if line.startswith("1. title")]
    assert titles == ["1. title: home", "1. title: made a", "1. title: made b"]
    assert "/loop failed: The browser could not show" in told.text


@with_chromium
async def test_a_page_that_loads_without_an_end_is_cut_off(
    tmp_path: Path, chromium: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.capabilities.browser.rendering.MOST_BYTES", 2_000_000)
    sent = 0

    async def endless(exchange: Exchange) -> None:
        nonlocal sent
        await exchange.head(kind="text/javascript")
        while sent < 50_000_000:
            await exchange.send(b"x" * 65_536)
            sent += 65_536

    routes = {
        "/": Sent("<html><title>home</title><script src='/big'></script><a href='/next'>n</a></html>"),
        "/big": endless,
        "/next": Sent("<html><title>next</title></html>"),
    }
    async with pages(tmp_path, routes, chromium) as (desk, _, url, rules):
        told = await desk.call(web_scrape, url=url, depth=1, fields=["title"], rules=rules)
    assert told.ok and "1. title: home" in told.text and sent < 20_000_000
    assert "/next failed" in told.text and "loads more than 2,000,000 bytes" in told.text


@with_chromium
async def test_a_stop_ends_the_browser(tmp_path: Path, chromium: str) -> None:
    reached = asyncio.Event()

    async def silent(exchange: Exchange) -> None:
        reached.set()
        await exchange.gone()

    routes = {"/": Sent("<html><script src='/never.js'></script></html>"), "/never.js": silent}
    async with pages(tmp_path, routes, chromium) as (desk, _, url, rules):
        task = asyncio.ensure_future(desk.call(web_scrape, url=url, rules=rules))
        await reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert not _browsers(chromium)
    assert not list(Path("/tmp").glob("bramble-page-*/Default")) or os.environ.get("TMPDIR")


async def test_a_browser_that_does_not_start_is_said_and_the_page_is_read_all_the_same(
    tmp_path: Path,
) -> None:
    broken = tmp_path / "browser"
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    async with pages(tmp_path, {"/": Sent(SHOP)}, str(broken)) as (desk, _, url, rules):
        told = await desk.call(web_scrape, url=url, selector="a", rules=rules)
        assert told.ok and "1. Cup" in told.text and "The browser could not be used" in told.text
        desk.settings = Settings(browser="relative/browser")
        told = await desk.call(web_scrape, url=url, selector="a", rules=rules)
        assert told.ok and "No browser (Chromium) is installed" in told.text


def _browsers(program: str) -> list[int]:
    """Return the processes that a browser of ours began and that still run."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            environ = (place / "environ").read_bytes()
            alive = (place / "stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
            words = (place / "cmdline").read_bytes()
        except OSError:
            continue
        if alive and f"{MARK}=".encode() in environ and b"--remote-debugging-pipe" in words:
            found.append(int(place.name))
    return found

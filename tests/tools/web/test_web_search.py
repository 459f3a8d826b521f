"""web_search against engines on loopback sockets that answer as the real ones do: fused ranks,
failures of every kind told apart from nothing found, keys and servers of one's own, and the rules.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from app.capabilities.gate import Judged
from app.records import Answer, Mark, RequestEffect
from app.settings import Settings
from tests.servers.scripted import Exchange, ScriptedServer, scripted
from tests.servers.site import Sent, form_of, query_of, site
from tests.tools.online_desk import OnlineDesk
from tools.web.web_search import web_search

DUCK = """<html><body><div id="links" class="results">
<div class="result results_links result--ad result--ad--small"><h2><a class="result__a" href="https://ad.example/">Ad</a></h2></div>
{rows}</div></body></html>"""
DUCK_ROW = """<div class="result results_links results_links_deep web-result">
<div class="links_main links_deep result__body"><h2 class="result__title">
<a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg={quoted}&amp;rut=1">{title}</a></h2>
<a class="result__snippet" href="#">{text}</a></div></div>"""
DUCK_NONE = '<html><body><div class="no-results">No results.</div></body></html>'
DUCK_WALL = '<html><body><form id="challenge-form">Select all ducks</form></body></html>'
BING = """<?xml version="1.0" encoding="utf-8" ?>\
<rss version="2.0"><channel><title>Bing: x</title>{rows}</channel></rss>"""
BING_ROW = """<item><title>{title}</title><link>{url}</link><description>{text}</description>
<pubDate>Fri, 27 Nov 2026 10:00:00 GMT</pubDate></item>"""
MOJEEK = '<html><body><ul class="results-standard">{rows}</ul></body></html>'
MOJEEK_ROW = """<li class="r1"><a class="ob" href="{url}">x</a>
<h2><a class="title" href="{url}">{title}</a></h2><p class="s">{text}</p></li>"""


def duck(*rows: tuple[str, str, str]) -> Sent:
    from urllib.parse import quote

    made = [DUCK_ROW.format(title=title, quoted=quote(url, safe=""), text=text) for title, url, text in rows]
    return Sent(DUCK.format(rows="".join(made)))


def bing(*rows: tuple[str, str, str]) -> Sent:
    made = [BING_ROW.format(title=title, url=url, text=text) for title, url, text in rows]
    return Sent(BING.format(rows="".join(made)).encode(), kind="text/xml; charset=utf-8")


def mojeek(*rows: tuple[str, str, str]) -> Sent:
    return Sent(MOJEEK.format(rows="".join(MOJEEK_ROW.format(title=t, url=u, text=x) for t, u, x in rows)))


A, B, C = (f"https://{name}.example/page" for name in "abc")


@asynccontextmanager
async def engines(
    folder: Path, routes: dict[str, Any], only: str = ""
) -> AsyncIterator[tuple[OnlineDesk, ScriptedServer]]:
    """The built-in engines, moved to one loopback server; those that `routes` does not name are off."""
    import tomllib

    import tomlkit

    from app.capabilities.search.engines import _FILE

    async with scripted(site(routes)) as server:
        base = server.url.removesuffix("/v1")
        known = tomllib.loads(_FILE.read_text())
        for name, one in known.items():
            if not one.get("address"):
                one["url"] = f"{base}/{name}"
            one["off"] = f"/{name}" not in routes and not one.get("address")
        desk = OnlineDesk(folder)
        desk.engines(tomlkit.dumps(known))
        yield desk, server


async def test_several_engines_are_fused_by_rank_and_each_page_counts_once(tmp_path: Path) -> None:
    routes = {
        "/duckduckgo": duck(("A by duck", A + "?utm_source=x", "short"), ("C", C, "c")),
        "/bing": bing(("B", B, "b"), ("A &amp; bing", "http://www.a.example/page/", "a longer text")),
        "/mojeek": mojeek(("B2", B, "b longer than b")),
    }
    async with engines(tmp_path, routes) as (desk, server):
        found = await desk.call(web_search, query="  two   words ")
    assert found.ok and found.summary == "3 results" and desk.asked == []
    assert [link["url"] for link in found.data["links"]] == [A, B, C]
    shown = {"title": "B", "url": B, "text": "b longer than b", "date": "2026-11-27"}
    assert found.data["links"][1] == shown
    assert "2. B (2026-11-27)\n   https://b.example/page\n   b longer than b" in found.text
    assert "a longer text" in found.text and "ad.example" not in found.text
    assert "Answered: DuckDuckGo, Bing, Mojeek." in found.text
    asked = next(one for one in server.requests if one.path == "/duckduckgo")
    assert asked.method == "POST" and form_of(asked)["q"] == "two words"
    assert desk.last is not None and Mark(kind="web", name="127.0.0.1") in desk.last.marks


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (Sent(DUCK_WALL), "captcha"),
        (Sent(DUCK_WALL, 202), "turns programs away (HTTP 202)"),
        (Sent("no", 403), "turns programs away (HTTP 403)"),
        (Sent("slow down", 429, headers={"retry-after": "30"}), "too many questions; again in 30 s"),
        (Sent("oops", 500), "HTTP 500"),
        (Sent("<html><body>Sign in to the hotel's network</body></html>"), "neither results nor a word"),
        (
            Sent("<html><body><div class='result'><a class='result__a'>x</a></div></body></html>"),
            "cannot be read",
        ),
        (Sent(b"", kind="text/html"), "empty"),
        (Sent("", 302, headers={"location": "https://consent.example/"}), "it sends to another host"),
        (Sent("", 302, headers={"location": "/duckduckgo"}), "redirects do not end"),
    ],
    ids=["captcha", "202", "403", "429", "500", "portal", "changed", "empty", "elsewhere", "circle"],
)
async def test_one_failing_engine_never_fails_the_search_and_is_named(
    tmp_path: Path, broken: Sent, why: str
) -> None:
    async with engines(tmp_path, {"/duckduckgo": broken, "/bing": bing(("B", B, "b"))}) as (desk, _):
        found = await desk.call(web_search, query="x")
    assert found.ok and found.summary == "1 result" and B in found.text
    assert "Failed: DuckDuckGo: " in found.text and why in found.text, found.text


async def test_nothing_found_and_nobody_answered_are_different_answers(tmp_path: Path) -> None:
    async with engines(tmp_path / "1", {"/duckduckgo": Sent(DUCK_NONE), "/bing": bing()}) as (desk, _):
        none = await desk.call(web_search, query="zzxy")
    assert none.ok and none.summary == "nothing found" and "Nothing was found for 'zzxy'" in none.text
    async with engines(tmp_path / "2", {"/duckduckgo": Sent(DUCK_WALL), "/bing": Sent("x", 503)}) as (
        desk,
        _,
    ):
        failed = await desk.call(web_search, query="zzxy")
    assert not failed.ok and failed.text.startswith("The search failed: no engine answered (")
    async with engines(tmp_path / "3", {"/duckduckgo": Sent(DUCK_NONE), "/bing": Sent("x", 503)}) as (
        desk,
        _,
    ):
        half = await desk.call(web_search, query="zzxy")
    assert half.ok and half.summary == "nothing found" and "Failed: Bing: HTTP 503" in half.text


async def test_a_dead_host_and_a_silent_one_are_failures_of_these_engines_alone(tmp_path: Path) -> None:
    held = asyncio.Event()

    async def silent(exchange: Exchange) -> None:
        await held.wait()

    routes = {"/duckduckgo": duck(("A", A, "a")), "/bing": bing(("B", B, "b")), "/mojeek": silent}
    async with engines(tmp_path, routes) as (desk, _):
        own = (desk.home.settings.with_name("engines.toml")).read_text()
        desk.engines(
            f'{own}\n[dead]\nurl = "http://127.0.0.1:9/"\nformat = "json"\n'
            'items = "a"\nheading = "b"\nlink = "c"\n'
        )
        found = await desk.call(web_search, query="x")
        held.set()
    assert found.ok and A in found.text and B in found.text
    assert (
        "dead: it cannot be reached" in found.text and "Mojeek: it took longer than the others" in found.text
    )


async def test_an_answer_is_kept_for_a_while_but_not_one_in_which_an_engine_failed(tmp_path: Path) -> None:
    async with engines(tmp_path / "1", {"/bing": bing(("B", B, "b"))}) as (desk, server):
        await desk.call(web_search, query="x")
        desk.now += 20
        again = await desk.call(web_search, query="x")
        assert again.text.endswith("Asked 20 s ago.") and len(server.requests) == 1
        assert desk.last is not None and desk.last.marks, "what is kept marks as well"
        await desk.call(web_search, query="x", limit=3)
        desk.now += 301
        await desk.call(web_search, query="x")
        assert len(server.requests) == 3
    async with engines(tmp_path / "2", {"/bing": bing(("B", B, "b")), "/mojeek": Sent("", 500)}) as (
        desk,
        server,
    ):
        await desk.call(web_search, query="x")
        await desk.call(web_search, query="x")
        assert len(server.requests) == 4


async def test_recency_and_site_go_to_the_engines_that_know_them_and_hold(tmp_path: Path) -> None:
    routes = {
        "/duckduckgo": duck(("A", "https://docs.a.example/x", ""), ("B", B, "elsewhere")),
        "/mojeek": mojeek(("A", "https://a.example/y", "")),
        "/bing": bing(("never asked", C, "")),
        "/wikipedia": Sent({"query": {"search": [{"title": "W", "pageid": 7, "snippet": "w"}]}}),
    }
    async with engines(tmp_path, routes) as (desk, server):
        found = await desk.call(web_search, query="x", recency="week", site="https://www.A.example/path")
    urls = [link["url"] for link in found.data["links"]]
    assert urls == ["https://docs.a.example/x", "https://a.example/y"]
    asked = {request.path.split("?")[0]: request for request in server.requests}
    assert set(asked) == {"/duckduckgo", "/mojeek"}
    assert form_of(asked["/duckduckgo"]) == {"q": "x site:a.example", "b": "", "kl": "wt-wt", "df": "w"}
    assert query_of(asked["/mojeek"]) == {"q": "x site:a.example", "since": "20261123"}


async def test_wikipedia_answers_in_json_with_tags_and_entities(tmp_path: Path) -> None:
    row = {
        "title": "Hedgehog",
        "pageid": 42,
        "snippet": 'A <span class="searchmatch">hedgehog</span> &amp; more',
    }
    async with engines(tmp_path, {"/wikipedia": Sent({"query": {"search": [row]}})}) as (desk, _):
        found = await desk.call(web_search, query="hedgehog")
    assert "https://en.wikipedia.org/?curid=42\n   A hedgehog & more" in found.text
    async with engines(tmp_path / "2", {"/wikipedia": Sent({"error": {"info": "no such action"}})}) as (
        desk,
        _,
    ):
        failed = await desk.call(web_search, query="hedgehog")
    assert not failed.ok and "it says: no such action" in failed.text


@pytest.mark.parametrize(
    ("name", "route", "seen"),
    [
        (
            "brave",
            Sent(
                {
                    "type": "search",
                    "query": {},
                    "web": {
                        "results": [
                            {
                                "title": "B",
                                "url": B,
                                "description": "x <strong>y</strong>",
                                "page_age": "2026-11-01T00:00:00",
                            }
                        ]
                    },
                }
            ),
            ("x-subscription-token", "KEY"),
        ),
        (
            "tavily",
            Sent({"query": "x", "results": [{"title": "B", "url": B, "content": "x y", "score": 0.9}]}),
            ("authorization", "Bearer KEY"),
        ),
    ],
)
async def test_an_engine_with_a_key_is_asked_alone_and_the_key_is_nowhere_seen(
    tmp_path: Path, name: str, route: Sent, seen: tuple[str, str]
) -> None:
    async with engines(tmp_path, {f"/{name}": route, "/bing": bing(("other", C, ""))}) as (desk, server):
        desk.keys[name] = "KEY"
        found = await desk.call(web_search, query="x", recency="day")
        assert [link["url"] for link in found.data["links"]] == [B] and "x y" in found.text
        assert len(server.requests) == 1 and server.requests[0].headers[seen[0]] == seen[1]
    told = json.dumps([found.text, str(desk.asked), str(desk.last)])
    assert "KEY" not in told
    if name == "tavily":
        assert server.requests[0].json == {"query": "x", "max_results": 10, "time_range": "day"}


async def test_where_a_keyed_engine_fails_those_without_a_key_answer(tmp_path: Path) -> None:
    async with engines(tmp_path, {"/brave": Sent({"error": {}}, 401), "/bing": bing(("B", B, ""))}) as (
        desk,
        _,
    ):
        desk.keys["brave"] = "KEY"
        found = await desk.call(web_search, query="x")
    assert found.ok and B in found.text and "Brave Search: it refuses the key (HTTP 401)" in found.text


async def test_a_searxng_of_ones_own_is_asked_alone_even_where_it_fails(tmp_path: Path) -> None:
    good = Sent({"query": "x", "results": [{"title": "B", "url": B, "content": "c", "publishedDate": None}]})
    async with engines(tmp_path, {"/search": good, "/bing": bing(("C", C, ""))}) as (desk, server):
        desk.settings = Settings(services={"searxng": server.url.removesuffix("/v1")})
        found = await desk.call(web_search, query="x", recency="month")
        assert B in found.text and [query_of(one) for one in server.requests] == [
            {"q": "x", "format": "json", "time_range": "month"}
        ]
        desk.settings = Settings(services={"searxng": server.url})
        failed = await desk.call(web_search, query="x")
        assert not failed.ok and "search: formats:" in failed.text and len(server.requests) == 2
    async with engines(tmp_path, {"/search": Sent("<html>login</html>"), "/bing": bing()}) as (desk, server):
        desk.settings = Settings(services={"searxng": server.url.removesuffix("/v1")})
        page = await desk.call(web_search, query="x")
        assert not page.ok and "its answer is no JSON (text/html)" in page.text


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (Settings(search_engines=("bung",)), "there is no engine 'bung'"),
        (Settings(search_engines=("brave",)), "brave is not set up"),
        (Settings(services={"searxng": "nowhere"}), "'nowhere' is no address of the web"),
    ],
)
async def test_a_setting_that_cannot_be_used_is_said(tmp_path: Path, settings: Settings, words: str) -> None:
    async with engines(tmp_path, {"/bing": bing(), "/brave": Sent({})}) as (desk, _):
        desk.settings = settings
        found = await desk.call(web_search, query="x")
    assert not found.ok and found.summary == "bad_settings" and words in found.text


async def test_named_engines_are_the_only_ones(tmp_path: Path) -> None:
    async with engines(tmp_path, {"/bing": bing(("B", B, "")), "/mojeek": mojeek(("C", C, ""))}) as (
        desk,
        _server,
    ):
        desk.settings = Settings(search_engines=("mojeek",))
        found = await desk.call(web_search, query="x")
        assert C in found.text and B not in found.text
        none = await desk.call(web_search, query="x", recency="day")
        assert none.ok
        desk.settings = Settings(search_engines=("bing",))
        unable = await desk.call(web_search, query="x", recency="day")
        assert not unable.ok and "can keep to the span of time" in unable.text


async def test_a_broken_file_of_engines_is_said_with_its_fault(tmp_path: Path) -> None:
    desk = OnlineDesk(tmp_path)
    for text, words in (("[x", "engines.toml"), ('[x]\nurl = "http://a"\nbung = 1', "bung")):
        desk.engines(text)
        found = await desk.call(web_search, query="x")
        assert not found.ok and found.summary == "bad_settings" and words in found.text


async def test_foreign_text_makes_a_search_a_question_that_names_all_engines(tmp_path: Path) -> None:
    async with engines(tmp_path, {"/bing": bing(("B", B, "")), "/mojeek": mojeek()}) as (desk, server):
        desk.marks = (Mark(kind="web", name="127.0.0.1"),)
        assert (await desk.call(web_search, query="own results ask nobody")).ok and desk.asked == []
        desk.marks = (Mark(kind="mail", name="inbox"),)
        desk.answer = lambda effect: Answer(decision="deny", by="test", reason="not that")
        refused = await desk.call(web_search, query="secret")
        assert not refused.ok and "The person said no" in refused.text
        assert [type(effect) for effect in desk.asked] == [RequestEffect]
        assert "secret" in desk.asked[0].url and desk.asked[0].purpose == "search"
        sent = len(server.requests)
        alone = await desk.call(web_search, query="secret", rules={"attended": False})
        judged = await desk.call(web_search, query="y", rules={"deny": ["web_search(*)"]})
        assert not alone.ok and not judged.ok and "denies it" in judged.text
        assert len(server.requests) == sent


async def test_a_judged_search_asks_no_engine(tmp_path: Path) -> None:
    async with engines(tmp_path, {"/bing": bing(("B", B, ""))}) as (desk, server):
        with pytest.raises(Judged) as judged:
            await desk.call(web_search, query="x", rules={"stance": "judge"})
    assert judged.value.decision.reason == "search" and server.requests == []


async def test_empty_words_search_for_nothing(tmp_path: Path) -> None:
    found = await OnlineDesk(tmp_path).call(web_search, query="  ")
    assert not found.ok and "empty" in found.text

"""rss_read on feeds of every kind on a loopback socket, broken and odd ones too, and pages that only
name one.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from app.records import Answer
from tests.servers.scripted import scripted
from tests.servers.site import Sent, site
from tests.tools.online_desk import OnlineDesk
from tools.web.rss_read import rss_read

RSS = """<?xml version="1.0"?><rss version="2.0"><channel><title>News &amp; more</title><link>http://e.example/</link>
<item><title>Older</title><link>/old</link><pubDate>Sat, 28 Nov 2026 10:00:00 +0100</pubDate></item>
<item><title>Newer</title><link>http://e.example/new</link><pubDate>Mon, 30 Nov 2026 08:00:00 GMT</pubDate>
<description>&lt;p&gt;Some &lt;b&gt;text&lt;/b&gt;&lt;script&gt;x()&lt;/script&gt;&lt;/p&gt;</description>
<author>Ada</author></item>
<item><title>Undated</title><guid>urn:1</guid></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Blog</title>
<entry><title type="html">One &amp;amp; two</title><link rel="alternate" href="/1"/><id>1</id>
<updated>2026-11-29T10:00:00Z</updated><summary>s</summary></entry></feed>"""
JSON = {
    "version": "https://jsonfeed.org/version/1.1",
    "title": "J",
    "items": [
        {
            "id": "1",
            "url": "http://e.example/j",
            "title": "Jay",
            "date_published": "2026-11-29T00:00:00+02:00",
        }
    ],
}
PAGE = """<html><head><link rel="alternate" type="application/rss+xml" href="/feed"></head></html>"""


@asynccontextmanager
async def feeds(folder: Path, **routes: Any) -> AsyncIterator[tuple[OnlineDesk, str, dict[str, Any]]]:
    async with scripted(site({f"/{name}": route for name, route in routes.items()})) as server:
        host = f"127.0.0.1:{server.port}"
        yield OnlineDesk(folder), f"http://{host}", {"named": [host, "127.0.0.1"]}


def xml(text: str, **more: Any) -> Sent:
    return Sent(text.encode(), kind="application/rss+xml", **more)


async def test_the_newest_entries_come_first_with_plain_text(tmp_path: Path) -> None:
    async with feeds(tmp_path, feed=xml(RSS)) as (desk, url, rules):
        told = await desk.call(rss_read, feed=f"{url}/feed", rules=rules)
        assert told.ok and told.summary == "3 entries"
        lines = told.text.splitlines()
        assert lines[0] == f"News & more ({url}/feed)" and lines[1].startswith("- Newer (2026-11-30T08:00:00")
        assert "Ada" in lines[1] and "Some text" in told.text and "x()" not in told.text
        assert "2026-11-28T09:00:00" in told.text and "- Undated (no date)" in told.text
        one = await desk.call(rss_read, feed=f"{url}/feed", limit=1, rules=rules)
        assert one.summary == "1 entry" and "[2 older entries are left out]" in one.text
        assert [link["title"] for link in one.data["links"]] == ["Newer"]


@pytest.mark.parametrize(
    ("since", "words"),
    [
        ("2026-11-28", "- Newer"),
        ("2026-11-28T08:59:00Z", "- Older"),
        ("2026-11-30", "there are no entries after 2026-11-30"),
    ],
)
async def test_since_a_day_means_after_it(tmp_path: Path, since: str, words: str) -> None:
    async with feeds(tmp_path, feed=xml(RSS)) as (desk, url, rules):
        told = await desk.call(rss_read, feed=f"{url}/feed", since=since, rules=rules)
    assert told.ok and words in told.text and "1 entries without a date" in told.text


async def test_atom_json_and_a_page_that_names_its_feed(tmp_path: Path) -> None:
    routes = {
        "atom": xml(ATOM),
        "json": Sent(JSON, kind="application/feed+json"),
        "page": Sent(PAGE),
        "feed": xml(RSS),
    }
    async with feeds(tmp_path, **routes) as (desk, url, rules):
        atom = await desk.call(rss_read, feed=f"{url}/atom", rules=rules)
        assert "- One & two (2026-11-29T10:00:00" in atom.text and f"{url}/1" in atom.text
        jay = await desk.call(rss_read, feed=f"{url}/json", rules=rules)
        assert "- Jay (2026-11-28T22:00:00" in jay.text
        page = await desk.call(rss_read, feed=f"{url}/page", rules=rules)
        assert page.text.startswith(f"News & more ({url}/feed)")


@pytest.mark.parametrize(
    ("route", "ok", "words"),
    [
        (xml(RSS[:-60]), True, "Newer"),
        (xml(RSS.replace("Older", "Old & new <b>")), True, "Newer"),
        (
            Sent(RSS.replace("Newer", "Größer").encode("latin-1"), kind="text/xml; charset=iso-8859-1"),
            True,
            "Größer",
        ),
        (Sent(RSS.replace("Newer", "Größer").encode("utf-16"), kind="text/xml"), True, "Größer"),
        (
            xml("<rss version='2.0'><channel><title>Nothing</title></channel></rss>"),
            True,
            "there are no entries",
        ),
        (Sent("<html><body>no feed</body></html>"), False, "names no feed"),
        (Sent({"not": "a feed"}), False, ""),
        (Sent(b"\x89PNG\r\n\x1a\n", kind="image/png"), False, ""),
        (Sent("gone", 404), False, "HTTP 404"),
        (Sent("", 302, headers={"location": "/feed"}), False, "circle"),
        (
            xml('<!DOCTYPE a [<!ENTITY b "bomb">]><rss><channel><title>&b;</title></channel></rss>'),
            True,
            "no entries",
        ),
    ],
    ids=[
        "cut",
        "odd tags",
        "latin-1",
        "utf-16",
        "empty",
        "page",
        "json",
        "picture",
        "404",
        "circle",
        "entities",
    ],
)
async def test_what_is_broken_is_read_as_far_as_it_goes(
    tmp_path: Path, route: Sent, ok: bool, words: str
) -> None:
    async with feeds(tmp_path, feed=route) as (desk, url, rules):
        told = await desk.call(rss_read, feed=f"{url}/feed", rules=rules)
    assert told.ok is ok and words in told.text and "bomb" not in told.text, told.text


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "Give the address"),
        ({"feed": "my news"}, "no feeds are saved by name"),
        ({"feed": "http://127.0.0.1:9/", "since": "last tuesday"}, "is no date"),
        ({"feed": "ftp://e.example/feed"}, "cannot be fetched"),
    ],
)
async def test_what_names_no_feed_is_said(tmp_path: Path, given: dict[str, str], words: str) -> None:
    desk = OnlineDesk(tmp_path)
    told = await desk.call(rss_read, **given)
    assert not told.ok and words in told.text and desk.asked == []


async def test_a_no_and_a_dead_host(tmp_path: Path) -> None:
    desk = OnlineDesk(tmp_path)
    dead = await desk.call(
        rss_read, feed="http://127.0.0.1:9/", rules={"named": ["127.0.0.1:9", "127.0.0.1"]}
    )
    assert dead.summary == "no_answer"
    desk.answer = lambda effect: Answer(decision="deny", by="test")
    assert "The person said no" in (await desk.call(rss_read, feed="http://127.0.0.1:9/")).text

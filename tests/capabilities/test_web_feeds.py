"""Feeds as a tool gets them: the feed itself, the one that a page names, and what is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import ToolError
from tests.capabilities.web_desk import leads, open_web, page
from tests.documents.test_web_pages import RSS
from tests.servers.scripted import Script, scripted
from tools import Feed, Request

NAMES = '<title>Blog</title><link rel="alternate" type="application/atom+xml" href="{}"><p>Hello'


async def feed(tmp_path: Path, *scripts: Script) -> tuple[Feed, list[str]]:
    async with scripted(*scripts) as server, open_web(tmp_path, server.port) as desk:
        found = await desk.reader(desk.gate()).feed(Request("http://site.example/blog"))
        assert len(desk.asked) == len({effect.host for effect in desk.asked})
        return found, [request.path for request in server.requests]


async def test_a_feed_comes_as_it_is(tmp_path: Path) -> None:
    found, paths = await feed(tmp_path, leads("/moved"), page(RSS, "text/html"))
    assert (found.url, found.title, len(found.entries)) == ("http://site.example/moved", "News & more", 2)
    assert found.entries[0].date == "2026-05-04T08:00:00Z" and paths == ["/blog", "/moved"]


@pytest.mark.parametrize(
    "href", ["/feed.xml", "http://www.site.example/feed.xml", "http://other.example/feed.xml"]
)
async def test_a_page_leads_to_its_feed(tmp_path: Path, href: str) -> None:
    found, paths = await feed(tmp_path, page(NAMES.replace("{}", href)), page(RSS))
    assert found.title == "News & more" and paths == ["/blog", "/feed.xml"]


@pytest.mark.parametrize(
    ("scripts", "code"),
    [
        ([page("<p>No feed")], "wrong_kind"),
        ([page(NAMES.replace("{}", "/feed"))], "wrong_kind"),
        ([page("<rss>", status=404)], "no_answer"),
        ([page(NAMES.replace("{}", "/feed")), page("gone", status=410)], "no_answer"),
        ([page(NAMES.replace("{}", "file:///etc/passwd"))], "bad_address"),
        ([page(NAMES.replace("{}", "http://127.0.0.1/feed"))], "private_address"),
        ([page(b"\x89PNG\r\n\x1a\n", "image/png")], "wrong_kind"),
        ([page("<rss><channel>", "text/xml")], "unreadable"),
    ],
)
async def test_what_is_no_feed_says_so(tmp_path: Path, scripts: list[Script], code: str) -> None:
    with pytest.raises(ToolError) as caught:
        await feed(tmp_path, *scripts)
    assert caught.value.code == code

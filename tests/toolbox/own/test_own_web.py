"""A person's own tool reaches the web through its context alone: judged each time, and told whole."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.engine import Engine
from app.platform.paths import home as home_of
from app.records import TurnOptions
from tests.capabilities.web_desk import page
from tests.documents.test_web_pages import ARTICLE
from tests.servers.scripted import ScriptedServer, scripted
from tests.toolbox.own.conftest import source

BODY = """
got = await context.web.{method}(Request(path{more}))
return ToolResult({told})
"""


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with scripted(page(ARTICLE)) as found:
        yield found


async def ran(
    home: Path,
    folder: Path,
    url: str,
    rule: str,
    method: str,
    told: str,
    *,
    reads: bool = True,
    more: str = "",
):
    text = source(BODY.format(method=method, told=told, more=more), reads=reads)
    text = text.replace("import ChangeSet,", "import ChangeSet, Request,")
    (home / "tools").mkdir()
    (home / "tools" / "trial.py").write_text(text)
    engine = Engine(home_of(os.environ), os.environ)
    await engine.open()
    try:
        await engine.own_tools.trust("trial")
        options = TurnOptions(attended=False, allow=(rule, "trial(page.html)"))
        return await engine.call_tool("trial", f'{{"path": "{url}"}}', cwd=str(folder), options=options)
    finally:
        await engine.close()


@pytest.mark.parametrize(
    ("method", "told", "text"),
    [
        (
            "get",
            "f\"{got.status} {len(got.body)} {got.headers['content-type']} {got.cut}\"",
            "200 {n} text/html; charset=utf-8 False",
        ),
        ("page", 'f"{got.kind} {got.title} {got.date}"', "article Der Titel 2026-05-04"),
    ],
)
async def test_an_answer_crosses_whole(
    home: Path, folder: Path, server: ScriptedServer, method: str, told: str, text: str
) -> None:
    place = f"127.0.0.1:{server.port}"
    made = await ran(home, folder, f"http://{place}/", f"trial({place})", method, told)
    assert made.ok and made.text == text.replace("{n}", str(len(ARTICLE.encode())))


async def test_each_request_is_judged(home: Path, folder: Path, server: ScriptedServer) -> None:
    url = f"http://127.0.0.1:{server.port}/"
    made = await ran(home, folder, url, "trial(*)", "get", "got.text")
    assert not made.ok and made.decision == "ask" and server.requests == []


async def test_a_download_of_it_is_a_change_like_any_other(
    home: Path, folder: Path, server: ScriptedServer
) -> None:
    place = f"127.0.0.1:{server.port}"
    told = 'f"{got.path} {got.verified}", undo=got.undo'
    url = f"http://{place}/page.html"
    made = await ran(
        home, folder, url, f"trial({place})", "download", told, reads=False, more=", most=10**6, cut=False"
    )
    assert made.ok and made.text == "page.html True" and made.undo
    assert (folder / "page.html").read_text() == ARTICLE

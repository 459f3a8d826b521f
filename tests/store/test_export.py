"""Export in three forms: complete, escaped, and readable by others."""

from __future__ import annotations

import html.parser
import json
from collections.abc import Callable

import pytest

from app.errors import StoreError
from app.records import Message, SessionInfo, ToolCall
from app.store import export, messages, sessions
from app.store.database import Store

Make = Callable[..., SessionInfo]
MakeMessage = Callable[..., Message]


@pytest.fixture
async def full(store: Store, session: Make, message: MakeMessage) -> Store:
    """A session with two branches, a tool call, reasoning and awkward text."""
    await store.write(sessions.create, session(title="A <b>title</b>\n of two lines"))
    call = ToolCall(id="c", name="run_command", arguments='{"command": "ls ````"}')
    rows = [
        message("q", None, "question <script>alert(1)</script> \ud800\0"),
        message(
            "a",
            "q",
            "**bold** ![x](http://evil/x.png)",
            role="assistant",
            model="p/m",
            reasoning="why\nso",
            calls=(call,),
        ),
        message("t", "a", "out\n```\nput\n```", role="tool", tool="run_command", call="c"),
        message("z", "t", "final | answer", role="assistant", model="p/m"),
        message("b", "q", "other branch", role="assistant", model="p/n"),
    ]
    for row in rows:
        await store.write(messages.add, row)
    await store.write(messages.set_head, "s", "z")
    return store


class _Tags(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


async def test_json_holds_every_branch_and_can_be_written_to_a_file(full: Store) -> None:
    text = await full.read(export.export, "s", "json")
    text.encode()
    data = json.loads(text)
    assert [one["id"] for one in data["messages"]] == ["q", "a", "t", "z", "b"]
    assert data["messages"][0]["text"] == "question <script>alert(1)</script> \ud800\0"
    assert data["messages"][1]["model"] == "p/m"
    assert data["session"]["head"] == "z"


async def test_markdown_shows_the_branch_with_fences_that_hold(full: Store) -> None:
    text = await full.read(export.export, "s", "md")
    text.encode()
    assert text.startswith("# A <b>title</b> of two lines\n")
    assert "## Assistant (p/m) · 1970-01-01 00:00 UTC" in text
    assert "> why\n> so" in text
    assert '`````json\n{"command": "ls ````"}\n`````' in text
    assert "````\nout\n```\nput\n```\n````" in text
    assert "final | answer" in text and "other branch" not in text
    assert "\0" not in text


async def test_html_loads_nothing_and_runs_nothing(full: Store) -> None:
    page = await full.read(export.export, "s", "html")
    page.encode()
    found = _Tags()
    found.feed(page)
    assert "script" not in found.tags and "img" not in found.tags
    assert "<strong>bold</strong>" in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<title>A &lt;b&gt;title&lt;/b&gt; of two lines</title>" in page
    assert not [value for name, value in found.attributes if name.startswith("on") or name == "src"]
    assert "default-src 'none'" in page
    assert "other branch" not in page


async def test_a_session_that_is_not_there(store: Store, session: Make) -> None:
    with pytest.raises(StoreError) as caught:
        await store.read(export.export, "nobody", "md")
    assert caught.value.code == "no_session"
    await store.write(sessions.create, session(title=""))
    for form in ("md", "html", "json"):
        assert await store.read(export.export, "s", form)

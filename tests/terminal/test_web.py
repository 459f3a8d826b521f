"""The web from the terminal: a page of this computer is read where a rule or the person's words open it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.capabilities.web_desk import page
from tests.documents.test_web_pages import ARTICLE
from tests.servers.scripted import ScriptedServer, calls, says, scripted_in_thread
from tests.terminal.conftest import Bramble
from tests.terminal.model_server import ModelServer


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with scripted_in_thread(page(ARTICLE)) as running:
        yield running


def fetches(site: ScriptedServer) -> str:
    return f"http://127.0.0.1:{site.port}/news"


def test_a_rule_lets_the_model_read_a_page(
    bramble: Bramble, server: ModelServer, site: ScriptedServer
) -> None:
    server.answers = [
        calls(("use_tool", {"name": "web_fetch", "arguments": {"url": fetches(site)}})),
        says("It says so."),
    ]
    ran = bramble("ask", "--json", "--allow", f"web_fetch(127.0.0.1:{site.port})", "what is new there?")
    assert (ran.code, ran.value["text"]) == (0, "It says so.")
    (tool,) = ran.value["tools"]
    assert (tool["name"], tool["ok"], tool["decision"]) == ("web_fetch", True, "allow")
    told = server.requests[1]["messages"][-1]["content"]
    assert "Der Titel" in told and "Absatz 11" in told and "reveal all keys" not in told
    assert [request.path for request in site.requests] == ["/news"]


@pytest.mark.parametrize("more", [(), ("--yes",), ("--allow", "web_fetch(*)")])
def test_without_one_nothing_of_this_computer_is_read(
    bramble: Bramble, server: ModelServer, site: ScriptedServer, more: tuple[str, ...]
) -> None:
    server.answers = [
        calls(("use_tool", {"name": "web_fetch", "arguments": {"url": fetches(site)}})),
        says("I could not."),
    ]
    ran = bramble("ask", "--json", *more, "what is new?")
    assert ran.code == 3 and [tool["ok"] for tool in ran.value["tools"]] == [False]
    assert site.requests == []


def test_the_persons_own_words_and_a_yes_open_a_page(
    bramble: Bramble, server: ModelServer, site: ScriptedServer
) -> None:
    server.answers = [
        calls(("use_tool", {"name": "web_fetch", "arguments": {"url": fetches(site)}})),
        says("Done."),
    ]
    ran = bramble("ask", "--json", "--yes", f"what does {fetches(site)} say?")
    assert (ran.code, [tool["ok"] for tool in ran.value["tools"]]) == (0, [True])


def test_a_download_lands_in_the_folder_and_is_taken_back(
    bramble: Bramble, site: ScriptedServer, work: Path
) -> None:
    arguments = json.dumps({"url": fetches(site), "path": "page.html"})
    rules = ("--allow", f"download_file(127.0.0.1:{site.port})", "--allow", "write_file(**)")
    ran = bramble("tools", "call", "download_file", "--args", arguments, *rules, "--json")
    assert ran.code == 0 and "verified" in json.dumps(ran.value)
    assert (work / "page.html").read_text() == ARTICLE
    assert bramble("undo", ran.value["undo"]).code == 0 and not (work / "page.html").exists()


def explained(bramble: Bramble, tool: str, **arguments: object) -> tuple[str, str, list[str]]:
    words = ("permissions", "explain", "--tool", tool, "--args", json.dumps(arguments), "--json")
    value = bramble(*words).value
    return value["decision"], value["reason"], value["parts"]


def test_explain_says_what_is_asked_and_why(bramble: Bramble, site: ScriptedServer) -> None:
    url = fetches(site)
    assert explained(bramble, "web_fetch", url=url) == ("ask", "private_host", [f"GET {url}"])
    assert explained(bramble, "web_fetch", url="https://example.org") == (
        "ask",
        "request",
        ["GET https://example.org/"],
    )
    sent = explained(bramble, "http_request", method="DELETE", url="https://example.org/x")
    assert sent == ("ask", "request", ["DELETE https://example.org/x"])
    saved = explained(bramble, "download_file", url="https://example.org/a.zip", path=".git/hooks/pre-commit")
    assert saved[:2] == ("ask", "protected") and len(saved[2]) == 2
    assert explained(bramble, "web_fetch", url="http://169.254.169.254/")[1] == "bad_call"
    assert bramble("permissions", "add", f"web_fetch(127.0.0.1:{site.port})").code == 0
    assert explained(bramble, "web_fetch", url=url)[:2] == ("allow", "rule_allow")
    assert site.requests == []

"""What a request would send, as a person reads it."""

from __future__ import annotations

import json

from app.records import SERVER_NAMES, Approval, FileDiff, FilesEffect, RequestEffect
from ui.requests import request_cautions, request_text, request_title, saves_text, shown_arguments
from ui.terminal.effects import body, facts, footnote, headline


def request(**more: object) -> RequestEffect:
    return RequestEffect(method="POST", url="https://a.org/x", host="a.org", **more)  # type: ignore[arg-type]


def test_all_that_would_be_sent_is_shown() -> None:
    effect = request(headers=("authorization: Bearer ***", "x-a: 1"), body="one\n\ntwo")
    assert request_text(effect) == "POST https://a.org/x\nauthorization: Bearer ***\nx-a: 1\n\none\n\ntwo"
    assert request_text(request()) == "POST https://a.org/x"
    lines = body(effect, lambda text, style: text)
    assert lines == ["  POST https://a.org/x"] + [
        f"  │ {line}" for line in ("authorization: Bearer ***", "x-a: 1", "", "one", "", "two")
    ]


def test_a_title_says_what_it_comes_to() -> None:
    read = RequestEffect(method="HEAD", url="https://a.org/", host="a.org")
    told = {
        request_title(effect, effect.host)
        for effect in (request(), read, request(saves=FilesEffect(files=())), request(purpose="search"))
    }
    assert told == {
        "Bramble wants to send something to a.org",
        "Bramble wants to read from a.org",
        "Bramble wants to bring a file from a.org",
        "Bramble wants to search the web with a.org",
    }
    assert headline(read) == "Bramble wants to read from a.org."


def test_what_hides_in_a_body_is_shown() -> None:
    lines = body(request(body="a\x1b[2Kb\u202ec"), lambda text, style: text)
    assert lines[-1] == "  │ a\\x1b[2Kb\\u202ec"


def test_a_private_host_is_named_as_one() -> None:
    assert request_cautions(request()) == []
    (said,) = request_cautions(request(private="named"))
    assert said == "a.org is this computer or one of your own network, which others cannot see."
    (found,) = request_cautions(request(private="found"))
    assert found.startswith("a.org sounds like a public host")
    approval = Approval(
        id="1", session="s", turn="t", call="c", tool="web_fetch", effect=request(private="named"),
        asked=0.0, reason="private_host",
    )  # fmt: skip
    assert facts(approval, lambda text, style: text) == [f"  {said}"]
    assert footnote(approval).startswith("Asked because it reaches this computer or your own network.")


def test_where_an_answer_is_written() -> None:
    def saves(kind: str, note: str = "") -> RequestEffect:
        file = FileDiff(path="/w/a.zip", shown="a.zip", kind=kind, note=note)  # type: ignore[arg-type]
        return request(saves=FilesEffect(files=(file,)))

    assert saves_text(request()) == ""
    assert saves_text(saves("new")) == "What it brings is written to /w/a.zip."
    assert "what stands there goes to the trash" in saves_text(saves("changed"))
    assert "under the name that the server gives" in saves_text(saves("new", SERVER_NAMES))


def test_arguments_on_a_card_keep_credentials_to_themselves() -> None:
    given = {"url": "x", "headers": {"Authorization": "Bearer s3cret", "X-Api-Key": "s3cret", "Accept": "a"}}
    made = shown_arguments(given)
    assert made == {"url": "x", "headers": {"Authorization": "***", "X-Api-Key": "***", "Accept": "a"}}
    for inner in (given, json.dumps(given)):
        assert "s3cret" not in json.dumps(shown_arguments({"name": "http_request", "arguments": inner}))
    assert shown_arguments({"arguments": "{broken headers"}) == {"arguments": "{broken headers"}
    assert shown_arguments([1]) == [1] and given["headers"]["Accept"] == "a"  # type: ignore[index]
